"""The blocks of Minecraft's instructions, given instead of learned: the reference beside CoFCA-R."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import PRNGKeyArray

from cofca.agents.modules.brackets import Brackets
from cofca.envs.minecraft.symbols import LineType

CLOSES = (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE)
OPENS = (LineType.IF, LineType.ELSE, LineType.WHILE)


def given_brackets(key: PRNGKeyArray, limits: tuple[int, ...], returns: int) -> Brackets:
    """a and b set by hand in every return, hard. Training leaves them as they are: they have no gradient."""
    made = Brackets(key, limits, returns)
    of_types = [[+1 if line in kinds else -1 for kinds in (CLOSES, OPENS)] for line in LineType]
    # The first symbol of a line is its type, and its rows come first; no other symbol matters.
    table = jnp.zeros_like(made.symbols.table).at[: len(LineType)].set(jnp.repeat(jnp.array(of_types), returns, 1))
    return eqx.tree_at(lambda made: made.symbols.table, made, table).hardened()
