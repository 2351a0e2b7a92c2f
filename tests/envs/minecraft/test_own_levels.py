"""Levels of one's own: what can be done can be played, what can't is refused with the reason."""

import jax
import numpy as np
import pytest

from cofca.envs.minecraft import (
    ImpossibleLevelError,
    InstructionError,
    Level,
    MinecraftParams,
    Status,
    Thing,
    draw_map,
    level_text,
    own_level,
    read_map,
)
from cofca.envs.minecraft.oracle import play
from cofca.envs.minecraft.world import State
from envs.minecraft.examples import FIGURE

KEY = jax.random.key(3)
PARAMS = MinecraftParams()
EMPTY_ROW = "......\n"

NESTED = """\
while more iron than gold
    if more wood than merchants
        sell wood
    else
        inspect gold
        mine iron
    endif
endwhile
mine wood"""
NESTED_LOOPS = """\
while more iron than gold
    while more gold than merchants
        sell gold
    endwhile
    mine iron
endwhile"""
ENDLESS = """\
while more iron than gold
    if more gold than iron
        mine iron
    endif
endwhile"""
STUCK_LOOP = """\
while more iron than gold
    inspect iron
endwhile"""


def first_row(row: str) -> str:
    return f"{row}\n" + 5 * EMPTY_ROW


@jax.jit
def _played(level: Level) -> State:
    return play(level, PARAMS)


def assert_solved(level: Level, steps: int | None = None) -> None:
    end = _played(level)
    assert end.status == Status.SUCCEEDED
    assert steps is None or end.time == steps


# From the text alone


@pytest.mark.parametrize(
    "text",
    ["sell iron", FIGURE, NESTED, NESTED_LOOPS, "\n".join(10 * ["mine wood"])],
    ids=["one line", "figure", "nested", "nested loops", "ten lines"],
)
def test_a_text_becomes_a_level_that_the_oracle_solves(text: str) -> None:
    level = own_level(KEY, text, PARAMS)
    assert level_text(level) == text
    assert_solved(level)


def test_text_comes_back_in_its_canonical_form() -> None:
    level = own_level(KEY, "# first\n  MINE iron\n\nsell\tgold  # then\n", PARAMS)
    assert level_text(level) == "mine iron\nsell gold"


def test_the_key_decides_on_the_world() -> None:
    level, again, other = (own_level(jax.random.key(seed), "mine iron", PARAMS) for seed in (1, 1, 2))
    assert np.array_equal(level.cells, again.cells)
    assert not np.array_equal(level.cells, other.cells)


@pytest.mark.parametrize("text", [ENDLESS, STUCK_LOOP], ids=["endless", "stuck"])
def test_a_text_that_can_be_carried_out_nowhere_is_refused(text: str) -> None:
    with pytest.raises(ImpossibleLevelError, match=r"in any of 1024 random worlds; most often no subtask would be"):
        own_level(KEY, text, PARAMS)


def test_the_commonest_reason_is_given() -> None:
    # With more iron than gold the first loop never ends, and otherwise the second.
    text = f"{STUCK_LOOP}\nmine iron\nwhile more gold than iron\n    inspect gold\nendwhile"
    with pytest.raises(ImpossibleLevelError, match=r"most often line [15]: while found true more than 10 times$"):
        own_level(KEY, text, PARAMS)


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(InstructionError, match=r"^line 11, column 1: one line too many; expected at most 10$"):
        own_level(KEY, 11 * "mine iron\n", PARAMS)


def test_there_may_be_room_for_more_lines_than_are_generated() -> None:
    params = MinecraftParams(length=(1, 1), max_lines=10)
    level = own_level(KEY, "mine iron\nmine iron", params, first_row("@ii..."))
    assert level_text(level) == "mine iron\nmine iron"


# On a drawn map


def test_a_level_on_a_drawn_map_is_just_that_map() -> None:
    drawing = "w~i...\n@~..g.\nm~....\n~~..#.\n......\n....mw"
    level = own_level(KEY, "mine iron", PARAMS, drawing)
    assert draw_map(np.asarray(level.cells), tuple(level.worker.tolist())) == drawing
    assert level_text(level) == "mine iron"
    assert_solved(level, steps=5)  # north, mine wood, north-east over the water, east, mine iron


