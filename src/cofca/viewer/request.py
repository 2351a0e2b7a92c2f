"""What the page asks for, checked: nothing that a browser sends is trusted."""

import re
from dataclasses import dataclass
from typing import Annotated, TypeVar

from cofca.utils.json import Limits, decode, read_json

LINES = 100
"""Of an instruction."""
LETTERS = 10_000
"""Of an instruction or map, as text."""
BYTES = 64 * 1024
"""Of a request's body."""
NUMBERS = r"[0-9]{1,9}(\+[0-9]{1,9})?"
"""Of one episode or two, in an address."""

Typed = Annotated[str, Limits(max_length=LETTERS)]
Seed = Annotated[int, Limits(ge=0, le=2**31 - 1)]
Length = Annotated[int, Limits(ge=1, le=LINES)]


class RequestError(ValueError):
    """A request that makes no sense; the page itself never sends one."""


@dataclass(frozen=True)
class Text:
    """An instruction that is being typed."""

    domain: Typed
    instruction: Typed


@dataclass(frozen=True)
class Ask:
    """An episode."""

    domain: Typed
    agent: Typed
    instruction: Typed
    map: Typed = ""
    """Empty for a random world."""
    seed: Seed = 0
    greedy: bool = False


@dataclass(frozen=True)
class Draw:
    """A random level."""

    domain: Typed
    length: Length = 8
    seed: Seed = 0


T = TypeVar("T", Text, Ask, Draw)


def read(kind: type[T], body: bytes) -> T:
    """A request of this kind from the body of a POST."""
    try:
        return decode(kind, read_json(body))
    except ValueError as error:
        raise RequestError(str(error)) from None


def read_numbers(text: str) -> list[int]:
    """The numbers of episodes in an address."""
    if not re.fullmatch(NUMBERS, text):
        raise RequestError("expected the number of an episode, or of two with + between them")
    return [int(number) for number in text.split("+")]
