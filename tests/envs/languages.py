"""What the instruction languages of all domains promise."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from cofca.utils.errors import InstructionError


def assert_refused(parse: Callable[[str], Any], text: str, line: int, column: int, words: str) -> None:
    """The error names the place and says in one line what is wrong and what was expected."""
    with pytest.raises(InstructionError) as caught:
        parse(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert words in error.message
    assert "expected" in error.message
    assert str(error) == f"line {line}, column {column}: {error.message}"
    assert len(str(error).splitlines()) == 1


def assert_read_or_refused(parse: Callable[[str], Any], unparse: Callable[[Any], str], text: str) -> None:
    """Whatever the text, it is an instruction or there is an error that names a place in it."""
    try:
        instruction = parse(text)
    except InstructionError as wrong:
        error = wrong
    else:
        assert parse(unparse(instruction)) == instruction
        return
    assert len(str(error).splitlines()) == 1
    assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1
    assert error.column >= 1


def texts(example: str, words_a_line: int) -> st.SearchStrategy[str]:
    """Any text, the words of an instruction in any order, or its lines in any order."""
    words = st.lists(st.sampled_from([*example.split(), "#", "x"]), max_size=words_a_line).map(" ".join)
    rows = st.sampled_from(example.splitlines())
    return st.text() | st.lists(words, max_size=8).map("\n".join) | st.lists(rows, max_size=9).map("\n".join)
