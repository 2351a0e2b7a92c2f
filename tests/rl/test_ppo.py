"""PPO against plain NumPy, and against itself: what is evaluated again must be what was collected."""

from dataclasses import replace
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from agents.samples import quickly, small_agent
from compiled import at
from experiments.tiny import AGENTS, SEEDS, SETUP, WITH_HISTORY, begun, setup_of, with_agents
from tiny_preset import TINY_PPO

from cofca.agents.decide import Evaluation
from cofca.rl import ppo
from cofca.rl.config import PPOConfig
from cofca.rl.failure_buffer import Failures, no_failures
from cofca.rl.level_sampler import LevelSampler, count_success
from cofca.rl.ppo import (
    Learner,
    Metrics,
    Rollout,
    bootstrap_values,
    collect_trajectories,
    episode_metrics,
    evaluate_rollout,
    gae,
    loss,
    refresh,
    with_precision,
)
from cofca.utils.settings import changed
from cofca.utils.trees import stack

STEPS, ENVS = 12, 7


def by_hand(kind: type, **fields: Any) -> Any:
    """A named tuple of which only some fields are asked for."""
    return kind(**{**dict.fromkeys(kind._fields), **fields})


def random_rollout(seed: int = 0) -> tuple[Rollout, np.ndarray]:
    """Rewards, values and ends of episodes, and the values of what comes next."""
    rng = np.random.default_rng(seed)
    shape = STEPS, ENVS
    kind = rng.random(shape)
    terminated, truncated = kind < 0.15, kind > 0.85
    reward, value, following = np.float32(rng.normal(size=(3, *shape)))
    # Before the end of an episode what comes next is the next step.
    following[:-1] = np.where(terminated[:-1] | truncated[:-1], following[:-1], value[1:])
    rollout = by_hand(
        Rollout,
        value=jnp.asarray(value),
        reward=jnp.asarray(reward),
        terminated=jnp.asarray(terminated),
        truncated=jnp.asarray(truncated),
    )
    return rollout, np.where(terminated, np.float32(0), following)


# Returns and advantages


@pytest.mark.parametrize("decay", [1.0, 0.9, 0.0])
def test_returns_and_advantages_are_those_of_a_plain_loop(decay):
    config = PPOConfig(discount=0.8, gae=decay)
    rollout, following = random_rollout()
    reward, done = np.asarray(rollout.reward), np.asarray(rollout.terminated | rollout.truncated)
    expected = np.zeros((STEPS, ENVS))
    for env in range(ENVS):
        for step in reversed(range(STEPS)):
            # λ-returns: a share of what the value says comes next, the rest of what came.
            later = following[step, env]
            if step < STEPS - 1 and not done[step, env]:
                later = (1 - decay) * later + decay * expected[step + 1, env]
            expected[step, env] = reward[step, env] + 0.8 * later
    advantages, returns = jax.jit(partial(gae, config=config))(rollout, jnp.asarray(following))
    assert np.allclose(returns, expected, atol=1e-5)
    assert np.allclose(advantages, expected - rollout.value, atol=1e-5)


def test_the_return_of_an_episode_is_its_discounted_reward():
    rollout, _ = random_rollout()
    reward, end = np.zeros((STEPS, ENVS), np.float32), np.zeros((STEPS, ENVS), bool)
    reward[5], end[[5, -1]] = 1, True
    rollout = rollout._replace(reward=jnp.asarray(reward), terminated=jnp.asarray(end), truncated=jnp.zeros_like(end))
    following = jnp.where(end, 0.0, jnp.roll(rollout.value, -1, axis=0))
    returns = gae(rollout, following, PPOConfig(discount=0.9))[1]
    assert np.allclose(returns[:, 0], [0.9 ** (5 - step) if step <= 5 else 0 for step in range(STEPS)], atol=1e-6)


# The objective


