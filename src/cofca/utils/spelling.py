"""Reading text line by line against the lines a language has, with errors that say where and what was expected."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeVar

from cofca.utils.errors import InstructionError, Place

Line = TypeVar("Line")
Words = tuple[str, ...]
Remark = Callable[[Words, int], str | None]
"""Something special to say of a wrong word, given the words and the number of the wrong one."""
LONGEST = 80
"""Letters of a word that others are compared with."""


@dataclass(frozen=True)
class Reading(Generic[Line]):
    """The lines of a text, where each begins, and where the last one ends."""

    lines: tuple[Line, ...]
    places: list[Place]
    end: Place


class Spelling(Generic[Line]):
    """How each line of a language is written. Case and the space between words do not matter."""

    def __init__(self, lines: Mapping[Words, Line], remark: Remark = lambda words, index: None) -> None:
        self._lines = {tuple(word.lower() for word in words): line for words, line in lines.items()}
        self._shown = {word.lower(): word for words in lines for word in words}
        self._remark = remark

    def read(self, text: str, max_lines: int | None = None) -> Reading[Line]:
        """Read a text; indentation, blank lines and `#` comments do not matter either."""
        lines: list[Line] = []
        places: list[Place] = []
        end = (1, 1)
        for number, row in enumerate(re.split(r"\r\n?|\n", text), start=1):
            tokens = list(re.finditer(r"\S+", row.partition("#")[0]))
            if not tokens:
                continue
            places.append((number, tokens[0].start() + 1))
            check_length(len(places), max_lines, places[-1])
            lines.append(self._read_line(tokens, number))
            end = (number, tokens[-1].end() + 1)
        return Reading(tuple(lines), places, end)

    def _read_line(self, tokens: Sequence[re.Match[str]], number: int) -> Line:
        spelled = tuple(token.group().lower() for token in tokens)
        if spelled in self._lines:
            return self._lines[spelled]
        for index, token in enumerate(tokens):
            expected = self._next_words(spelled[:index])
            if spelled[index] not in expected:
                raise InstructionError(self._wrong_word(spelled, index, expected), number, token.start() + 1)
        message = f"the line ends early; expected {self._either(self._next_words(spelled))}"
        raise InstructionError(message, number, tokens[-1].end() + 1)

    def _next_words(self, start: Words) -> list[str]:
        """The words that may follow the start of a line."""
        size = len(start)
        return list(dict.fromkeys(line[size] for line in self._lines if len(line) > size and line[:size] == start))

    def _wrong_word(self, spelled: Words, index: int, expected: Sequence[str]) -> str:
        wrong = spelled[index]
        # Cut, so that a message stays one readable line whatever the text is.
        quoted = repr(self._shown.get(wrong, wrong) if len(wrong) <= 20 else wrong[:20] + "...")
        if not expected:
            return f"surplus word {quoted}; expected the end of the line"
        if remark := self._remark(spelled, index):
            return f"{quoted} {remark}; expected {self._either(expected)}"
        kind = "misplaced" if any(wrong in line for line in self._lines) else "unknown"
        meant = guess(wrong, (self._shown[word] for word in expected))
        return f"{kind} word {quoted}; expected {self._either(expected)}{meant}"

    def _either(self, words: Iterable[str]) -> str:
        return either(self._shown[word] for word in words)


def check_length(length: int, max_lines: int | None, place: Place) -> None:
    """Refuse a line beyond the last that there is room for."""
    if max_lines is not None and length > max_lines:
        raise InstructionError(f"one line too many; expected at most {max_lines}", *place)


def either(words: Iterable[str]) -> str:
    """Words as a choice: `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def guess(wrong: str, known: Iterable[str]) -> str:
    """The known word that somebody may have meant, as a question; nothing where none is close."""
    spelled = {word.lower(): word for word in known}
    # Cut: what is compared may be a whole file's text.
    close = get_close_matches(wrong[:LONGEST].lower(), list(spelled), n=1)
    return f" (did you mean {spelled[close[0]]!r}?)" if close else ""
