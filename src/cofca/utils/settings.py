"""Settings by name: how a person changes one number of a configuration."""

from collections.abc import Sequence
from dataclasses import replace
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from cofca.utils.pages import LARGEST, read_json

Config = TypeVar("Config")
WANTED: dict[Any, str] = {int: "a whole number", float: "a number", bool: "true or false"}
"""What can be set, in words."""


def changed(config: Config, settings: Sequence[str]) -> Config:
    """A dataclass with settings such as `learning_rate=0.0005` put in; only its numbers and truths can be changed."""
    hints = get_type_hints(type(config))
    kinds = {name: kind for name, hint in hints.items() if (kind := _single(hint)) in WANTED}
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


def _single(hint: Any) -> Any:
    """The kind of a field, whether it may be missing or not."""
    return get_args(hint)[0] if get_origin(hint) is UnionType else hint
