"""Errands: single commands, on which a worker learns. Its action is a primitive, and it sees one line at a time.

An errand begins somewhere on the way through an instruction that the oracle and the planner have carried out so far,
so that maps and inventories are those of real episodes, and ends when the current subtask is completed.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Int8, Int16, Key, PRNGKeyArray

from cofca.envs.base import Environment, Outcome, Status, outcome_of
from cofca.envs.minecraft import world
from cofca.envs.minecraft.env import Info, Minecraft, Observation
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.oracle import oracle, step
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.symbols import LINE_LIMITS, Primitive, Thing, Verb
from cofca.envs.minecraft.worker import View, Worker, needs_bridge, planner, words
from cofca.envs.minecraft.world import State
from cofca.envs.rollout import Policy, scripted

BEGINNING = 0xE88A
"""How far an instruction has been carried out is folded from the level's key with this."""


class Errand(NamedTuple):
    """The world, how long the worker has been on its way, and how it went."""

    world: State
    time: Int16[Array, ""]
    status: Int8[Array, ""]


class Errands(Environment[MinecraftParams, Level, Errand, Observation]):
    """Carry out the current subtask of an instruction. Reward is 1 for completing it without waste."""

    minecraft: Minecraft = Minecraft()

    @property
    def default_params(self) -> MinecraftParams:
        """Those of whole instructions."""
        return self.minecraft.default_params

    def levels(self, keys: Key[Array, " levels"], params: MinecraftParams) -> Level:
        """Levels of whole instructions."""
        return self.minecraft.levels(keys, params)

    def start(self, level: Level, params: MinecraftParams) -> Errand:
        """Let the planner carry out a random part of the instruction."""
        key = jax.random.fold_in(level.key, BEGINNING)
        subtasks = jax.random.randint(key, (), 0, level.program.length)

        def on_the_way(carry: tuple[State, State, Array]) -> Bool[Array, ""]:
            _, ahead, done = carry
            return (done < subtasks) & (ahead.status == Status.RUNNING)

        def go_on(carry: tuple[State, State, Array]) -> tuple[State, State, Array]:
            _, state, done = carry
            ahead = step(state, params)
            return state, ahead, done + completes(state, ahead)

        first = world.start(level)
        before, state, _ = jax.lax.while_loop(on_the_way, go_on, (first, first, jnp.int32(0)))
        # An instruction that is done has no subtask left to carry out: then from the step before.
        unfinished = jax.tree.map(lambda a, b: jnp.where(state.status == Status.RUNNING, a, b), state, before)
        return Errand(unfinished, jnp.int16(0), jnp.int8(Status.RUNNING))

    def observe(self, state: Errand, params: MinecraftParams) -> Observation:
        """The world, and as the instruction nothing but the current line."""
        seen = self.minecraft.observe(state.world, params)
        return seen._replace(lines=seen.lines[state.world.line][None], mask=jnp.ones(1, jnp.uint8))

    def respond(
        self, key: PRNGKeyArray, state: Errand, action: Int[Array, ""], params: MinecraftParams
    ) -> Int8[Array, ""]:
        """Nobody answers: the action is what happens."""
        del key, state, params
        return jnp.where((action >= 0) & (action < len(Primitive)), action, Primitive.STAY).astype(jnp.int8)

    def advance(
        self,
        key: PRNGKeyArray,
        state: Errand,
        action: Int[Array, ""],
        response: Int[Array, ""],
        params: MinecraftParams,
    ) -> tuple[Errand, Outcome]:
        """Carry out the primitive. An errand that is over stays as it is."""
        del key, action
        before = state.world
        after = world.advance(before, oracle(before), response, params)
        time = (state.time + 1).astype(jnp.int16)
        status = _status(before, after, time >= params.steps_per_line)
        running = state.status == Status.RUNNING
        errand = jax.tree.map(partial(jnp.where, running), Errand(after, time, status), state)
        now, succeeded = errand.world, errand.status == Status.SUCCEEDED
        info = Info(response, succeeded, now.level.program.length, now.transitions, now.latest)
        return errand, outcome_of(state.status, errand.status, info)

    def level_of(self, state: Errand) -> Level:
        """The level an errand is part of."""
        return state.world.level

    def num_actions(self, params: MinecraftParams) -> int:
        """The primitives."""
        del params
        return len(Primitive)

    def num_responses(self, params: MinecraftParams) -> int:
        """The primitives."""
        del params
        return len(Primitive)

    def observation_limits(self, params: MinecraftParams) -> Observation:
        """As of whole instructions, but for the one line."""
        limits = self.minecraft.observation_limits(params)
        lines, mask = np.array([LINE_LIMITS], np.int8), np.ones(1, np.uint8)
        return limits._replace(lines=jax.device_put(lines), mask=jax.device_put(mask))


def _status(before: State, after: State, late: Bool[Array, ""]) -> Int8[Array, ""]:
    """How an errand stands after a time step."""
    failed = (after.status == Status.FAILED) | wastes(before, after)
    unfinished = jnp.where(late, Status.OUT_OF_TIME, Status.RUNNING)
    ended = jnp.where(completes(before, after), Status.SUCCEEDED, unfinished)
    return jnp.where(failed, Status.FAILED, ended).astype(jnp.int8)


def completes(before: State, after: State) -> Bool[Array, ""]:
    """Whether a time step completed the current subtask: the program counter then walks, or the program is done."""
    # A loop may lead back to the same line, and a walk over nothing but the end of a block is no transition.
    walked = (after.transitions != before.transitions).any() | (after.line != before.line)
    return walked | (before.status == Status.RUNNING) & (after.status == Status.SUCCEEDED)


def wastes(before: State, after: State) -> Bool[Array, ""]:
    """Whether a time step used up wood for nothing: later commands may ask for it.

    A bridge is worth it where nothing else leads to the target; wood, where it was asked for or such a bridge needs it.
    """

    def lost(thing: Thing) -> Bool[Array, ""]:
        return ((before.cells == thing) & (after.cells != thing)).any()

    command, view = oracle(before), View(before.cells, before.worker, before.inventory)
    verb, noun = words(command)
    needed = needs_bridge(view, command)
    asked = (noun == Thing.WOOD) & (verb != Verb.INSPECT) | needed & (before.inventory[Thing.WOOD - 1] == 0)
    return lost(Thing.WATER) & ~needed | lost(Thing.WOOD) & ~asked


def errand_policy(worker: Worker) -> Policy:
    """A worker that runs errands."""
    return scripted(lambda state: (), lambda key, state, memory: (_answer(worker, key, state), memory))


def plan_errand(state: Errand) -> Int[Array, ""]:
    """The planner's primitive: the ceiling of what a worker can do."""
    return _answer(planner, state.world.level.key, state)


def _answer(worker: Worker, key: PRNGKeyArray, state: Errand) -> Int[Array, ""]:
    now = state.world
    return worker(key, View(now.cells, now.worker, now.inventory), oracle(now))
