"""Stock: how much there is of everything that lines name, counted over time, and which lines lack something."""

import math
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.modules.layers import Embedding
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name

QUICK = 30.0
"""Adam moves all parameters by as much a step. These few have to go a long way: they are multiplied by this."""
SOFT = 8.0
"""K, the sharpness of coins, at the start."""
BySymbol = Float[Array, " symbols"]
ByLine = Float[Array, " lines"]


class Things(NamedTuple):
    """What an observation says of everything that lines name, by symbol."""

    seen: BySymbol
    """How many are on the map."""
    told: BySymbol
    """1 for what a message names."""


class Stock(eqx.Module):
    """c: an action adds to what it names, and so does a message, which may be less than nothing. How much depends on
    the response to the action. What is counted once stays counted."""

    acted: Float[Array, " responses"]
    told: Float[Array, " responses"]
    inclined: Embedding
    """By symbol, how the two coins of its lines fall whatever there is."""
    log_sharpness: Float[Array, "2"]
    """K of both coins."""
    named: tuple[int, ...] = eqx.field(static=True)
    """By symbol the action of the same name; -1 for none."""

    def __init__(self, key: PRNGKeyArray, spec: Spec) -> None:
        """At the start every action counts for one, and messages for nothing."""
        self.acted, self.told = jnp.full(spec.responses, 1 / QUICK), jnp.zeros(spec.responses)
        made = Embedding(by_name(key, "inclined"), spec.symbols, 2)
        self.inclined = eqx.tree_at(lambda made: made.table, made, jnp.zeros_like(made.table))
        self.log_sharpness = jnp.full(2, math.log(SOFT), jnp.float32)
        assert spec.named is not None
        self.named = spec.named

    def after(self, c: BySymbol, things: Things, action: Int[Array, ""], response: Int[Array, ""]) -> BySymbol:
        """c after a time step."""
        acted = action == jnp.array(self.named)
        return c + QUICK * (self.told[response] * things.told + self.acted[response] * acted)

    def coins(self, lines: Int[Array, "lines 1"], c: BySymbol, seen: BySymbol) -> tuple[ByLine, ByLine]:
        """The logits of both coins of every line: whether it lacks what it names, which earlier lines may have taken,
        and whether it is settled, because that can be seen."""
        symbols = lines[:, 0].astype(jnp.int32)
        earlier = jnp.tril(symbols[:, None] == symbols[None, :], -1).sum(axis=1)
        K = jnp.exp(self.log_sharpness.astype(jnp.float32))
        lacks, settled = QUICK * self.inclined(lines).astype(jnp.float32).T
        there = jnp.minimum(seen[symbols], 1)
        return lacks + K[0] * (0.5 - c[symbols] + earlier), settled + K[1] * (there - 0.5)
