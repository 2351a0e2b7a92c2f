"""The exact worker: the fixed rule from (grid, worker, inventory, command) to a primitive."""

from collections.abc import Sequence
from functools import cache

from envs.reference.minecraft.program import INSPECT, MINE, SELL, WOOD
from envs.reference.minecraft.simulator import DO_INSPECT, DO_MINE, DO_SELL, MERCHANT, MOVES, STAY, WALL, WATER, decode

NOT_DRY = (WATER, WALL)
NOT_WET = (WALL,)
PRIMITIVE_OF = {MINE: DO_MINE, SELL: DO_SELL, INSPECT: DO_INSPECT}


@cache
def neighbours(rows: int, columns: int) -> list[list[tuple[int, int]]]:
    """For every cell, numbered row by row: the (primitive, cell) pairs of its moves on the grid, in order."""
    return [
        [
            (primitive, (row + down) * columns + column + right)
            for primitive, (down, right) in enumerate(MOVES)
            if 0 <= row + down < rows and 0 <= column + right < columns
        ]
        for row in range(rows)
        for column in range(columns)
    ]


def first_move(
    grid: list[int], moves: list[list[tuple[int, int]]], worker: int, target: int, blocked: tuple[int, ...]
) -> int | None:
    """The move that begins a shortest path to a nearest `target` cell; None if none can be reached.

    The worker must not stand on a target. Each cell that is found inherits the first move of the cell it was
    found from. The search visits the cells at one distance in the order of their first moves, beginning with
    the neighbours themselves, so a cell gets the lowest first move of all its shortest paths, and the first
    target to be found has the lowest one of all nearest targets.
    """
    if target not in grid:
        return None
    closed = [cell in blocked for cell in grid]
    closed[worker] = True
    frontier: list[tuple[int, int]] = []  # (first move, cell), appended to while it is being read
    for move, cell in moves[worker]:
        if not closed[cell]:
            if grid[cell] == target:
                return move
            closed[cell] = True
            frontier.append((move, cell))
    for move, cell in frontier:
        for _, beyond in moves[cell]:
            if not closed[beyond]:
                if grid[beyond] == target:
                    return move
                closed[beyond] = True
                frontier.append((move, beyond))
    return None


def plan(cells: Sequence[Sequence[int]], worker: tuple[int, int], inventory: Sequence[int], command: int) -> int:
    """The planner's primitive. `inventory` is [iron, gold, wood]."""
    task = decode(command)
    if task is None:
        return STAY
    verb, target = task
    if verb == SELL:
        if inventory[target - 1] > 0:
            target = MERCHANT
        else:
            verb = MINE

    grid = [cell for row in cells for cell in row]
    moves = neighbours(len(cells), len(cells[0]))
    here = worker[0] * len(cells[0]) + worker[1]
    if grid[here] == target:
        return PRIMITIVE_OF[verb]

    dry = first_move(grid, moves, here, target, NOT_DRY)
    if dry is not None:
        return dry
    wet = first_move(grid, moves, here, target, NOT_WET)
    if wet is None:
        return STAY
    if inventory[WOOD - 1] > 0:
        return wet
    if grid[here] == WOOD:
        return DO_MINE
    to_wood = first_move(grid, moves, here, WOOD, NOT_DRY)
    return STAY if to_wood is None else to_wood
