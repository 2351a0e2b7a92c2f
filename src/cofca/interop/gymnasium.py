"""Gymnasium: `Env` and `VectorEnv` over the functional environments, and their ids.

Importing this module registers the ids; `gymnasium.make("cofca/Minecraft-v0")` works from then on.
"""

import os
import sys
from abc import ABC, abstractmethod
from functools import lru_cache, partial
from multiprocessing import get_context
from typing import Any, NamedTuple

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from jaxtyping import PRNGKeyArray

from cofca.envs.autoreset import AutoReset, make_pool
from cofca.envs.domain import PLANNER
from cofca.experiments.build import find_domain

IDS = {"cofca/Minecraft-v0": "minecraft", "cofca/StarCraft-v0": "starcraft"}
RENDERING: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}
EPISODES_PER_POOL = 8
"""A vector environment makes the levels for so many episodes of each environment at once."""

MOST_COMPILED = 2
"""Sets of parameters whose compiled functions are kept for the next environment. Those in use are kept anyway."""
PROCESS = os.getpid()
"""In which JAX was imported."""

Obs = dict[str, np.ndarray]
Latest = tuple[int | None, int | None]
"""The latest action and what came of it; None before the first."""


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


class Setting:
    """What single and vector environments share: the domain with its parameters, spaces and pictures."""

    def __init__(self, domain_name: str, worker: str, render_mode: str | None, params: dict[str, Any]) -> None:
        if render_mode is not None and render_mode not in RENDERING["render_modes"]:
            raise ValueError(f"unknown render_mode {render_mode!r}; expected rgb_array or ansi")
        _require_no_fork()
        self.arguments = domain_name, worker, render_mode, params
        self.domain = find_domain(domain_name, worker)
        self.params = self.domain.params(**params)
        self.env = self.domain.environment()
        self.render_mode = render_mode
        self.num_actions = self.env.num_actions(self.params)
        limits = _numpy(self.env.observation_limits(self.params))
        boxes: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type) for name, high in limits.items()
        }
        self.observation_space = spaces.Dict(boxes)
        self.action_space = spaces.Discrete(self.num_actions)

    def __reduce__(self) -> tuple[Any, ...]:
        # Domains have functions without names, which can't be pickled.
        return Setting, self.arguments

    def level_key(self, state: Any) -> np.ndarray:
        """The key of a state's level, as numbers that can be stored."""
        return np.asarray(jax.random.key_data(self.env.level_of(state).key))

    def render(self, state: Any, latest: Latest) -> Any:
        """A state as a picture or as text with colour codes."""
        if self.render_mode is None:
            raise ValueError("render needs a render_mode, given when the environment is made: rgb_array or ansi")
        scene = self.domain.display.scene(state, self.params, *latest)
        return (
            self.domain.display.picture(scene) if self.render_mode == "rgb_array" else self.domain.display.ansi(scene)
        )


def _numpy(named: Any) -> dict[str, np.ndarray]:
    # Copied, so that they are the user's own to write on.
    return {name: np.array(value) for name, value in named._asdict().items()}


def _mask(obs: Obs) -> Obs:
    """The mask of actions, where the domain has one: in `info`, in the form that spaces sample by."""
    return {"action_mask": obs["action_mask"].astype(np.int8)} if "action_mask" in obs else {}


def _need_reset(state: Any) -> None:
    if state is None:
        raise gymnasium.error.ResetNeeded("this needs a reset first")


def _require_no_fork() -> None:
    """JAX waits for ever in a forked process: its threads stay behind."""
    if os.getpid() != PROCESS or _is_about_to_fork():
        raise RuntimeError(
            'JAX does not work in forked processes: use vectorization_mode="vector_entry_point", which is faster, '
            'or vector_kwargs={"context": "spawn"}'
        )


def _is_about_to_fork() -> bool:
    """Whether this is the environment that Gymnasium makes to see its spaces, before it forks for the others. An error
    in those would reach nobody."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        if frame.f_code is AsyncVectorEnv.__init__.__code__:
            return get_context(frame.f_locals["context"]).get_start_method() == "fork"
    return False


class Copyable(ABC):
    """Environments are copied and pickled with their state; what is compiled is found again."""

    @abstractmethod
    def _compile(self) -> None:
        """Find what is compiled."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_compiled"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._compile()


class Compiled(NamedTuple):
    """The compiled functions of a domain with given parameters."""

    reset: Any
    start: Any
    observe: Any
    respond: Any
    advance: Any


