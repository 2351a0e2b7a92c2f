"""The levels that the playground offers: `python -m cofca.viewer.levels FILE` makes them anew."""

import json
import sys
from pathlib import Path

import jax

from cofca.envs.minecraft import CONDITIONS, Minecraft, MinecraftParams
from cofca.envs.registry import domain
from cofca.utils.trees import pick

LINES, EACH = 50, 3
"""Of the longest; so many of each kind."""
LENGTHS = (3, 5, 8, 10, 15, 20, 30, 40, 50)
"""Of levels whose blocks are nested up to two deep."""
DEPTHS = (2, 3, 4)
"""How deep the execution of others goes."""


def kinds() -> dict[str, MinecraftParams]:
    """Parameters of levels, by what a person reads."""
    flat = {
        f"{length} lines": MinecraftParams(length=(length, length), max_lines=LINES, max_depth=2, conditions=CONDITIONS)
        for length in LENGTHS
    }
    deep = {
        f"{depth} deep": MinecraftParams(
            length=(20, 30), max_lines=LINES, max_depth=depth, executed_depth=depth, conditions=CONDITIONS
        )
        for depth in DEPTHS
    }
    return flat | deep


def made() -> list[dict[str, str]]:
    """All of them as text and map."""
    language, found = domain("minecraft").language, []
    for place, (kind, params) in enumerate(kinds().items()):
        keys = jax.random.split(jax.random.fold_in(jax.random.key(0), place), EACH)
        levels = Minecraft().levels(keys, params)
        for level in (pick(levels, number) for number in range(EACH)):
            text, drawing = language.level_text(level), language.map_text(level)
            found.append({"kind": kind, "instruction": text, "map": drawing})
    return found


if __name__ == "__main__":
    rows = ",\n".join(json.dumps(level) for level in made())
    Path(sys.argv[1]).write_text(f"[\n{rows}\n]\n", encoding="utf-8")
