"""Hand-worked examples for feasibility on the counts and for the validity of levels."""

import pytest

from envs.reference.minecraft.counts import execute
from envs.reference.minecraft.examples import (
    ELSE,
    ENDIF,
    ENDWHILE,
    GOLD_MERCHANTS,
    INSPECT_WOOD,
    IRON_GOLD,
    MERCHANTS_IRON,
    MINE_GOLD,
    MINE_IRON,
    MINE_WOOD,
    SELL_IRON,
    SELL_WOOD,
    drawn,
    if_,
    task,
    while_,
)
from envs.reference.minecraft.program import CONDITIONS, Line
from envs.reference.minecraft.validity import problems

IRON_MERCHANTS, WOOD_IRON = 6, 10
MINE_IRONS = [while_(IRON_GOLD), task(MINE_IRON), ENDWHILE]
PROGRAM = [task(MINE_IRON), task(SELL_IRON)]
MAP = """
#@#~#.
..i~..
#.w~#i
...~..
#.m~#.
...~..
"""


def test_conditions_are_those_of_the_table() -> None:
    """Some codes out of the table, as positions in the counts."""
    assert len(CONDITIONS) == 12
    assert [CONDITIONS[code] for code in (4, 7, 9, 10, 13, 15)] == [
        (0, 1),
        (1, 0),
        (1, 3),
        (2, 0),
        (3, 0),
        (3, 2),
    ]


@pytest.mark.parametrize(
    ("lines", "counts", "reason"),
    [
        ([task(MINE_IRON)], [1, 0, 0, 0], None),
        ([task(MINE_IRON)], [0, 9, 9, 9], "need not met"),
        ([task(MINE_WOOD)], [0, 0, 1, 0], "need not met"),  # the spare one
        ([task(MINE_WOOD)], [0, 0, 2, 0], None),
        ([task(INSPECT_WOOD)], [0, 0, 1, 0], "need not met"),
        ([task(INSPECT_WOOD)], [0, 0, 0, 0], "need not met"),
        ([task(SELL_IRON)], [1, 0, 0, 0], "need not met"),  # nobody to sell it to
        ([task(SELL_IRON)], [1, 0, 0, 1], None),
        ([task(MINE_WOOD), task(SELL_WOOD)], [0, 0, 2, 1], None),  # out of the inventory
        ([task(MINE_WOOD), task(SELL_WOOD), task(SELL_WOOD)], [0, 0, 2, 1], "need not met"),
        ([task(SELL_IRON), task(SELL_IRON)], [1, 0, 0, 1], "need not met"),
        (MINE_IRONS, [10, 0, 0, 0], None),
        (MINE_IRONS, [11, 0, 0, 0], "too many loops"),
        (MINE_IRONS, [0, 0, 0, 0], "no subtask"),
        (
            [while_(IRON_GOLD), if_(GOLD_MERCHANTS), task(MINE_GOLD), ENDIF, ENDWHILE],
            [1, 0, 0, 0],
            "endless walk",
        ),
        (
            [if_(WOOD_IRON), task(MINE_IRON), ENDIF, task(MINE_GOLD)],
            [0, 1, 1, 0],
            "need not met",
        ),  # spare counts
    ],
)
def test_reason(lines: list[Line], counts: list[int], reason: str | None) -> None:
    """What makes a population infeasible."""
    assert execute(lines, counts).reason == reason


def test_loops_are_counted_in_all() -> None:
    """An inner while that runs a few times in each of eight rounds is counted over all of them."""
    lines = [while_(IRON_MERCHANTS), *MINE_IRONS, task(MINE_GOLD), ENDWHILE]
    assert execute(lines, [11, 8, 0, 1]).reason is None  # 3 + 7 times
    assert execute(lines, [12, 8, 0, 1]).reason == "too many loops"  # 4 + 7 times


def test_what_was_performed_and_the_first_while() -> None:
    """The lines in order, and the truth of the first while met wherever that is."""
    result = execute([task(MINE_GOLD), *MINE_IRONS, while_(MERCHANTS_IRON), task(MINE_GOLD), ENDWHILE], [2, 1, 0, 0])
    assert (result.performed, result.first_while) == ([0, 2, 2], True)
    assert execute(MINE_IRONS, [0, 0, 0, 0]).first_while is False
    assert execute([task(MINE_IRON)], [1, 0, 0, 0]).first_while is None


def found(lines: list[Line], picture: str = MAP, max_depth: int = 1) -> list[str]:
    """The problems of a level on a drawn map, of 1 to 6 lines."""
    return problems(lines, *drawn(picture), max_depth=max_depth, min_length=1, max_length=6)


def test_a_good_level() -> None:
    """Nothing is wrong with it, also not where a wall cuts the worker off from the wood: walls come last."""
    assert found(PROGRAM) == []
    assert found([task(MINE_IRON)], "@.#.w ~~~~~ #i#.# ..... #.#.#") == []


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([task(MINE_IRON), (0, 0, 0)], "bad symbols"),
        ([(1, 0, 1)], "bad symbols"),
        ([(1, 1, 4)], "bad symbols"),
        ([(2, 0, 3), task(MINE_IRON), ENDIF], "bad symbols"),
        ([(2, 1, 4), task(MINE_IRON), ENDIF], "bad symbols"),
        ([if_(4), task(MINE_IRON), (4, 0, 1)], "bad symbols"),
        ([task(MINE_IRON), ENDIF], "no block"),
        ([if_(4), task(MINE_IRON), ENDWHILE], "no block"),
        ([if_(4), task(MINE_IRON), ELSE, task(MINE_IRON), ELSE], "no block"),
        ([if_(4), task(MINE_IRON)], "never closed"),
        ([if_(4), ENDIF, task(MINE_IRON)], "empty body"),
        ([if_(4), task(MINE_IRON), ELSE, ENDIF], "empty body"),
        ([if_(4), while_(4), task(MINE_IRON), ENDWHILE, ENDIF], "2 blocks deep"),
        ([task(MINE_IRON)] * 7, "7 lines"),
        ([task(MINE_GOLD)], "infeasible on the counts: need not met"),
    ],
)
def test_bad_instructions(lines: list[Line], problem: str) -> None:
    """Each mistake is named."""
    assert any(problem in each for each in found(lines))


def test_nested_blocks_where_allowed() -> None:
    """A nested block is content enough for a body."""
    assert found([if_(4), while_(4), task(MINE_IRON), ENDWHILE, ENDIF], max_depth=2) == []


@pytest.mark.parametrize(
    ("picture", "problem"),
    [
        (MAP.replace("..i~", "#.i~"), "not even/even"),
        (MAP.replace("#.w", "..w"), "no wall on the empty cell (2, 0)"),
        (MAP.replace("..i~", "..i."), "not exactly one row or column"),
        (MAP.replace("w", "i"), "no wood on the worker's side"),
        (MAP.replace("#i", "i"), "not a rectangle"),
        ("@wwwwwww ~~~~~~~~ " + "wwwwwiim " * 4, "water with 39 objects"),
    ],
)
def test_bad_maps(picture: str, problem: str) -> None:
    """Each mistake is named."""
    assert any(problem in each for each in found(PROGRAM, picture))


@pytest.mark.parametrize(
    ("worker", "problem"), [((1, 2), "starts on 1"), ((0, 3), "starts on 5"), ((6, 0), "off the grid")]
)
def test_bad_workers(worker: tuple[int, int], problem: str) -> None:
    """The worker starts on an empty cell of the grid."""
    assert any(problem in each for each in problems(PROGRAM, drawn(MAP)[0], worker, min_length=1, max_length=6))