@lru_cache(maxsize=MOST_COMPILED)
def compiled(domain_name: str, worker: str, params: Any) -> Compiled:
    """All environments with the same parameters share what is compiled."""
    env = find_domain(domain_name, worker).environment()
    functions = env.reset, env.start, env.observe, env.respond, env.advance
    return Compiled(*(jax.jit(partial(function, params=params)) for function in functions))


class CofcaEnv(Copyable, gymnasium.Env[Obs, np.int64]):
    """One environment. An action is what the domain calls one; what came of it comes back in `info`.

    `reset(options=...)` takes `level_key`, the key in an earlier episode's `info`, to play its level again, or
    `instruction` and perhaps `map` for a level of one's own (which has no key: give the text again).
    """

    metadata = RENDERING

    def __init__(self, domain_name: str, worker: str = PLANNER, render_mode: str | None = None, **params: Any) -> None:
        self.setting = Setting(domain_name, worker, render_mode, params)
        self.render_mode = render_mode
        self.observation_space = self.setting.observation_space  # type: ignore[assignment]
        self.action_space = self.setting.action_space
        self._key = jax.random.key(0)
        self._state: Any = None
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
        key = _draw_key(self.np_random)
        if start.instruction is None:
            level_key = key if start.level_key is None else jax.random.wrap_key_data(jnp.asarray(start.level_key))
            state = self._compiled.reset(level_key)[1]
        else:
            own_level = self.setting.domain.language.custom_level
            state = self._compiled.start(own_level(key, start.instruction, self.setting.params, start.map))
        # Only now, so that a refused reset leaves everything as it was.
        self._key, self._state, self._own, self._latest = key, state, start.instruction is not None, (None, None)
        self._over = False
        obs = _numpy(self._compiled.observe(state))
        return obs, self._facts(obs)

    def _facts(self, obs: Obs) -> dict[str, np.ndarray]:
        """What is known about a state beside the outcome of a step."""
        return _mask(obs) | ({} if self._own else {"level_key": self.setting.level_key(self._state)})

    def step(self, action: int | np.integer) -> tuple[Obs, float, bool, bool, dict[str, Any]]:
        """Give one command and let one time step pass."""
        _need_reset(self._state)
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: this needs a reset first")
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is out of range; expected 0 to {self.setting.num_actions - 1}")
        self._key, key = jax.random.split(self._key)
        response = self._compiled.respond(key, self._state, np.int32(action))
        self._state, outcome = self._compiled.advance(key, self._state, np.int32(action), response)
        self._latest = int(action), int(response)
        obs = _numpy(self._compiled.observe(self._state))
        facts = _numpy(outcome.info) | self._facts(obs)
        terminated, truncated = bool(outcome.terminated), bool(outcome.truncated)
        self._over = terminated or truncated
        return obs, float(outcome.reward), terminated, truncated, facts

    def render(self) -> Any:
        """A picture as an array, or text with colour codes."""
        _need_reset(self._state)
        return self.setting.render(self._state, self._latest)


class Start(NamedTuple):
    """How an episode is to start: with a new level, the one of a stored key, or one's own."""

    level_key: np.ndarray | None = None
    instruction: str | None = None
    map: str | None = None

    @classmethod
    def of(cls, level_key: Any = None, instruction: Any = None, map: Any = None, **unknown: Any) -> "Start":
        """Check reset options."""
        if unknown:
            raise ValueError(f"unknown reset option {min(unknown)!r}; expected level_key, instruction or map")
        for name, text in (("instruction", instruction), ("map", map)):
            if not (text is None or isinstance(text, str)):
                raise ValueError(f"the reset option {name} must be text, not {type(text).__name__}")
        if map is not None and instruction is None:
            raise ValueError("the reset option map needs an instruction to go with it")
        if level_key is not None and instruction is not None:
            raise ValueError("give either level_key or instruction, not both")
        return cls(None if level_key is None else _key_data(level_key), instruction, map)


def _key_data(level_key: Any) -> np.ndarray:
    try:
        numbers = np.asarray(level_key)
    except ValueError:
        numbers = np.empty(0)
    whole = numbers.shape == (2,) and np.issubdtype(numbers.dtype, np.integer)
    if not whole or (numbers < 0).any() or (numbers >= 2**32).any():
        raise ValueError("level_key must be the two whole numbers of an earlier episode's info")
    return numbers.astype(np.uint32)


def _draw_key(rng: np.random.Generator) -> PRNGKeyArray:
    return jax.random.wrap_key_data(jnp.asarray(rng.integers(2**32, size=2, dtype=np.uint32)))


