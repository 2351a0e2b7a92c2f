"""Many environments in one compiled step."""

from typing import Any

import jax
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from jaxtyping import Array

from cofca.envs.domain import PLANNER
from cofca.interop.gymnasium.arrays import LIBRARIES
from cofca.interop.gymnasium.compiled import Seen, compiled_vector
from cofca.interop.gymnasium.setting import RENDERING, Copyable, Setting, mask_of, need_reset
from cofca.interop.gymnasium.start import draw_key

EPISODES_PER_POOL = 8
"""The levels for so many episodes of each environment are made at once."""


class CofcaVectorEnv(Copyable, VectorEnv):
    """Who finishes starts a new level in the same step.

    With `arrays="torch"` it gives and takes tensors on JAX's device. `final_obs` then has the rows of all environments,
    and `_final_obs` tells which of them have ended.
    """

    metadata = RENDERING | {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int,
        domain_name: str,
        worker: str = PLANNER,
        render_mode: str | None = None,
        arrays: str = "numpy",
        **params: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs}")
        if arrays not in LIBRARIES:
            raise ValueError(f"unknown arrays {arrays!r}; expected {' or '.join(LIBRARIES)}")
        self.setting = Setting(domain_name, worker, render_mode, params)
        self.num_envs, self.render_mode, self.arrays = num_envs, render_mode, arrays
        self.single_observation_space = self.setting.observation_space
        self.single_action_space = self.setting.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._playing: Any = None
        self._latest: Any = None
        self._compile()

    def _compile(self) -> None:
        domain_name, worker, *_ = self.setting.arguments
        self._compiled = compiled_vector(domain_name, worker, self.setting.params, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start all environments with new levels."""
        super().reset(seed=seed)
        if options:
            raise ValueError(f"unknown reset option {min(options)!r}; a vector environment takes none")
        self._key = draw_key(self.np_random)
        self._refresh()
        self._playing, self._now = self._compiled.reset(self._pool)
        self._latest = None
        library = LIBRARIES[self.arrays]
        seen, self._all = library.out(self._now), library.flags(np.ones(self.num_envs, bool))
        return seen.obs, _named(_facts(seen), self._all)

    def _refresh(self) -> None:
        self._key, key = jax.random.split(self._key)
        self._pool = self._compiled.make_pool(jax.random.split(key, self.num_envs * EPISODES_PER_POOL))
        self._episodes = np.ones(self.num_envs, np.int64)

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Give every environment a command."""
        need_reset(self._playing)
        library, given = LIBRARIES[self.arrays], self._checked(actions)
        # A pool lasts until somebody has played all of it that is due to them.
        if (self._episodes >= EPISODES_PER_POOL).any():
            self._refresh()
        self._key, key = jax.random.split(self._key)
        self._playing, step = self._compiled.step(key, self._playing, given, self._pool)
        done = np.asarray(step.terminated) | np.asarray(step.truncated)
        self._episodes += done
        self._now, self._latest = step.now, (given, step.response, done)
        seen, outcome = library.out((step.now, step.info))
        infos = _named(outcome | _facts(seen), self._all)
        if done.any():
            final, flags = library.out(step.final), library.flags(done)
            ends = _named({"final_obs": library.final(final.obs, done)}, flags)
            infos |= ends | _named({"final_info": _named(outcome | _facts(final), flags)}, flags)
        terminated, truncated = library.out((step.terminated, step.truncated))
        return seen.obs, library.rewards(step.reward), terminated, truncated, infos

    def _checked(self, actions: Any) -> Array | np.ndarray:
        last = self.setting.num_actions - 1
        given = LIBRARIES[self.arrays].actions(actions, self.num_envs, last)
        if given is None:
            raise ValueError(f"actions are out of range; expected {self.num_envs} integers from 0 to {last}")
        return given

    def action_masks(self) -> Any:
        """Which actions make sense in which environment now. sb3-contrib asks by this name."""
        need_reset(self._playing)
        return LIBRARIES[self.arrays].out(self._now.allowed)

    def render(self) -> Any:
        """The first environment, as a picture or text."""
        need_reset(self._playing)
        state = jax.tree.map(lambda leaf: leaf[0], self._playing.state)
        if self._latest is None or self._latest[2][0]:
            return self.setting.render(state, (None, None))
        actions, responses, _ = self._latest
        return self.setting.render(state, (int(actions[0]), int(responses[0])))


def _facts(seen: Seen) -> dict[str, Any]:
    """What is known beside the outcome of a step."""
    return mask_of(seen.obs) | {"level_key": seen.level_key}


def _named(facts: dict[str, Any], flags: Any) -> dict[str, Any]:
    """Gymnasium's form: beside every fact, for which environments it holds."""
    return {**facts, **{f"_{name}": flags for name in facts}}