def test_nested_blocks_run_on_a_drawn_map() -> None:
    level = own_level(KEY, NESTED_LOOPS, PARAMS, first_row("@iigm."))
    # Two iron, one gold and one merchant: mine one iron and it is over.
    assert_solved(level, steps=2)


def test_an_instruction_with_nothing_to_do_is_done_at_once() -> None:
    assert_solved(own_level(KEY, STUCK_LOOP, PARAMS, first_row("@gi...")), steps=1)


WALLED = "@#i...\n##....\n" + 4 * EMPTY_ROW
FLOODED = "@~i...\n~~..w.\n" + 4 * EMPTY_ROW
WOOD_SOLD = "w~i...\n@~....\nm~....\n" + 3 * "~~....\n"


@pytest.mark.parametrize(
    ("text", "drawing", "reason"),
    [
        ("mine iron", first_row("@g...."), "line 1: mine iron needs iron on the map"),
        ("sell iron", first_row("@i...."), "line 1: sell iron needs a merchant"),
        ("sell iron", first_row("@m...."), "line 1: sell iron needs iron on the map"),
        ("inspect wood", first_row("@i...."), "line 1: inspect wood needs wood on the map"),
        ("mine iron\nmine iron", first_row("@i...."), "line 2: mine iron needs iron on the map"),
        (ENDLESS, first_row("@i...."), "line 1: met again before any subtask, so this never ends"),
        (f"mine iron\n{ENDLESS}", first_row("@ii..."), "line 2: met again before any subtask, so this never ends"),
        (STUCK_LOOP, first_row("@i...."), "line 1: while found true more than 36 times"),
        ("mine iron", WALLED, "after 30 steps it is still at line 1: mine iron"),
        ("mine iron", FLOODED, "after 30 steps it is still at line 1: mine iron"),
        ("sell wood\nmine iron", WOOD_SOLD, "after 60 steps it is still at line 2: mine iron"),
    ],
)
def test_what_is_impossible_on_a_map_is_refused_with_the_reason(text: str, drawing: str, reason: str) -> None:
    with pytest.raises(ImpossibleLevelError, match=r"\A[^\n]* on this map: [^\n]*\Z") as error:
        own_level(KEY, text, PARAMS, drawing)
    assert str(error.value).endswith(reason)


# Maps as text


def test_every_thing_has_its_letter() -> None:
    cells, worker = read_map("@.i\ngwm\n~#.", 3)
    assert cells.tolist() == [
        [Thing.NOTHING, Thing.NOTHING, Thing.IRON],
        [Thing.GOLD, Thing.WOOD, Thing.MERCHANT],
        [Thing.WATER, Thing.WALL, Thing.NOTHING],
    ]
    assert worker.tolist() == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_map_is_read_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells, worker = rng.integers(0, len(Thing), (6, 6)), tuple(rng.integers(0, 6, 2).tolist())
    cells[worker] = Thing.NOTHING
    found_cells, found_worker = read_map(draw_map(cells, worker), 6)
    assert np.array_equal(found_cells, cells)
    assert tuple(found_worker.tolist()) == worker


def test_spaces_and_blank_lines_in_a_map_do_not_matter() -> None:
    cells, worker = read_map("\n  @ i\n\n g~  \r\n", 2)
    assert draw_map(cells, tuple(worker.tolist())) == "@i\ng~"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("", "expected 2 rows of 2 cells, got rows of []"),
        ("@i\n", "expected 2 rows of 2 cells, got rows of [2]"),
        ("@i\n...", "expected 2 rows of 2 cells, got rows of [2, 3]"),
        ("@i\n..\n..", "expected 2 rows of 2 cells, got rows of [2, 2, 2]"),
        ("ii\n..", "expected one worker '@', found 0"),
        ("@.\n.@", "expected one worker '@', found 2"),
        ("@.\n.x", "row 2, column 2: unknown letter 'x'; expected . i g w m ~ # @"),
        ("@I\n..", "row 1, column 2: unknown letter 'I'; expected . i g w m ~ # @"),
    ],
)
def test_what_is_wrong_with_a_map_is_told(drawing: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^map: ") as error:
        read_map(drawing, 2)
    assert str(error.value) == f"map: {message}"
