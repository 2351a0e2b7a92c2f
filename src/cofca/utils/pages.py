"""Pages of JSON that anybody may have written: they have the fields they should, each of its kind, or are refused."""

import json
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from reprlib import repr as shown
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from cofca.utils.parameters import require

LARGEST = 2**63 - 1
"""Whole numbers beyond this fit into no array."""
DEEPEST = 32
"""So deep may lists and objects lie in each other: whatever walks through a page must come to an end."""
LONGEST = 200
"""Letters of a text in a message."""

T = TypeVar("T")


def read_json(text: str) -> Any:
    """What a text says."""
    try:
        page = json.loads(text)
    except RecursionError:
        raise ValueError(f"nested more than {DEEPEST} deep") from None
    _require_shallow(page)
    return page


def read_page(path: Path) -> dict[str, Any]:
    """The object in a file."""
    page = read_json(path.read_text(encoding="utf-8"))
    require(isinstance(page, dict), f"not an object but {shown(page)}")
    return page


def one_line(text: str) -> str:
    """A text that anybody may have written, as part of a message."""
    return text if text.isprintable() and len(text) <= LONGEST else repr(text[:LONGEST])


def made(kind: type[T], page: Any) -> T:
    """A dataclass from its page; only what has a default may be missing."""
    name = kind.__name__.lower()
    require(isinstance(page, dict), f"{name} is {shown(page)}")
    hints, needed = _fields(kind)
    wrong = sorted((needed - page.keys()) | (page.keys() - hints.keys()))
    require(not wrong, f"{name} has fields {shown(wrong)} too many or too few")
    return kind(**{name: _value(name, hints[name], value) for name, value in page.items()})


def of(kind: type, page: Any) -> Any:
    """What a page says of a dataclass, without what else it says."""
    return {name: value for name, value in page.items() if name in _fields(kind)[0]} if isinstance(page, dict) else page


def _fields(kind: Any) -> tuple[dict[str, Any], set[str]]:
    """The kinds of all fields, and the names of those without a default."""
    hints = get_type_hints(kind)
    needed = {part.name for part in fields(kind) if part.default is MISSING and part.default_factory is MISSING}
    return {part.name: hints[part.name] for part in fields(kind)}, needed


def _value(name: str, kind: Any, value: Any) -> Any:
    """The value of a field, if it is of its kind."""
    outer, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return made(kind, value)  # type: ignore[arg-type]
    if outer is UnionType:  # of something and None
        return None if value is None else _value(name, inner[0], value)
    if outer in (list, tuple) and isinstance(value, list):
        return outer(_value(name, inner[0], part) for part in value)
    if outer is dict and isinstance(value, dict):
        return {key: _value(name, inner[1], part) for key, part in value.items()}
    is_right = kind is Any or type(value) is kind or (kind is float and type(value) is int)
    require(is_right, f"{name} is {shown(value)}")
    require(type(value) is not int or abs(value) <= LARGEST, f"{name} is too large: {shown(value)}")
    return value


def _require_shallow(page: Any) -> None:
    level = [page]
    for _ in range(DEEPEST + 1):
        outers = [part for part in level if isinstance(part, dict | list)]
        level = [part for outer in outers for part in (outer.values() if isinstance(outer, dict) else outer)]
    require(not level, f"nested more than {DEEPEST} deep")
