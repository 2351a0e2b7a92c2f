"""Levels whose execution goes deep: into a nested block, or over it in one jump."""

from dataclasses import replace
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import fast

from cofca.envs.minecraft import (
    CONDITIONS,
    DEFAULT_CONDITIONS,
    Condition,
    Instruction,
    Level,
    LineType,
    Minecraft,
    MinecraftParams,
    Status,
    Thing,
    from_symbols,
    generate,
    oracle,
    parse,
    run,
)
from cofca.envs.minecraft.levels import generator
from cofca.envs.minecraft.levels.deep import demands_of, length_and_side
from cofca.envs.minecraft.params import FEWEST_SUBTASKS, lines_of_depth
from cofca.envs.minecraft.symbols import COUNTED
from cofca.envs.rollout import Episodes, memoryless, play, random_policy

DEPTHS = (1, 2, 3, 4, 5, 6)
ROOM, BATCH = 30, 64
KEYS = jax.random.split(jax.random.key(0), BATCH)
PLAYING = MinecraftParams(length=(1, ROOM)).playing
ENV = Minecraft()
every_depth = pytest.mark.parametrize("depth", DEPTHS)

play_all = fast(play, static_argnums=(1, 3, 4))


def asked(depth: int) -> MinecraftParams:
    return MinecraftParams(length=(lines_of_depth(depth), ROOM), max_lines=ROOM, executed_depth=depth)


@cache
def levels(depth: int) -> Level:
    return generate(KEYS, asked(depth))


@cache
def everything() -> Level:
    """The levels of all depths."""
    return jax.tree.map(lambda *leaves: jnp.concatenate(leaves), *map(levels, DEPTHS))


def played(player: str) -> Episodes:
    policy = {"oracle": memoryless(oracle), "random": random_policy(ENV, PLAYING)}[player]
    return play_all(jax.random.split(jax.random.key(1), BATCH * len(DEPTHS)), ENV, everything(), policy, PLAYING)


def open_blocks(instruction: Instruction) -> list[int]:
    """How many blocks each line stands in; the lines of a block's own are not in it."""
    number, found = 0, []
    for line in instruction:
        number -= line.type in (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE)
        found.append(number)
        number += line.type in (LineType.IF, LineType.ELSE, LineType.WHILE)
    return found


def entered(instruction: Instruction, there: dict[Thing, int]) -> int:
    """Inside how many blocks a subtask is executed."""
    inside = open_blocks(instruction)
    return max(inside[line] for line in run(instruction, there).subtasks)


def crossed(instruction: Instruction, there: dict[Thing, int]) -> int:
    """How deep the lines are nested that one jump forwards leaves out, from the line it leaves on."""
    inside = open_blocks(instruction)
    lines = run(instruction, there).lines
    jumps = [(at, to) for at, to in zip(lines, (*lines[1:], len(instruction)), strict=True) if to > at + 1]
    return max((max(inside[at + 1 : to]) - inside[at] for at, to in jumps), default=0)


def told(depth: int) -> list[tuple[Instruction, dict[Thing, int]]]:
    """Instructions, and what there is."""
    made = jax.device_get(levels(depth))
    there = ({thing: int((cells == thing).sum()) for thing in COUNTED} for cells in made.cells)
    return list(zip(map(from_symbols, made.program.lines), there, strict=True))


def test_blocks_are_counted_as_a_person_counts_them():
    text = "if more iron than gold\nmine iron\nelse\nwhile more iron than gold\nmine iron\nendwhile\nendif\nmine wood"
    instruction = parse(text)
    assert open_blocks(instruction) == [0, 1, 0, 1, 2, 1, 0, 0]
    few, many = {Thing.GOLD: 1, Thing.WOOD: 1}, {Thing.IRON: 1, Thing.WOOD: 1}
    assert (entered(instruction, few), crossed(instruction, few)) == (0, 1)
    assert (entered(instruction, many), crossed(instruction, many)) == (1, 2)


