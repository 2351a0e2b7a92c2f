"""Soft while learning, exact in the end: what is learned by degrees becomes whole numbers.

Fractions can be learned, but they add up over lines: fifty lines that open .02 each are one block that nobody closes.
Agents are hardened when they are evaluated in training and when their final weights are stored. Learners stay soft.
"""

from typing import Any

import jax

from cofca.agents.base import Agent
from cofca.agents.modules.brackets import Brackets


def harden(agent: Agent) -> Agent:
    """The same agent, or several side by side, with hard brackets. All other parts stay as they are."""

    def is_soft(part: Any) -> bool:
        return isinstance(part, Brackets)

    return jax.tree.map(lambda part: part.hardened() if is_soft(part) else part, agent, is_leaf=is_soft)
