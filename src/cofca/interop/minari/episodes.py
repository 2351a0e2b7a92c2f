"""Episodes with everything that was seen and done.

Chances are those of `cofca.envs.rollout.play`: who chooses alike has the same episodes as in an evaluation.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Key

from cofca.envs.rollout import step_keys
from cofca.experiments.eval_set import EvalSet
from cofca.experiments.policies import BatchedPolicy, checked, limits_of, named, their_code
from cofca.interop.minari.players import Player
from cofca.utils.trees import take

AT_ONCE = 128
"""Episodes side by side; the next ones begin when the longest has ended."""


class Episode(NamedTuple):
    """What was seen, done and gained. There is one observation more than steps."""

    level_key: np.ndarray
    obs: dict[str, np.ndarray]
    actions: Int[np.ndarray, " steps"]
    rewards: Float[np.ndarray, " steps"]
    terminations: Bool[np.ndarray, " steps"]
    truncations: Bool[np.ndarray, " steps"]


class View(NamedTuple):
    """What there is to see before a choice is made."""

    obs: dict[str, Array]
    mask: Bool[Array, " actions"]
    key: Array
    """The data of two random keys, for who plays."""


class Step(NamedTuple):
    """What was done, and what came of it."""

    action: Int[Array, ""]
    response: Int[Array, ""]
    reward: Float[Array, ""]
    terminated: Bool[Array, ""]
    truncated: Bool[Array, ""]


def episodes(who: Player, levels: EvalSet) -> Iterator[Episode]:
    """Every level of a set, in order."""
    play = _Play(who, levels)
    for first in range(0, levels.episodes, AT_ONCE):
        yield from play.side_by_side(first)


class _Play:
    """What is compiled for the levels of a set and whoever plays them."""

    def __init__(self, who: Player, levels: EvalSet) -> None:
        self.levels, self.hosted = levels, who.hosted
        self.width = min(AT_ONCE, levels.episodes)
        env, params, policy = levels.env, levels.params.playing, who.policy(levels)
        limits = limits_of(env, params)

        def view(key: Key[Array, ""], number: Int[Array, ""], state: Any) -> View:
            chance = jax.random.key_data(step_keys(key, number)[:2])
            return View(named(env.observe(state, params), limits), env.allowed(state, params), chance)

        def start(key: Key[Array, ""], level: Any) -> tuple[Any, Any, View]:
            state = env.start(level, params)
            return state, policy.begin(state), view(key, jnp.int32(0), state)

        def step(key: Key[Array, ""], number: Int[Array, ""], state: Any, memory: Any) -> tuple[Any, Any, View, Step]:
            chance = step_keys(key, number)
            taken = policy.step(chance[:2], state, memory, partial(env.respond, chance[2], state, params=params))
            after, outcome = env.advance(chance[2], state, taken.action, taken.response, params)
            done = Step(taken.action, taken.response, outcome.reward, outcome.terminated, outcome.truncated)
            return after, taken.memory, view(key, number + 1, after), done

        self._start = jax.jit(jax.vmap(start))
        self._step = jax.jit(jax.vmap(step, in_axes=(0, None, 0, 0)))

    def side_by_side(self, first: int) -> Iterator[Episode]:
        """The episodes from this one on, until all have ended."""
        # The last one again beyond the end.
        places = jnp.arange(first, first + self.width)
        keys, levels = take((self.levels.keys, self.levels.levels), places)
        state, memory, seen = self._start(keys, levels)
        views: list[View] = [jax.device_get(seen)]
        steps: list[Step] = []
        with their_code():
            remembered = self.hosted.initial(self.width) if self.hosted else None
        over = np.zeros(self.width, bool)
        while not over.all():
            if self.hosted:
                memory, remembered = self._chosen(self.hosted, views[-1], remembered)
            state, memory, seen, done = self._step(keys, np.int32(len(steps)), state, memory)
            views.append(jax.device_get(seen))
            steps.append(jax.device_get(done))
            if heed := getattr(self.hosted, "observe_response", None):
                with their_code():
                    remembered = heed(remembered, steps[-1].response)
            over |= steps[-1].terminated | steps[-1].truncated
        level_keys = np.asarray(jax.random.key_data(levels.key))
        for lane in range(min(self.width, self.levels.episodes - first)):
            yield _cut(level_keys[lane], views, steps, lane)

    def _chosen(self, policy: BatchedPolicy, view: View, remembered: Any) -> tuple[Any, Any]:
        """The actions of a policy outside of JAX, and what it remembers."""
        # Copied, so that they are the policy's own to write on.
        obs, mask, key = jax.tree.map(np.array, view)
        with their_code():
            actions, remembered = policy.act(obs, remembered, mask, key)
        return checked(actions, *mask.shape), remembered


def _cut(level_key: np.ndarray, views: list[View], steps: list[Step], lane: int) -> Episode:
    """One of the episodes, up to its end."""
    own = [jax.tree.map(lambda leaf: leaf[lane], step) for step in steps]
    number = next(n for n, step in enumerate(own, start=1) if step.terminated or step.truncated)
    action, _, *outcome = (np.array(column) for column in zip(*own[:number], strict=True))
    obs = {name: np.stack([view.obs[name][lane] for view in views[: number + 1]]) for name in views[0].obs}
    return Episode(level_key, obs, action.astype(np.int64), *outcome)
