"""Settings by name: how a person changes one number of a configuration."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from cofca.pages import LARGEST, read_json

Config = TypeVar("Config")
WANTED: dict[Any, str] = {int: "a whole number", float: "a number", bool: "true or false"}
"""What can be set, in words."""


def changed(config: Config, settings: Sequence[str]) -> Config:
    """A dataclass with settings such as `learning_rate=0.0005` put in; only its numbers and truths can be changed."""
    hints = {
        name: (*get_args(kind), kind)[0] for name, kind in get_type_hints(type(config)).items() if not _several(kind)
    }
    kinds = {name: kind for name, kind in hints.items() if kind in WANTED}
    changes: dict[str, Any] = {}
    for setting in settings:
        name, _, text = setting.partition("=")
        name = name.replace("-", "_")
        if name not in kinds:
            raise ValueError(f"unknown setting {name!r}; expected one of {', '.join(kinds)}")
        try:
            value = read_json(text.lower())
        except ValueError:
            raise ValueError(f"the setting {name} needs a number, true or false, not {text!r}") from None
        if kinds[name] is float and type(value) is int and abs(value) <= LARGEST:
            value = float(value)
        if type(value) is not kinds[name]:
            raise ValueError(f"the setting {name} needs {WANTED[kinds[name]]}, not {text!r}")
        changes[name] = value
    return replace(config, **changes)  # type: ignore[type-var]


def _several(kind: Any) -> bool:
    """Whether a field holds several values."""
    return get_origin(kind) in (tuple, list, dict)
