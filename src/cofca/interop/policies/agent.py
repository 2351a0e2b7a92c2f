"""An agent of the package as a policy of many environments, whoever plays them."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, UInt32

from cofca.agents.base import Agent, Memory
from cofca.agents.decide import Step, chances_of, decide
from cofca.envs.registry import domain as find_domain
from cofca.experiments.policies import Obs, limits_of, unnamed


class Acting(NamedTuple):
    """What a decision was made with: it ends when the response is known."""

    memory: Memory
    obs: Any
    keys: UInt32[Array, "*envs 2 2"]


class AgentPolicy:
    """An agent in a domain, sampled or greedy, in the precision it has. `cofca.evaluate` also takes the agent itself,
    and then compiles it together with the environments; what comes of it is the same."""

    batched = True

    def __init__(self, agent: Agent, domain: str, greedy: bool = False) -> None:
        env = find_domain(domain).environment()
        self.agent, self.greedy, self._limits = agent, jnp.bool_(greedy), limits_of(env, env.default_params)

    def initial(self, number: int) -> Memory:
        """The pointers are at the first line."""
        return jax.tree.map(lambda leaf: jnp.repeat(leaf[None], number, axis=0), self.agent.initial_memory())

    def act(self, obs: Obs, state: Memory, mask: np.ndarray, key: np.ndarray) -> tuple[np.ndarray, Acting]:
        """Choose the actions. They do not depend on the responses."""
        acting = Acting(state, unnamed(obs, self._limits), jnp.asarray(key))
        unknown = jnp.zeros(len(mask), jnp.int32)
        return np.asarray(_decide(self.agent, self.greedy, acting, unknown).decision.action), acting

    def observe_response(self, state: Acting, response: np.ndarray) -> Memory:
        """Move the pointers."""
        return _decide(self.agent, self.greedy, state, jnp.asarray(response, jnp.int32)).memory


@eqx.filter_jit
def _decide(agent: Agent, greedy: Bool[Array, ""], acting: Acting, responses: Int[Array, " envs"]) -> Step:
    def one(acting: Acting, response: Int[Array, ""]) -> Step:
        chances = chances_of(jax.random.wrap_key_data(acting.keys))
        return decide(agent, acting.obs, acting.memory, chances, lambda action: response, greedy)

    return jax.vmap(one)(acting, responses)
