"""Checks that the parameters of all domains share."""

import operator
from typing import Any


def require(holds: bool, message: str) -> None:
    """Refuse parameters with one line that says why."""
    if not holds:
        raise ValueError(message)


def whole_range(name: str, value: Any) -> tuple[int, int]:
    """Two whole numbers in any sequence, as a tuple: parameters must be hashable."""
    try:
        low, high = map(operator.index, value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be two whole numbers such as (1, 10), not {value!r}") from None
    return low, high


def whole(name: str, value: Any) -> int:
    """A whole number."""
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None


def settle(params: Any, **values: Any) -> None:
    """Put checked values into a frozen dataclass that is being made."""
    for name, value in values.items():
        object.__setattr__(params, name, value)
