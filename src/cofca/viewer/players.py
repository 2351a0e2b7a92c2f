"""Levels and episodes for the page: all of the server's work that needs JAX."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import chain
from threading import Lock
from typing import Any

import jax

from cofca.agents.trace import trace
from cofca.envs.base import Environment
from cofca.envs.custom_level import custom_level, room_for
from cofca.envs.domain import Domain
from cofca.envs.registry import domain
from cofca.experiments.domains import find_domain
from cofca.experiments.familiar import unlike_training
from cofca.experiments.zoo import config_of, load
from cofca.utils.compilation import jit_for_params
from cofca.utils.trees import pick
from cofca.viewer.record import record
from cofca.viewer.request import Ask, Draw

__all__ = ["domain", "draw", "episode", "find_domain"]

_compiling: defaultdict[tuple[str, int], Lock] = defaultdict(Lock)
"""By domain or agent, and room for lines: whoever asks for what is being compiled already waits for it."""
_agent = cache(load)


def draw(chosen: Domain, wish: Draw) -> dict[str, Any]:
    """A random level as text and map."""
    params = chosen.params(length=(wish.length, wish.length), max_lines=room_for(wish.length))
    # A domain that makes a few levels sooner makes one so.
    make = chosen.few_levels or _levels(chosen.environment())
    level = pick(make(jax.random.key(wish.seed)[None], params), 0)
    return {"instruction": chosen.language.level_text(level), "map": chosen.language.map_text(level)}


@cache
def _levels(env: Environment) -> Callable[..., Any]:
    return jit_for_params(env.levels)


def episode(chosen: Domain, ask: Ask) -> dict[str, Any]:
    """An agent plays an instruction."""
    key, room = jax.random.key(ask.seed), room_for(len(chosen.language.parse(ask.instruction)))
    with _compiling[chosen.name, room]:
        level, params = custom_level(chosen, key, ask.instruction, ask.map or None)
    with _compiling[ask.agent, room]:
        steps = trace(key, _agent(ask.agent), chosen.environment(), level, params, ask.greedy)
        first = next(steps)
    told = record(chosen, ask.agent, level, params, chain([first], steps))
    if unlike := unlike_training(config_of(ask.agent), chosen, ask.instruction):
        told["frames"][0]["news"].insert(0, unlike)
    return told
