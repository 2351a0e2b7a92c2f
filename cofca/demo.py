"""The demonstration: levels are made, the oracle solves them, and one is shown from start to end."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np

from cofca.domains import Domain
from cofca.rollout import memoryless, play


def episode(domain: Domain, level: Any, params: Any, seed: int = 0, limit: int = 500) -> list[Any]:
    """The scenes of an episode that the oracle plays."""
    env = domain.environment()
    respond = jax.jit(partial(env.respond, params=params))
    advance = jax.jit(partial(env.advance, params=params))
    oracle = jax.jit(domain.oracle)
    state = env.start(level, params)
    scenes = [domain.scene(state, params)]
    for key in jax.random.split(jax.random.key(seed), limit):
        action = oracle(state)
        response = respond(key, state, action)
        state, outcome = advance(key, state, action, response)
        scenes.append(domain.scene(state, params, int(action), int(response)))
        if outcome.terminated or outcome.truncated:
            break
    return scenes


def most_telling(domain: Domain, params: Any, seed: int, number: int = 256) -> Any:
    """Of many levels the one whose correct execution contains the most kinds of transition."""
    env = domain.environment()
    levels = jax.jit(partial(env.levels, params=params))(jax.random.split(jax.random.key(seed), number))
    perfect = partial(play, jax.random.key(0), env, policy=memoryless(domain.oracle), params=params)
    played = jax.jit(lambda levels: perfect(levels=levels))(levels)
    kinds = (np.asarray(played.info.transitions) > 0).sum(axis=1)
    chosen = int(np.lexsort((np.asarray(played.steps), -kinds))[0])
    return jax.tree.map(lambda leaf: leaf[chosen], levels)


def save(domain: Domain, scenes: list[Any], out: Path, say: Callable[[str], None]) -> None:
    """Write the episode as a picture and an animation."""
    out.mkdir(parents=True, exist_ok=True)
    domain.save_png(scenes[0], out / "start.png")
    domain.save_gif(scenes, out / "episode.gif")
    say(f"picture:   {out / 'start.png'}")
    say(f"animation: {out / 'episode.gif'} ({len(scenes)} frames)")
