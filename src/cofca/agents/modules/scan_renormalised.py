r"""The Scan as published: what probability is left when no coin shows heads goes to no line.

.. math:: P_{kj} = \sigma(B_{kj}) \prod_{l \text{ before } k} (1 - \sigma(B_{lj}))

So the columns of P sum to less than one. A line is drawn with probabilities in proportion to
:math:`\sum_j \mathrm{softmax}(u)_j P_{kj}`, as a categorical distribution renormalises what it is given.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from cofca.agents.modules.scan import Sided, before, by_line, coins


def scan_without_rest(
    forward: Sided, backward: Sided, pointer: Int[Array, ""], length: Int[Array, ""]
) -> Float[Array, "lines columns"]:
    """The logarithms of P, as `scan.scan` but for the last line, which is a line like any other."""
    if not forward.shape[0]:
        return jnp.zeros((1, forward.shape[1]))
    no = jnp.bool_(False)
    heads, tails = coins(forward, length - 1 - pointer, no)
    heads_behind, tails_behind = coins(backward, pointer, no)
    nearer = before(tails + tails_behind)
    return by_line(heads + nearer, heads_behind + nearer + tails, pointer, length == 1)


def renormalised_mixture(
    P: Float[Array, "lines columns"], u: Float[Array, " columns"]
) -> tuple[Float[Array, "lines columns"], Float[Array, " columns"]]:
    """The same mixture of columns that sum to one: the logarithms of P_j / Z_j and of softmax(u)_j Z_j / Z."""
    Z = jax.nn.logsumexp(P, axis=0)
    return P - Z, jax.nn.log_softmax(u.astype(jnp.float32) + Z)
