"""The stock, with increments given: it knows which units are alive, which no observation shows."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from agents.samples import small_agent, spec
from cofca.agents.encoders.starcraft_things import things
from cofca.agents.modules.stock import QUICK, Stock, Things
from cofca.envs.registry import domain
from cofca.envs.starcraft.oracle import oracle
from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL

LEVELS, FRAMES = 64, 200


def counted() -> Stock:
    """A completed command makes one of what it names; a message takes one away."""
    plain = Stock(jax.random.key(0), spec("starcraft"))
    parts = jnp.array([0.0, 1.0]) / QUICK, jnp.array([0.0, -1.0]) / QUICK
    return eqx.tree_at(lambda made: (made.acted, made.told), plain, parts)


def played() -> Any:
    """States that the oracle comes through, what was counted at each, and what is seen there."""
    found, stock = domain("starcraft"), counted()
    env, params = found.environment(), found.params(length=(20, 30))

    def frame(carry: tuple[Any, jax.Array], key: jax.Array) -> tuple[Any, Any]:
        state, c = carry
        obs = env.observe(state, params)
        seen, told = things(obs)
        action = oracle(state)
        response = env.respond(key, state, action, params)
        after, _ = env.advance(key, state, action, response, params)
        return (after, stock.after(c, Things(seen, told), action, response)), (state, c, seen, told)

    def episode(level: Any) -> Any:
        begun = env.start(level, params), jnp.zeros(LAST_SYMBOL + 1)
        return jax.lax.scan(frame, begun, jax.random.split(level.key, FRAMES))[1]

    levels = env.levels(jax.random.split(jax.random.key(3), LEVELS), params)
    return jax.device_get(jax.jit(jax.vmap(episode))(levels))


def test_it_is_known_which_units_are_alive():
    states, c, seen, told = played()
    # Who was ambushed in the last time step is told now, and counted when time passes again.
    alive = c[..., FIRST_UNIT:] - told[..., FIRST_UNIT:]
    running = states.status == 0
    assert running.sum() > 1000
    assert told.any(axis=-1)[running].sum() > 50
    assert np.array_equal(alive[running], states.units[running])
    for building in range(1, FIRST_UNIT):
        assert np.array_equal(seen[..., building], (states.buildings == building).sum(axis=(-1, -2)))
    assert not seen[..., FIRST_UNIT:].any()


def test_numbers_are_carried_from_step_to_step():
    agent: Any = small_agent("cofca-m", "starcraft")
    assert agent.hidden_size == LAST_SYMBOL + 1
    assert not agent.initial_memory().hidden.any()