@pytest.mark.parametrize("config", [PPOConfig(), PPOConfig(clip=0.1, value=0.5)])
def test_the_loss_is_that_of_plain_numpy(config, monkeypatch):
    rng = np.random.default_rng(1)
    shape = STEPS, ENVS
    old, new, value, old_value, returns, advantages, entropy = rng.normal(scale=0.4, size=(7, *shape))
    gate = rng.random(shape)
    now = Evaluation(*(jnp.float32(part) for part in (new, entropy, value, gate)))
    monkeypatch.setattr(ppo, "evaluate_rollout", lambda agent, rollout, product, columns: now)
    total, metrics = loss(
        small_agent("cofca-s", "minecraft"), by_hand(Rollout, log_prob=jnp.float32(old), value=jnp.float32(old_value)),
        jnp.float32(advantages), jnp.float32(returns), jnp.float32(0.07), config,
    )  # fmt: skip
    objectives, errors, clipped = [], [], []
    for here in np.ndindex(*shape):
        ratio, clip = np.exp(new[here] - old[here]), config.clip
        near = min(max(ratio, 1 - clip), 1 + clip)
        objectives.append(min(ratio * advantages[here], near * advantages[here]))
        moved = old_value[here] + min(max(value[here] - old_value[here], -clip), clip)
        errors.append(max((value[here] - returns[here]) ** 2, (moved - returns[here]) ** 2))
        clipped.append(not 1 - clip <= ratio <= 1 + clip)
    expected = -np.mean(objectives) + config.value * np.mean(errors) - 0.07 * entropy.mean()
    assert 0 < np.mean(clipped) < 1
    assert np.isclose(total, expected, atol=1e-5)
    assert np.isclose(metrics["loss"], total)
    assert np.isclose(metrics["value_error"], np.mean(errors), atol=1e-5)
    assert np.isclose(metrics["entropy"], entropy.mean(), atol=1e-5)
    assert np.isclose(metrics["gate"], gate.mean(), atol=1e-5)
    assert np.isclose(metrics["clipped"], np.mean(clipped), atol=1e-5)
    assert np.isclose(metrics["kl"], np.mean(np.exp(new - old) - 1 - (new - old)), atol=1e-5)


def test_the_learning_rate_falls_linearly_and_the_gradient_is_clipped():
    config = replace(TINY_PPO, learning_rate=0.1, final_learning_rate=0.02, epochs=3, minibatches=2, gradient_norm=0.5)
    setup = setup_of(config)
    steps = setup.updates * config.epochs * config.minibatches
    optimizer, weights = ppo.optimizer(setup), jnp.zeros(2)
    state, sizes, update = optimizer.init(weights), [], jax.jit(optimizer.update)
    for _ in range(steps + 1):
        change, state = update(jnp.array([30.0, 40.0]), state)
        sizes.append(float(abs(change[0])))
    # Adam's steps are as large as the rate while the gradient stays the same.
    assert np.allclose(sizes, np.linspace(0.1, 0.02, steps + 1), rtol=1e-3)
    adam = next(part for part in jax.tree.leaves(state, is_leaf=_is_adam) if _is_adam(part))
    assert np.allclose(adam.mu, np.array([0.3, 0.4]) * (1 - 0.9 ** (steps + 1)), atol=1e-4)


def _is_adam(part: Any) -> bool:
    return isinstance(part, optax.ScaleByAdamState)


# Rollouts


@quickly
@jax.vmap
def look_back(learner: Learner) -> tuple[Learner, Rollout, Evaluation, jax.Array]:
    """Collect steps, evaluate them again and bootstrap what comes after each."""
    later, rollout = collect_trajectories(learner, SETUP)
    agent = with_precision(learner.agent, SETUP.config)
    return later, rollout, evaluate_rollout(agent, rollout), bootstrap_values(agent, rollout, SETUP)


@cache
def rolled(name: str) -> tuple[Learner, Rollout, Evaluation, jax.Array]:
    """Of one seed. The collection starts in the middle of episodes, with memories."""
    learners = look_back(with_agents(name, begun()))[0]
    return at(look_back(learners), 0)


