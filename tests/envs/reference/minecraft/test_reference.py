"""Hand-worked examples for the simulator, the figure of the paper among them."""

from collections.abc import Sequence

import pytest

from envs.reference.minecraft.counts import execute
from envs.reference.minecraft.examples import (
    ELSE,
    ENDIF,
    ENDWHILE,
    GOLD_MERCHANTS,
    INSPECT_IRON,
    IRON_GOLD,
    MERCHANTS_IRON,
    MINE_GOLD,
    MINE_IRON,
    MINE_WOOD,
    SELL_GOLD,
    SELL_IRON,
    drawn,
    if_,
    task,
    while_,
)
from envs.reference.minecraft.planner import plan
from envs.reference.minecraft.program import Line
from envs.reference.minecraft.simulator import DO_INSPECT, DO_MINE, DO_SELL, STAY, WAIT, Simulator

E, SE, S = 2, 3, 4
FIGURE_4 = [
    while_(IRON_GOLD),
    task(MINE_IRON),
    ENDWHILE,
    if_(MERCHANTS_IRON),
    task(INSPECT_IRON),
    task(SELL_GOLD),
    ELSE,
    task(MINE_WOOD),
    ENDIF,
]
FIGURE_4_MAP = """
..m~.@
..w~..
.iw~..
g..~.w
...~..
im.~iw
"""


def simulator(lines: Sequence[Line], picture: str) -> Simulator:
    """A simulator on a drawn map."""
    return Simulator(lines, *drawn(picture))


def oracle(world: Simulator) -> int:
    """The command that asks for the current subtask."""
    _, verb, noun = world.program.lines[world.line]
    return 3 * (verb - 1) + noun - 1


def counted(world: Simulator) -> dict[str, int]:
    """The transitions that did occur."""
    return {kind: times for kind, times in world.transitions.items() if times}


def test_figure_4_plays_as_its_caption_says() -> None:
    """Two irons with a bridge in between, inspect iron, mine and sell gold; wood is only ever fetched."""
    world = simulator(FIGURE_4, FIGURE_4_MAP)
    story: list[tuple[int, int, tuple[int, int]]] = []  # (subtask line, primitive, where), moves left out
    bridges = []
    while world.status == "running":
        line, wood = world.line, world.inventory[2]
        primitive = plan(world.cells, world.worker, world.inventory, oracle(world))
        outcome = world.step(oracle(world), primitive)
        if primitive > STAY:
            story.append((line, primitive, world.worker))
        elif world.inventory[2] < wood:
            bridges.append((len(story), world.worker))
    assert story == [
        (1, DO_MINE, (5, 4)),
        (1, DO_MINE, (5, 5)),  # wood for the bridge
        (1, DO_MINE, (2, 1)),
        (4, DO_INSPECT, (5, 0)),
        (5, DO_MINE, (3, 0)),
        (5, DO_SELL, (5, 1)),
    ]
    assert [(after, where[1]) for after, where in bridges] == [(2, 3)]
    assert (outcome, world.status, world.line) == ((1, True, False), "succeeded", 9)
    assert world.inventory == [2, 0, 0]
    assert world.time == 5 + 1 + 1 + 1 + 4 + 1 + 3 + 1 + 2 + 1 + 2 + 1
    assert counted(world) == {
        "while entered": 2, "loop back": 2, "while skipped": 1, "if entered": 1, "chain": 1, "next line": 1,
        "else skipped": 1,
    }  # fmt: skip
    assert world.latest == {"else skipped"}
    assert execute(FIGURE_4, [3, 1, 4, 2]).performed == [1, 1, 4, 5]


def test_moves_meet_edges_walls_and_water() -> None:
    """Nothing happens at edges, at walls, and at water without wood; with wood the water is bridged."""
    world = simulator([task(MINE_GOLD)], "w@# ~~.")
    for primitive in (0, E, S):
        world.step(MINE_GOLD, primitive)
        assert world.worker == (0, 1)
    world.step(MINE_GOLD, 6)
    assert world.step(MINE_GOLD, DO_MINE) == (0, False, False)
    world.step(MINE_GOLD, SE)
    assert (world.worker, world.inventory, world.cells[1]) == ((1, 1), [0, 0, 0], [5, 0, 0])


