"""The symbols of an instruction and the walks of the program counter, as in docs/minecraft-rules.md."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

PADDING, SUBTASK, IF, ELSE, ENDIF, WHILE, ENDWHILE = range(7)
MINE, SELL, INSPECT = 1, 2, 3
IRON, GOLD, WOOD = RESOURCES = (1, 2, 3)

# Condition code -> (A, B), "more A than B", as positions in the counts [iron, gold, wood, merchants].
CONDITIONS = dict(enumerate(permutations(range(4), 2), start=4))

KINDS = (
    "next line", "if entered", "if skipped", "else entered", "else skipped",
    "while entered", "while skipped", "loop back", "chain",
)  # fmt: skip
CHAIN_LENGTH = 3

Line = tuple[int, int, int]


@dataclass
class Walk:
    """One walk of the program counter: where it stopped, and the control lines met on the way, in order."""

    stop: int | None  # a subtask, or the number of lines when the program is done; None if it never ends
    met: dict[int, bool | None]  # control line -> truth of its condition (None if it has none)


class Program:
    """The lines of an instruction together with where each control line leads."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines: list[Line] = [(int(kind), int(verb), int(last)) for kind, verb, last in lines]
        self.else_of: dict[int, int] = {}  # if -> its else
        self.end_of: dict[int, int] = {}  # if, else or while -> its endif or endwhile
        self.while_of: dict[int, int] = {}  # endwhile -> its while
        self._match_blocks()

    def _match_blocks(self) -> None:
        """Pair up the lines of every block; a ValueError if they do not pair up."""
        opened: list[int] = []
        for i, (kind, _, _) in enumerate(self.lines):
            if kind in (IF, WHILE):
                opened.append(i)
            elif kind in (ELSE, ENDIF, ENDWHILE):
                self._match(opened, i, kind)
            elif kind != SUBTASK:
                raise ValueError(f"line {i}: not a line type of a program: {kind}")
        if opened:
            raise ValueError(f"line {opened[-1]}: block never closed")

    def _match(self, opened: list[int], i: int, kind: int) -> None:
        opener = opened[-1] if opened else None
        if opener is None or self.lines[opener][0] != (WHILE if kind == ENDWHILE else IF):
            raise ValueError(f"line {i}: no block that it could belong to")
        if kind == ELSE:
            if opener in self.else_of:
                raise ValueError(f"line {i}: second else")
            self.else_of[opener] = i
            return
        opened.pop()
        self.end_of[opener] = i
        if kind == ENDWHILE:
            self.while_of[i] = opener
        elif opener in self.else_of:
            self.end_of[self.else_of[opener]] = i

    def walk(self, start: int, counts: Sequence[int]) -> Walk:
        """Walk from line `start` to the first subtask or past the last line."""
        met: dict[int, bool | None] = {}
        line = start
        while line < len(self.lines) and self.lines[line][0] != SUBTASK:
            if line in met:
                return Walk(None, met)
            met[line] = self._truth(line, counts)
            line = self._follow(line, met[line])
        return Walk(line, met)

    def _truth(self, line: int, counts: Sequence[int]) -> bool | None:
        kind, _, condition = self.lines[line]
        if kind not in (IF, WHILE):
            return None
        more, fewer = CONDITIONS[condition]
        return counts[more] > counts[fewer]

    def _follow(self, line: int, truth: bool | None) -> int:
        """The line that comes after control line `line`."""
        kind = self.lines[line][0]
        if kind == ENDWHILE:
            return self.while_of[line]
        if kind == ENDIF or truth:
            return line + 1
        if kind == IF and line in self.else_of:
            return self.else_of[line] + 1
        return self.end_of[line] + 1  # an else after its if's body, or a false condition

    def kinds(self, walk: Walk, after_subtask: bool) -> Iterator[str]:
        """The transitions that a walk counts as."""
        if walk.stop is None:
            return
        for line, truth in walk.met.items():
            kind = self.lines[line][0]
            if kind == IF:
                yield "if entered" if truth else "if skipped"
                if not truth and line in self.else_of:
                    yield "else entered"
            elif kind == ELSE:
                yield "else skipped"
            elif kind == WHILE:
                yield "while entered" if truth else "while skipped"
            elif kind == ENDWHILE:
                yield "loop back"
        if after_subtask and not walk.met and walk.stop < len(self.lines):
            yield "next line"
        if len(walk.met) >= CHAIN_LENGTH:
            yield "chain"
