"""JSON that anybody may have written: it has the fields it should, each of its kind, or is refused in one line.

msgspec reads it. Frozen dataclasses are the schemas; what they check when they are made is checked here too.
"""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from reprlib import repr as shown
from typing import Any, TypeVar

import msgspec

from cofca.utils.parameters import require

LARGEST = 2**63 - 1
"""Whole numbers beyond this fit into no array."""
DEEPEST = 32
"""So deep may lists and objects lie in each other: whatever walks through a page must come to an end."""
LONGEST = 200
"""Letters of a text in a message."""

Limits = msgspec.Meta
"""Of a field: `Annotated[int, Limits(ge=0)]`. Both `decode` and `schemas` heed them."""

T = TypeVar("T")


def read_json(text: str | bytes) -> Any:
    """The value a text stands for. Numbers are finite, and whole ones fit into 64 bits."""
    try:
        page = msgspec.json.decode(text)
    except RecursionError:
        raise ValueError(f"nested more than {DEEPEST} deep") from None
    except msgspec.DecodeError as error:
        raise ValueError(_plain(error)) from None
    require_limits(page)
    return page


def read_object(path: Path) -> dict[str, Any]:
    """The object in a file."""
    page = read_json(path.read_text(encoding="utf-8"))
    require(isinstance(page, dict), f"not an object but {shown(page)}")
    return page


def decode(kind: type[T], page: Any, ignore_unknown: bool = False) -> T:
    """A dataclass from its page; only what has a default may be missing, and nothing else may be there unless it is to
    be ignored."""
    try:
        value = msgspec.convert(page, kind, strict=True)
    except msgspec.ValidationError as error:
        raise ValueError(_plain(error)) from None
    if not ignore_unknown:
        _require_known(value, page, "$")
    return value


def schemas(kinds: Iterable[type], at: str) -> dict[str, Any]:
    """The JSON schemas of dataclasses by name, as `decode` checks them; they refer to each other by `at` and name."""
    _, found = msgspec.json.schema_components(kinds, ref_template=at + "{name}")
    return {name: {**schema, "additionalProperties": False} for name, schema in found.items()}


def known_fields(kind: type, page: Any) -> Any:
    """What a page says of a dataclass, without what else it says."""
    return {name: page[name] for name in _names(kind) if name in page} if isinstance(page, dict) else page


def one_line(text: str) -> str:
    """A text that anybody may have written, as part of a message."""
    return text if text.isprintable() and len(text) <= LONGEST else repr(text[:LONGEST])


def require_limits(page: Any, place: str = "$", depth: int = 0) -> None:
    """Refuse what lies too deep, and numbers that are too large."""
    require(depth <= DEEPEST, f"nested more than {DEEPEST} deep")
    require(type(page) is not int or abs(page) <= LARGEST, f"a number is too large - at {one_line(place)}")
    for name, part in _parts(page):
        require_limits(part, f"{place}{name}", depth + 1)


def _require_known(value: Any, page: Any, place: str) -> None:
    """msgspec passes over what a dataclass has no field for."""
    if is_dataclass(value):
        if unknown := sorted(page.keys() - _names(type(value))):
            raise ValueError(f"unknown field {shown(unknown[0])} - at {one_line(place)}")
        value = {name: getattr(value, name) for name in page}
    for (name, part), (_, own) in zip(_parts(page), _parts(value), strict=True):
        _require_known(own, part, f"{place}{name}")


def _parts(value: Any) -> Iterable[tuple[str, Any]]:
    """What lies in a list or an object, and how its place is written."""
    if isinstance(value, dict):
        return ((f".{name}", part) for name, part in value.items())
    return ((f"[{at}]", part) for at, part in enumerate(value)) if isinstance(value, list | tuple) else ()


def _plain(error: Exception) -> str:
    # It names the place of a mistake, which may lie a thousand lists deep.
    text = str(error).replace("`", "")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _names(kind: Any) -> list[str]:
    return [part.name for part in fields(kind)]
