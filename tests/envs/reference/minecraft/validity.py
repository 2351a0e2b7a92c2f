"""Everything that can be structurally wrong with a generated level."""

from collections.abc import Iterator, Sequence

from envs.reference.minecraft.counts import execute
from envs.reference.minecraft.program import (
    CONDITIONS,
    ELSE,
    ENDIF,
    ENDWHILE,
    IF,
    RESOURCES,
    SUBTASK,
    WHILE,
    WOOD,
    Line,
)
from envs.reference.minecraft.simulator import EMPTY, MERCHANT, MOVES, WALL, WATER, count

Cells = Sequence[Sequence[int]]
Cell = tuple[int, int]

MOST_OBJECTS_WITH_WATER = 30
CLOSERS = {IF: (ELSE, ENDIF), ELSE: (ENDIF,), WHILE: (ENDWHILE,)}


def problems(
    lines: Sequence[Line], cells: Cells, worker: Cell, *, max_depth: int = 1, min_length: int, max_length: int
) -> list[str]:
    """What is wrong with a level, in words; empty if nothing is."""
    misshapen = list(shape_problems(cells, worker))
    malformed = [*symbol_problems(lines), *block_problems(lines, max_depth)]
    found = [*length_problems(lines, min_length, max_length), *malformed, *misshapen]
    if not misshapen:
        found += worker_problems(cells, worker)
        found += wall_problems(cells, worker)
        found += water_problems(cells, worker)
    if not misshapen and not malformed:
        found += feasibility_problems(lines, cells)
    return found


def length_problems(lines: Sequence[Line], min_length: int, max_length: int) -> Iterator[str]:
    """Too few or too many lines."""
    if not min_length <= len(lines) <= max_length:
        yield f"{len(lines)} lines, not {min_length} to {max_length}"


def symbol_problems(lines: Sequence[Line]) -> Iterator[str]:
    """Symbols out of range, among them padding inside the instruction."""
    for i, (kind, verb, last) in enumerate(lines):
        if kind == SUBTASK:
            right = verb in (1, 2, 3) and last in RESOURCES
        elif kind in (IF, WHILE):
            right = verb == 0 and last in CONDITIONS
        else:
            right = kind in (ELSE, ENDIF, ENDWHILE) and verb == last == 0
        if not right:
            yield f"line {i}: bad symbols ({kind}, {verb}, {last})"


def block_problems(lines: Sequence[Line], max_depth: int) -> Iterator[str]:
    """Blocks that do not match, have an empty body or are too deep. A nested block is content of a body."""
    opened: list[int] = []  # the line types that began the open bodies, innermost last
    before = None  # the type of the line before
    for i, (kind, _, _) in enumerate(lines):
        if kind in (ELSE, ENDIF, ENDWHILE):
            if not opened or kind not in CLOSERS[opened[-1]]:
                yield f"line {i}: no block that it could belong to"
                return
            if before in CLOSERS:
                yield f"line {i}: empty body"
            opened.pop()
        if kind in CLOSERS:
            opened.append(kind)
            if len(opened) > max_depth:
                yield f"line {i}: {len(opened)} blocks deep"
        before = kind
    if opened:
        yield f"{len(opened)} blocks never closed"


def feasibility_problems(lines: Sequence[Line], cells: Cells) -> Iterator[str]:
    """An instruction that cannot be carried out, going by the counts alone."""
    reason = execute(lines, count(cells)).reason
    if reason is not None:
        yield f"infeasible on the counts: {reason}"


def shape_problems(cells: Cells, worker: Cell) -> Iterator[str]:
    """A map that cannot be examined at all."""
    if not cells or not cells[0] or any(len(row) != len(cells[0]) for row in cells):
        yield "the grid is not a rectangle"
    elif not (0 <= worker[0] < len(cells) and 0 <= worker[1] < len(cells[0])):
        yield f"the worker is off the grid, at {worker}"
    elif not all(EMPTY <= cell <= WALL for row in cells for cell in row):
        yield "there is a cell with an unknown code"


def worker_problems(cells: Cells, worker: Cell) -> Iterator[str]:
    """A worker on anything but an empty cell."""
    if cells[worker[0]][worker[1]] != EMPTY:
        yield f"the worker starts on {cells[worker[0]][worker[1]]}, at {worker}"


def wall_problems(cells: Cells, worker: Cell) -> Iterator[str]:
    """Walls that should not be there and walls that should."""
    for r, row in enumerate(cells):
        for c, cell in enumerate(row):
            even = r % 2 == 0 and c % 2 == 0
            if cell == WALL and not even:
                yield f"wall at {(r, c)}, not even/even"
            if cell == EMPTY and even and (r, c) != tuple(worker):
                yield f"no wall on the empty cell {(r, c)}"


def water_problems(cells: Cells, worker: Cell) -> Iterator[str]:
    """Water that is no complete row or column, or that a level like this should not have."""
    water = {(r, c) for r, row in enumerate(cells) for c, cell in enumerate(row) if cell == WATER}
    if not water:
        return
    rows = [{(r, c) for c in range(len(cells[0]))} for r in range(len(cells))]
    columns = [{(r, c) for r in range(len(cells))} for c in range(len(cells[0]))]
    if water not in rows + columns:
        yield "the water is not exactly one row or column"
    if not any(cells[r][c] == WOOD for r, c in dry_side(cells, worker)):
        yield "there is water but no wood on the worker's side"
    objects = sum(cell in (*RESOURCES, MERCHANT) for row in cells for cell in row)
    if objects > MOST_OBJECTS_WITH_WATER:
        yield f"there is water with {objects} objects"


def dry_side(cells: Cells, worker: Cell) -> set[Cell]:
    """The cells that the worker could reach without crossing water when there were no walls yet.

    The rules look for wood before they put up walls, and beside water next to an edge walls can come between.
    """
    side = {(worker[0], worker[1])}
    frontier = list(side)
    for row, column in frontier:
        for down, right in MOVES:
            r, c = row + down, column + right
            inside = 0 <= r < len(cells) and 0 <= c < len(cells[0])
            if inside and (r, c) not in side and cells[r][c] != WATER:
                side.add((r, c))
                frontier.append((r, c))
    return side