class CompiledVector(NamedTuple):
    """The compiled functions of many environments."""

    make_pool: Any
    reset: Any
    step: Any


@lru_cache(maxsize=MOST_COMPILED)
def compiled_vector(domain_name: str, worker: str, params: Any, num: int) -> CompiledVector:
    """The compiled functions of so many environments."""
    env = find_domain(domain_name, worker).environment()
    auto = AutoReset(env, num)
    functions = partial(make_pool, env), auto.reset, auto.step
    return CompiledVector(*(jax.jit(partial(function, params=params)) for function in functions))


class CofcaVectorEnv(Copyable, VectorEnv):
    """Many environments in one compiled step. Who finishes starts a new level in the same step."""

    metadata = RENDERING | {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self, num_envs: int, domain_name: str, worker: str = PLANNER, render_mode: str | None = None, **params: Any
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs}")
        self.setting = Setting(domain_name, worker, render_mode, params)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = self.setting.observation_space
        self.single_action_space = self.setting.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._playing: Any = None
        self._latest: Latest = None, None
        self._compile()

    def _compile(self) -> None:
        domain_name, worker, *_ = self.setting.arguments
        self._compiled = compiled_vector(domain_name, worker, self.setting.params, self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Obs, dict[str, Any]]:
        """Start all environments with new levels."""
        super().reset(seed=seed)
        if options:
            raise ValueError(f"unknown reset option {min(options)!r}; a vector environment takes none")
        self._key = _draw_key(self.np_random)
        self._refresh()
        obs, self._playing = self._compiled.reset(self._pool)
        self._latest = None, None
        seen = _numpy(obs)
        facts = _mask(seen) | {"level_key": self.setting.level_key(self._playing.state)}
        return seen, _masked(facts, self.num_envs)

    def _refresh(self) -> None:
        self._key, key = jax.random.split(self._key)
        self._pool = self._compiled.make_pool(jax.random.split(key, self.num_envs * EPISODES_PER_POOL))
        self._episodes = np.ones(self.num_envs, np.int64)

    def step(self, actions: Any) -> tuple[Obs, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Give every environment a command."""
        _need_reset(self._playing)
        actions = self._checked(actions)
        # A pool lasts until somebody has played all of it that is due to them.
        if (self._episodes >= EPISODES_PER_POOL).any():
            self._refresh()
        played = self.setting.level_key(self._playing.state)
        self._key, key = jax.random.split(self._key)
        self._playing, result = self._compiled.step(key, self._playing, actions.astype(np.int32), self._pool)
        terminated, truncated = np.asarray(result.terminated), np.asarray(result.truncated)
        done = terminated | truncated
        self._latest = (None, None) if done[0] else (int(actions[0]), int(result.response[0]))
        self._episodes += done
        obs, outcome = _numpy(result.obs), _numpy(result.info)
        key = {"level_key": self.setting.level_key(self._playing.state)}
        infos = _masked(outcome | _mask(obs) | key, self.num_envs)
        if done.any():
            final = _numpy(result.final_obs)
            infos |= _final(final, outcome | _mask(final) | {"level_key": played}, done)
        return obs, np.asarray(result.reward, np.float64), terminated, truncated, infos

    def _checked(self, actions: Any) -> np.ndarray:
        last = self.setting.num_actions - 1
        try:
            array = np.asarray(actions)
        except ValueError:
            array = np.empty(0)
        whole = np.issubdtype(array.dtype, np.integer) and array.shape == (self.num_envs,)
        if not whole or (array < 0).any() or (array > last).any():
            raise ValueError(f"actions are out of range; expected {self.num_envs} integers from 0 to {last}")
        return array

    def render(self) -> Any:
        """The first environment, as a picture or text."""
        _need_reset(self._playing)
        state = jax.tree.map(lambda leaf: leaf[0], self._playing.state)
        return self.setting.render(state, self._latest)


def _masked(facts: dict[str, Any], num: int) -> dict[str, Any]:
    """Gymnasium's form: beside every fact, for which environments it holds."""
    return {**facts, **{f"_{name}": np.ones(num, bool) for name in facts}}


def _final(seen: Obs, facts: dict[str, Any], done: np.ndarray) -> dict[str, Any]:
    """What was seen and known at the end of the episodes that ended."""
    obs = np.full(done.size, None, dtype=object)
    for number in np.flatnonzero(done):
        obs[number] = {name: np.asarray(value[number]) for name, value in seen.items()}
    info = {**facts, **{f"_{name}": done for name in facts}}
    return {"final_obs": obs, "_final_obs": done, "final_info": info, "_final_info": done}


register()
