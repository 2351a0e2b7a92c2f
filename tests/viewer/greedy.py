"""Greedy episodes as JAX plays them, in the playground's terms."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from cofca.agents.base import Agent
from cofca.agents.decide import Chances, decide
from cofca.envs.base import Status
from cofca.envs.minecraft import Level, Minecraft, MinecraftParams, parse, read_map
from cofca.envs.minecraft.levels.own import compile_program
from cofca.envs.render.moment import STATUSES
from cofca.experiments.zoo import load
from cofca.utils.trees import stack
from cofca.viewer.playground_page import AGENT

ENV, SIZE = Minecraft(), 6
PARAMS = MinecraftParams(length=(1, 50))
CHANCES = Chances(jnp.float32(0), jnp.float32(0), jnp.float32(0))
CERTAIN = 99.0
"""The lead of the only choice there is."""


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
    """Each level's episode, step by step."""
    agent = load(AGENT)
    states = jax.jit(jax.vmap(partial(ENV.start, params=params)))(levels)
    number = levels.worker.shape[0]
    memories = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (number, *leaf.shape)), agent.initial_memory())
    episodes: list[list[Played]] = [[] for _ in range(number)]
    running = set(range(number))
    while running:
        states, memories, told = _advance(agent, states, memories, params)
        told = jax.device_get(told)
        for episode in running:
            episodes[episode].append(_played(jax.tree.map(lambda leaf, at=episode: leaf[at], told)))
        running = {episode for episode in running if told["status"][episode] == Status.RUNNING}
    return episodes


@partial(jax.jit, static_argnames="params")
def _advance(agent: Agent, states: Any, memories: Any, params: MinecraftParams) -> tuple[Any, Any, dict[str, Any]]:
    def one(state: Any, memory: Any) -> tuple[Any, Any, dict[str, Any]]:
        respond = partial(ENV.respond, state.level.key, state, params=params)
        step = decide(agent, ENV.observe(state, params), memory, CHANCES, respond, greedy=True)
        action, gate, target = step.decision
        after, _ = ENV.advance(state.level.key, state, action, step.response, params)
        logits, movement = step.policy
        leads = jnp.stack([_lead(logits), jnp.abs(movement.gate), jnp.where(gate, _lead(movement.targets), CERTAIN)])
        told = {
            "pointer": memory.pointer, "command": action, "primitive": step.response, "opens": gate, "target": target,
            "cells": after.cells.ravel(), "worker": after.worker[0] * SIZE + after.worker[1],
            "inventory": after.inventory, "line": after.line, "status": after.status,
            "numbers": jnp.concatenate([logits, movement.gate[None], movement.weights, step.value[None]]),
            "lead": leads.min(),
        }  # fmt: skip
        return after, step.memory, told

    return jax.vmap(one)(states, memories)


def _lead(logits: jax.Array) -> jax.Array:
    best, next_best = jax.lax.top_k(logits, 2)[0]
    return best - next_best


def _played(told: dict[str, Any]) -> Played:
    step = {name: np.asarray(value).tolist() for name, value in told.items()}
    lead = step.pop("lead")
    return Played({**step, "status": STATUSES[step["status"]]}, lead)
