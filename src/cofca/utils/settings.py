"""Settings by name: how a person changes one field of a configuration."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from cofca.utils.json import read_json
from cofca.utils.parameters import require
from cofca.utils.spelling import guess

Config = TypeVar("Config")
WANTED: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple[int, int]: "a range such as 1-10",
}
"""What can be set, in words. A class says in READERS how its other fields are read."""


def changed(config: Config, settings: Sequence[str]) -> Config:
    """A dataclass with settings such as `learning_rate=0.0005` or `length=1-3` put in."""
    readers: dict[str, Any] = {}
    for name, hint in get_type_hints(type(config)).items():
        if (kind := _single(hint)) in WANTED:
            readers[name] = partial(_read, name, kind)
    readers |= getattr(config, "READERS", {})
    changes: dict[str, Any] = {}
    for setting in settings:
        name, _, text = setting.partition("=")
        name = name.replace("-", "_")
        if name not in readers:
            raise ValueError(f"unknown setting {name!r}; expected one of {', '.join(readers)}{guess(name, readers)}")
        changes[name] = readers[name](text)
    return replace(config, **changes)  # type: ignore[type-var]


def made_with(kind: Callable[..., Config], values: Mapping[str, Any]) -> Config:
    """A dataclass with these values, of which texts are read as `changed` reads them."""
    texts = [f"{name}={value}" for name, value in values.items() if isinstance(value, str)]
    return changed(kind(**{name: value for name, value in values.items() if not isinstance(value, str)}), texts)


def written(value: Any) -> str:
    """A value as `changed` reads it."""
    if isinstance(value, tuple) and all(type(part) is int for part in value):
        return "-".join(map(str, value))
    return ",".join(map(str, value)) if isinstance(value, tuple) else json.dumps(value)


def _read(name: str, kind: Any, text: str) -> Any:
    wrong = f"the setting {name} needs {WANTED[kind]}, not {text!r}"
    if get_origin(kind) is tuple:
        ends = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)
        require(ends is not None, wrong)
        assert ends
        return int(ends[1]), int(ends[2])
    try:
        value = read_json(text.lower())
    except ValueError:
        raise ValueError(wrong) from None
    if kind is float and type(value) is int:
        value = float(value)
    require(type(value) is kind, wrong)
    return value


def _single(hint: Any) -> Any:
    """The kind of a field, whether it may be missing or not."""
    return get_args(hint)[0] if get_origin(hint) is UnionType else hint