KINDS = pytest.mark.parametrize("name", ["cofca-s", WITH_HISTORY, "unstructured", "olsk"])


@KINDS
def test_decisions_evaluated_again_by_the_same_agent_are_what_they_were(name):
    _, rollout, again, _ = rolled(name)
    assert np.allclose(rollout.log_prob, again.log_prob, atol=1e-4)
    assert np.allclose(rollout.value, again.value, atol=1e-4)


@KINDS
def test_what_is_foreseen_is_the_value_of_the_next_step_and_nothing_after_the_end(name):
    _, rollout, _, following = rolled(name)
    done, value = np.asarray(rollout.done), np.asarray(rollout.value)
    assert 0 < done.sum() < done.size
    goes_on = ~done[:-1]
    assert np.allclose(following[:-1][goes_on], value[1:][goes_on], atol=1e-4)
    assert not np.asarray(following)[np.asarray(rollout.terminated)].any()
    cut_off = np.asarray(rollout.truncated & ~rollout.terminated)
    assert cut_off.any()
    assert np.asarray(following)[cut_off].all()


@KINDS
def test_memory_starts_anew_with_every_episode(name):
    _, rollout, _, _ = rolled(name)
    begun = np.asarray(rollout.done)[:-1]
    for leaf in jax.tree.leaves(rollout.memory):
        assert not np.asarray(leaf)[1:][begun].any()
    assert np.asarray(rollout.memory.before)[1:][~begun].all()


