"""Evaluation sets: the levels of one bin, and who plays them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Key

from cofca.agents.base import Agent, Memory
from cofca.agents.decide import chances_of, decide
from cofca.envs.base import Environment
from cofca.envs.domain import PLANNER, Domain
from cofca.envs.rollout import NOBODY, Episodes, Policy, Respond, Taken, Watcher, memoryless, play, random_policy
from cofca.experiments.build import domain_of
from cofca.experiments.specs import Bin, Experiment
from cofca.rl.config import PPOConfig
from cofca.rl.ppo import with_precision
from cofca.utils.settings import made_with

EVALUATION = 0xE7A1
"""Evaluation keys are folded from this, training keys are not."""
FINGERPRINT = 16
"""Digits of it: two sets of levels share them by chance once in 10^19."""


@dataclass(frozen=True)
class EvalSet:
    """Fixed levels that training never saw. What does not depend on the agents is done once.

    Episodes are played with `params.playing`, so that bins with as much room are compiled together.
    """

    domain: Domain
    bin: Bin
    episodes: int
    level_seed: int

    @cached_property
    def env(self) -> Environment:
        """The domain's environment."""
        return self.domain.environment()

    @cached_property
    def params(self) -> Any:
        """The domain's parameters that make the bin."""
        return made_with(self.domain.params, self.bin.changes)

    @property
    def watcher(self) -> Watcher:
        """Who takes notes of all episodes."""
        return self.domain.watcher or NOBODY

    @cached_property
    def keys(self) -> Key[Array, " episodes"]:
        """Of all chances while playing."""
        return jax.random.split(jax.random.fold_in(jax.random.key(self.level_seed), self.bin.fold), self.episodes)

    @cached_property
    def levels(self) -> Any:
        """The levels, side by side."""
        return self.env.levels(level_keys(self.level_seed, self.episodes, self.bin.fold), self.params)

    @cached_property
    def fingerprint(self) -> str:
        """The same where the same levels were made, with as much room for lines: they are whole numbers."""
        digest = hashlib.sha256()
        for leaf in jax.tree.leaves(self.levels):
            is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
            numbers = np.asarray(jax.random.key_data(leaf) if is_key else leaf)
            digest.update(f"{numbers.dtype.str} {numbers.shape} ".encode() + numbers.tobytes())
        return digest.hexdigest()[:FINGERPRINT]

    @cached_property
    def oracle(self) -> Episodes:
        """What can be reached."""
        return self._played_by(memoryless(self.domain.oracle))

    @cached_property
    def random(self) -> Episodes:
        """What random choices reach."""
        return self._played_by(random_policy(self.env, self.params.playing))

    @cached_property
    def references(self) -> dict[str, Episodes]:
        """What the domain's scripted agents reach."""
        return {name: self._played_by(policy) for name, policy in self.domain.references.items()}

    def played(self, agents: Agent, ppo: PPOConfig, greedy: bool = False) -> Episodes:
        """All agents play all levels, [seeds, episodes]. They compute as they were trained."""
        return played_together([self], agents, ppo, greedy)[0]

    def kinds(self, own: Episodes) -> Bool[np.ndarray, "seeds episodes kinds"]:
        """Which kinds of transition belong to each of the agents' own episodes."""
        seen = own.info.transitions > 0
        return np.broadcast_to(self.oracle.info.transitions > 0, seen.shape) if self.domain.one_path else seen

    def _played_by(self, policy: Policy) -> Episodes:
        params = self.params.playing
        return jax.device_get(play_policy(self.keys, self.levels, policy, self.env, params, self.watcher))


def level_keys(level_seed: int, number: int, fold: int) -> Key[Array, " levels"]:
    """The keys of a bin's levels."""
    root = jax.random.fold_in(jax.random.fold_in(jax.random.key(level_seed), EVALUATION), fold)
    return jax.random.split(root, number)


def eval_sets(experiment: Experiment, episodes: int, level_seed: int, worker: str = PLANNER) -> list[EvalSet]:
    """The levels of each bin of an experiment. All have room for as many lines, so that agents are compiled once."""
    domain = domain_of(experiment, worker)
    room = max(made_with(domain.params, bin.changes).lines for bin in experiment.bins)
    bins = (replace(bin, changes={**bin.changes, "max_lines": room}) for bin in experiment.bins)
    return [EvalSet(domain, bin, episodes, level_seed) for bin in bins]


def played_together(sets: Sequence[EvalSet], agents: Agent, ppo: PPOConfig, greedy: bool = False) -> list[Episodes]:
    """All agents play the levels of several sets with as much room, for each set [seeds, episodes]."""
    # The longest first: they should not be begun when all others are done.
    order = sets[::-1]
    batches = [(one.keys, one.levels) for one in order]
    keys, levels = jax.tree.map(lambda *leaves: jnp.concatenate(leaves), *batches)
    env, params = sets[0].env, sets[0].params.playing
    ends = jax.device_get(play_agents(keys, agents, levels, jnp.bool_(greedy), env, params, ppo, sets[0].watcher))
    stops = np.cumsum([one.episodes for one in order])
    parts = (slice(stop - one.episodes, stop) for stop, one in zip(stops, order, strict=True))
    return [jax.tree.map(lambda leaf, part=part: leaf[:, part], ends) for part in parts][::-1]


@partial(jax.jit, static_argnames=("policy", "env", "params", "watcher"))
def play_policy(
    keys: Key[Array, " episodes"], levels: Any, policy: Policy, env: Environment, params: Any, watcher: Watcher
) -> Episodes:
    """A reference plays all levels. Compiled once for all times."""
    return play(keys, env, levels, policy, params, watcher=watcher)


@partial(jax.jit, static_argnames=("env", "params", "ppo", "watcher"))
def play_agents(
    keys: Key[Array, " episodes"],
    agents: Agent,
    levels: Any,
    greedy: Bool[Array, ""],
    env: Environment,
    params: Any,
    ppo: PPOConfig,
    watcher: Watcher = NOBODY,
) -> Episodes:
    """Agents side by side, each plays all levels. Compiled once for all times, sampled and greedy."""

    def one(agent: Agent) -> Episodes:
        policy = agent_policy(with_precision(agent, ppo), env, params, greedy)
        return play(keys, env, levels, policy, params, watcher=watcher)

    return jax.vmap(one)(agents)


def agent_policy(agent: Agent, env: Environment, params: Any, greedy: Bool[Array, ""]) -> Policy:
    """An agent as a policy. It sees observations and responses, not states."""

    def step(keys: Key[Array, "2"], state: Any, memory: Memory, respond: Respond) -> Taken:
        step = decide(agent, env.observe(state, params), memory, chances_of(keys), respond, greedy)
        pointer = memory.pointer if agent.has_pointer else jnp.int32(-1)
        return Taken(step.decision.action, step.response, step.memory, pointer)

    return Policy(lambda state: agent.initial_memory(), step)
