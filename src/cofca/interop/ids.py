"""The ids by which Gymnasium finds the environments. Nothing else is imported before one is made."""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

IDS = {"cofca/Minecraft-v0": "minecraft", "cofca/StarCraft-v0": "starcraft"}
"""With the domain of each."""
REGISTRATION = "gymnasium.envs.registration"


def register() -> None:
    """Register the ids with Gymnasium; registering again changes nothing."""
    # Not `import gymnasium`: somebody may be in the middle of importing that.
    from gymnasium.envs import registration

    for id_, name in IDS.items():
        if id_ not in registration.registry:
            registration.register(
                id_,
                entry_point="cofca.interop.gymnasium:CofcaEnv",
                vector_entry_point="cofca.interop.gymnasium:CofcaVectorEnv",
                kwargs={"domain_name": name},
            )


def register_once_imported() -> None:
    """Register the ids, now or when somebody imports Gymnasium, which stays optional."""
    if REGISTRATION in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _Waiting())


class _Waiting(MetaPathFinder):
    """Is asked for every module that is imported; once for Gymnasium's registry, which it lets the others find."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Nothing, but for that module."""
        if fullname != REGISTRATION:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def then_register(module: ModuleType) -> None:
                execute(module)
                register()

            spec.loader.exec_module = then_register  # type: ignore[method-assign]
        return spec
