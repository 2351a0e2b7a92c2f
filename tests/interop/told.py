"""The observation that a text tells, read by somebody who knows the page only."""

import re
from typing import Any

import numpy as np

from cofca.envs import minecraft, starcraft
from cofca.envs.minecraft.language.text import pad as pad_program
from cofca.envs.starcraft.language.text import pad as pad_orders
from cofca.envs.starcraft.symbols import Building, Unit, name

SETTINGS: dict[str, dict[str, Any]] = {
    "minecraft": {"length": (1, 4), "steps_per_line": 12, "max_depth": 2, "wait": True},
    "starcraft": {"length": (4, 6), "several_units": 1.0, "steps_per_line": 6, "ambush_probability": 0.4},
}
"""Of the environments that several tests play in. Time runs out soon."""
BUILDINGS, UNITS = [name(building) for building in Building], [name(unit) for unit in Unit]


def told(domain: str, text: str, params: Any) -> dict[str, np.ndarray]:
    """The arrays by name."""
    view, _, instruction = text.partition("Instruction:\n")
    return {"minecraft": _minecraft, "starcraft": _starcraft}[domain](view, instruction, params)


def _minecraft(view: str, instruction: str, params: Any) -> dict[str, np.ndarray]:
    drawing, under, held = re.fullmatch(r"Map:\n(.*)\nUnder the worker: (\w+)\nInventory: (.*)\n", view, re.S).groups()
    grid = np.zeros((params.size, params.size, 7), np.uint8)
    for row, letters in enumerate(drawing.split("\n")):
        for column, letter in enumerate(letters):
            if letter == "@":
                grid[row, column, 6] = 1
                letter = {"iron": "i", "gold": "g", "wood": "w", "merchant": "m", "nothing": "."}[under]
            if letter != ".":
                grid[row, column, "igwm~#".index(letter)] = 1
    counts = re.fullmatch(r"iron (\d+), gold (\d+), wood (\d+)", held).groups()
    program = minecraft.parse(instruction)
    return {
        "grid": grid,
        "inventory": np.array(counts, np.int8),
        "lines": pad_program(program, params.lines),
        "mask": _mask(len(program), params),
    }


def _starcraft(view: str, instruction: str, params: Any) -> dict[str, np.ndarray]:
    first, *rows = view.splitlines()
    assert first == "Each place is a row and a column."
    facts = dict(row.split(": ", 1) for row in rows)
    grid = np.zeros((params.size, params.size, 20), np.uint8)
    for building, row, column in re.findall(r"(\w+) (\d+) (\d+)", facts["Buildings"]):
        grid[int(row) - 1, int(column) - 1, BUILDINGS.index(building)] = 1
    enemy, probes = facts["Enemy in the last time step"], facts["Probes"].split(", ")
    ambush, _, destroyed = enemy.partition("buildings destroyed at ")
    places = [facts["Minerals"], facts["Gas"], *(probe.split(" at ")[1] for probe in probes), destroyed]
    for channel, several in enumerate(places, len(BUILDINGS)):
        for row, column in re.findall(r"(\d+) (\d+)", several):
            grid[int(row) - 1, int(column) - 1, channel] = 1
    ambushed = re.match(r"(\w+) ambushed", ambush)
    orders = starcraft.parse(instruction)
    return {
        "grid": grid,
        "ambushed": np.int8(UNITS.index(ambushed[1]) + 1 if ambushed else 0),
        "stage": _stage(facts["Command so far"], params),
        "action_mask": _choices(facts["You can choose"], params),
        "lines": pad_orders(orders, params.lines)[:, None],
        "mask": _mask(len(orders), params),
    }


def _stage(command: str, params: Any) -> np.ndarray:
    probe = re.match(r"Probe (\d)", command)
    building, place = re.search(r"builds (\w+) at …", command), re.match(r"row (\d+) column (\d+) trains …", command)
    return np.array(
        [
            int(probe[1]) if probe else 0,
            BUILDINGS.index(building[1]) + 1 if building else 0,
            (int(place[1]) - 1) * params.size + int(place[2]) if place else 0,
        ],
        np.int8,
    )


def _choices(words: str, params: Any) -> np.ndarray:
    cells = np.zeros((params.size, params.size), bool)
    if "a row and a column" in words:
        cells[:] = True
    for row, column in re.findall(r"(\d+) (\d+)(?=[,;])", words):
        cells[int(row) - 1, int(column) - 1] = True
    listed = set(re.findall(r"\w+", words)) if re.match("build|train", words) else set()
    return np.array(
        [
            "nothing" in words,
            *3 * ["probe 1 to 3" in words],
            *(building.lower() in listed for building in BUILDINGS),
            *cells.ravel(),
            *(unit.lower() in listed for unit in UNITS),
        ],
        np.uint8,
    )


def _mask(length: int, params: Any) -> np.ndarray:
    return (np.arange(params.lines) < length).astype(np.uint8)
