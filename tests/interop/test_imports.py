"""What an import brings along, and which ids it registers."""

import subprocess
import sys

import pytest

from interop.samples import ID


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_the_core_imports_nothing_heavy() -> None:
    heavy = "{'gymnasium', 'tyro', 'matplotlib', 'PIL'}"
    imports = "import sys, cofca, cofca.envs.minecraft.env, cofca.envs.autoreset"
    assert run_python(f"{imports}; print({heavy} & set(sys.modules))") == "set()"


@pytest.mark.parametrize("imports", ["import gymnasium, cofca", "import cofca, gymnasium"])
def test_importing_registers_the_ids_and_brings_nothing_heavy_along(imports: str) -> None:
    heavy = "{'jax', 'jaxlib', 'torch'} & set(sys.modules)"
    assert run_python(f"import sys; {imports}; print({ID!r} in gymnasium.registry, {heavy} or 'light')") == "True light"


def test_without_gymnasium_nobody_waits_for_ever() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import cofca; print('fine')"
    assert run_python(code) == "fine"


def test_the_entry_point_registers_the_ids_and_imports_nothing_heavy() -> None:
    loads = "from importlib.metadata import entry_points; (found,) = entry_points(group='gymnasium.envs', name='cofca')"
    heavy = "{'jax', 'jaxlib', 'torch'} & set(sys.modules)"
    code = f"import sys, gymnasium; {loads}; found.load()(); print({ID!r} in gymnasium.registry, {heavy} or 'light')"
    assert run_python(code) == "True light"


def test_gymnasium_imports_the_module_named_before_an_id() -> None:
    assert run_python(f"import gymnasium; print(gymnasium.make('cofca:{ID}').spec.id)") == ID
