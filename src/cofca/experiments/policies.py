"""Policies of anybody: what is asked of them, what they are shown, and what is said of their mistakes."""

import operator
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from reprlib import repr as shown
from typing import Any, Protocol, runtime_checkable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, UInt32

from cofca.envs.base import Environment

Obs = dict[str, np.ndarray]
"""An observation of one environment as Gymnasium has it, or of many, side by side."""
ADAPTERS = {"torch": "TorchPolicy", "stable_baselines3": "SB3Policy", "sb3_contrib": "SB3Policy"}
"""By library, what makes a policy of its models."""


INSTALLED = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")]
PACKAGE = Path(__file__).parents[1]


class PolicyError(ValueError):
    """What a policy did wrong, in one line."""


@runtime_checkable
class BatchedPolicy(Protocol):
    """A policy of many environments at once.

    It may also have `observe_response(state, response) -> state`, which is told after each action what agents of the
    package see of its consequence: the worker's primitive in Minecraft, whether time passed in StarCraft.
    """

    batched: bool
    """True."""

    def initial(self, number: int) -> Any:
        """What so many environments remember at the start of an episode: a tree of arrays, environments first."""

    def act(
        self,
        obs: Obs,
        state: Any,
        mask: Bool[np.ndarray, "envs actions"],
        key: UInt32[np.ndarray, "envs 2 2"],
    ) -> tuple[Any, Any]:
        """An action for each environment, and what it remembers in the next time step. The mask says which actions are
        allowed. The key is the data of two random keys of JAX each: who samples with them always has the same score."""


class JaxPolicy(eqx.Module):
    """A policy in JAX, of one environment; it is compiled together with the environments.

    `act(obs, state, mask, key) -> (action, state)` has a dict of arrays, the state of `initial` at first, the mask of
    allowed actions and two random keys. Arrays in `act` are traced if it is a `jax.tree_util.Partial` or an
    `equinox.Module`; what an ordinary function closes over becomes part of the program.
    """

    act: Callable[..., Any]
    initial: Any = ()


class OneByOne:
    """A function of one observation as a policy of many environments. It remembers nothing."""

    batched = True

    def __init__(self, policy: Callable[[Obs], Any]) -> None:
        self.policy = policy

    def initial(self, number: int) -> tuple[()]:
        """Nothing."""
        del number
        return ()

    def act(self, obs: Obs, state: Any, mask: np.ndarray, key: np.ndarray) -> tuple[Any, Any]:
        """One after another."""
        del key
        rows = ({name: value[at] for name, value in obs.items()} for at in range(len(mask)))
        return np.array([_action(self.policy(row)) for row in rows]), state


def as_batched(policy: Any) -> BatchedPolicy:
    """A policy of many environments; what is none is refused, perhaps with the adapter that it needs."""
    if isinstance(policy, type):
        raise PolicyError(f"{policy.__name__} is a class: expected an object of it")
    if getattr(policy, "batched", False):
        if lacking := [name for name in ("initial", "act") if not callable(getattr(policy, name, None))]:
            raise PolicyError(f"{type(policy).__name__} is batched but has no method {lacking[0]}")
        return policy
    for module in (kind.__module__.partition(".")[0] for kind in type(policy).__mro__):
        if adapter := ADAPTERS.get(module):
            raise PolicyError(f"{type(policy).__name__} is a model of {module}: give cofca.interop.policies.{adapter}")
    if not callable(policy):
        raise PolicyError(
            f"{shown(policy)} is no policy: expected a function of an observation, or an object with initial and act "
            "and batched = True"
        )
    return OneByOne(policy)


def limits_of(env: Environment, params: Any) -> Any:
    """The largest values of an observation, as plain NumPy arrays: they are never traced."""
    with jax.ensure_compile_time_eval():
        return jax.tree.map(np.asarray, env.observation_limits(params))


def named(obs: Any, limits: Any) -> dict[str, Array]:
    """An observation in the form of `cofca.interop.gymnasium`: flags keep their shape, other numbers are in one row."""

    def formed(numbers: Array, limit: np.ndarray) -> Array:
        is_flags = limit.ndim > 0 and (limit == 1).all()
        return numbers.astype(jnp.int8) if is_flags else numbers.reshape(-1).astype(jnp.int32)

    return {name: formed(numbers, limit) for (name, numbers), limit in zip(obs._asdict().items(), limits, strict=True)}


def unnamed(obs: Obs, limits: Any) -> Any:
    """Such observations, side by side, in the environment's own form; there may be more lines than in the limits."""
    shaped = {
        name: numbers.reshape(len(numbers), *((-1, *limit.shape[1:]) if limit.ndim else ())).astype(limit.dtype)
        for (name, numbers), limit in zip(obs.items(), limits, strict=True)
    }
    return type(limits)(**shaped)


def checked(actions: Any, envs: int, number: int) -> np.ndarray:
    """As many actions as environments, each one of so many."""
    try:
        found = np.asarray(actions)
    except (TypeError, ValueError, RuntimeError):
        raise PolicyError(f"act returned {type(actions).__name__} as actions; expected {envs} whole numbers") from None
    if found.shape != (envs,) or not np.issubdtype(found.dtype, np.integer):
        raise PolicyError(
            f"act returned actions of type {found.dtype} and shape {found.shape}; expected {envs} whole numbers"
        )
    if wrong := [int(action) for action in found if not 0 <= action < number]:
        raise PolicyError(f"action {wrong[0]} is out of range; expected 0 to {number - 1}")
    return found.astype(np.int32)


def _action(action: Any) -> int:
    try:
        return operator.index(action)
    except TypeError:
        raise PolicyError(f"the policy returned {shown(action)}, which is not the number of an action") from None


@contextmanager
def their_code() -> Iterator[None]:
    """What goes wrong in somebody else's code is told with its file and line."""
    try:
        yield
    except PolicyError:
        raise
    except Exception as error:
        raise PolicyError(f"{_place(error)}: {type(error).__name__}: {' '.join(str(error).split())}") from error


def _place(error: Exception) -> str:
    """The last line of what is neither ours nor installed; if all is, the last line of all."""
    frames = traceback.extract_tb(error.__traceback__)
    known = (PACKAGE, *INSTALLED)
    own = [frame for frame in frames if not any(Path(frame.filename).is_relative_to(at) for at in known)]
    last = (own or frames)[-1]
    return f"{last.filename}:{last.lineno}"
