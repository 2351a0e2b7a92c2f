"""Programs written by hand: where they lie, and how they are read."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import jax

from cofca.envs.minecraft import Level, MinecraftParams, own_level
from cofca.utils.parameters import require

FOLDER = Path(__file__).parents[1] / "programs"
PARAMS = MinecraftParams(length=(1, 60))
"""Room for the longest of them."""
TITLE, MAP, SEED = "== ", "-- map", "-- seed "


class Handwritten(NamedTuple):
    """A program with its world: a drawn map, or a random one."""

    file: str
    title: str
    text: str
    drawing: str | None
    seed: int
    """Of the random world."""


def read_programs() -> list[Handwritten]:
    """All of them, in order."""
    return [program for path in sorted(FOLDER.glob("*.txt")) for program in _read(path)]


def _read(path: Path) -> Iterable[Handwritten]:
    before, *parts = f"\n{path.read_text(encoding='utf-8')}".split(f"\n{TITLE}")
    require(not before.strip(), f"{path}: the first line is no title")
    for part in parts:
        title, _, rest = part.partition("\n")
        text, _, drawing = rest.partition(MAP)
        text, _, seed = text.partition(SEED)
        yield Handwritten(path.name, title, text.strip("\n"), drawing.strip() or None, int(seed or 0))


def level_of(program: Handwritten) -> Level:
    """Its level, which the oracle solves; refused with the reason where it can't be carried out."""
    return own_level(jax.random.key(program.seed), program.text, PARAMS, program.drawing)
