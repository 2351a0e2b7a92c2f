"""The blocks of Minecraft's instructions, given instead of learned: the reference beside CoFCA-R."""

import equinox as eqx
import jax.numpy as jnp

from cofca.agents.cofca_r import CofcaR
from cofca.envs.minecraft.symbols import LineType

CLOSES = (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE)
OPENS = (LineType.IF, LineType.ELSE, LineType.WHILE)


def with_blocks_given(agent: CofcaR) -> CofcaR:
    """The agent with a and b set by hand in every return, hard. Training leaves them as they are: they have no
    gradient. All the rest is to be learned."""
    symbols = agent.brackets.symbols
    returns = symbols.table.shape[-1] // 2
    of_types = [[+1 if line in kinds else -1 for kinds in (CLOSES, OPENS)] for line in LineType]
    # The first symbol of a line is its type, and its rows come first; no other symbol matters.
    table = jnp.zeros_like(symbols.table).at[..., : len(LineType), :].set(jnp.repeat(jnp.array(of_types), returns, 1))
    given = eqx.tree_at(lambda made: made.symbols.table, agent.brackets, table)
    return eqx.tree_at(lambda agent: agent.brackets, agent, given.hardened())
