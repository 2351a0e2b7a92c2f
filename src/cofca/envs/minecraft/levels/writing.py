"""Executing a sketch on the counts of a world, and writing while it is executed what can be carried out there."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Int8, Int16, Int32

from cofca.envs.minecraft.levels.deep import ANY, Sketch
from cofca.envs.minecraft.levels.population import perform
from cofca.envs.minecraft.params import FEWEST_SUBTASKS, MinecraftParams
from cofca.envs.minecraft.program import Counts, Program, make_program
from cofca.envs.minecraft.symbols import CONDITIONS, FIRST_CONDITION, RESOURCES, LineType, Thing, Verb
from cofca.utils.loops import advance_while
from cofca.utils.prng import pick

Subtasks = Bool[Array, "9"]
"""By command: verbs times nouns."""


class Writing(NamedTuple):
    """An execution that has written the lines it met."""

    line: Int16[Array, ""]
    verbs: Int8[Array, " lines"]
    nouns: Int8[Array, " lines"]
    """The second and the third symbol of each line."""
    met: Bool[Array, " lines"]
    counts: Counts
    inventory: Int8[Array, "3"]
    loops: Int8[Array, " lines"]
    """How often each while line was found true."""
    subtasks: Int16[Array, ""]
    """How many were performed."""
    feasible: Bool[Array, ""]


def write(sketch: Sketch, counts: Counts, params: MinecraftParams) -> tuple[Program, Bool[Array, ""]]:
    """The instruction as it can be carried out on these counts, and whether it can."""
    program = sketch.program
    nothing = jnp.zeros(program.lines.shape[0], jnp.int8)
    begin = Writing(
        line=jnp.int16(0),
        verbs=program.lines[:, 1],
        nouns=program.lines[:, 2],
        met=nothing > 0,
        counts=counts,
        inventory=jnp.zeros(len(RESOURCES), jnp.int8),
        loops=nothing,
        subtasks=jnp.int16(0),
        feasible=jnp.bool(True),
    )
    used_up = consumed(program)

    def running(now: Writing) -> Bool[Array, ""]:
        return now.feasible & (now.line < program.length)

    end = advance_while(running, lambda now: _step(sketch, used_up, now, params), begin)
    lines = jnp.stack([program.lines[:, 0], end.verbs, end.nouns], axis=-1)
    written = make_program(lines, program.matches, program.length)
    return written, end.feasible & (end.subtasks >= FEWEST_SUBTASKS)


def consumed(program: Program) -> Bool[Array, "lines 4"]:
    """What each block takes off the map, whatever becomes of the conditions in it: of what its condition counts."""
    type_, verb, noun = program.lines.T
    takes = (type_ == LineType.SUBTASK) & (verb != Verb.INSPECT)
    kinds = jnp.arange(1, 1 + Thing.MERCHANT)
    taken = jnp.cumsum(takes[:, None] & (noun[:, None] == kinds), axis=0)
    return taken[program.matches] > taken


def _step(sketch: Sketch, used_up: Bool[Array, "lines 4"], now: Writing, params: MinecraftParams) -> Writing:
    """One line: it is written when it is first met, and then followed as it is written."""
    program, line = sketch.program, now.line
    type_ = program.lines[line, 0]
    is_subtask, is_while, is_if = (type_ == t for t in (LineType.SUBTASK, LineType.WHILE, LineType.IF))
    asks = is_if | is_while
    first, spare = ~now.met[line], sketch.spare[line]

    true = truths(now.counts)
    possible = sketch.vocabulary & leading(true, is_while, sketch.truths[line], used_up[line])
    asked = jnp.maximum(now.nouns[line] - FIRST_CONDITION, 0)
    condition = _keep_or_pick(asked, first, possible, spare)
    enters = true[condition]

    doable = can_do(now.counts, now.inventory)
    drawn = (now.verbs[line].astype(jnp.int32) - 1) * len(RESOURCES) + now.nouns[line] - 1
    command = _keep_or_pick(jnp.maximum(drawn, 0), first, doable, spare)
    verb, noun = (1 + part for part in jnp.divmod(command, len(RESOURCES)))
    counts, inventory, met = perform(verb.astype(jnp.int8), noun.astype(jnp.int8), now.counts, now.inventory)

    here = jnp.arange(now.met.shape[0]) == line
    loops = (now.loops + (here & is_while & enters)).astype(jnp.int8)
    written = jnp.where(is_subtask, noun, FIRST_CONDITION + condition)
    skips = asks & ~enters | (type_ == LineType.ELSE)
    match = program.matches[line]
    after = jnp.where(skips, match, line) + 1
    return Writing(
        line=jnp.where(type_ == LineType.ENDWHILE, match, after).astype(jnp.int16),
        verbs=jnp.where(here & is_subtask, verb, now.verbs).astype(jnp.int8),
        nouns=jnp.where(here & (is_subtask | asks), written, now.nouns).astype(jnp.int8),
        met=now.met | here,
        counts=jnp.where(is_subtask, counts, now.counts),
        inventory=jnp.where(is_subtask, inventory, now.inventory),
        loops=loops,
        subtasks=(now.subtasks + is_subtask).astype(jnp.int16),
        feasible=jnp.where(is_subtask, met, ~asks | ~first | possible.any()) & (loops <= params.max_loops).all(),
    )


def truths(counts: Counts) -> Bool[Array, "12"]:
    """Which conditions hold."""
    return jnp.stack([counts[more - 1] > counts[than - 1] for more, than in CONDITIONS])


def leading(
    true: Bool[Array, "12"], is_while: Bool[Array, ""], wanted: Int8[Array, ""], used_up: Bool[Array, "4"]
) -> Bool[Array, "12"]:
    """Conditions that lead execution where it should go; loops must have a way to end."""
    ends = jnp.stack([used_up[more - 1] for more, _ in CONDITIONS])
    return ((wanted == ANY) | (true == (wanted > 0))) & (~is_while | ~true | ends)


def can_do(counts: Counts, inventory: Int8[Array, "3"]) -> Subtasks:
    """Which subtasks have what they need."""
    verbs, nouns = jnp.divmod(jnp.arange(len(Verb) * len(RESOURCES), dtype=jnp.int8), len(RESOURCES))
    return jax.vmap(lambda verb, noun: perform(verb, noun, counts, inventory)[2])(verbs + 1, nouns + 1)


def _keep_or_pick(
    drawn: Int[Array, ""], first: Bool[Array, ""], possible: Bool[Array, " items"], spare: Float[Array, ""]
) -> Int32[Array, ""]:
    """What was drawn, unless it is new and impossible: then something that is possible."""
    return jnp.where(first & ~possible[drawn], pick(spare, possible), drawn).astype(jnp.int32)
