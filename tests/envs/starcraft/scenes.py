"""A scene and an episode to be drawn."""

import numpy as np
from numpy.typing import NDArray

from cofca.envs.starcraft.render.scene import Scene
from cofca.envs.starcraft.symbols import FIRST_PROBE, FIRST_UNIT, Building, Stage, Terrain, Unit

NEXUS, PYLON, GATEWAY, CORE = Building.NEXUS, Building.PYLON, Building.GATEWAY, Building.CYBERNETICS_CORE
ZEALOT, STALKER = (FIRST_UNIT + unit - 1 for unit in (Unit.ZEALOT, Unit.STALKER))
LINES = tuple(map(int, (PYLON, GATEWAY, ZEALOT, PYLON, GATEWAY, CORE, STALKER, PYLON, GATEWAY, ZEALOT)))


def grid(**cells: int) -> NDArray[np.int64]:
    """A 6 by 6 grid with something in the cells named, such as `c12` for row 1 and column 2."""
    values = np.zeros((6, 6), int)
    for cell, value in cells.items():
        values[int(cell[1]), int(cell[2])] = value
    return values


def alive(**counts: int) -> tuple[int, ...]:
    return tuple(counts.get(unit.name, 0) for unit in Unit)


SCENE = Scene(
    buildings=grid(c22=NEXUS, c13=PYLON, c54=Building.FORGE),
    terrain=grid(c12=Terrain.MINERALS, c33=Terrain.GAS),
    probes=((2, 2), (2, 2), (4, 4)),
    goals=((5, 0), (2, 2), (4, 4)),
    tasks=(GATEWAY, 0, 0),
    destroyed=np.zeros((6, 6), bool),
    ambushed=0,
    units=alive(ZEALOT=1),
    lines=LINES,
    satisfied=tuple(line == PYLON or place == 2 for place, line in enumerate(LINES)),
    current=4,
    stage=Stage(2, 0, 0),
    time=14,
    time_limit=300,
    choice=FIRST_PROBE + 1,
    passed=False,
    status="running",
)
SIXTY = 6 * LINES
EPISODE = [
    SCENE._replace(
        lines=SIXTY,
        satisfied=tuple(place < time for place in range(60)),
        current=None if time == 24 else 2 * time,
        time=time,
        time_limit=1800,
        probes=((time % 6, time // 5), (2, 2), (5, 5)),
        goals=((0, 0), (time % 6, 3), (5, 5)),
        tasks=(time % 15, 0, 0),
        destroyed=SCENE.destroyed | (time % 7 == 3),
        ambushed=time % 17,
        units=tuple(time for _ in Unit),
        stage=Stage(time % 4, time % 15 if time % 4 else 0, 0),
        choice=time,
        passed=time % 2 == 0,
        status="success" if time == 24 else "running",
    )
    for time in range(25)
]
