"""What every domain can say about a time step."""

from typing import NamedTuple


class Words(NamedTuple):
    """A time step in words."""

    action: str
    response: str
    news: list[str]
    """What else happened, out of the agent's sight or not."""
    in_vain: bool = False
    """Whether a time step passed with a command that could not be carried out."""
    why: str = ""
    """Why the episode ended here without success."""


def late_text(current: int, line: str) -> str:
    """The time is up, and this line was still to be done."""
    return f"out of time: line {current + 1}, {line}, was still to be done"


class Clauses(NamedTuple):
    """Parts of a sentence about a time step, each without a full stop; empty where there is nothing to say."""

    deed: str
    """What was done, by whom."""
    cause: str = ""
    """What moves the pointer, or should."""
    pending: str = ""
    """What the line at the pointer still waits for."""
    astray: str = ""
    """What the pointer misses."""
