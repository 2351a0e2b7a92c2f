"""What every domain's scene tells, and which lines of a long instruction are shown."""

from typing import Any, Protocol, runtime_checkable

STATUSES = ("running", "success", "failed", "out of time")


@runtime_checkable
class Moment(Protocol):
    """One moment of an episode, of whatever domain."""

    @property
    def lines(self) -> tuple[Any, ...]:
        """The instruction, without padding."""

    @property
    def current(self) -> int | None:
        """Index of the line to do; None when there is none left."""

    @property
    def time(self) -> int:
        """Time steps so far."""

    @property
    def time_limit(self) -> int:
        """Time steps at which the episode is cut off."""

    @property
    def status(self) -> str:
        """One of `STATUSES`."""

    @property
    def pointer(self) -> int | None:
        """Index of the line an agent's pointer is at; None if nobody's is shown."""


def window(count: int, current: int | None, room: int) -> range:
    """The lines shown where not all fit. It moves by half pages, so that the picture seldom jumps."""
    page = max(room // 2, 1)
    focus = count - 1 if current is None else current
    start = max(0, min(focus // page * page - page // 2, count - room))
    return range(start, min(start + room, count))


def hidden_text(shown: range, index: int, count: int) -> str:
    """What stands in place of a line at the edge of the window; nothing unless lines are hidden there."""
    if index == shown.start > 0:
        return f"… {index + 1} lines above"
    if index == shown.stop - 1 < count - 1:
        return f"… {count - index} lines below"
    return ""
