"""The runtime type checker of the tests. An int will do where a float is asked for, as everywhere in Python."""

from collections.abc import Callable
from inspect import isfunction
from pathlib import Path
from typing import Any

import jaxtyping
from beartype import BeartypeConf, beartype

checked = beartype(conf=BeartypeConf(is_pep484_tower=True))

SOURCE = Path(__file__).parents[1] / "src"
knowing_shapes = jaxtyping.jaxtyped


def check(package: str) -> None:
    """Check signatures whenever functions are called. Who checks shapes binds the arguments at every call, which takes
    long: only modules that import shapes are checked for them, the others for types alone."""
    shaped = {module_of(file) for file in (SOURCE / package).rglob("*.py") if "jaxtyping" in file.read_text()}

    def jaxtyped(*, typechecker: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def decorate(found: Any) -> Any:
            plain = isfunction(found) and found.__module__ not in shaped
            # Annotations in quotes may be of names that are not there yet.
            if plain and not any(isinstance(hint, str) for hint in found.__annotations__.values()):
                return typechecker(found)
            return knowing_shapes(found, typechecker=typechecker)

        return decorate

    jaxtyping.jaxtyped = jaxtyped
    jaxtyping.install_import_hook(package, "typecheck.checked")


def module_of(file: Path) -> str:
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
