"""JSON that anybody may have written: what is made of it, and what is refused."""

from dataclasses import dataclass, field

import pytest

from cofca.utils.json import DEEPEST, LARGEST, decode, known_fields, read_json
from cofca.utils.parameters import require


@dataclass(frozen=True)
class Inner:
    share: float

    def __post_init__(self) -> None:
        require(0 <= self.share <= 1, f"share must lie between 0 and 1, not {self.share}")


@dataclass(frozen=True)
class Outer:
    number: int
    parts: list[Inner]
    named: dict[str, Inner] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    text: str | None = None


WHOLE = {"number": 3, "parts": [{"share": 0.5}, {"share": 1}], "named": {"x": {"share": 0}}, "words": ["a", "b"]}


def test_a_page_becomes_what_it_describes():
    assert decode(Outer, WHOLE) == Outer(3, [Inner(0.5), Inner(1.0)], {"x": Inner(0.0)}, ("a", "b"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"number": True}, "Expected int, got bool - at $.number"),
        ({"number": 3.5}, "Expected int, got float - at $.number"),
        ({"number": "3"}, "Expected int, got str - at $.number"),
        ({"parts": [{"share": 0.5}, {"share": 2}]}, "share must lie between 0 and 1, not 2.0 - at $.parts[1]"),
        ({"parts": [{}]}, "Object missing required field share - at $.parts[0]"),
        ({"parts": [{"share": 0.5, "more": 1}]}, "unknown field 'more' - at $.parts[0]"),
        ({"named": {"x": {"share": 0.5, "more": 1}}}, "unknown field 'more' - at $.named.x"),
        ({"text": 5}, "Expected str | null, got int - at $.text"),
        ({"more": 1}, "unknown field 'more' - at $"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(change: dict, said: str):
    with pytest.raises(ValueError, match="at ") as error:
        decode(Outer, {**WHOLE, **change})
    assert str(error.value) == said


def test_what_else_a_page_says_is_ignored_where_that_is_asked_for():
    more = {**WHOLE, "parts": [{"share": 0.5, "more": 1}, {"share": 1}], "more": []}
    assert decode(Outer, more, ignore_unknown=True) == decode(Outer, WHOLE)
    assert known_fields(Outer, {**WHOLE, "more": 1}) == WHOLE
    assert known_fields(Outer, [1]) == [1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("NaN", "malformed"),
        ("-Infinity", "malformed"),
        ("1e999", "out of range"),
        (f'{{"a": [0, {LARGEST + 1}]}}', r"a number is too large - at \$\.a\[1\]"),
        (f"-{LARGEST + 1}", "too large"),
        ("9" * 5000, "out of range"),
        ("[" * 900 + "9" * 5000, "out of range - at .*\\.\\.\\.$"),
        ("[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), f"nested more than {DEEPEST} deep"),
        ("[" * 100_000, f"nested more than {DEEPEST} deep"),
        ("", "truncated"),
        ("{} {}", "malformed"),
    ],
)
def test_no_number_is_beyond_arrays_and_no_page_too_deep(text: str, said: str):
    with pytest.raises(ValueError, match=said) as error:
        read_json(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


def test_what_lies_within_the_limits_is_read():
    assert read_json(str(LARGEST)) == LARGEST
    assert read_json("[" * DEEPEST + "]" * DEEPEST)
