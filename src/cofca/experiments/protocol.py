"""The paper's own evaluation: its levels, its cadence, and how long it plays.

Beside it stands the official one (`eval_set`, `evaluate`): the same levels for whoever is compared, played to the end.
"""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Key, PRNGKeyArray

from cofca.agents.base import Agent, Memory
from cofca.agents.decide import chances_of, decide
from cofca.envs.autoreset import AutoReset, Playing
from cofca.envs.base import Environment
from cofca.envs.domain import PLANNER
from cofca.envs.packed import PackedEnvironment
from cofca.experiments.build import domain_of
from cofca.experiments.eval_set import eval_sets, level_keys, play_agents, played_together
from cofca.experiments.presets.paper import MINECRAFT_LEVELS
from cofca.experiments.specs import Bin, Experiment, default_id
from cofca.rl.config import PPOConfig
from cofca.rl.ppo import with_precision
from cofca.runs.config import PAPER
from cofca.utils.settings import changed, made_with
from cofca.utils.trees import pick

ENVS = 150
LEVELS = 2048
"""From which each evaluation draws. The paper draws without end; whoever is compared should meet the same."""
LEVEL_SEED = 0


@dataclass(frozen=True)
class Protocol:
    """How the agents of one experiment are evaluated while they train."""

    levels: dict[str, Any]
    """The changes to the domain's parameters that make them."""
    bins: tuple[tuple[int, int], ...]
    """Lengths that are told apart in the end."""
    every: int
    """Steps of each seed between two evaluations."""
    settings: tuple[str, ...] = ()
    """Further changes to the parameters."""
    time_steps: int | None = None
    """So long all environments are played; by default until each has ended one episode."""
    last: int = 5_000_000
    """Of so many steps at the end of training the evaluations make the bars of the figures."""