def test_sell_takes_its_noun_from_the_command() -> None:
    """The command's verb does not matter, and there is nothing to sell under wait."""
    world = simulator([task(SELL_IRON)], "@im")
    for command, primitive in ((MINE_GOLD, E), (MINE_GOLD, DO_MINE), (MINE_GOLD, E)):
        world.step(command, primitive)
    for command in (WAIT, -1, 77, MINE_GOLD):
        assert world.step(command, DO_SELL) == (0, False, False)
    assert world.step(INSPECT_IRON, DO_SELL) == (1, True, False)
    before = (world.time, world.worker, world.inventory[:])
    assert world.step(INSPECT_IRON, 0) == (0, True, False)
    assert before == (world.time, world.worker, world.inventory)


@pytest.mark.parametrize(
    ("current", "picture", "primitive", "fails"),
    [
        (MINE_GOLD, "@i", DO_MINE, True),
        (MINE_GOLD, "@w", DO_MINE, False),
        (SELL_IRON, "@i", DO_MINE, False),
        (SELL_GOLD, "@i", DO_MINE, True),
        (INSPECT_IRON, "@i", DO_MINE, True),
        (MINE_GOLD, "@i", DO_INSPECT, False),
        (MINE_GOLD, "@m", DO_MINE, False),
        (MINE_GOLD, "@.", DO_SELL, False),
    ],
)
def test_what_is_out_of_order(current: int, picture: str, primitive: int, fails: bool) -> None:
    """A mine that did something fails unless it is wood or what is to be sold; inspecting never does."""
    world = simulator([task(current), task(MINE_WOOD)], picture)
    world.step(WAIT, E)
    assert world.step(WAIT, primitive) == (0, fails, False)
    assert (world.status, world.line) == ("failed" if fails else "running", 0)


def test_time_limit_and_success_on_the_last_step() -> None:
    """At the limit the episode is truncated, unless it ended otherwise in that very step."""
    late, just = simulator([task(MINE_IRON)], "@i"), simulator([task(MINE_IRON)], "@i")
    for world in (late, just):
        for _ in range(28):
            assert world.step(WAIT, STAY) == (0, False, False)
        world.step(WAIT, E)
    assert late.step(WAIT, STAY) == (0, False, True)
    assert late.step(MINE_IRON, DO_MINE) == (0, False, True)
    assert (late.status, late.time) == ("timed out", 30)
    assert just.step(WAIT, DO_MINE) == (1, True, False)


def test_program_that_is_over_before_it_begins() -> None:
    """A false block alone is a success in the first step, whatever that does."""
    world = simulator([if_(IRON_GOLD), task(MINE_IRON), ENDIF], "@.")
    assert (world.status, world.line, world.time) == ("running", 3, 0)
    assert world.step(0, 8) == (1, True, False)
    assert (world.status, world.line, world.time) == ("succeeded", 3, 1)
    assert world.step(0, 0) == (0, True, False)
    assert counted(world) == {"if skipped": 1}


def test_endless_walks_fail() -> None:
    """A true while around a false one, met at the start and after a subtask."""
    loop = [while_(IRON_GOLD), while_(GOLD_MERCHANTS), task(MINE_GOLD), ENDWHILE, ENDWHILE]
    world = simulator(loop, "@i")
    assert (world.status, world.line, world.latest, counted(world)) == ("failed", 0, set(), {})
    world = simulator([task(MINE_WOOD), task(MINE_GOLD), *loop], "@wgi")
    for primitive in (E, DO_MINE, E, DO_MINE):
        outcome = world.step(WAIT, primitive)
    assert (outcome, world.status, world.line) == ((0, True, False), "failed", 1)
    assert (world.latest, counted(world)) == (set(), {"next line": 1})


def test_transitions_through_else_and_chain() -> None:
    """A false if with an else is two kinds; three control lines met are a chain, endif included."""
    choice = [if_(GOLD_MERCHANTS), task(MINE_GOLD), ELSE, task(INSPECT_IRON), ENDIF]
    skipped = [while_(GOLD_MERCHANTS), task(MINE_GOLD), ENDWHILE]
    program = [*choice, *skipped, if_(IRON_GOLD), task(MINE_IRON), ENDIF]
    world = simulator(program, "@i")
    assert (world.line, world.latest) == (3, {"if skipped", "else entered"})
    world.step(WAIT, E)
    world.step(WAIT, DO_INSPECT)
    assert (world.line, world.latest) == (9, {"while skipped", "if entered", "chain"})
    world.step(WAIT, DO_MINE)
    assert (world.status, world.latest) == ("succeeded", set())
