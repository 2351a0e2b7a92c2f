"""One run on many devices, of one host or of several: which part of the learners lies where.

The seeds of a run are divided among the devices as far as they go, and the environments of each seed among the rest.
What is computed is the same as on one device, but for the order in which floating-point numbers are added. Arrays are
laid out; the compiler finds out what has to be communicated. Of several processes only the first reads and writes.
"""

from functools import partial
from math import gcd
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from cofca.rl.ppo import Learner
from cofca.utils.parameters import require

SEEDS, ENVS = "seeds", "envs"
BY_ENVIRONMENT = (".memory", ".levels.playing", ".levels.turn", ".levels.level", ".levels.known")
"""The parts of a learner that have an axis of environments. Pools of levels are whole everywhere: a reset is local."""

Tree = TypeVar("Tree")


class Devices:
    """A mesh of devices, by default just the first."""

    def __init__(self, number: int = 1, seeds: int = 1, envs: int = 1) -> None:
        there = jax.devices()
        require(1 <= number <= len(there), f"devices must lie between 1 and {len(there)}, as many as there are")
        several = jax.process_count()
        require(several == 1 or number == len(there), f"{several} processes share all {len(there)} devices")
        across = gcd(number, seeds)
        within = number // across
        require(envs % within == 0, f"{envs} environments of a seed can't be divided among {within} devices")
        axes = (AxisType.Auto, AxisType.Auto)
        self.mesh: Mesh | None = None
        if number > 1:
            self.mesh = jax.make_mesh((across, within), (SEEDS, ENVS), axes, devices=there[:number])

    @property
    def is_first(self) -> bool:
        """Whether this process is the one that reads and writes."""
        return jax.process_index() == 0

    def layout(self, learners: Learner) -> Learner | None:
        """Where each array of the learners lies; None on one device."""
        if self.mesh is None:
            return None
        seeds, both = (NamedSharding(self.mesh, PartitionSpec(*axes)) for axes in ((SEEDS,), (SEEDS, ENVS)))

        def place(path: Any, _: Any) -> NamedSharding:
            starts = {jax.tree_util.keystr(path[:depth]) for depth in (1, 2)}
            return both if starts & set(BY_ENVIRONMENT) else seeds

        return jax.tree_util.tree_map_with_path(place, learners)

    @property
    def everywhere(self) -> NamedSharding | None:
        """The place of what every device has a copy of."""
        return NamedSharding(self.mesh, PartitionSpec()) if self.mesh else None

    def place(self, learners: Learner) -> Learner:
        """Lay out learners. Of several processes those of the first count."""
        if self.mesh is None:
            return learners
        plain = jax.device_get(_plain(learners))
        if jax.process_count() > 1:
            plain = multihost_utils.broadcast_one_to_all(plain)
        return jax.jit(partial(_typed, like=_types(learners)), out_shardings=self.layout(learners))(plain)

    def fetch(self, tree: Tree) -> Tree:
        """The whole of arrays that are laid out, on the host of every process; random keys as their numbers."""
        if self.mesh is None:
            return tree
        return jax.device_get(jax.jit(_plain, out_shardings=self.everywhere)(tree))

    def agree(self, wish: bool) -> bool:
        """Whether any process wishes something. All have to ask, and get the same answer."""
        return wish if jax.process_count() == 1 else bool(multihost_utils.process_allgather(np.array(wish)).any())


def join(coordinator: str | None, processes: int | None, process: int | None) -> None:
    """Become one of several processes; what is not given is found in the environment of SLURM or Open MPI."""
    try:
        jax.distributed.initialize(coordinator, processes, process)
    except (ValueError, RuntimeError) as error:
        raise ValueError(f"the processes did not find each other: {' '.join(str(error).split())}") from error


def _is_key(leaf: Any) -> bool:
    return jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def _plain(tree: Any) -> Any:
    return jax.tree.map(lambda leaf: jax.random.key_data(leaf) if _is_key(leaf) else leaf, tree)


def _types(tree: Any) -> tuple[bool, ...]:
    return tuple(_is_key(leaf) for leaf in jax.tree.leaves(tree))


def _typed(plain: Any, like: tuple[bool, ...]) -> Any:
    leaves, structure = jax.tree.flatten(plain)
    pairs = zip(leaves, like, strict=True)
    return jax.tree.unflatten(structure, [jax.random.wrap_key_data(leaf) if key else leaf for leaf, key in pairs])
