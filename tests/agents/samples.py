"""Small agents of both domains and random observations for them."""

from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from cofca.agents.base import Agent, Decision, Judgement, Memory, Movement, judge
from cofca.agents.registry import AGENTS, make_agent
from cofca.agents.sizes import PAPER, Sizes
from cofca.envs.registry import NAMES, domain
from cofca.envs.spec import Spec, spec_of

LINES = 4
EACH = [(name, chosen) for chosen in NAMES for name in AGENTS]
"""Every agent on every domain."""


def small_sizes(name: str, chosen: str) -> Sizes:
    paper = PAPER[chosen][name]
    small = replace(paper, convolution=6, hidden=10, embedding=7, recurrent=5, farthest=LINES + 1)
    return replace(small, columns=min(paper.columns, 3), integers=min(paper.integers, 4))


@cache
def spec(chosen: str, lines: int = LINES) -> Spec:
    found = domain(chosen)
    return spec_of(found.environment(), found.params(length=(2, lines)))


def made(chosen: str, name: str = "cofca-s", seed: int = 0, **options: Any) -> Any:
    """A small agent with options."""
    sizes = replace(small_sizes(name, chosen), **options)
    return make_agent(jax.random.key(seed), name, chosen, spec(chosen), sizes)


@cache
def small_agent(name: str, chosen: str, seed: int = 0) -> Agent:
    return made(chosen, name, seed)


class Moments(NamedTuple):
    """What agents are asked about, all side by side."""

    obs: Any
    memory: Memory
    decision: Decision
    response: jax.Array


def moments(name: str, chosen: str, number: int = 240, seed: int = 0) -> Moments:
    """Random ones: each small integer takes all its values in turn."""
    rng, limits = np.random.default_rng(seed), spec(chosen).limits

    def turns(choices: int, *shape: int) -> np.ndarray:
        return rng.permuted(np.resize(np.arange(choices), (number, *shape)), axis=0)

    length, actions = 1 + turns(LINES), turns(spec(chosen).actions)
    exists = np.arange(LINES) < length[:, None]
    # Each column of symbols runs through its own values.
    symbols = np.stack([turns(limit + 1, LINES) for limit in spec(chosen).symbols], axis=-1)
    obs = jax.tree.map(lambda limit: rng.integers(0, np.minimum(limit, 3) + 1, (number, *limit.shape)), limits)
    obs = obs._replace(lines=symbols * exists[..., None], mask=exists)
    if chosen == "starcraft":
        allowed = rng.random(obs.action_mask.shape) < 0.3
        allowed[np.arange(number), actions] = True
        stage = np.stack([turns(limit + 1) for limit in limits.stage], axis=1)
        obs = obs._replace(action_mask=allowed, stage=stage, ambushed=turns(int(limits.ambushed) + 1))
    obs = jax.tree.map(lambda leaf, limit: jnp.asarray(leaf, limit.dtype), obs, limits)
    pointer = rng.integers(0, length)
    hidden = rng.normal(size=(number, small_agent(name, chosen).hidden_size))
    before = np.stack([turns(spec(chosen).actions + 1), turns(spec(chosen).responses + 1)], axis=1)
    memory = Memory(jnp.int32(pointer), jnp.float32(hidden), jnp.int32(before))
    decision = Decision(jnp.int32(actions), jnp.asarray(turns(2) > 0), jnp.int32(rng.integers(0, length)))
    return Moments(obs, memory, decision, jnp.int32(turns(spec(chosen).responses)))


class Answer(NamedTuple):
    """What an agent makes of a moment."""

    logits: jax.Array
    movement: Movement
    hidden: jax.Array
    judgement: Judgement
    after: Memory


def answer(agent: Agent, moment: Moments) -> Answer:
    """Of one moment."""
    obs, memory, decision, response = moment
    view = agent.look(obs, memory)
    return Answer(
        logits=agent.policy(view),
        movement=agent.movement(view, decision.action, response),
        hidden=agent.hidden(view),
        judgement=judge(agent, view, obs, decision, response),
        after=agent.remember(view, memory, decision, response),
    )


quickly = partial(jax.jit, compiler_options={"xla_backend_optimization_level": 0})
"""Compiled in less time than it takes to compile well: here everything runs but once or twice."""
answers = quickly(jax.vmap(answer, in_axes=(None, 0)))
