"""One moment of an episode in plain Python, and the words for its codes: all that the renderers know."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cofca.envs.starcraft.symbols import (
    FIRST_BUILDING,
    FIRST_CELL,
    FIRST_PROBE,
    NOTHING,
    Building,
    Stage,
    Unit,
    name,
)


class Scene(NamedTuple):
    """What a picture of the world shows."""

    buildings: NDArray[np.integer[Any]]
    """Code of the `Building` in each cell, 0 for none, [height, width]."""
    terrain: NDArray[np.integer[Any]]
    """Code of the `Terrain` of each cell, [height, width]."""
    probes: tuple[tuple[int, int], ...]
    """Row and column of the three Probes."""
    goals: tuple[tuple[int, int], ...]
    """Where they are going: their own place where they have no order."""
    tasks: tuple[int, ...]
    """The `Building` each is to build, 0 for none."""
    destroyed: NDArray[np.bool_]
    """Cells whose building was destroyed in the last time step, [height, width]."""
    ambushed: int
    """The `Unit` lost in the last time step, 0 for none."""
    units: tuple[int, ...]
    """How many of each `Unit` are alive, in the order of their codes. Hidden from agents."""
    lines: tuple[int, ...]
    """The instruction, without padding."""
    satisfied: tuple[bool, ...]
    """For each line whether its building stands or its unit is covered at the moment."""
    current: int | None
    """Index of the line to do; None when all units are covered."""
    stage: Stage
    time: int
    time_limit: int
    choice: int | None
    """The latest choice; None before the first."""
    passed: bool | None
    """Whether time passed with it, or it only narrowed the command; None before the first."""
    status: str
    """One of `cofca.envs.render.moment.STATUSES`."""
    pointer: int | None = None
    """Index of the line an agent's pointer is at; None if nobody's is shown."""


def choice_text(choice: int | None, width: int) -> str:
    """A choice in words, such as `Probe 2`, `Nexus`, `row 1 column 3` or `Adept`, on a grid so many cells wide."""
    if choice is None:
        return "-"
    first_unit = FIRST_CELL + width * width
    if not NOTHING < choice < first_unit + len(Unit):
        return "nothing"
    if choice < FIRST_BUILDING:
        return f"Probe {choice - FIRST_PROBE + 1}"
    if choice < FIRST_CELL:
        return name(Building(choice - FIRST_BUILDING + 1))
    if choice < first_unit:
        return cell_text(choice - FIRST_CELL, width)
    return name(Unit(choice - first_unit + 1))


def cell_text(cell: int, width: int) -> str:
    """A cell by row and column, both from 1."""
    row, column = divmod(cell, width)
    return f"row {row + 1} column {column + 1}"


def stage_text(stage: Stage, width: int) -> str:
    """The command being put together, such as `Probe 1 builds Pylon at ...`; `-` before its first choice."""
    if stage.cell:
        return f"{cell_text(stage.cell - 1, width)} trains …"
    if stage.building:
        return f"Probe {stage.probe} builds {name(Building(stage.building))} at …"
    return f"Probe {stage.probe} …" if stage.probe else "-"


def order_text(scene: Scene, probe: int) -> str:
    """What the Probe of an index is about to do, such as `builds Pylon at row 1 column 3`."""
    (row, column), task = scene.goals[probe], scene.tasks[probe]
    width = scene.buildings.shape[1]
    if task:
        return f"builds {name(Building(task))} at {cell_text(row * width + column, width)}"
    return "waits" if scene.probes[probe] == (row, column) else f"goes to {cell_text(row * width + column, width)}"


def units_text(scene: Scene, fits: Callable[[str], bool]) -> str:
    """How many of each unit are alive, and where not all fit how many kinds are left out; `-` for none."""
    alive = [f"{name(unit)} {count}" for unit, count in zip(Unit, scene.units, strict=True) if count]
    texts = ("  ".join([*alive[:shown], f"+{len(alive) - shown}"]) for shown in reversed(range(len(alive))))
    return next(filter(fits, ("  ".join(alive), *texts)), "") or "-"


def facts(scene: Scene) -> dict[str, str]:
    """What is shown beside the map."""
    return {
        "units": units_text(scene, lambda text: True),
        "command": stage_text(scene.stage, scene.buildings.shape[1]),
        "enemy": ", ".join(news_texts(scene)) or "-",
    }


def passed_text(scene: Scene) -> str:
    """Whether time passed with the latest choice."""
    return "" if scene.passed is None else "time passed" if scene.passed else "no time passed"


def news_texts(scene: Scene) -> list[str]:
    """What the enemy destroyed in the last time step."""
    lost = int(scene.destroyed.sum())
    ambush = [f"{name(Unit(scene.ambushed))} ambushed"] if scene.ambushed else []
    return ambush + ([f"{lost} building{'s' if lost > 1 else ''} lost"] if lost else [])
