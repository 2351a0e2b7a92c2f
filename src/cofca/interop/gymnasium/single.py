"""One environment."""

from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool

from cofca.envs.domain import PLANNER
from cofca.interop.gymnasium.compiled import Seen, compiled
from cofca.interop.gymnasium.setting import RENDERING, Copyable, Latest, Setting, mask_of, need_reset
from cofca.interop.gymnasium.start import Start, draw_key

Obs = dict[str, np.ndarray]


class CofcaEnv(Copyable, gymnasium.Env[Obs, np.int64]):
    """An action is what the domain calls one; what came of it comes back in `info`.

    `reset(options=...)` takes `level_key`, the key in an earlier episode's `info`, to play its level again, or
    `instruction` and perhaps `map` for a level of one's own (which has no key: give the text again).
    """

    metadata = RENDERING

    def __init__(self, domain_name: str, worker: str = PLANNER, render_mode: str | None = None, **params: Any) -> None:
        self.setting = Setting(domain_name, worker, render_mode, params)
        self.render_mode = render_mode
        self.observation_space = self.setting.observation_space
        self.action_space = self.setting.action_space
        self._key = jax.random.key(0)
        self._state: Any = None
        self._allowed = np.ones(self.setting.num_actions, bool)
        self._own = self._over = False
        self._latest: Latest = None, None
        self._compile()

    def _compile(self) -> None:
        domain_name, worker, *_ = self.setting.arguments
        self._compiled = compiled(domain_name, worker, self.setting.params)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Obs, dict[str, Any]]:
        """Start a new level, the one of a stored key, or one's own."""
        super().reset(seed=seed)
        start = Start.of(**(options or {}))
        key = draw_key(self.np_random)
        if start.instruction is None:
            level_key = key if start.level_key is None else jax.random.wrap_key_data(jnp.asarray(start.level_key))
            state, seen = self._compiled.reset(level_key)
        else:
            own_level = self.setting.domain.language.custom_level
            state, seen = self._compiled.start(own_level(key, start.instruction, self.setting.params, start.map))
        # Only now, so that a refused reset leaves everything as it was.
        self._key, self._state, self._own, self._latest = key, state, start.instruction is not None, (None, None)
        self._over = False
        return self._see(seen)

    def _see(self, seen: Seen) -> tuple[Obs, dict[str, Any]]:
        """An observation, and what is known beside the outcome of a step."""
        # Copied, so that they are the user's own to write on.
        obs, allowed, level_key = jax.tree.map(np.array, seen)
        self._allowed = allowed
        return obs, mask_of(obs) | ({} if self._own else {"level_key": level_key})

    def step(self, action: int | np.integer) -> tuple[Obs, float, bool, bool, dict[str, Any]]:
        """Give one command and let one time step pass."""
        need_reset(self._state)
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: this needs a reset first")
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is out of range; expected 0 to {self.setting.num_actions - 1}")
        self._key, key = jax.random.split(self._key)
        self._state, step = self._compiled.step(key, self._state, np.int32(action))
        self._latest = int(action), int(step.response)
        obs, facts = self._see(step.now)
        terminated, truncated = bool(step.terminated), bool(step.truncated)
        self._over = terminated or truncated
        return obs, float(step.reward), terminated, truncated, jax.tree.map(np.array, step.info) | facts

    def action_masks(self) -> Bool[np.ndarray, " actions"]:
        """Which actions make sense now. sb3-contrib asks by this name."""
        need_reset(self._state)
        return self._allowed

    def render(self) -> Any:
        """A picture as an array, or text with colour codes."""
        need_reset(self._state)
        return self.setting.render(self._state, self._latest)
