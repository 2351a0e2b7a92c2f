"""Numbers as a person writes them."""

import pytest

from cofca.cli import read_number, read_range
from cofca.cli.numbers import short


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("500", 500),
        ("20K", 20_000),
        ("20k", 20_000),
        ("1.5K", 1500),
        ("70M", 70_000_000),
        (" 2g ", 2 * 10**9),
    ],
)
def test_a_number_may_be_short(text: str, number: int) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (64, "64"), (999, "999"), (1000, "1K"), (240_000, "240K"), (70_080_000, "70.08M"), (1_234_567, "1.23M")],
)
def test_a_number_is_shown_short(number: int, text: str) -> None:
    assert short(number) == text


@pytest.mark.parametrize("text", ["0", "-1", "", "K", "1.5", "0.5", "20KB", "1e3", "1 K", "1_000", "inf", "x"])
def test_a_number_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a whole number from 1 to 2G, such as 500 or 20K, not '"):
        read_number(text)


@pytest.mark.parametrize(("text", "pair"), [("1-10", (1, 10)), ("5", (5, 5)), (" 3-3 ", (3, 3))])
def test_a_range_is_read(text: str, pair: tuple[int, int]) -> None:
    assert read_range(text) == pair


@pytest.mark.parametrize("text", ["0-3", "5-2", "-1-3", "1-", "-3", "", "a-b", "1-2-3", "1 - 2", "1.5-2", "1K-2K"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a range such as 1-10, not '"):
        read_range(text)
