"""The environment protocol: what training, evaluation, Gymnasium and the tests know of a domain."""

from abc import abstractmethod
from enum import IntEnum
from typing import Any, Generic, NamedTuple, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Key, PRNGKeyArray

Params = TypeVar("Params")
Level = TypeVar("Level")
State = TypeVar("State")
Observation = TypeVar("Observation")
Info = TypeVar("Info")


class Status(IntEnum):
    """How an episode stands."""

    RUNNING = 0
    SUCCEEDED = 1
    FAILED = 2
    OUT_OF_TIME = 3


class Outcome(NamedTuple):
    """What one time step brought, apart from the new state."""

    reward: Float[Array, ""]
    terminated: Bool[Array, ""]
    truncated: Bool[Array, ""]
    info: Any
    """A named tuple of the domain, of the same structure at every step."""


def outcome_of(before: Int[Array, ""], after: Int[Array, ""], info: Any) -> Outcome:
    """The outcome of a time step between two statuses."""
    succeeded = after == Status.SUCCEEDED
    return Outcome(
        reward=(succeeded & (before == Status.RUNNING)).astype(jnp.float32),
        terminated=succeeded | (after == Status.FAILED),
        truncated=after == Status.OUT_OF_TIME,
        info=info,
    )


class Environment(eqx.Module, Generic[Params, Level, State, Observation]):
    """Pure functions of one episode; `jax.vmap` makes them many. It never resets itself: `AutoReset` does.

    A time step has two halves, because the agent decides on its gate and pointer after it has seen what its
    action led to but before the world moves: `respond` tells what it sees, `advance` moves the world.
    """

    @property
    @abstractmethod
    def default_params(self) -> Params:
        """The paper's parameters."""

    @abstractmethod
    def levels(self, keys: Key[Array, " levels"], params: Params) -> Level:
        """One level for each key, batched. The same key and parameters always give the same level."""

    @abstractmethod
    def start(self, level: Level, params: Params) -> State:
        """The state at the start of a level."""

    @abstractmethod
    def observe(self, state: State, params: Params) -> Observation:
        """What the agent sees: a named tuple of arrays of small integers."""

    @abstractmethod
    def respond(self, key: PRNGKeyArray, state: State, action: Int[Array, ""], params: Params) -> Int[Array, ""]:
        """What the agent sees of its action's consequence before the world moves."""

    @abstractmethod
    def advance(
        self,
        key: PRNGKeyArray,
        state: State,
        action: Int[Array, ""],
        response: Int[Array, ""],
        params: Params,
    ) -> tuple[State, Outcome]:
        """Move the world."""

    def allowed(self, state: State, params: Params) -> Bool[Array, " actions"]:
        """The actions that make sense in a state; all of them unless a domain says otherwise."""
        del state
        return jnp.ones(self.num_actions(params), bool)

    @abstractmethod
    def level_of(self, state: State) -> Level:
        """The level a state belongs to; its `key` restarts the episode."""

    @abstractmethod
    def num_actions(self, params: Params) -> int:
        """Actions are the integers from 0 up to this. Any other integer is harmless."""

    def first_cell(self, params: Params) -> int | None:
        """The first of the actions that are cells of the grid, row by row; None unless a domain has such."""
        del params
        return None

    def named(self, params: Params) -> tuple[int, ...] | None:
        """By symbol of a line the action of the same name, or -1; None unless lines of a domain are such names."""
        del params
        return None

    @abstractmethod
    def num_responses(self, params: Params) -> int:
        """Responses are the integers from 0 up to this."""

    def concludes(self, response: Int[Array, ""]) -> Bool[Array, ""]:
        """Whether a response says that a command has been carried out; they all do unless a domain says otherwise."""
        return response >= 0

    @abstractmethod
    def observation_limits(self, params: Params) -> Observation:
        """The largest value of every number in an observation; the smallest is 0."""

    def reset(self, key: PRNGKeyArray, params: Params) -> tuple[Observation, State]:
        """Start the level of a key."""
        level = jax.tree.map(lambda batch: batch[0], self.levels(key[None], params))
        state = self.start(level, params)
        return self.observe(state, params), state

    def step(
        self, key: PRNGKeyArray, state: State, action: Int[Array, ""], params: Params
    ) -> tuple[Observation, State, Float[Array, ""], Bool[Array, ""], Bool[Array, ""], Any]:
        """One whole time step: observation, state, reward, terminated, truncated, info."""
        action = jnp.asarray(action)
        response = self.respond(key, state, action, params)
        state, outcome = self.advance(key, state, action, response, params)
        return self.observe(state, params), state, *outcome
