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
def test_importing_registers_the_ids(imports: str) -> None:
    assert run_python(f"{imports}; print({ID!r} in gymnasium.registry)") == "True"


def test_the_ids_alone_bring_nothing_heavy_along() -> None:
    heavy = "{'jax', 'jaxlib', 'torch'} & set(sys.modules)"
    assert run_python(f"import sys, cofca, gymnasium; print({heavy} or 'light')") == "light"


def test_without_gymnasium_its_interface_is_refused_in_one_line() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import cofca\ntry: import cofca.interop.gymnasium"
    told = run_python(f"{code}\nexcept ImportError as error: print(error)")
    assert told == "cofca.interop.gymnasium needs Gymnasium: pip install 'cofca[gymnasium]'"


def test_the_entry_point_registers_the_ids_and_imports_nothing_heavy() -> None:
    loads = "from importlib.metadata import entry_points; (found,) = entry_points(group='gymnasium.envs', name='cofca')"
    heavy = "{'jax', 'jaxlib', 'torch'} & set(sys.modules)"
    code = f"import sys, gymnasium; {loads}; found.load()(); print({ID!r} in gymnasium.registry, {heavy} or 'light')"
    assert run_python(code) == "True light"


def test_gymnasium_imports_the_module_named_before_an_id() -> None:
    assert run_python(f"import gymnasium; print(gymnasium.make('cofca:{ID}').spec.id)") == ID
