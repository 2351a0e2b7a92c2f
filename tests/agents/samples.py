"""Small agents of all domains and random observations for them."""

from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from tiny_preset import TINY, small

from cofca.agents.base import Agent, Memory
from cofca.agents.decide import Evaluation, evaluate_actions, remember
from cofca.agents.distribution import Decision, Movement
from cofca.agents.encoders.action_gru import ActionGRUEncoder
from cofca.envs.registry import NAMES, domain
from cofca.envs.spec import Spec, spec_of
from cofca.experiments.presets import AgentPreset

LINES = 4
ALIKE = (("cofca-r-given", "minecraft"),)
"""Whose parts others have, too: what is given to CoFCA-R is where it lands."""
EACH = [(name, chosen) for chosen in NAMES for name in TINY.agents[chosen] if (name, chosen) not in ALIKE]
"""Every agent on every domain that it has a preset for and parts of its own in."""
ONE_WAY = ("cofca-d", "cofca-r", "lstm", "stack")
"""Whose columns look either ahead or behind."""
WORKER = ("worker", "errands")
HISTORY = 6
"""The recurrent state of agents that remember what they did."""


@cache
def spec(chosen: str, lines: int = LINES) -> Spec:
    found = domain(chosen)
    return spec_of(found.environment(), found.params(length=(2, lines)))


def new(preset: AgentPreset, chosen: str, seed: int = 0) -> Any:
    """An agent of a preset."""
    return preset(jax.random.key(seed), spec(chosen))


def made(chosen: str, name: str = "cofca-s", seed: int = 0, **numbers: Any) -> Any:
    """A small agent with other numbers."""
    return new(small(TINY.agents[chosen][name], **numbers), chosen, seed)


@cache
def small_agent(name: str, chosen: str, seed: int = 0) -> Agent:
    return made(chosen, name, seed)


def remembers(name: str, chosen: str = "starcraft") -> AgentPreset:
    """An agent whose z sees what it did."""
    plain = TINY.agents[chosen][name]
    inner = partial(plain.encoder, **plain.encoder_numbers)
    return replace(plain, encoder=ActionGRUEncoder, encoder_numbers={"inner": inner, "gru": HISTORY})


class Moments(NamedTuple):
    """What agents are asked about, all side by side."""

    obs: Any
    memory: Memory
    decision: Decision
    response: jax.Array


def moments(name: str, chosen: str, number: int = 240, seed: int = 0) -> Moments:
    """Random ones: each small integer takes all its values in turn. Arrays of NumPy, of which nothing is compiled
    until an agent is asked."""
    rng, limits, lines = np.random.default_rng(seed), spec(chosen).limits, spec(chosen).lines

    def turns(choices: int, *shape: int) -> np.ndarray:
        return rng.permuted(np.resize(np.arange(choices), (number, *shape)), axis=0)

    length, actions = 1 + turns(lines), turns(spec(chosen).actions)
    exists = np.arange(lines) < length[:, None]
    # Each column of symbols runs through its own values.
    symbols = np.stack([turns(limit + 1, lines) for limit in spec(chosen).symbols], axis=-1)
    obs = jax.tree.map(lambda limit: rng.integers(0, np.minimum(limit, 3) + 1, (number, *limit.shape)), limits)
    obs = obs._replace(lines=symbols * exists[..., None], mask=exists)
    if chosen == "starcraft":
        allowed = rng.random(obs.action_mask.shape) < 0.3
        allowed[np.arange(number), actions] = True
        stage = np.stack([turns(limit + 1) for limit in limits.stage], axis=1)
        obs = obs._replace(action_mask=allowed, stage=stage, ambushed=turns(int(limits.ambushed) + 1))
    obs = jax.tree.map(lambda leaf, limit: np.asarray(leaf, limit.dtype), obs, limits)
    pointer = rng.integers(0, length)
    hidden = rng.normal(size=(number, small_agent(name, chosen).hidden_size))
    before = np.stack([turns(spec(chosen).actions + 1), turns(spec(chosen).responses + 1)], axis=1)
    memory = Memory(np.int32(pointer), np.float32(hidden), np.int32(before))
    decision = Decision(np.int32(actions), turns(2) > 0, np.int32(rng.integers(0, length)))
    return Moments(obs, memory, decision, np.int32(turns(spec(chosen).responses)))


def on_device(found: Any) -> Any:
    """The same as arrays of JAX, for whoever calls an agent without compiling it."""
    return jax.tree.map(jnp.asarray, found)


def with_history(found: Moments) -> Moments:
    """Moments with a recurrent state of the right size."""
    hidden = np.random.default_rng(0).normal(size=(len(found.response), HISTORY))
    return found._replace(memory=found.memory._replace(hidden=np.float32(hidden)))


class Answer(NamedTuple):
    """What an agent makes of a moment."""

    logits: jax.Array
    value: jax.Array
    movement: Movement
    targets: jax.Array
    hidden: jax.Array
    evaluation: Evaluation
    after: Memory


def answer(agent: Agent, moment: Moments) -> Answer:
    """Of one moment."""
    obs, memory, decision, response = moment
    features = agent.forward(obs, memory)
    logits, value = agent.actor_critic(features)
    movement = agent.movement(features, decision.action, response)
    hidden = agent.next_hidden(features, decision.action, response)
    evaluation = evaluate_actions(agent, features, decision, response)
    after = remember(memory, decision, response, hidden)
    return Answer(logits, value, movement, movement.targets, hidden, evaluation, after)


quickly = partial(jax.jit, compiler_options={"xla_backend_optimization_level": 0})
"""Compiled in less time than it takes to compile well: here everything runs but once or twice."""
_answers = quickly(jax.vmap(answer, in_axes=(None, 0)))


def answers(agent: Agent, found: Moments) -> Answer:
    """Of all moments, as arrays of NumPy."""
    return jax.device_get(_answers(agent, found))
