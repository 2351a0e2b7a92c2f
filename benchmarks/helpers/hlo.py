"""Read a compiled program: its instructions, each with the number of times it runs."""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

WIDTH = {"pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4}
NO_WORK = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast", "while", "call", "conditional"}
"""Instructions that move nothing, and those that stand for others."""


class Instruction(NamedTuple):
    """An instruction of a compiled program."""

    kind: str
    bytes: int
    """Of its result."""
    times: int
    """How often it runs in one call."""
    loops: tuple[int, ...]
    """The trip counts of the loops around it, the outermost first."""


def instructions(text: str) -> Iterator[Instruction]:
    """All instructions that do something. A fused kernel is one. A loop of unknown length counts as one round."""
    entry, computations = _computations(text)

    def walk(name: str, loops: tuple[int, ...]) -> Iterator[Instruction]:
        for line in computations.get(name, []):
            if not (match := re.match(r"\s*(?:ROOT )?%?\S+ = (\(.*?\)|\S+) ([a-z-]+)\(", line)):
                continue
            shape, kind = match.groups()
            if kind not in NO_WORK:
                yield Instruction(kind.removesuffix("-start"), sum(_sizes(shape)), math.prod(loops), loops)
            if kind == "while":
                rounds = re.search(r"known_trip_count[^0-9]*(\d+)", line)
                inner = (*loops, int(rounds[1])) if rounds else loops
                yield from walk(_called(line, "body")[0], inner)
            elif kind in ("call", "conditional"):
                for callee in _called(line, "to_apply|true_computation|false_computation"):
                    yield from walk(callee, loops)

    return walk(entry, ())


def _computations(text: str) -> tuple[str, dict[str, list[str]]]:
    """The name of the entry computation, and the lines of each computation."""
    entry, name = "", ""
    lines: dict[str, list[str]] = {}
    for line in text.splitlines():
        if match := re.match(r"(ENTRY )?%?([\w.-]+) \(.*\{$", line):
            name = match[2]
            entry, lines[name] = (name if match[1] else entry), []
        elif line.startswith("}"):
            name = ""
        elif name:
            lines[name].append(line)
    return entry, lines


def _called(line: str, role: str) -> list[str]:
    return re.findall(rf"(?:{role})=%?([\w.-]+)", line)


def _sizes(shapes: str) -> Iterator[int]:
    for kind, sides in re.findall(r"(\w+)\[([\d,]*)\]", shapes):
        yield WIDTH.get(kind, 8) * math.prod(int(side) for side in sides.split(",") if side)
