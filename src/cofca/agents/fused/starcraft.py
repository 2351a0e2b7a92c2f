"""StarCraft's encoder as accelerators like it, and as CPUs do."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from cofca.agents.base import Agent
from cofca.agents.encoders.starcraft import Choices, Encoding, StarCraftEncoder, integers_of, squares, surroundings
from cofca.agents.fused.layers import EVEN, LinearWithOne
from cofca.agents.modules.layers import Embedding


class FusedStarCraftEncoder(eqx.Module):
    """With more channels where their number is odd, always zero, of which nothing is made; and without a bias of its
    own in the convolution."""

    convolution: LinearWithOne
    weight: Float[Array, "inputs outputs"]
    bias: Float[Array, " outputs"]
    integers: Embedding
    channels: int = eqx.field(static=True)
    size: int = eqx.field(static=True)

    def __init__(self, plain: StarCraftEncoder) -> None:
        channels = plain.flat.bias.size
        more = -channels % EVEN
        widen = ((0, 0), (0, more))
        self.convolution = LinearWithOne(
            jnp.pad(plain.convolution.weight, widen), jnp.pad(plain.convolution.bias, (0, more))
        )
        by_patch = plain.flat.weight.reshape(-1, channels, channels)
        self.weight = jnp.pad(by_patch, ((0, 0), (0, more), (0, more))).reshape(-1, channels + more)
        self.bias = jnp.pad(plain.flat.bias, (0, more))
        self.integers, self.channels, self.size = plain.integers, channels, plain.size

    def __call__(self, obs: Any) -> Encoding:
        """The same."""
        grid = obs.grid.astype(self.weight.dtype)
        patches = jax.nn.relu(self.convolution(squares(grid)))
        seen = jax.nn.relu(patches.reshape(-1) @ self.weight + self.bias)[: self.channels]
        x = jnp.concatenate([seen, self.integers(integers_of(obs)), grid.max(axis=(0, 1))])
        return Encoding(x, grid, Choices(surroundings(grid), obs.action_mask))


def encode_by_step(agent: Agent, obs: Any, memory: Any) -> Any:
    """The features of all time steps and environments, [steps, envs].

    Every time step has the convolution to itself: its gradient is then a sum of products. Of a single product over all
    patches of all time steps the compiler would copy both sides, to cut it into parts.
    """
    steps = jax.tree.leaves(memory)[0].shape[0]
    weight = _convolution(agent)
    alike = jnp.broadcast_to(weight, (steps, *weight.shape))

    def encode(weight: Array, obs: Any, memory: Any) -> Any:
        return jax.vmap(eqx.tree_at(_convolution, agent, weight).encode)(obs, memory)

    return jax.vmap(encode)(alike, obs, memory)


def encode_in_turn(agent: Agent, obs: Any, memory: Any) -> Any:
    """The same on a CPU, whose caches hold the patches of one time step, but not those of all. Only what comes of
    products is kept for the way back; the patches are made again."""
    one_step = jax.checkpoint(jax.vmap(agent.encode), policy=jax.checkpoint_policies.dots_saveable)
    return jax.lax.map(lambda each: one_step(*each), (obs, memory))


def _convolution(agent: Any) -> Any:
    """Its weight, in whatever encoders it is inside."""

    def is_it(part: Any) -> bool:
        return isinstance(part, FusedStarCraftEncoder)

    (encoder,) = filter(is_it, jax.tree.leaves(agent, is_leaf=is_it))
    return encoder.convolution.weight