@every_depth
def test_a_subtask_is_executed_so_deep_or_a_jump_crosses_what_is_nested_so_deep(depth):
    lengths, crosses = jax.vmap(length_and_side, (0, None))(KEYS, demands_of(asked(depth)))
    assert 0.3 < crosses.mean() < 0.7
    for level, length, jumps in zip(told(depth), lengths, crosses, strict=True):
        assert len(level[0]) == length
        assert max(open_blocks(level[0])) == depth
        assert crossed(*level) == depth if jumps else entered(*level) == depth


@every_depth
def test_enough_is_executed(depth):
    assert all(len(run(*level).subtasks) >= FEWEST_SUBTASKS for level in told(depth))


def test_the_oracle_solves_every_level_and_random_play_hardly_any():
    won = {player: np.asarray(played(player).returns).reshape(len(DEPTHS), BATCH) for player in ("oracle", "random")}
    assert (won["oracle"] == 1).all()
    assert (won["random"].mean(axis=1) <= 0.05).all()
    assert (jax.vmap(ENV.start, (0, None))(everything(), PLAYING).status == Status.RUNNING).all()


def test_every_way_down_occurs():
    ways = set()
    for instruction, there in [level for depth in DEPTHS for level in told(depth)]:
        inside = open_blocks(instruction)
        line = next(line for line in run(instruction, there).subtasks if inside[line] == entered(instruction, there))
        openers = [at for at in range(line) if inside[at] < min(inside[at + 1 : line + 1])]
        ways |= {instruction[at].type for at in openers}
    assert ways == {LineType.IF, LineType.ELSE, LineType.WHILE}


def test_the_level_of_a_key_depends_neither_on_its_batch_nor_on_its_place():
    backwards = generate(KEYS[::-1], asked(3))
    for one, other in zip(jax.tree.leaves(levels(3)), jax.tree.leaves(backwards), strict=True):
        assert (one == other[::-1]).all()


def test_all_depths_lengths_and_conditions_are_made_by_one_program():
    everything()
    before = generator._generate._cache_size()
    generate(KEYS, MinecraftParams(length=(21, 25), max_lines=ROOM, executed_depth=7, conditions=CONDITIONS))
    assert generator._generate._cache_size() == before


def conditions(instruction: Instruction) -> set[Condition]:
    return {line.condition for line in instruction if line.type in (LineType.IF, LineType.WHILE)}


def test_conditions_are_those_of_the_vocabulary():
    found = [conditions(instruction) for depth in DEPTHS for instruction, _ in told(depth)]
    assert set.union(*found) == set(DEFAULT_CONDITIONS)


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_condition_can_be_the_only_one(condition):
    made = generate(KEYS[:BATCH], replace(asked(2), conditions=(condition,)))
    assert all(conditions(from_symbols(lines)) == {condition} for lines in np.asarray(made.program.lines))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"executed_depth": 9, "length": (30, 40)}, "executed_depth must lie between 0 and 8, not 9"),
        ({"executed_depth": -1}, "executed_depth must lie between 0 and 8, not -1"),
        (
            {"executed_depth": 4, "length": (11, 20)},
            "execution 4 deep needs at least 12 lines, but length starts at 11",
        ),
        ({"executed_depth": 2, "length": (11, 20), "max_depth": 2, "min_depth": 2}, "goes with no min_depth"),
        ({"executed_depth": 2, "length": (11, 20), "control_flow_kinds": (0, 1)}, "and no control_flow_kinds"),
        ({"executed_depth": 2, "length": (11, 20), "failing_block": (1, 4)}, "no failing_block"),
    ],
)
def test_depths_that_make_no_sense_are_refused_in_one_line(bad, message):
    with pytest.raises(ValueError, match=message) as caught:
        MinecraftParams(**bad)
    assert "\n" not in str(caught.value)
