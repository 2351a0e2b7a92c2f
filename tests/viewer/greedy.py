"""Episodes as JAX plays them, in the playground's terms: of the greedy agent, and of somebody who errs."""

from collections import Counter
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from compiled import at

from cofca.agents.base import Agent
from cofca.agents.decide import Chances, decide
from cofca.envs.base import Status
from cofca.envs.minecraft import Level, Minecraft, MinecraftParams, oracle, parse, read_map
from cofca.envs.minecraft.levels.own import compile_program
from cofca.envs.minecraft.render.words import words
from cofca.envs.render.moment import STATUSES
from cofca.experiments.zoo import load
from cofca.utils.trees import stack
from cofca.viewer.playground_page import AGENT

ENV, SIZE = Minecraft(), 6
PARAMS = MinecraftParams(length=(1, 50))
CHANCES = Chances(jnp.float32(0), jnp.float32(0), jnp.float32(0))
CERTAIN = 99.0
"""The lead of the only choice there is."""
ERRS = 0.3
"""How often somebody errs."""


class Played(NamedTuple):
    """A time step, and by how much its three choices were ahead of the next best."""

    step: dict[str, Any]
    lead: float


def read_levels(levels: list[dict[str, str]]) -> Level:
    """Levels as text and map."""
    return stack([_level(level["instruction"], level["map"]) for level in levels])


def _level(text: str, drawing: str) -> Level:
    cells, worker = read_map(drawing, SIZE)
    program = compile_program(parse(text), PARAMS.lines)
    return Level(jax.random.key(0), program, jnp.asarray(cells), jnp.asarray(worker))


def play(levels: Level, params: MinecraftParams = PARAMS) -> list[list[Played]]:
    """Each level's episode, step by step, of the agent."""
    agent = load(AGENT)
    memories = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (len(levels.worker), *leaf.shape)), _memory(agent))
    step = partial(_decide, agent, params=params)
    return [[_played(step) for step in steps] for steps in _episodes(step, levels, memories, params)]


def err(levels: Level, params: MinecraftParams = PARAMS) -> list[list[dict[str, Any]]]:
    """Each level's episode, step by step, of somebody who commands now and then what comes to mind."""
    episodes = _episodes(partial(_err, params=params), levels, _keys(levels), params)
    return [[_plain(step) for step in steps] for steps in episodes]


def last_words(levels: Level) -> Counter[tuple[str, ...]]:
    """What is said of the last steps of those episodes, besides command and answer."""
    found: Counter[tuple[str, ...]] = Counter()

    def watch(before: Any, after: Any, told: dict[str, Any]) -> None:
        said = words(before, after, int(told["command"]), int(told["primitive"]), PARAMS)
        found[*said.news, *filter(None, [said.why])] += 1

    _episodes(partial(_err, params=PARAMS), levels, _keys(levels), PARAMS, watch)
    return found


def _keys(levels: Level) -> Any:
    return jax.random.split(jax.random.key(1), len(levels.worker))


def _episodes(
    step: Any, levels: Level, memories: Any, params: MinecraftParams, watch: Any = None
) -> list[list[dict[str, Any]]]:
    states = _start(levels, params)
    episodes: list[list[dict[str, Any]]] = [[] for _ in levels.worker]
    running = set(range(len(episodes)))
    while running:
        before, (states, memories, told) = states, step(states, memories)
        told = jax.device_get(told)
        for episode in running:
            episodes[episode].append({name: values[episode] for name, values in told.items()})
        ended = {episode for episode in running if told["status"][episode] != Status.RUNNING}
        for episode in ended:
            if watch:
                watch(at(before, episode), at(states, episode), episodes[episode][-1])
        running -= ended
    return episodes


_memory = jax.jit(Agent.initial_memory)


@partial(jax.jit, static_argnames="params")
def _start(levels: Level, params: MinecraftParams) -> Any:
    return jax.vmap(partial(ENV.start, params=params))(levels)


@partial(jax.jit, static_argnames="params")
def _decide(agent: Agent, states: Any, memories: Any, params: MinecraftParams) -> tuple[Any, Any, dict[str, Any]]:
    def one(state: Any, memory: Any) -> tuple[Any, Any, dict[str, Any]]:
        respond = partial(ENV.respond, state.level.key, state, params=params)
        step = decide(agent, ENV.observe(state, params), memory, CHANCES, respond, greedy=True)
        action, gate, target = step.decision
        after, told = _went_on(state, action, step.response, params)
        logits, movement = step.policy
        leads = jnp.stack([_lead(logits), jnp.abs(movement.gate), jnp.where(gate, _lead(movement.targets), CERTAIN)])
        numbers = jnp.concatenate([logits, movement.gate[None], movement.weights, step.value[None]])
        pointed = {"pointer": memory.pointer, "opens": gate, "target": target, "numbers": numbers, "lead": leads.min()}
        return after, step.memory, {**told, **pointed}

    return jax.vmap(one)(states, memories)


@partial(jax.jit, static_argnames="params")
def _err(states: Any, keys: Any, params: MinecraftParams) -> tuple[Any, Any, dict[str, Any]]:
    def one(state: Any, key: Any) -> tuple[Any, Any, dict[str, Any]]:
        key, coin, which = jax.random.split(key, 3)
        action = jax.random.randint(which, (), 0, params.num_commands)
        action = jnp.where((jax.random.uniform(coin) < ERRS), action, oracle(state))
        after, told = _went_on(state, action, ENV.respond(key, state, action, params), params)
        return after, key, told

    return jax.vmap(one)(states, keys)


def _went_on(state: Any, action: Any, response: Any, params: MinecraftParams) -> tuple[Any, dict[str, Any]]:
    after, _ = ENV.advance(state.level.key, state, action, response, params)
    return after, {
        "command": action, "primitive": response, "cells": after.cells.ravel(), "inventory": after.inventory,
        "worker": after.worker[0].astype(int) * SIZE + after.worker[1], "line": after.line, "status": after.status,
    }  # fmt: skip


def _lead(logits: jax.Array) -> jax.Array:
    best, next_best = jax.lax.top_k(logits, 2)[0]
    return best - next_best


def _played(told: dict[str, Any]) -> Played:
    step = _plain(told)
    lead = step.pop("lead")
    return Played(step, lead)


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    return {**{name: value.tolist() for name, value in told.items()}, "status": STATUSES[told["status"]]}
