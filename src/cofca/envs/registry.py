"""The domains by name. Names are known before anything of a domain is imported."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from reprlib import repr as shown

from cofca.envs.domain import Domain
from cofca.utils.references import find, is_reference
from cofca.utils.spelling import guess

NAMES = ("minecraft", "starcraft")
"""Those that come with the package."""
_LOADERS: dict[str, str | Callable[[], Domain]] = {
    "minecraft": "cofca.envs.minecraft.domain:minecraft_domain",
    "starcraft": "cofca.envs.starcraft.domain:starcraft_domain",
    "errands": "cofca.envs.minecraft.domain:errands_domain",
}


def register_domain(name: str, load: Callable[[], Domain]) -> None:
    """Make a domain of one's own known under a name."""
    if name in _LOADERS:
        raise ValueError(f"there is a domain called {name!r} already")
    _LOADERS[name] = load


@cache
def domain(name: str) -> Domain:
    """Look a domain up."""
    if is_reference(name):
        found = find(name)
        return found if isinstance(found, Domain) else found()
    if name not in _LOADERS:
        names = [known for known in _LOADERS if known != "errands"]
        raise ValueError(f"unknown domain {shown(name)}; expected {' or '.join(names)}{guess(name, names)}")
    load = _LOADERS[name]
    if isinstance(load, str):
        module, _, function = load.partition(":")
        load = getattr(import_module(module), function)
    loaded: Domain = load()
    return loaded
