"""Hand-worked examples for the planner, and its rule worked out a second way."""

import random

import pytest

from envs.reference.minecraft.examples import INSPECT_IRON, MINE_GOLD, MINE_IRON, MINE_WOOD, SELL_GOLD, SELL_IRON, drawn
from envs.reference.minecraft.planner import plan
from envs.reference.minecraft.program import WOOD
from envs.reference.minecraft.simulator import DO_INSPECT, DO_MINE, DO_SELL, MERCHANT, MOVES, STAY, WAIT, WALL, WATER

E, SE, S = 2, 3, 4


@pytest.mark.parametrize(
    ("picture", "inventory", "command", "primitive"),
    [
        ("@.i ... i..", [0, 0, 0], MINE_IRON, E),  # two nearest targets: E comes before S
        ("@#i ... ...", [0, 0, 0], MINE_IRON, SE),
        ("@.m ..i", [0, 0, 0], SELL_IRON, E),  # nothing to sell yet: to the iron
        ("@.m ..i", [1, 0, 0], SELL_IRON, E),
        ("@~i w..", [0, 0, 0], MINE_IRON, SE),  # a dry way round the water
        ("@~i w~.", [0, 0, 0], MINE_IRON, S),  # wood first
        ("@~i w~.", [0, 0, 1], MINE_IRON, E),
        ("@~i .~w", [0, 0, 0], MINE_IRON, STAY),  # the only wood is across
        ("@#i w#.", [0, 0, 0], MINE_IRON, STAY),  # no way, so no wood is fetched
        ("@.i ...", [0, 0, 0], WAIT, STAY),
        ("@.i ...", [0, 0, 0], -3, STAY),
        ("@.i ...", [0, 0, 0], MINE_GOLD, STAY),
    ],
)
def test_planner(picture: str, inventory: list[int], command: int, primitive: int) -> None:
    """Ways round water and walls, ties, and giving up."""
    assert plan(*drawn(picture), inventory, command) == primitive


def test_planner_on_the_spot() -> None:
    """Standing on what it needs, the worker acts."""
    assert plan([[1]], (0, 0), [0, 0, 0], SELL_IRON) == DO_MINE
    assert plan([[1]], (0, 0), [0, 0, 0], INSPECT_IRON) == DO_INSPECT
    assert plan([[4]], (0, 0), [1, 0, 0], SELL_IRON) == DO_SELL
    assert plan([[3, WATER, 1]], (0, 0), [0, 0, 0], MINE_IRON) == DO_MINE


def test_planner_makes_the_first_of_the_moves_that_begin_a_shortest_path() -> None:
    """The rule worked out the other way round: distances spread from the targets, then moves compared."""
    generator = random.Random(0)
    for _ in range(100):
        cells = [[generator.choice([0, 0, 0, 1, 3, 4, WATER, WALL, WALL]) for _ in range(6)] for _ in range(5)]
        worker = (generator.randrange(5), generator.randrange(6))
        cells[worker[0]][worker[1]] = 0
        for command, target in ((MINE_IRON, 1), (MINE_WOOD, WOOD), (SELL_GOLD, MERCHANT)):
            dry = slow_move(cells, worker, target, {WATER, WALL})
            wet = slow_move(cells, worker, target, {WALL})
            assert plan(cells, worker, [0, 1, 1], command) == (wet if dry == STAY else dry)


def slow_move(cells: list[list[int]], worker: tuple[int, int], target: int, blocked: set[int]) -> int:
    """The move to a neighbour from which a nearest target is one step less far."""
    open_cells = {(r, c): cell for r, row in enumerate(cells) for c, cell in enumerate(row) if cell not in blocked}
    distance = {at: 0 if cell == target else 999 for at, cell in open_cells.items()}
    for _ in open_cells:
        for (r, c), far in distance.items():
            distance[r, c] = min([far] + [distance.get((r + d, c + e), 999) + 1 for d, e in MOVES])
    if distance[worker] >= 999:
        return STAY
    r, c = worker
    return next(i for i, (d, e) in enumerate(MOVES) if distance.get((r + d, c + e)) == distance[worker] - 1)
