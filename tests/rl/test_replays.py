"""Every episode decides whether to try a failed level again, as in the paper."""

from dataclasses import replace
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agents.samples import quickly
from experiments.tiny import SETUP, setup_of
from tiny_preset import TINY_PAPER

from cofca.envs.autoreset import AutoReset
from cofca.envs.spec import spec_of
from cofca.rl.config import PPOConfig
from cofca.rl.failure_buffer import Failures, no_failures
from cofca.rl.level_sampler import LevelSampler, Pool, draw_keys, draw_retries, next_level, replay_probability
from cofca.rl.ppo import Learner, Rollout, begin, collect_trajectories, evaluate_rollout, refresh, with_precision
from cofca.utils.trees import pick, stack
from rl.test_ppo import by_hand, words

CONFIG = PPOConfig(envs=5, levels=40, replays=10, failures=16)
NOBODY = AutoReset(SETUP.packed, CONFIG.envs)
DRAWS = 40_000


def sampler(failed: int, success: float) -> LevelSampler:
    """With so many failed levels in its pool."""
    replayed = jnp.arange(CONFIG.levels) - (CONFIG.levels - CONFIG.replays)
    pool = by_hand(Pool, replayed=(replayed >= 0) & (replayed < failed))
    return by_hand(LevelSampler, pool=pool, success=jnp.float32(success))


@quickly
def drawn(failed: LevelSampler, turn: jax.Array, retries: jax.Array) -> tuple[jax.Array, jax.Array]:
    return jax.vmap(lambda retry: next_level(failed, turn, retry, NOBODY, CONFIG))(retries)


def tried(failed: int, success: float, turn: int = 3) -> tuple[np.ndarray, np.ndarray]:
    retries = draw_retries(jax.random.key(0), (DRAWS,), CONFIG)
    assert retries is not None
    slots, turns = drawn(sampler(failed, success), jnp.int32(turn), retries)
    return np.asarray(slots), np.asarray(turns)


@pytest.mark.parametrize("success", [0.0, 0.5, 1.0])
def test_the_share_of_replays_is_three_tenths_of_the_success_rate(success: float) -> None:
    slots, turns = tried(failed=4, success=success)
    again = slots >= CONFIG.levels - CONFIG.replays
    share = 0.3 * success
    assert abs(again.mean() - share) <= 4.5 * np.sqrt(share * (1 - share) / DRAWS)
    # Who tries again does not lose its place among the fresh levels.
    assert (turns[again] == 3).all()
    assert (turns[~again] == 8).all()
    assert (slots[~again] == 8).all()


def test_every_failed_level_is_tried_equally_often_and_nothing_else() -> None:
    slots, _ = tried(failed=4, success=1.0)
    counts = np.bincount(slots[slots >= 30] - 30, minlength=10)
    assert not counts[4:].any()
    expected = counts.sum() / 4
    assert ((counts[:4] - expected) ** 2 / expected).sum() < 3 + 4.5 * np.sqrt(6)


def test_where_nothing_failed_nothing_is_tried_again() -> None:
    slots, _ = tried(failed=0, success=1.0)
    assert (slots == 8).all()


def test_fresh_levels_come_in_turn_and_never_out_of_what_is_kept_for_failed_ones() -> None:
    turn, met = 0, []
    for _ in range(20):
        slot, turn = (int(part) for part in next_level(sampler(0, 1.0), jnp.int32(turn), jnp.ones(2), NOBODY, CONFIG))
        met.append(slot)
    assert max(met) < CONFIG.levels - CONFIG.replays
    assert len(set(met)) == len(met)


@pytest.mark.parametrize("failed", [0, 6, 16])
def test_a_new_pool_keeps_its_last_places_for_failed_levels(failed: int) -> None:
    keys = jax.random.key_data(jax.random.split(jax.random.key(1), 16))
    failures = Failures(keys, jnp.arange(16) < failed)
    empty = jnp.zeros(CONFIG.levels, bool)
    pool = by_hand(Pool, keys=jnp.zeros((CONFIG.levels, 2), jnp.uint32), replayed=empty, played=empty)
    before = by_hand(LevelSampler, pool=pool, failures=failures if failed else no_failures(16))
    draw = jax.jit(partial(draw_keys, config=CONFIG))
    after, drawn_keys, replayed = draw(jax.random.key(2), jax.random.key(3), before)
    taken = min(failed, CONFIG.replays)
    assert replayed.tolist() == [False] * 30 + [True] * taken + [False] * (CONFIG.replays - taken)
    assert set(words(drawn_keys[replayed])) <= set(words(keys[:failed]))
    assert int(after.failures.filled.sum()) == failed - taken


def test_the_probability_follows_the_success_rate() -> None:
    assert np.isclose(replay_probability(by_hand(LevelSampler, success=jnp.float32(0.6)), CONFIG), 0.18)


def test_a_pool_without_fresh_levels_is_refused() -> None:
    with pytest.raises(ValueError, match="replays must leave a level for each of 5 environments, not be 36 of 40"):
        replace(CONFIG, replays=36)


# Episodes


PAPER_SETUP = setup_of(TINY_PAPER.ppo["starcraft"])


@quickly
@jax.vmap
def look_back(learner: Learner) -> tuple[Learner, Rollout, Any]:
    later, rollout = collect_trajectories(learner, PAPER_SETUP)
    agent = with_precision(learner.agent, PAPER_SETUP.config)
    return later, rollout, evaluate_rollout(agent, rollout, PAPER_SETUP.config.product)


@cache
def rolled(name: str) -> tuple[Learner, Rollout, Any]:
    """Of one seed that has failed every level so far, and is said to have won all of them."""
    spec = spec_of(PAPER_SETUP.env, PAPER_SETUP.params)
    agents = stack([TINY_PAPER.agents["starcraft"][name](jax.random.key(1), spec)])
    learners = refresh(begin(jax.random.split(jax.random.key(0), 1), agents, PAPER_SETUP), PAPER_SETUP)
    keys = jax.random.key_data(jax.random.split(jax.random.key(9), PAPER_SETUP.config.failures))
    failures = Failures(keys[None], jnp.ones((1, len(keys)), bool))
    learners = look_back(learners)[0]
    levels = learners.levels._replace(failures=failures, success=jnp.ones(1))
    learners = refresh(learners._replace(levels=levels, update=jnp.ones(1, jnp.int32)), PAPER_SETUP)
    return pick(look_back(learners), 0)


@pytest.mark.parametrize("name", ["cofca-s", "olsk"])
def test_decisions_evaluated_again_by_a_published_agent_are_what_they_were(name: str) -> None:
    _, rollout, again = rolled(name)
    assert np.allclose(rollout.log_prob, again.log_prob, atol=1e-4)
    assert np.allclose(rollout.value, again.value, atol=1e-4)


def test_episodes_that_are_tried_again_are_those_of_the_buffer_and_not_fresh() -> None:
    learner, rollout, _ = rolled("cofca-s")
    pool = learner.levels.pool
    failed = set(words(pool.keys[pool.replayed]))
    assert len(failed) == PAPER_SETUP.config.replays
    begun = np.asarray(rollout.done)[:-1]
    following = [tuple(key) for key in np.asarray(rollout.level)[1:][begun].tolist()]
    assert len(following) > 2
    # Here every episode is to be one that was failed before.
    assert set(following) <= failed
    assert not np.asarray(rollout.fresh)[1:][begun].any()
