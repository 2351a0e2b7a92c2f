"""Hypothesis strategies for the StarCraft-inspired domain."""

from hypothesis import strategies as st

from cofca.envs.starcraft import Building, Instruction, Unit
from cofca.envs.starcraft.symbols import FIRST_UNIT

NUMBER = len(Building)


@st.composite
def instructions(draw: st.DrawFn, max_orders: int = 6) -> Instruction:
    """Orders from any forest, chains of any depth included."""
    shuffled = draw(st.permutations(Building))
    # A place in the shuffle before one's own, or -1 for a root.
    parents = [draw(st.integers(-1, place - 1)) for place in range(NUMBER)]
    trainers = draw(st.lists(st.integers(0, NUMBER - 1), min_size=len(Unit), max_size=len(Unit)))
    lines: list[int] = []
    for unit in draw(st.lists(st.sampled_from(Unit), min_size=1, max_size=max_orders)):
        chain, place = [], trainers[unit - 1]
        while place >= 0:
            chain.append(int(shuffled[place]))
            place = parents[place]
        lines += [*reversed(chain), FIRST_UNIT + unit - 1]
    return tuple(lines)
