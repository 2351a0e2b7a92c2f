"""Levels and an experiment of one's own for the tests, and how observations are compared."""

import numpy as np

ID = "cofca/Minecraft-v0"
MINE_IRON, MINE_GOLD, WAIT = map(np.int64, (0, 1, 9))
EMPTY_ROW = "......\n"
MAP = "@i....\ng#....\n" + 4 * EMPTY_ROW
IRON_THEN_GOLD = {"instruction": "mine iron\nmine gold", "map": MAP}
NUM_ENVS = 5
ONE_LINE = """
name = "one-line"
domain = "minecraft"
train = { length = [1, 1] }

[[bins]]
low = 1
high = 1
length = [1, 1]
"""
"""An experiment."""


def pick(obs: dict[str, np.ndarray], number: int) -> dict[str, np.ndarray]:
    return {name: value[number] for name, value in obs.items()}


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)
