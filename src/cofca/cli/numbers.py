"""Numbers as a person writes them."""

import re
from decimal import Decimal

SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
LARGEST = 2 * 10**9


def read_number(text: str, least: int = 1) -> int:
    """A whole number from 1 to 2G; `20K` and `70M` are short for thousands and millions."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([kmg]?)", text.strip().lower())
    number = Decimal(match[1]) * SUFFIXES[match[2]] if match else Decimal(-1)
    if not least <= number <= LARGEST or number != int(number):
        raise ValueError(f"expected a whole number from {least} to 2G, such as 500 or 20K, not {_short(text)!r}")
    return int(number)


def short(number: int) -> str:
    """A whole number as a person writes it, with two digits behind the point at most: 70.08M, 240K, 64."""
    suffix, unit = [(suffix, unit) for suffix, unit in SUFFIXES.items() if unit <= max(number, 1)][-1]
    return f"{number / unit:.2f}".rstrip("0").rstrip(".") + suffix.upper()


def read_seed(text: str) -> int:
    """A whole number of up to 32 bits."""
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) >= 2**32:
        raise ValueError(f"expected a whole number from 0 to {2**32 - 1}, not {_short(text)!r}")
    return int(text)


def read_minutes(text: str) -> float:
    """A number, not necessarily whole."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"expected a number of minutes, such as 5 or 0.5, not {_short(text)!r}") from None


def read_range(text: str) -> tuple[int, int]:
    """A range such as `1-10`; a single number is a range of one."""
    match = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", text.strip())
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= low <= high:
        raise ValueError(f"expected a range such as 1-10, not {_short(text)!r}")
    return low, high


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:30] + "..."
