"""The worker turns the agent's command into one primitive at a time. Here: its protocol, and the planner."""

from typing import NamedTuple, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Int8, Key, UInt32

from cofca.envs.minecraft.boards import BITS, Waves, advance, at, pack, spread
from cofca.envs.minecraft.symbols import MOVES, RESOURCES, WAIT, Primitive, Thing, Verb


class View(NamedTuple):
    """What a worker sees."""

    cells: Int8[Array, "height width"]
    worker: Int8[Array, "2"]
    inventory: Int8[Array, "3"]


@runtime_checkable
class Worker(Protocol):
    """A policy from command, grid and inventory to a `Primitive`. The key is for workers that sample."""

    def __call__(self, key: Key[Array, ""], view: View, command: Int[Array, ""]) -> Int8[Array, ""]:
        """Answer a command."""
        ...


BY_LAND, BY_BRIDGE, TO_WOOD = (np.uint32(1 << wave) for wave in range(3))
"""The planner's three waves: over dry cells or over water too to the target, and over dry cells to wood."""


def planner(key: Key[Array, ""], view: View, command: Int[Array, ""]) -> Int8[Array, ""]:
    """The exact worker: shortest paths, a bridge only where nothing else leads to the target."""
    del key
    verb, _ = words(command)
    waits = (command < 0) | (command >= WAIT)
    target = target_of(view, command)
    sells = target == Thing.MERCHANT
    here = view.cells[view.worker[0], view.worker[1]]
    has_wood = view.inventory[Thing.WOOD - 1] > 0

    waves = routes(view, target)
    arrived = at(spread(waves), view.worker)
    by_land, by_bridge = arrived & BY_LAND != 0, arrived & BY_BRIDGE != 0
    route = jnp.where(by_land, BY_LAND, jnp.where(has_wood, BY_BRIDGE, TO_WOOD))
    moves = (by_land | by_bridge) & (arrived & route != 0)
    step = jnp.where(moves, first_move(view.worker, waves, route), Primitive.STAY)

    fetches = ~by_land & by_bridge & ~has_wood & (here == Thing.WOOD)
    interaction = jnp.where(sells, Primitive.SELL, Primitive.MINE)
    interaction = jnp.where(verb == Verb.INSPECT, Primitive.INSPECT, interaction)
    choice = jnp.where(here == target, interaction, jnp.where(fetches, Primitive.MINE, step))
    return jnp.where(waits, Primitive.STAY, choice).astype(jnp.int8)


def words(command: Int[Array, ""]) -> tuple[Int[Array, ""], Int[Array, ""]]:
    """Verb and noun of a command."""
    return command // len(RESOURCES) + 1, command % len(RESOURCES) + 1


def target_of(view: View, command: Int[Array, ""]) -> Int[Array, ""]:
    """What a command makes a worker go to: the resource it names, or a merchant once there is some to sell."""
    verb, noun = words(command)
    holds = (view.inventory > 0) & (jnp.arange(1, 4) == noun)
    return jnp.where((verb == Verb.SELL) & holds.any(), Thing.MERCHANT, noun)


def needs_bridge(view: View, command: Int[Array, ""]) -> Bool[Array, ""]:
    """Whether water must be crossed for a command, and can be."""
    arrived = at(spread(routes(view, target_of(view, command))), view.worker)
    return (arrived & BY_LAND == 0) & (arrived & BY_BRIDGE != 0)


def routes(view: View, target: Int[Array, ""]) -> Waves:
    """The three waves, from their goals to one move before the worker: all cells nearer to a goal than it is."""
    cells = view.cells
    goals = (cells == target) * (BY_LAND | BY_BRIDGE) | (cells == Thing.WOOD) * TO_WOOD
    dry = BY_LAND | BY_BRIDGE | TO_WOOD
    passable = jnp.where(cells == Thing.WALL, 0, jnp.where(cells == Thing.WATER, BY_BRIDGE, dry))
    return advance(pack(goals), pack(passable), view.worker, cells.shape[1])


def first_move(worker: Int8[Array, "2"], waves: Waves, route: UInt32[Array, ""]) -> Int[Array, ""]:
    """The first of the eight moves that leads into a cell of this wave."""
    edge = jnp.uint32(0)
    guarded = jnp.stack([edge, *waves, edge])
    nearby = jax.lax.dynamic_slice(guarded, (worker[0],), (3,))
    columns = worker[1] + jnp.array([column for _, column in MOVES])
    shifts = (BITS * jnp.maximum(columns, 0)).astype(jnp.uint32)
    rows = nearby[jnp.array([1 + row for row, _ in MOVES])]
    leads = ((rows >> shifts) & route != 0) & (columns >= 0)
    return jnp.argmax(leads)
