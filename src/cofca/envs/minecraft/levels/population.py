"""Populations of a world, and whether an instruction can be carried out on their counts alone."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int8, Int16, Int32, Key

from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.program import Counts, Program, evaluate, holds
from cofca.envs.minecraft.symbols import COUNTED, RESOURCES, LineType, Thing, Verb
from cofca.utils.loops import advance_while
from cofca.utils.prng import below, draw_uniform

WOOD = Thing.WOOD - 1


class Draws(NamedTuple):
    """The randomness of a world, uniform in [0, 1): one call to the generator makes all of it."""

    number: Float[Array, ""]
    coin: Float[Array, ""]
    """Decides whether a world with a false first while is rejected."""
    water: Float[Array, ""]
    kinds: Float[Array, " objects"]
    places: Float[Array, " cells"]


def draw(key: Key[Array, ""], params: MinecraftParams) -> Draws:
    """Draw a world's randomness."""
    cells = params.size**2
    uniform = draw_uniform(key, 3 + (cells - 1) + cells)
    return Draws(uniform[0], uniform[1], uniform[2], uniform[3 : 2 + cells], uniform[2 + cells :])


class Population(NamedTuple):
    """The objects of a world, not yet placed: the first `number` of `kinds`."""

    number: Int32[Array, ""]
    kinds: Int8[Array, " objects"]

    @property
    def exists(self) -> Bool[Array, " objects"]:
        """Which of the kinds are really there."""
        return jnp.arange(self.kinds.shape[0]) < self.number

    @property
    def counts(self) -> Counts:
        """How many there are of each kind that conditions compare."""
        return jnp.stack([(self.exists & (self.kinds == kind)).sum(dtype=jnp.int8) for kind in COUNTED])


def populate(draws: Draws) -> Population:
    """Any number of objects up to all cells but the worker's, of uniformly random kinds."""
    most = draws.kinds.shape[0]
    return Population(below(draws.number, most + 1), (1 + below(draws.kinds, len(COUNTED))).astype(jnp.int8))


class Execution(NamedTuple):
    """An execution of the instruction on counts, and what matters about it so far."""

    line: Int16[Array, ""]
    counts: Counts
    inventory: Int8[Array, "3"]
    loops: Int8[Array, " lines"]
    """How often each while line was found true."""
    performed: Bool[Array, ""]
    """Whether any subtask was performed."""
    whiles: Int8[Array, ""]
    """The first while met: 0 none yet, 1 it was true, 2 it was false."""
    entered: Bool[Array, ""]
    """Whether the condition of any if or while held."""
    feasible: Bool[Array, ""]


def execute(program: Program, counts: Counts, params: MinecraftParams) -> Execution:
    """Execute the instruction on the counts, up to its end or the first need that is not met."""
    begin = Execution(
        line=jnp.int16(0),
        counts=counts,
        inventory=jnp.zeros(len(RESOURCES), jnp.int8),
        loops=jnp.zeros(program.lines.shape[0], jnp.int8),
        performed=jnp.bool(False),
        whiles=jnp.int8(0),
        entered=jnp.bool(False),
        feasible=jnp.bool(True),
    )

    def running(now: Execution) -> Bool[Array, ""]:
        return now.feasible & (now.line < program.length)

    return advance_while(running, lambda now: _step(program, now, params), begin)


def _step(program: Program, now: Execution, params: MinecraftParams) -> Execution:
    """One line: a subtask is performed, a control line followed."""
    type_, verb, noun = program.lines[now.line]
    is_subtask, is_while, is_if = (type_ == t for t in (LineType.SUBTASK, LineType.WHILE, LineType.IF))
    true = holds(evaluate(now.counts), program.conditions[now.line])
    counts, inventory, met = perform(verb, noun, now.counts, now.inventory)
    loops = now.loops + (is_while & true & (jnp.arange(now.loops.shape[0]) == now.line))
    first_while = is_while & (now.whiles == 0)
    skips = (is_if | is_while) & ~true | (type_ == LineType.ELSE)
    match = program.matches[now.line]
    after = jnp.where(skips, match, now.line) + 1
    return Execution(
        line=jnp.where(type_ == LineType.ENDWHILE, match, after).astype(jnp.int16),
        counts=jnp.where(is_subtask, counts, now.counts),
        inventory=jnp.where(is_subtask, inventory, now.inventory),
        loops=loops.astype(jnp.int8),
        performed=now.performed | is_subtask,
        whiles=jnp.where(first_while, jnp.where(true, 1, 2), now.whiles).astype(jnp.int8),
        entered=now.entered | (is_if | is_while) & true,
        # An endless walk must find some while true again and again, so the bound on loops excludes it too.
        feasible=(~is_subtask | met) & (loops <= params.max_loops).all(),
    )


def perform(
    verb: Int8[Array, ""], noun: Int8[Array, ""], counts: Counts, inventory: Int8[Array, "3"]
) -> tuple[Counts, Int8[Array, "3"], Bool[Array, ""]]:
    """Perform a subtask on the counts; the last flag tells whether its needs are met."""
    is_noun = jnp.arange(1, 1 + len(RESOURCES)) == noun
    # One piece of wood is spared for a bridge: needs may not touch it.
    spare = jnp.array([kind == WOOD for kind in range(len(RESOURCES))], jnp.int8)
    available = (is_noun & (counts[: len(RESOURCES)] > spare)).any()
    held = (is_noun & (inventory > 0)).any()
    mines, sells = verb == Verb.MINE, verb == Verb.SELL
    met = jnp.where(sells, (counts[Thing.MERCHANT - 1] > 0) & (held | available), available)
    taken = is_noun & (mines | sells & ~held)
    counts = counts - jnp.append(taken, False)
    inventory = inventory + (is_noun & mines) - (is_noun & sells & held)
    return counts.astype(jnp.int8), inventory.astype(jnp.int8), met


def feasible(
    program: Program, population: Population, coin: Float[Array, ""], params: MinecraftParams
) -> Bool[Array, ""]:
    """Whether the instruction can be carried out here, by the counts; `coin` decides on false whiles."""
    end = execute(program, population.counts, params)
    accepted = end.feasible
    if params.reject_idle:
        accepted &= end.performed
    if params.failing_block is not None:
        return accepted & ~end.entered
    return accepted & ((end.whiles != 2) | (coin >= params.false_while_rejection))
