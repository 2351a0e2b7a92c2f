"""Policies of anybody: whoever chooses alike has the same score, on whatever way it is played."""

from collections.abc import Callable
from functools import cache
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tiny_preset import TINY, TINY_PPO

import cofca
from cofca.agents.base import Agent
from cofca.envs.spec import spec_of
from cofca.experiments.eval_set import EvalSet, eval_sets
from cofca.experiments.policies import PolicyError
from cofca.experiments.scores import standard_error
from cofca.experiments.scoring import solved
from cofca.experiments.specs import EXPERIMENTS, Bin, Experiment
from cofca.interop.policies import AgentPolicy, JaxPolicy
from cofca.paper.replay import agree
from cofca.utils.prng import pick
from cofca.utils.trees import stack
from interop.samples import ID
from interop.test_text_score import MINECRAFT

EPISODES = 40
STARCRAFT = Experiment("starcraft-length", "starcraft", {"length": (2, 2)}, (Bin(2, 2, {"length": (2, 2)}),))
SPECS = {spec.domain: spec for spec in (MINECRAFT, STARCRAFT)}


@cache
def sets(name: str) -> list[EvalSet]:
    return eval_sets(SPECS[name], EPISODES, 0)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The official experiments are small, and fewer lanes than levels are refilled."""
    for spec in SPECS.values():
        monkeypatch.setitem(EXPERIMENTS, spec.name, spec)
    monkeypatch.setattr("cofca.experiments.hosted.LANES", 16)


@cache
def agent() -> Agent:
    """It has learned nothing, but is sure of what it does."""
    levels = sets("minecraft")[0]
    made = TINY.agent("minecraft", "cofca-s")(jax.random.key(5), spec_of(levels.env, levels.params))
    return jax.jit(lambda agent: jax.tree.map(lambda leaf: 4 * leaf, agent))(made)


def ignore(ended: int) -> None:
    pass


class Hosted:
    """A policy in JAX played outside of it."""

    batched = True

    def __init__(self, policy: JaxPolicy) -> None:
        self.initial_state = policy.initial
        self.step = jax.jit(jax.vmap(lambda obs, state, mask, key: policy.act(obs, state, mask, jax_keys(key))))

    def initial(self, number: int) -> Any:
        return jax.tree.map(lambda leaf: np.repeat(np.asarray(leaf)[None], number, axis=0), self.initial_state)

    def act(self, obs: Any, state: Any, mask: np.ndarray, key: np.ndarray) -> tuple[Any, Any]:
        return self.step(obs, state, mask, key)


def jax_keys(key: Any) -> Any:
    return jax.random.wrap_key_data(key)


def chance(obs: Any, state: Any, mask: Any, key: Any) -> tuple[Any, Any]:
    """The random choices that stand beside every score."""
    return pick(jax.random.uniform(key[0]), mask), state


def counting(obs: Any, state: Any, mask: Any, key: Any) -> tuple[Any, Any]:
    """What is chosen depends on all that there is, also on what is remembered."""
    numbers = sum(value.astype(jnp.int32).sum() for value in obs.values())
    first = jnp.argmax(jnp.roll(mask, -(numbers + state["steps"])))
    action = (first + numbers + state["steps"]) % mask.size
    return jnp.where(jax.random.bernoulli(key[1]), action, jnp.argmax(mask)), {"steps": state["steps"] + 1}


# One and the same policy


@pytest.mark.parametrize("name", SPECS)
def test_random_choices_are_those_that_stand_beside_every_score(name: str) -> None:
    levels = sets(name)[0]
    assert (solved(Hosted(JaxPolicy(chance)), levels, ignore) == (levels.random.returns > 0)).all()
    assert levels.random.returns.any()


def test_a_policy_in_jax_remembers_the_same_outside_of_it() -> None:
    policy = JaxPolicy(counting, {"steps": jnp.int32(3)})
    for levels in sets("minecraft"):
        inside, outside = solved(policy, levels, ignore), solved(Hosted(policy), levels, ignore)
        assert (inside == outside).all()
    assert not (solved(Hosted(JaxPolicy(counting, {"steps": jnp.int32(4)})), levels, ignore) == inside).all()


@pytest.mark.parametrize("greedy", [False, True])
def test_an_agent_plays_outside_of_jax_as_inside(greedy: bool) -> None:
    for levels in sets("minecraft"):
        inside = levels.played(stack([agent()]), TINY_PPO, greedy).returns[0] > 0
        assert (solved(AgentPolicy(agent(), "minecraft", greedy), levels, ignore) == inside).all()
        assert inside.any()
        assert not inside.all()
    if not greedy:
        assert (solved(agent(), levels, ignore) == inside).all()


@cache
def longer() -> gymnasium.Env:
    """The levels of the second bin."""
    return gymnasium.make(ID, **vars(sets("minecraft")[1].params))


def test_a_greedy_agent_has_the_same_score_through_gymnasium() -> None:
    levels, env = sets("minecraft")[1], longer()
    policy = AgentPolicy(agent(), "minecraft", greedy=True)
    won = []
    for key in jax.random.key_data(levels.levels.key):
        obs, info = env.reset(options={"level_key": np.asarray(key)})
        state, reward, over = policy.initial(1), 0.0, False
        while not over:
            one = {name: value[None] for name, value in obs.items()}
            actions, state = policy.act(one, state, np.ones((1, 9), bool), np.zeros((1, 2, 2), np.uint32))
            obs, reward, terminated, truncated, info = env.step(actions[0])
            state = policy.observe_response(state, info["primitive"][None])
            over = terminated or truncated
        won.append(reward > 0)
    assert (solved(policy, levels, ignore) == won).all()
    assert 0 < sum(won) < EPISODES


@pytest.mark.soak
def test_where_chances_are_drawn_apart_the_score_is_the_same_within_sampling_error() -> None:
    """Gymnasium has chances of its own."""
    (levels,) = eval_sets(STARCRAFT, 300, 0)
    env, won = gymnasium.make("cofca/StarCraft-v0", **vars(levels.params)), 0
    env.action_space.seed(0)
    for key in jax.random.key_data(levels.levels.key):
        _, info = env.reset(options={"level_key": np.asarray(key)})
        over = False
        while not over:
            _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated
        won += reward > 0
    assert agree(won / 300, float((levels.random.returns > 0).mean()), 300)


def test_a_function_sees_what_gymnasium_shows() -> None:
    levels = sets("minecraft")[1]
    obs, _ = longer().reset(options={"level_key": np.asarray(jax.random.key_data(levels.levels.key)[0])})
    seen: list[dict] = []
    solved(lambda obs: seen.append(obs) or 0, levels, ignore)
    assert seen[0].keys() == obs.keys()
    for name, value in obs.items():
        assert isinstance(seen[0][name], np.ndarray)
        assert np.array_equal(seen[0][name].ravel(), value.ravel())


# Reports


def mine_iron(obs: Any) -> int:
    return 0


def test_a_report_has_rows_like_those_of_every_evaluation() -> None:
    told: list[tuple[int, int]] = []
    report = cofca.evaluate(
        [mine_iron, mine_iron], "minecraft-length", episodes=EPISODES, progress=lambda *seen: told.append(seen)
    )
    assert (report["experiment"], report["worker"], report["level_seed"]) == ("minecraft-length", "planner", 0)
    assert told[-1] == (4 * EPISODES, 4 * EPISODES)
    for row, levels in zip(report["bins"], sets("minecraft"), strict=True):
        success = solved(mine_iron, levels, ignore).mean()
        assert row == {
            "id": levels.bin.id,
            "lo": levels.bin.low,
            "hi": levels.bin.high,
            "episodes": EPISODES,
            "sampled": success,
            "sampled_se": standard_error([success, success], EPISODES),
            "seeds": [success, success],
            "oracle": np.mean(levels.oracle.returns > 0),
            "random": np.mean(levels.random.returns > 0),
            "levels": levels.fingerprint,
        }
    known = {one["name"]: one for one in report["published"]}["minecraft-length/cofca-s"]
    assert known["worker"] == "learned"
    assert (known["bins"][-1]["id"], known["bins"][-1]["episodes"]) == ("41-50", 1000)
    assert known["bins"][-1]["sampled"] == pytest.approx((0.979 + 0.979 + 0.817 + 0.348) / 4)


# Mistakes


def batched(act: Callable, initial: Callable = lambda number: ()) -> Any:
    return type("Own", (), {"batched": True, "initial": staticmethod(initial), "act": staticmethod(act)})()


def always(actions: Any, state: Any = ()) -> Any:
    return batched(lambda *seen: (actions, state))


def broken(obs: Any) -> int:
    return 1 // 0


BROKEN = broken.__code__.co_firstlineno + 1
MISTAKES: dict[str, tuple[Any, str]] = {
    "no policy": (5, "5 is no policy: expected a function of an observation, or an object with initial and act"),
    "a class": (JaxPolicy, "JaxPolicy is a class: expected an object of it"),
    "no act": (type("Own", (), {"batched": True, "initial": print})(), "Own is batched but has no method act"),
    "a word": (lambda obs: "mine", "the policy returned 'mine', which is not the number of an action"),
    "nothing": (lambda obs: None, "the policy returned None, which is not the number of an action"),
    "a share": (lambda obs: 0.5, "the policy returned 0.5, which is not the number of an action"),
    "too large": (lambda obs: 9, "action 9 is out of range; expected 0 to 8"),
    "negative": (lambda obs: -1, "action -1 is out of range; expected 0 to 8"),
    "too few": (always(np.zeros(3, int)), r"of type int64 and shape \(3,\); expected 16 whole numbers"),
    "shares": (always(np.zeros(16)), r"of type float64 and shape \(16,\); expected 16 whole numbers"),
    "no state": (batched(lambda *seen: np.zeros(16, int)), "act returned ndarray; expected actions and a state"),
    "states side by side": (
        batched(lambda *seen: None, lambda number: np.zeros((1, number))),
        r"initial\(16\) has a part of shape \(1, 16\); expected the 16 environments first",
    ),
    "another state": (always(np.full(16, 4), (np.zeros(16),)), "act returned another kind of state than initial"),
    "broken": (broken, f"test_policies.py:{BROKEN}: ZeroDivisionError: integer division or modulo by zero"),
    "too large in JAX": (JaxPolicy(lambda *seen: (jnp.int32(9), ())), "action 9 is out of range; expected 0 to 8"),
    "a share in JAX": (JaxPolicy(lambda *seen: (0.5, ())), r"of type float32 and shape \(\); expected one number"),
    "no state in JAX": (JaxPolicy(lambda *seen: 0), "act returned int; expected an action and a state"),
    "broken in JAX": (JaxPolicy(lambda obs, *rest: obs["lines"] @ obs["grid"]), "test_policies.py:.*: TypeError: "),
}


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_of_a_policy_are_told_in_one_line(case: str) -> None:
    policy, message = MISTAKES[case]
    with pytest.raises(PolicyError, match=message) as error:
        solved(policy, sets("minecraft")[0], ignore)
    assert "\n" not in str(error.value)


def test_models_of_other_libraries_are_told_their_adapter() -> None:
    model = type("Net", (), {"__module__": "torch.nn", "__call__": mine_iron})()
    with pytest.raises(PolicyError, match=r"^Net is a model of torch: give cofca\.interop\.policies\.TorchPolicy$"):
        solved(model, sets("minecraft")[0], ignore)


def test_whoever_is_to_be_scored_says_on_what() -> None:
    with pytest.raises(ValueError, match="on which levels"):
        cofca.evaluate(mine_iron)
    with pytest.raises(PolicyError, match="there is no policy"):
        cofca.evaluate([], "minecraft-length")
