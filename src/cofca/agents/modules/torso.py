"""What agents make of an observation, apart from the instruction: one torso a domain."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.modules.layers import EVEN, RELU_GAIN, Embedding, Linear, LinearWithOne
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec

KERNEL = 2


class Sight(NamedTuple):
    """What a torso makes of an observation."""

    code: Float[Array, " size"]
    """x in the paper."""
    seen: Float[Array, "patches channels"]
    """The convolution over the grid."""
    grid: Float[Array, "height width planes"]
    """As it is."""


class Torso(eqx.Module):
    """A convolution over the grid, embeddings of small integers, and the rest as it is.

    Works for every observation with a `grid`; the fields `inventory`, `ambushed` and `stage` are used where there are
    such.
    """

    convolution: Linear | LinearWithOne
    integers: Embedding | None
    flat: Linear | None
    """On all of the grid; None where the convolution is summed over it."""
    stride: int = eqx.field(static=True)
    channels: int = eqx.field(static=True)
    presence: bool = eqx.field(static=True)
    """Whether the code says of every channel of the grid whether it is anywhere."""
    size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        """As large as `sizes` says."""
        keys = jax.random.split(key, 3)
        height = spec.limits.grid.shape[0]
        self.channels = channels = sizes.convolution
        self.stride = sizes.stride
        self.convolution = Linear(keys[0], KERNEL**2 * spec.planes, channels, RELU_GAIN)
        side = height // KERNEL if sizes.stride == KERNEL else height + 1
        self.flat = None if sizes.pooled else Linear(keys[1], side**2 * channels, channels, RELU_GAIN)
        self.integers = Embedding(keys[2], spec.integers, sizes.integers) if spec.integers else None
        self.presence = sizes.presence
        self.size = channels + spec.numbers + (sizes.integers if spec.integers else 0) + spec.planes * self.presence

    def prepared(self) -> "Torso":
        """As accelerators like it where the grid is not summed over: with more channels if their number is odd, always
        zero, of which nothing is made; and without a bias of its own in the convolution."""
        if self.flat is None or isinstance(self.convolution, LinearWithOne):
            return self
        more = -self.channels % EVEN
        around = jnp.pad(self.convolution.weight, ((0, 0), (0, more))), jnp.pad(self.convolution.bias, (0, more))
        by_patch = self.flat.weight.reshape(-1, self.channels, self.channels)
        wider = jnp.pad(by_patch, ((0, 0), (0, more), (0, more))).reshape(-1, self.channels + more)
        layers = LinearWithOne(*around), wider, jnp.pad(self.flat.bias, (0, more))
        return eqx.tree_at(_layers, self, layers)

    def __call__(self, obs: Any) -> Sight:
        """Encode an observation."""
        dtype = self.convolution.weight.dtype
        grid = obs.grid.astype(dtype)
        seen = jax.nn.relu(self.convolution(_patches(grid, self.stride)))
        code = seen.sum(axis=0) if self.flat is None else jax.nn.relu(self.flat(seen.reshape(-1)))[: self.channels]
        parts = [code, _numbers(obs).astype(dtype)]
        if self.integers is not None:
            parts.append(self.integers(_integers(obs)))
        if self.presence:
            parts.append(grid.max(axis=(0, 1)))
        return Sight(jnp.concatenate(parts), seen, grid)


def perceive_by_step(agent: Any, obs: Any, memory: Any) -> Any:
    """What an agent with a torso perceives in all time steps and environments.

    Where patches are many, every time step has the convolution to itself: its gradient is then a sum of products. Of a
    single product over all patches of all time steps the compiler would copy both sides, to cut it into parts.
    """
    if agent.torso.flat is None:
        return jax.vmap(jax.vmap(agent.perceive))(obs, memory)
    steps = jax.tree.leaves(memory)[0].shape[0]
    alike = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (steps, *leaf.shape)), agent.torso.convolution)

    def perceive(convolution: Any, obs: Any, memory: Any) -> Any:
        own = eqx.tree_at(lambda agent: agent.torso.convolution, agent, convolution)
        return jax.vmap(own.perceive)(obs, memory)

    return jax.vmap(perceive)(alike, obs, memory)


def _layers(torso: Torso) -> Any:
    assert torso.flat is not None
    return torso.convolution, torso.flat.weight, torso.flat.bias


def _patches(grid: Float[Array, "height width planes"], stride: int) -> Float[Array, "patches inputs"]:
    """The squares that a convolution looks at. A stride of 1 looks over the edge, too."""
    height, width, planes = grid.shape
    if stride == KERNEL:
        blocks = grid.reshape(height // KERNEL, KERNEL, width // KERNEL, KERNEL, planes)
        return blocks.swapaxes(1, 2).reshape(-1, KERNEL**2 * planes)
    padded = jnp.pad(grid, ((1, 1), (1, 1), (0, 0)))
    shifts = [padded[down : down + height + 1, right : right + width + 1] for down in (0, 1) for right in (0, 1)]
    return jnp.concatenate(shifts, axis=-1).reshape(-1, KERNEL**2 * planes)


def _numbers(obs: Any) -> Float[Array, " numbers"]:
    return obs.inventory.astype(jnp.float32) if hasattr(obs, "inventory") else jnp.zeros(0)


def _integers(obs: Any) -> Array:
    if not hasattr(obs, "stage"):
        return jnp.zeros(0, jnp.int32)
    return jnp.concatenate([obs.ambushed[None], obs.stage]).astype(jnp.int32)
