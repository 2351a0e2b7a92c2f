"""A restless pointer: some of its moves go anywhere.

Where the order of lines hardly matters, as in StarCraft, short instructions can't teach which of several lines to go to
when all of them would do. A pointer that goes to the nearest ends up between two lines, and never comes to the others.
"""

import math

import jax.numpy as jnp
from jaxtyping import Array, Float

from cofca.agents.modules.scan import IMPOSSIBLE


def anywhere(targets: Float[Array, " lines"]) -> Float[Array, " lines"]:
    """All lines that can be reached, equally likely: the logarithms of their probabilities."""
    reached = targets > IMPOSSIBLE / 2
    return jnp.where(reached, -jnp.log(reached.sum()), IMPOSSIBLE)


def restless(targets: Float[Array, " lines"], share: float) -> Float[Array, " lines"]:
    """With this share of moves anywhere."""
    if not share:
        return targets
    return jnp.logaddexp(targets + math.log1p(-share), anywhere(targets) + math.log(share))
