r"""The line to do: the first line that lacks something, or, if that cannot be done yet, one before it.

Every line has two coins. The first heads of the one, from the first line on, are the goal:

.. math:: F_k = \sigma(l_k) \prod_{j < k} (1 - \sigma(l_j))

From the goal back, the first heads of the other say what is settled. The pointer lands behind them:

.. math:: P_k = \sum_{g \geq k} F_g \, \sigma(s_{k-1}) \prod_{k \leq j < g} (1 - \sigma(s_j))

Before the first line everything is settled. The last line takes what probability of the goal is left.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from cofca.agents.modules.first_return import log_coin
from cofca.agents.modules.scan import IMPOSSIBLE

ByLine = Float[Array, " lines"]


def line_to_do(lacks: ByLine, settled: ByLine, length: Int[Array, ""]) -> ByLine:
    """The logarithms of P, from the logits l and s."""
    line = jnp.arange(lacks.shape[0])
    lacking, not_lacking = log_coin(lacks)
    goal = jnp.where(line == length - 1, 0.0, lacking) + _before(not_lacking)
    goal = jnp.where(line < length, goal, IMPOSSIBLE)
    heads, tails = log_coin(settled)
    passed = _before(tails)
    # What is settled just before a line; before the first one, everything.
    ready = jnp.roll(heads, 1).at[0].set(0.0)
    return ready - passed + jax.lax.cumlogsumexp(goal + passed, reverse=True)


def _before(logs: ByLine) -> ByLine:
    """The sum over the lines before each."""
    return jnp.cumsum(logs) - logs
