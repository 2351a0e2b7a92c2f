"""Gymnasium: `Env` and `VectorEnv` over the functional environments, and their ids.

Importing this module registers the ids; `gymnasium.make("cofca/Minecraft-v0")` works from then on.
"""

from functools import partial
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cofca.autoreset import AutoReset, make_pool
from cofca.domains import Domain, domain
from cofca.environment import Environment

IDS = {"cofca/Minecraft-v0": "minecraft"}
EPISODES_PER_POOL = 8
"""A vector environment makes the levels for so many episodes of each environment at once."""

Obs = dict[str, np.ndarray]


def register() -> None:
    """Register the ids; registering again changes nothing."""
    for id_, name in IDS.items():
        if id_ not in gymnasium.registry:
            gymnasium.register(
                id_,
                entry_point="cofca.interop.gymnasium:CofcaEnv",
                vector_entry_point="cofca.interop.gymnasium:CofcaVectorEnv",
                kwargs={"domain_name": name},
            )


def observation_space(env: Environment, params: Any) -> spaces.Dict:
    """Every number of an observation lies between 0 and its limit."""
    limits = env.observation_limits(params)._asdict()
    return spaces.Dict({name: spaces.Box(np.zeros_like(high), high, dtype=high.dtype) for name, high in limits.items()})


def _numpy(named: Any) -> dict[str, np.ndarray]:
    return {name: np.asarray(value) for name, value in named._asdict().items()}


def _info(info: Any, level_key: jax.Array) -> dict[str, np.ndarray]:
    return {**_numpy(info), "level_key": np.asarray(jax.random.key_data(level_key))}


class CofcaEnv(gymnasium.Env[Obs, np.int64]):
    """One environment. An action is a command; what the worker made of it comes back in `info`.

    `reset(options=...)` takes `level_key`, the key in an earlier episode's `info`, to play its level again, or
    `instruction` and perhaps `map` for a level of one's own.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}

    def __init__(self, domain_name: str, render_mode: str | None = None, **params: Any) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"unknown render_mode {render_mode!r}; expected rgb_array or ansi")
        self.domain: Domain = domain(domain_name)
        self.params = self.domain.params(**params)
        self.env = self.domain.environment()
        self.render_mode = render_mode
        self.observation_space = observation_space(self.env, self.params)  # type: ignore[assignment]
        self.action_space = spaces.Discrete(self.env.num_actions(self.params))
        self._reset = jax.jit(partial(self.env.reset, params=self.params))
        self._start = jax.jit(lambda level: self._begin(level))
        self._step = jax.jit(partial(self.env.step, params=self.params))
        self._key = jax.random.key(0)
        self._state: Any = None
        self._latest: tuple[int | None, int | None] = None, None

    def _begin(self, level: Any) -> tuple[Any, Any]:
        state = self.env.start(level, self.params)
        return self.env.observe(state, self.params), state

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Obs, dict]:
        """Start a new level, the one of a stored key, or one's own."""
        super().reset(seed=seed)
        options = dict(options or {})
        self._key = jax.random.key(int(self.np_random.integers(2**63)))
        level_key = options.pop("level_key", None)
        instruction, drawing = options.pop("instruction", None), options.pop("map", None)
        if options:
            raise ValueError(f"unknown reset option {next(iter(options))!r}; expected level_key, instruction, map")
        if instruction is not None:
            obs, self._state = self._start(self.domain.own_level(self._key, instruction, self.params, drawing))
        else:
            stored = None if level_key is None else np.asarray(level_key, np.uint32)
            key = self._key if stored is None else jax.random.wrap_key_data(jnp.asarray(stored))
            obs, self._state = self._reset(key)
        self._latest = None, None
        key = self.env.level_of(self._state).key
        return _numpy(obs), {"level_key": np.asarray(jax.random.key_data(key))}

    def step(self, action: np.int64) -> tuple[Obs, float, bool, bool, dict[str, Any]]:
        """Give one command and let one time step pass."""
        if self._state is None:
            raise gymnasium.error.ResetNeeded("step needs a reset first")
        if not self.action_space.contains(action):
            raise ValueError(
                f"action {action!r} is out of range; expected 0 to {self.env.num_actions(self.params) - 1}"
            )
        self._key, key = jax.random.split(self._key)
        obs, self._state, reward, terminated, truncated, info = self._step(key, self._state, np.int32(action))
        self._latest = int(action), int(info[0])
        facts = _info(info, self.env.level_of(self._state).key)
        return _numpy(obs), float(reward), bool(terminated), bool(truncated), facts

    def render(self) -> Any:
        """A picture as an array, or text with colour codes."""
        if self.render_mode is None:
            raise ValueError("render needs a render_mode: gymnasium.make(..., render_mode='rgb_array')")
        if self._state is None:
            raise gymnasium.error.ResetNeeded("render needs a reset first")
        scene = self.domain.scene(self._state, self.params, *self._latest)
        return self.domain.picture(scene) if self.render_mode == "rgb_array" else self.domain.ansi(scene)