_TENS, _FIVES = ((11, 20), (21, 30), (31, 40), (41, 50)), ((6, 10), (11, 15), (16, 20), (21, 25))
_minecraft = partial(Protocol, every=100 // 2 * 150 * 25, settings=MINECRAFT_LEVELS, time_steps=500)
_starcraft = partial(Protocol, {"length": (6, 25)}, _FIVES, every=1_000_000)

PROTOCOLS = {
    # Every 100 gradient steps, of which an update has two.
    "minecraft-length": _minecraft({"length": (11, 50)}, _TENS),
    # Fewer than six lines can't hold two kinds of control flow.
    "minecraft-compound": _minecraft({"length": (6, 10), "control_flow_kinds": (2, 3)}, ((6, 10),)),
    "starcraft-length": _starcraft(),
    "starcraft-depth": _starcraft(),
    "starcraft-depth-hard": _starcraft(),
}


JUMP, SIZES = "minecraft-jump", range(1, 41)
"""Of failing blocks, each a bin by itself."""


def evaluate_as_published(agents: Agent, ppo: PPOConfig, spec: Experiment, worker: str, steps: int) -> dict[str, Any]:
    """Episodes and successes of each seed in each of the paper's bins, as JSON."""
    if spec.name == JUMP:
        return {"protocol": PAPER, "bins": jump_sizes(agents, ppo, spec, worker)}
    return PaperEvaluation(spec, worker)(agents, ppo, steps)


def jump_sizes(agents: Agent, ppo: PPOConfig, spec: Experiment, worker: str) -> list[dict[str, Any]]:
    """Jumps over failing blocks of every size."""
    bins = tuple(Bin(size, size, {"failing_block": (size, size)}) for size in SIZES)
    sets = eval_sets(replace(spec, bins=bins), ENVS, LEVEL_SEED, worker)
    played = zip(sets, played_together(sets, agents, ppo), strict=True)
    return [
        {
            **{"id": one.bin.id, "lo": one.bin.low, "hi": one.bin.high, "episodes": [ENVS] * len(own.returns)},
            "successes": (own.returns > 0).sum(axis=1).tolist(),
        }
        for one, own in played
    ]


class Ended(NamedTuple):
    """Of every time step and environment, whether an episode ended."""

    length: Int[Array, "..."]
    """Lines of its instruction."""
    done: Bool[Array, "..."]
    won: Bool[Array, "..."]


@dataclass(frozen=True)
class PaperEvaluation:
    """What the paper evaluates the agents of an experiment with. Levels are made once."""

    experiment: Experiment
    worker: str = PLANNER

    def __post_init__(self) -> None:
        if self.experiment.name not in PROTOCOLS:
            known = ", ".join([*PROTOCOLS, JUMP])
            raise ValueError(f"the paper has no protocol for {self.experiment.name}, only for {known}")

    @property
    def protocol(self) -> Protocol:
        """How."""
        return PROTOCOLS[self.experiment.name]

    @cached_property
    def params(self) -> Any:
        """Of the levels."""
        found = made_with(domain_of(self.experiment).params, self.protocol.levels)
        return changed(found, self.protocol.settings)

    @cached_property
    def env(self) -> Environment:
        """The domain's environment."""
        return domain_of(self.experiment, self.worker).environment()

    @cached_property
    def levels(self) -> Any:
        """All levels, side by side."""
        fold = int.from_bytes(hashlib.sha256(f"{PAPER} {self.experiment.name}".encode()).digest()[:4], "big")
        return self.env.levels(level_keys(LEVEL_SEED, LEVELS, fold), self.params)

    def __call__(self, agents: Agent, ppo: PPOConfig, steps: int) -> dict[str, Any]:
        """Episodes and successes of each seed by length, as JSON. The steps of training so far decide which levels come
        first."""
        order_key, key = jax.random.split(jax.random.fold_in(jax.random.key(LEVEL_SEED), steps))
        order = jax.random.permutation(order_key, LEVELS)
        if self.protocol.time_steps:
            drawn = pick(self.levels, order)
            ended = play_for(key, agents, drawn, self.env, self.params.playing, ppo, self.protocol.time_steps)
        else:
            drawn = pick(self.levels, order[:ENVS])
            ended = self._complete(jax.random.split(key, ENVS), agents, drawn, ppo)
        rows = [_row(jax.device_get(ended), low, high) for low, high in self.protocol.bins]
        return {"protocol": PAPER, "bins": rows}

    def _complete(self, keys: Key[Array, " envs"], agents: Agent, levels: Any, ppo: PPOConfig) -> Ended:
        """Each level is played to its end."""
        params = self.params.playing
        played = play_agents(keys, agents, levels, jnp.bool_(False), self.env, params, ppo)
        length = jax.vmap(partial(_length, env=self.env, params=params))(levels)
        shape = played.returns.shape
        return Ended(jnp.broadcast_to(length, shape), jnp.ones(shape, bool), played.returns > 0)


def _length(level: Any, env: Environment, params: Any) -> Int[Array, ""]:
    """Lines of a level's instruction."""
    return env.observe(env.start(level, params), params).mask.sum(dtype=jnp.int32)


def _row(ended: Ended, low: int, high: int) -> dict[str, Any]:
    """A bin: of each seed its episodes and successes."""
    here = ended.done & (ended.length >= low) & (ended.length <= high)
    counts = {"episodes": here, "successes": here & ended.won}
    named = {"id": default_id(low, high), "lo": low, "hi": high}
    return {**named, **{name: seen.reshape(len(seen), -1).sum(axis=1).tolist() for name, seen in counts.items()}}


@partial(jax.jit, static_argnames=("env", "params", "ppo", "number"))
def play_for(
    key: PRNGKeyArray, agents: Agent, levels: Any, env: Environment, params: Any, ppo: PPOConfig, number: int
) -> Ended:
    """All agents play so many time steps in all environments, [seeds, steps, envs]."""
    auto = AutoReset(PackedEnvironment(env, params), ENVS)
    pool = jax.vmap(lambda level: auto.env.start(level, params))(levels)
    return jax.vmap(lambda agent: _played(key, with_precision(agent, ppo), pool, auto, params, number))(agents)


def _played(key: PRNGKeyArray, agent: Agent, pool: Any, auto: AutoReset, params: Any, number: int) -> Ended:
    first = agent.initial_memory()

    def one(keys: Key[Array, "3"], playing: Playing, memory: Memory) -> tuple[Playing, Memory, Ended]:
        obs = auto.env.observe(playing.state, params)
        respond = partial(auto.env.respond, keys[2], playing.state, params=params)
        step = decide(agent, obs, memory, chances_of(keys[:2]), respond)
        playing, end = auto.advance(keys[2], playing, step.decision.action, step.response, pool, params)
        done = end.terminated | end.truncated
        memory = jax.tree.map(partial(jnp.where, done), first, step.memory)
        return playing, memory, Ended(obs.mask.sum(dtype=jnp.int32), done, end.reward > 0)

    def all_envs(carry: tuple[Playing, Memory], key: PRNGKeyArray) -> tuple[tuple[Playing, Memory], Ended]:
        playing, memory, ended = jax.vmap(one)(jax.random.split(key, (auto.num, 3)), *carry)
        return (playing, memory), ended

    _, playing = auto.reset(pool, params)
    memory = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (auto.num, *leaf.shape)), first)
    return jax.lax.scan(all_envs, (playing, memory), jax.random.split(key, number))[1]