@pytest.mark.parametrize("name", AGENTS)
def test_an_update_keeps_shapes_and_types_also_in_half_precision(name):
    setup = setup_of(replace(TINY_PPO, bfloat16=True, minibatches=2))
    before = jax.eval_shape(lambda learners: at(with_agents(name, learners, setup), 0), begun())
    after, metrics = jax.eval_shape(partial(ppo.update, setup=setup), before)
    for one, other in zip(jax.tree.leaves(before), jax.tree.leaves(after), strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
    assert metrics["loss"].dtype == jnp.float32


# Episodes and replays


def played(won: list[float], fresh: list[bool]) -> Rollout:
    """One step in which all episodes end; the keys of their levels are 0, 1, ..."""
    number = len(won)
    return by_hand(
        Rollout,
        reward=jnp.array([won]),
        terminated=jnp.ones((1, number), bool),
        truncated=jnp.zeros((1, number), bool),
        level=jnp.arange(2 * number, dtype=jnp.uint32).reshape(1, number, 2),
        fresh=jnp.array([fresh]),
        transitions=jnp.ones((1, number, 5), jnp.int16),
    )


@quickly
def counted(rollout: Rollout) -> tuple[LevelSampler, Metrics]:
    """What becomes of the levels, and what is counted."""
    before = by_hand(LevelSampler, success=jnp.float32(0.5), failures=no_failures(8))
    config, won = PPOConfig(success_smoothing=0.1), rollout.reward > 0
    after = count_success(before, rollout.level, rollout.done, rollout.fresh, won, config)
    return after, episode_metrics(rollout)


def test_failed_episodes_and_no_others_go_into_the_buffer():
    found, _ = counted(played([1.0, 0.0, 1.0, 0.0, 1.0], [True, True, False, False, True]))
    kept = np.asarray(found.failures.keys)[np.asarray(found.failures.filled)]
    assert kept.tolist() == [[2, 3], [6, 7]]


def test_the_moving_success_rate_and_the_counts_are_of_fresh_episodes():
    found, metrics = counted(played([1.0, 1.0, 0.0, 0.0, 0.0], [True, True, True, False, False]))
    assert np.isclose(found.success, 0.5 + 0.1 * (2 / 3 - 0.5))
    assert [int(metrics[name]) for name in ("episodes", "successes", "replayed", "replayed_successes")] == [3, 2, 2, 0]
    nothing, replays = counted(played([1.0] * 5, [False] * 5))
    assert nothing.success == 0.5
    assert (replays["episodes"], replays["replayed_successes"]) == (0, 5)


FAILED = jax.random.key_data(jax.random.split(jax.random.key(9), TINY_PPO.failures))


@cache
def straddling() -> tuple[Learner, Rollout]:
    """A learner whose episodes went on while the pool of levels was replaced, by one of half replays; its steps."""
    learners = look_back(begun())[0]
    failures = Failures(FAILED, jnp.ones(len(FAILED), bool))
    failures = stack([failures] * SEEDS)
    once = jnp.ones(SEEDS, jnp.int32)
    levels = learners.levels._replace(failures=failures, success=jnp.ones(SEEDS))
    learners = refresh(learners._replace(levels=levels, update=once), SETUP)
    return at(look_back(learners)[:2], 0)


def words(keys: Any) -> list[tuple[int, ...]]:
    return [tuple(key) for key in np.asarray(keys).reshape(-1, 2).tolist()]


def test_a_new_pool_replays_failed_levels_and_takes_them_out_of_the_buffer():
    levels = straddling()[0].levels
    replayed = words(levels.pool.keys[levels.pool.replayed])
    assert sorted(replayed) == sorted(words(FAILED))
    assert not levels.failures.filled.any()
    observed = jax.jit(jax.vmap(lambda state: SETUP.auto.env.observe(state, SETUP.params)))(levels.pool.states)
    made = SETUP.env.levels(jax.random.wrap_key_data(levels.pool.keys), SETUP.params)
    assert np.array_equal(observed.lines[..., 0], made.program.lines)


def test_a_level_counts_as_played_only_if_it_was():
    learner, rollout = straddling()
    pool = learner.levels.pool
    met = words(rollout.level) + words(learner.levels.level)
    assert set(words(pool.keys[pool.played])) <= set(met)


def test_an_episode_is_fresh_if_its_level_did_not_come_from_the_buffer():
    _, rollout = straddling()
    found = np.asarray(rollout.fresh).reshape(-1).tolist()
    assert found == [key not in words(FAILED) for key in words(rollout.level)]


def test_replayed_levels_whose_turn_never_came_go_back_into_the_buffer():
    learner, _ = straddling()
    pool = learner.levels.pool
    unplayed = words(pool.keys[pool.replayed & ~pool.played])
    assert unplayed
    # Nothing is replayed at a success rate of zero.
    learner = learner._replace(levels=learner.levels._replace(success=jnp.float32(0)))
    learners = stack([learner] * SEEDS)
    failures = refresh(learners, SETUP).levels.failures
    assert sorted(words(failures.keys[0][failures.filled[0]])) == sorted(unplayed)


# Configuration


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"envs": 0}, "envs must be at least 1, not 0"),
        ({"envs": 10, "minibatches": 3}, r"envs \(10\) must be a multiple of minibatches"),
        ({"learning_rate": 0.0}, "learning_rate must be positive, not 0.0"),
        ({"failures": -1}, "failures must not be negative, not -1"),
        ({"failure_probability": 1.5}, "failure_probability must lie between 0 and 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_one_line(bad, message):
    with pytest.raises(ValueError, match=message) as caught:
        PPOConfig(**bad)
    assert "\n" not in str(caught.value)


def test_settings_are_changed_by_name():
    found = changed(TINY_PPO, ["learning-rate=0.5", "epochs=3", "bfloat16=True", "gae=1"])
    assert found == replace(TINY_PPO, learning_rate=0.5, epochs=3, bfloat16=True, gae=1.0)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("speed=1", "unknown setting 'speed'; expected one of envs, "),
        ("epochs=1.5", "the setting epochs needs a whole number, not '1.5'"),
        ("epochs=many", "the setting epochs needs a whole number, not 'many'"),
        ("clip=true", "the setting clip needs a number, not 'true'"),
        ("bfloat16=1", "the setting bfloat16 needs true or false, not '1'"),
        ("epochs", "the setting epochs needs a whole number"),
    ],
)
def test_settings_that_cannot_be_read_are_refused(setting, message):
    with pytest.raises(ValueError, match=message):
        changed(TINY_PPO, [setting])
