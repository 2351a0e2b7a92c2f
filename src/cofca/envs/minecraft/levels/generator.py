"""Levels from keys, in bulk: rejection sampling as a few batched filters."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int32, Key

from cofca.envs.minecraft.levels import grammar
from cofca.envs.minecraft.levels.deep import Demands, demands_of, length_and_side, sketch
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.levels.population import Draws, draw, feasible, populate
from cofca.envs.minecraft.levels.spawn import spawn
from cofca.envs.minecraft.levels.writing import write
from cofca.envs.minecraft.oracle import solves
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.program import Program
from cofca.utils.loops import blank
from cofca.utils.prng import below

NEVER = 2**31 - 1
SMALL = 512
"""Up to so many keys are few."""


class Found(NamedTuple):
    """Tries that are feasible by their counts, their levels, and which of these the oracle solved."""

    tries: Int32[Array, " levels"]
    levels: Level
    solved: Bool[Array, " levels"]


class Attempt(NamedTuple):
    """A try at a level: an instruction and the randomness of a world for it."""

    program: Program
    draws: Draws


def attempt(key: Key[Array, ""], number: Int32[Array, ""], demands: Demands, params: MinecraftParams) -> Attempt:
    """Try `number` of a key. The length is the key's; instruction and world change from try to try."""
    instruction, world = jnp.divmod(number, params.populations_per_instruction)
    instruction_key = jax.random.fold_in(key, 1 + instruction)
    low, high = demands.lengths
    length = low + below(jax.random.uniform(jax.random.fold_in(key, 0)), high - low + 1)
    program = grammar.generate(instruction_key, length, params)
    return Attempt(program, draw(jax.random.fold_in(instruction_key, 1 + world), params))


def deep_attempt(
    key: Key[Array, ""], number: Int32[Array, ""], demands: Demands, params: MinecraftParams
) -> tuple[Attempt, Bool[Array, ""]]:
    """Try `number` of a key where execution goes deep, and whether it is feasible by its counts."""
    length, crosses = length_and_side(key, demands)
    shape_key, world_key = jax.random.split(jax.random.fold_in(key, 1 + number))
    draws = draw(world_key, params)
    drawn = sketch(shape_key, length, crosses, demands, params)
    program, feasible = write(drawn, populate(draws).counts, params)
    return Attempt(program, draws), feasible


@partial(jax.jit, static_argnames="params")
def level(key: Key[Array, ""], number: Int32[Array, ""], demands: Demands, params: MinecraftParams) -> Level:
    """The level of a key's try, whether it is feasible or not."""
    goes_deep = params.executed_depth > 0
    trial = deep_attempt(key, number, demands, params)[0] if goes_deep else attempt(key, number, demands, params)
    cells, worker = spawn(trial.draws, params)
    return Level(key, trial.program, cells, worker)


@partial(jax.jit, static_argnames="params")
def promising(
    key: Key[Array, ""], number: Int32[Array, ""], demands: Demands, params: MinecraftParams
) -> tuple[Bool[Array, ""], Int32[Array, ""]]:
    """Whether a try is feasible by its counts, and which try to go on with if not."""
    if params.executed_depth > 0:
        return deep_attempt(key, number, demands, params)[1], number + 1
    program, draws = attempt(key, number, demands, params)
    fewest, most = params.control_flow_kinds
    kinds = grammar.count_kinds(program)
    wanted = (kinds >= fewest) & (kinds <= most) & (grammar.deepest(program) >= params.min_depth)
    possible = feasible(program, populate(draws), draws.coin, params)
    # Another population does not mend an unwanted instruction: go on with the next instruction.
    tries = params.populations_per_instruction
    following = jnp.where(wanted, number + 1, (number // tries + 1) * tries)
    return wanted & possible, following


def search(
    keys: Key[Array, " levels"], numbers: Int32[Array, " levels"], demands: Demands, params: MinecraftParams
) -> Int32[Array, " levels"]:
    """For each key the first try from `numbers` on that is feasible by its counts.

    Keys that have found theirs lend their lane to those still searching, which then make several tries at once.
    So the work is the sum of all tries rather than the tries of the unluckiest key times the number of keys.
    """
    lanes = jnp.arange(keys.shape[0])

    def round_(carry: tuple) -> tuple:
        numbers, found = carry
        searching = jnp.nonzero(~found, size=lanes.size, fill_value=0)[0]
        left = (~found).sum()
        slots = searching[lanes % left]
        tries = numbers[slots] + lanes // left
        good, following = jax.vmap(partial(promising, demands=demands, params=params))(keys[slots], tries)
        first = jax.ops.segment_min(jnp.where(good, tries, NEVER), slots, lanes.size)
        last = jax.ops.segment_max(following, slots, lanes.size)
        hit = ~found & (first < NEVER)
        numbers = jnp.where(hit, first, jnp.where(found, numbers, last))
        return numbers, found | hit

    nothing = jnp.zeros(lanes.shape, bool)
    return jax.lax.while_loop(lambda carry: ~carry[1].all(), round_, (numbers, nothing))[0]


def generate(keys: Key[Array, " levels"], params: MinecraftParams) -> Level:
    """One level for each key, every one of them played to success by the oracle."""
    return _generate(keys, demands_of(params), params.of_any_kind)


@partial(jax.jit, static_argnames="params")
def _generate(keys: Key[Array, " levels"], demands: Demands, params: MinecraftParams) -> Level:
    number = keys.shape[0]
    # Those that the oracle can't solve, a few in a hundred, go on in small groups. With few keys the group is all of
    # them and the first round a round like any other: half as much to compile.
    some = number if number <= SMALL else number // 16

    def again(now: Found) -> Found:
        # Places beyond the unsolved ones repeat the first of them, so that every write is a real one.
        slots = jnp.nonzero(~now.solved, size=some, fill_value=jnp.argmin(now.solved))[0]
        found = _find(keys[slots], now.tries[slots] + 1, demands, params)
        return jax.tree.map(lambda old, new: old.at[slots].set(new), now, found)

    if some == number:
        none = jnp.full(number, -1, jnp.int32)
        # Only these shapes are asked for: to trace the search and the oracle once more would take as long as they do.
        shapes = jax.eval_shape(jax.vmap(partial(level, demands=demands, params=params)), keys, none)
        first = Found(none, blank(shapes), jnp.zeros(number, bool))
    else:
        first = _find(keys, jnp.zeros(number, jnp.int32), demands, params)
    return jax.lax.while_loop(lambda found: ~found.solved.all(), again, first).levels


def _find(
    keys: Key[Array, " levels"], tries: Int32[Array, " levels"], demands: Demands, params: MinecraftParams
) -> Found:
    """Search on from these tries and play what is found."""
    tries = search(keys, tries, demands, params)
    levels = jax.vmap(partial(level, demands=demands, params=params))(keys, tries)
    return Found(tries, levels, solves(levels, params))