class CofcaVectorEnv(VectorEnv):
    """Many environments in one compiled step. Who finishes starts anew in the same step."""

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array", "ansi"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(self, num_envs: int, domain_name: str, render_mode: str | None = None, **params: Any) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"unknown render_mode {render_mode!r}; expected rgb_array or ansi")
        self.domain: Domain = domain(domain_name)
        self.params = self.domain.params(**params)
        self.env = self.domain.environment()
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = observation_space(self.env, self.params)
        self.single_action_space = spaces.Discrete(self.env.num_actions(self.params))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        auto = AutoReset(self.env, num_envs)
        self._make_pool = jax.jit(partial(make_pool, self.env, params=self.params))
        self._reset = jax.jit(partial(auto.reset, params=self.params))
        self._step = jax.jit(partial(auto.step, params=self.params))
        self._playing: Any = None
        self._latest: tuple[int | None, int | None] = None, None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Obs, dict[str, Any]]:
        """Start all environments with new levels."""
        super().reset(seed=seed)
        if options:
            raise ValueError(f"unknown reset option {next(iter(options))!r}; a vector environment takes none")
        self._key = jax.random.key(int(self.np_random.integers(2**63)))
        self._refresh()
        obs, self._playing = self._reset(self._pool)
        self._latest = None, None
        return _numpy(obs), self._with_masks({"level_key": self._level_keys()})

    def _refresh(self) -> None:
        self._key, key = jax.random.split(self._key)
        self._pool = self._make_pool(jax.random.split(key, self.num_envs * EPISODES_PER_POOL))
        self._episodes = np.ones(self.num_envs, np.int64)

    def _level_keys(self) -> np.ndarray:
        return np.asarray(jax.random.key_data(self.env.level_of(self._playing.state).key))

    def _with_masks(self, info: dict[str, Any]) -> dict[str, Any]:
        everyone = np.ones(self.num_envs, bool)
        return {**info, **{f"_{name}": everyone for name in info}}

    def step(self, actions: np.ndarray) -> tuple[Obs, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Give every environment a command."""
        if self._playing is None:
            raise gymnasium.error.ResetNeeded("step needs a reset first")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or not self.action_space.contains(actions.astype(np.int64)):
            raise ValueError(
                f"actions must be {self.num_envs} integers from 0 to {self.env.num_actions(self.params) - 1}"
            )
        # A pool lasts until somebody has played all its levels that are due to them.
        if (self._episodes >= EPISODES_PER_POOL).any():
            self._refresh()
        played = self._level_keys()
        self._key, key = jax.random.split(self._key)
        self._playing, result = self._step(key, self._playing, actions.astype(np.int32), self._pool)
        terminated, truncated = np.asarray(result.terminated), np.asarray(result.truncated)
        done = terminated | truncated
        self._episodes += done
        self._latest = int(actions[0]), int(result.info[0][0])
        infos = self._with_masks({**_numpy(result.info), "level_key": self._level_keys()})
        if done.any():
            infos |= self._final(result, played, done)
        reward = np.asarray(result.reward, np.float64)
        return _numpy(result.obs), reward, terminated, truncated, infos

    def _final(self, result: Any, played: np.ndarray, done: np.ndarray) -> dict[str, Any]:
        """What was seen at the end of the episodes that ended, in Gymnasium's form."""
        seen, facts = _numpy(result.final_obs), {**_numpy(result.info), "level_key": played}
        obs = np.full(self.num_envs, None, dtype=object)
        for number in np.flatnonzero(done):
            obs[number] = {name: value[number] for name, value in seen.items()}
        final_info = {**facts, **{f"_{name}": done for name in facts}}
        return {"final_obs": obs, "_final_obs": done, "final_info": final_info, "_final_info": done}

    def render(self) -> Any:
        """The first environment, as a picture or text."""
        if self.render_mode is None:
            raise ValueError("render needs a render_mode: gymnasium.make_vec(..., render_mode='rgb_array')")
        if self._playing is None:
            raise gymnasium.error.ResetNeeded("render needs a reset first")
        state = jax.tree.map(lambda leaf: leaf[0], self._playing.state)
        scene = self.domain.scene(state, self.params, *self._latest)
        return self.domain.picture(scene) if self.render_mode == "rgb_array" else self.domain.ansi(scene)


register()
