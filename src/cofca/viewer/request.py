"""What the page asks for, checked: nothing that a browser sends is trusted."""

import json
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

LINES = 100
"""Of an instruction."""
LETTERS = 10_000
"""Of an instruction or map, as text."""
BYTES = 64 * 1024
"""Of a request's body."""
LARGEST = 2**31 - 1


class RequestError(ValueError):
    """A request that makes no sense; the page itself never sends one."""


@dataclass(frozen=True)
class Text:
    """An instruction that is being typed."""

    domain: str
    instruction: str


@dataclass(frozen=True)
class Ask:
    """An episode."""

    domain: str
    agent: str
    instruction: str
    map: str = ""
    """Empty for a random world."""
    seed: int = 0
    greedy: bool = False


@dataclass(frozen=True)
class Draw:
    """A random level."""

    domain: str
    length: int = 8
    seed: int = 0


T = TypeVar("T", Text, Ask, Draw)


def read(kind: type[T], body: bytes) -> T:
    """A request of this kind from the body of a POST."""
    try:
        page = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestError("the body is not JSON") from None
    if not isinstance(page, dict):
        raise RequestError("the body is not an object")
    known = {part.name: part for part in fields(kind)}
    needed = {name for name, part in known.items() if part.default is MISSING}
    if not needed <= set(page) <= set(known):
        raise RequestError(f"expected {', '.join(known)}")
    for name, value in page.items():
        _check(name, known[name].type, value)
    return kind(**page)


def _check(name: str, kind: Any, value: Any) -> None:
    if type(value) is not kind:
        raise RequestError(f"{name} must be of type {kind.__name__}")
    if kind is str and len(value) > LETTERS:
        raise RequestError(f"{name} must have at most {LETTERS} letters")
    if kind is int and not 0 <= value <= LARGEST:
        raise RequestError(f"{name} must lie between 0 and {LARGEST}")
    if name == "length" and not 1 <= value <= LINES:
        raise RequestError(f"length must lie between 1 and {LINES}")
