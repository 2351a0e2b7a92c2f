"""What the page asks for, checked: nothing that a browser sends is trusted."""

from dataclasses import dataclass, fields
from typing import Any, TypeVar

from cofca.utils.json import decode, read_json
from cofca.utils.parameters import require

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
        asked = decode(kind, read_json(body))
        for part in fields(asked):
            _require_limits(part.name, getattr(asked, part.name))
    except ValueError as error:
        raise RequestError(str(error)) from None
    return asked


def _require_limits(name: str, value: Any) -> None:
    require(not isinstance(value, str) or len(value) <= LETTERS, f"{name} must have at most {LETTERS} letters")
    low, high = (1, LINES) if name == "length" else (0, LARGEST)
    require(not isinstance(value, int) or low <= value <= high, f"{name} must lie between {low} and {high}")
