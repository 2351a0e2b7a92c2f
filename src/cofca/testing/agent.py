"""For whoever writes an agent: check that it keeps the contract of `cofca.agents.base`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PRNGKeyArray

from cofca.agents.base import Agent
from cofca.agents.decide import decide, draw_chances, evaluate_actions
from cofca.agents.fused import fuse
from cofca.envs.base import Environment
from cofca.envs.spec import Spec, spec_of

EPISODES, STEPS = 4, 12
"""Environments side by side, and time steps of each."""


def check_agent(
    make: Callable[[PRNGKeyArray, Spec], Agent], env: Environment, params: Any = None, *, seed: int = 0
) -> None:
    """Let an agent that has learned nothing play, and raise `AssertionError` at the first promise that is not kept."""
    params = env.default_params if params is None else params
    key = jax.random.key(seed)
    agent = make(key, spec_of(env, params))
    _require(isinstance(agent, Agent), f"made {type(agent).__name__}, not a cofca.Agent")
    leaves = jax.tree.leaves(agent)
    _require(bool(leaves), "an agent must have parameters")
    kinds = {str(leaf.dtype) for leaf in leaves}
    _require(kinds == {"float32"}, f"parameters must be float32 arrays, not {', '.join(sorted(kinds))}")
    _check_memory(agent)
    _check_shapes(make, env, params, agent)
    played = _played(agent, env, params, key)
    _check_distributions(*played)
    _check_evaluation(agent, *played)


def _check_memory(agent: Agent) -> None:
    memory = agent.initial_memory()
    _require(memory.hidden.shape == (agent.hidden_size,), f"hidden must have length {agent.hidden_size}")
    _require(int(memory.pointer) == 0, "the pointer must start at the first line")


def _check_shapes(make: Any, env: Environment, params: Any, agent: Agent) -> None:
    """Weights are read by shapes alone, and several agents lie side by side."""
    spec = spec_of(env, params)
    shapes = jax.eval_shape(lambda key: make(key, spec), jax.random.key(1))
    structures = {jax.tree.structure(shapes), jax.tree.structure(agent)}
    _require(len(structures) == 1, "agents of other keys must have the same structure")
    pairs = zip(jax.tree.leaves(shapes), jax.tree.leaves(agent), strict=True)
    _require(all(one.shape == other.shape for one, other in pairs), "agents of other keys must have the same shapes")


def _played(agent: Agent, env: Environment, params: Any, key: PRNGKeyArray) -> tuple[Any, Any]:
    """Observations and memories of a few episodes, and the time steps taken there, [steps, episodes, ...]."""

    def one(agent: Agent, carry: Any, key: PRNGKeyArray) -> tuple[Any, Any]:
        state, memory = carry
        obs = env.observe(state, params)
        respond = partial(env.respond, key, state, params=params)
        step = decide(agent, obs, memory, draw_chances(key, ()), respond)
        after, _ = env.advance(key, state, step.decision.action, step.response, params)
        return (after, step.memory), ((obs, memory), step)

    @jax.jit
    def play(agent: Agent, keys: Any, levels: Any) -> Any:
        states = jax.vmap(lambda level: env.start(level, params))(levels)
        memory = jax.vmap(lambda _: agent.initial_memory())(jnp.arange(EPISODES))
        return jax.lax.scan(jax.vmap(partial(one, agent)), (states, memory), keys)[1]

    levels = env.levels(jax.random.split(key, EPISODES), params)
    try:
        return play(agent, jax.random.split(key, (STEPS, EPISODES)), levels)
    except TypeError as error:
        raise AssertionError(f"a time step must leave memories of the same shape and type: {error}") from error


def _check_distributions(seen: Any, steps: Any) -> None:
    (obs, _), (policy, movement) = seen, (steps.policy, steps.policy.movement)
    logits = np.asarray(policy.logits, float)
    _require(bool(np.isfinite(logits).all()), "logits must be finite; impossible actions have a large negative one")
    mass = np.exp(np.asarray(movement.columns, float)).sum(axis=-2)
    _require(np.allclose(mass, 1, atol=1e-4), "every column of a movement must be a distribution over lines")
    _require(np.allclose(np.exp(np.asarray(movement.weights, float)).sum(-1), 1, atol=1e-4), "weights must sum to one")
    beyond = np.exp(np.asarray(movement.columns, float)) * (np.asarray(obs.mask) == 0)[..., None]
    _require(np.allclose(beyond, 0), "the pointer must not move to lines that do not exist")
    _require(bool(np.isfinite(np.asarray(steps.value, float)).all()), "values must be finite")
    _check_mask(obs, steps)


def _check_mask(obs: Any, steps: Any) -> None:
    mask = obs._asdict().get("action_mask")
    if mask is not None:
        chosen = np.take_along_axis(np.asarray(mask), np.asarray(steps.decision.action)[..., None], axis=-1)
        _require(bool((chosen > 0).all()), "actions that the observation's mask forbids must not be chosen")


def _check_evaluation(agent: Agent, seen: Any, steps: Any) -> None:
    """What was decided is as likely when it is evaluated again, fused, in half precision, and can be learned from."""

    moments = *seen, steps.decision, steps.response

    def log_probs(agent: Agent, moments: Any) -> Any:
        def one(obs: Any, memory: Any, decision: Any, response: Any) -> Any:
            return evaluate_actions(agent, agent.forward(obs, memory), decision, response)

        return jax.vmap(jax.vmap(one))(*moments).log_prob

    def score(agent: Agent, moments: Any) -> Any:
        again = log_probs(agent, moments)
        return again.mean(), again

    def in_half(agent: Agent, moments: Any) -> Any:
        return log_probs(jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), agent), moments)

    (_, again), gradient = jax.jit(jax.value_and_grad(score, has_aux=True))(agent, moments)
    fused = jax.jit(lambda agent, moments: log_probs(fuse(agent), moments))(agent, moments)
    first = np.asarray(jax.jit(jax.vmap(jax.vmap(lambda step: step.log_prob)))(steps))
    for name, other in (("evaluated again", again), ("fused", fused)):
        _require(np.allclose(first, other, atol=1e-3), f"{name}, a decision must be as likely as before")
    _require(_finite(jax.jit(in_half)(agent, moments)), "it must work in bfloat16 as well")
    _require(all(map(_finite, jax.tree.leaves(gradient))), "gradients must be finite")


def _finite(leaf: Any) -> bool:
    return bool(np.isfinite(np.asarray(leaf, np.float32)).all())


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)
