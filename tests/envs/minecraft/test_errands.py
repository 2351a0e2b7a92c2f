"""Errands: single commands on which workers learn."""

from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.envs.base import Status
from cofca.envs.check import ERRANDS, compiled_errands
from cofca.envs.minecraft import MinecraftParams, Primitive, Thing, own_level, planner
from cofca.envs.minecraft.errands import Errand, Errands, errand_policy, plan_errand
from cofca.envs.rollout import Episodes, play, random_policy
from cofca.testing.environment import check_environment

PARAMS = MinecraftParams(length=(1, 6))
ENV = Errands()
KEY = jax.random.key(5)
NUMBER = 400
"""As many as in the tests of workers, so that they are compiled once."""
ENDS_A_BLOCK = "if more gold than iron\nmine gold\nelse\nmine iron\nendif\nmine gold"
"""After the iron comes the gold, and between them only the end of a block."""


@cache
def levels() -> Any:
    return ENV.levels(jax.random.split(KEY, NUMBER), PARAMS)


@cache
def begun() -> Errand:
    return jax.jit(jax.vmap(partial(ENV.start, params=PARAMS)))(levels())


@cache
def ends(who: str) -> Episodes:
    policy = errand_policy(planner) if who == "planner" else random_policy(ENV, PARAMS)
    return jax.jit(lambda levels: play(jax.random.split(KEY, NUMBER), ENV, levels, policy, PARAMS))(levels())


def test_errands_are_an_environment() -> None:
    check_environment(ENV, PARAMS)


def test_an_errand_begins_anywhere_on_the_way_through_an_instruction() -> None:
    world = begun().world
    assert (world.status == Status.RUNNING).all()
    at_the_start = np.asarray(world.time) == 0
    assert 0.1 < at_the_start.mean() < 0.9
    assert np.asarray(world.inventory).any(axis=1).any()
    assert not np.asarray(begun().time).any()


def test_the_worker_sees_the_current_line_and_no_other() -> None:
    world = begun().world
    seen = jax.jit(jax.vmap(partial(ENV.observe, params=PARAMS)))(begun())
    rows = np.arange(len(world.line))
    assert np.array_equal(seen.lines[:, 0], np.asarray(world.level.program.lines)[rows, world.line])
    assert (seen.lines[:, 0, 1] > 0).all()
    assert (seen.mask == 1).all()


def test_the_planner_runs_every_errand_and_random_primitives_few() -> None:
    assert (ends("planner").returns > 0).all()
    assert (ends("random").returns > 0).mean() < 0.5
    assert ends("planner").steps.max() < PARAMS.steps_per_line


@jax.jit
def take(errand: Errand, primitive: jax.Array) -> Any:
    return ENV.advance(KEY, errand, primitive, primitive, PARAMS)


start = jax.jit(partial(ENV.minecraft.start, params=PARAMS))


def drawn(text: str, first_row: str) -> Errand:
    level = own_level(KEY, text, PARAMS, first_row + "\n" + 5 * "......\n")
    # The key decides how much is done beforehand; here nothing is.
    world = start(level)
    return Errand(world, jnp.int16(0), jnp.int8(Status.RUNNING))


@pytest.mark.parametrize(
    ("text", "row", "moves", "rewards", "status"),
    [
        ("mine iron", "@i....", [Primitive.EAST, Primitive.MINE], [0, 1], Status.SUCCEEDED),
        ("mine iron\nmine iron", "@ii...", [Primitive.EAST, Primitive.MINE], [0, 1], Status.SUCCEEDED),
        (ENDS_A_BLOCK, "@ig...", [Primitive.EAST, Primitive.MINE], [0, 1], Status.SUCCEEDED),
        ("mine iron", "@ig...", [Primitive.EAST, Primitive.EAST, Primitive.MINE], [0, 0, 0], Status.FAILED),
        ("mine iron", "@wi...", [Primitive.EAST, Primitive.MINE], [0, 0], Status.FAILED),
        ("mine wood", "@w....", [Primitive.EAST, Primitive.MINE], [0, 1], Status.SUCCEEDED),
        ("mine iron", "@i....", 30 * [Primitive.STAY], 30 * [0], Status.OUT_OF_TIME),
    ],
)
def test_reward_is_for_the_command_and_waste_is_failure(
    text: str, row: str, moves: list[int], rewards: list[float], status: Status
) -> None:
    errand, got = drawn(text, row), []
    for move in moves:
        errand, outcome = take(errand, jnp.int32(move))
        got.append(float(outcome.reward))
    assert np.allclose(got, rewards)
    assert errand.status == status
    assert bool(outcome.terminated) == (status in (Status.SUCCEEDED, Status.FAILED))
    assert bool(outcome.truncated) == (status == Status.OUT_OF_TIME)


@pytest.mark.parametrize("status", [Status.FAILED, Status.RUNNING], ids=["there is a way round", "there is none"])
def test_a_bridge_is_waste_where_there_is_another_way(status: Status) -> None:
    level = own_level(KEY, "mine iron", PARAMS, "@~i...\n" + 4 * "......\n" + "..w...\n")
    world = start(level)
    cells = np.array(world.cells)
    if status == Status.RUNNING:
        cells[:, 1] = Thing.WATER
    wet = world._replace(cells=jnp.asarray(cells), inventory=jnp.array([0, 0, 1], jnp.int8))
    errand, outcome = take(Errand(wet, jnp.int16(0), jnp.int8(Status.RUNNING)), jnp.int32(Primitive.EAST))
    assert errand.world.cells[0, 1] == Thing.NOTHING
    assert errand.status == status
    assert outcome.reward == 0


def test_the_ceiling_is_the_planner() -> None:
    primitives = jax.jit(jax.vmap(plan_errand))(begun())
    assert ((primitives >= 0) & (primitives < len(Primitive))).all()


def test_a_check_tries_different_errands_of_a_level() -> None:
    tried = compiled_errands(ENV, random_policy(ENV, PARAMS), PARAMS)(jax.random.split(KEY, NUMBER), levels())
    # Chances are the same in all of them: the same errand would end the same way.
    assert len(np.unique(tried, axis=0)) == ERRANDS
