"""The worker turns the agent's command into one primitive at a time. Here: its protocol, and the planner."""

from typing import NamedTuple, Protocol

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Int8, Key, UInt32

from cofca.minecraft.boards import pack, single, spread
from cofca.minecraft.symbols import MOVES, RESOURCES, WAIT, Primitive, Thing, Verb


class View(NamedTuple):
    """What a worker sees."""

    cells: Int8[Array, "height width"]
    worker: Int8[Array, "2"]
    inventory: Int8[Array, "3"]


class Worker(Protocol):
    """A policy from command, grid and inventory to a `Primitive`. The key is for workers that sample."""

    def __call__(self, key: Key[Array, ""], view: View, command: Int[Array, ""]) -> Int8[Array, ""]: ...


Rows = UInt32[Array, " height"]


def planner(key: Key[Array, ""], view: View, command: Int[Array, ""]) -> Int8[Array, ""]:
    """The exact worker: shortest paths, a bridge only where nothing else leads to the target."""
    del key
    height = view.cells.shape[0]
    verb, noun = command // len(RESOURCES) + 1, command % len(RESOURCES) + 1
    waits = (command < 0) | (command >= WAIT)
    holds = (view.inventory > 0) & (jnp.arange(1, 4) == noun)
    sells = (verb == Verb.SELL) & holds.any()
    target = jnp.where(sells, Thing.MERCHANT, noun)
    here = view.cells[view.worker[0], view.worker[1]]
    has_wood = view.inventory[Thing.WOOD - 1] > 0

    wet = pack(view.cells != Thing.WALL)
    dry = wet & ~pack(view.cells == Thing.WATER)
    targets, wood = pack(view.cells == target), pack(view.cells == Thing.WOOD)
    place = single(view.worker, height)
    goals = jnp.stack([targets, targets, wood])
    near, reachable = approach(place, goals, passable=jnp.stack([dry, wet, dry]))

    by_land, by_bridge, to_wood = reachable
    fetches = ~by_land & by_bridge & ~has_wood
    route = jnp.where(by_land, near[0], jnp.where(has_wood, near[1], near[2]))
    moves = by_land | by_bridge & (has_wood | to_wood)
    step = jnp.where(moves, first_move(view.worker, route), Primitive.STAY)
    step = jnp.where(fetches & (here == Thing.WOOD), Primitive.MINE, step)
    interaction = jnp.where(
        verb == Verb.INSPECT, Primitive.INSPECT, jnp.where(sells, Primitive.SELL, Primitive.MINE)
    )
    choice = jnp.where(here == target, interaction, step)
    return jnp.where(waits, Primitive.STAY, choice).astype(jnp.int8)


def approach(
    worker: Rows, goals: UInt32[Array, "waves height"], passable: UInt32[Array, "waves height"]
) -> tuple[UInt32[Array, "waves height"], Bool[Array, " waves"]]:
    """Send a breadth-first wave from each set of goals until it is one move from the worker.

    Returns the cells each wave covers then, all nearer to a goal than the worker is, and whether it came that far.
    """

    def arrives(wave: UInt32[Array, "waves height"]) -> Bool[Array, " waves"]:
        return ((spread(wave) & worker) != 0).any(axis=-1)

    def grow(carry: tuple) -> tuple:
        _, wave = carry
        return wave, jnp.where(arrives(wave)[:, None], wave, spread(wave) & passable)

    def growing(carry: tuple) -> Bool[Array, ""]:
        before, wave = carry
        return (before != wave).any()

    start = goals & passable
    _, wave = jax.lax.while_loop(growing, grow, (jnp.zeros_like(start), start))
    return wave, arrives(wave)


def first_move(worker: Int8[Array, "2"], cells: Rows) -> Int[Array, ""]:
    """The first of the eight moves that leads into one of these cells."""
    guarded = jnp.pad(cells, 1) << 1
    rows = jax.lax.dynamic_slice(guarded, (worker[0],), (3,)) >> worker[1].astype(jnp.uint32)
    leads = jnp.stack([(rows[1 + row] >> (1 + column)) & 1 for row, column in MOVES])
    return jnp.argmax(leads)
