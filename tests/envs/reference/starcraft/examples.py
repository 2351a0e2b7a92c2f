"""A level small enough to work out by hand, and the choices and commands in it."""

from collections.abc import Sequence
from typing import Any

from envs.reference.starcraft.simulator import Place, Simulator

Flags = tuple[int, bool, bool]
"""Reward, terminated, truncated."""

ASSIMILATOR, CORE, DARK_SHRINE, FORGE, GATEWAY, NEXUS, CANNON, PYLON, COUNCIL = 1, 2, 3, 5, 6, 7, 8, 9, 14
ADEPT, OBSERVER, STALKER, ZEALOT = 1, 8, 12, 16  # as numbers of units
TRAIN_ADEPT, TRAIN_OBSERVER, TRAIN_STALKER, TRAIN_ZEALOT = 15, 22, 26, 30  # as lines

# Pylon -> Gateway -> CyberneticsCore -> TwilightCouncil; all others are roots.
PREREQUISITES = [0, GATEWAY, 0, 0, 0, PYLON, 0, 0, 0, 0, 0, 0, 0, CORE]
# A Pylon trains the Adept, a CyberneticsCore the Stalker, a Gateway the Zealot, a Nexus everyone else.
TRAINERS = [PYLON, *[NEXUS] * 10, CORE, *[NEXUS] * 3, GATEWAY]

HOME = (1, 1)
MINERALS_AT, GAS_AT = (0, 0), (0, 1)
STATE = (
    *("buildings", "probes", "goals", "tasks", "units", "stage"),
    *("ambushed", "destroyed", "line", "time", "status", "transitions", "latest"),
)

NOTHING = 0


def probe(number: int) -> int:
    return number


def building(number: int) -> int:
    return 3 + number


def cell(row: int, column: int) -> int:
    return 18 + 6 * row + column


def unit(number: int) -> int:
    return 53 + number


def grid(things: dict[Place, int]) -> list[list[int]]:
    """A 6×6 grid of zeros but for {place: code}."""
    return [[things.get((row, column), 0) for column in range(6)] for row in range(6)]


def make(
    lines: Sequence[int] = (PYLON, GATEWAY, TRAIN_ZEALOT), further: dict[Place, int] | None = None, **options: Any
) -> Simulator:
    """An episode with a Nexus and the Probes at HOME, and the further buildings {place: kind}."""
    options = {"prerequisites": PREREQUISITES, "trainers": TRAINERS, "probe": HOME} | options
    return Simulator(
        lines=lines,
        terrain=grid({MINERALS_AT: 1, GAS_AT: 2}),
        buildings=grid({HOME: NEXUS} | (further or {})),
        **options,
    )


def state(sim: Simulator) -> dict[str, Any]:
    """A copy of all the state there is."""
    copies = {"buildings": [list(row) for row in sim.buildings], "destroyed": [list(row) for row in sim.destroyed]}
    copies |= {name: list(getattr(sim, name)) for name in ("probes", "goals", "tasks", "units", "stage")}
    copies |= {"transitions": dict(sim.transitions), "latest": set(sim.latest)}
    return {name: copies.get(name, getattr(sim, name)) for name in STATE}


def standing(sim: Simulator) -> dict[Place, int]:
    return {(r, c): code for r, row in enumerate(sim.buildings) for c, code in enumerate(row) if code}


def destroyed(sim: Simulator) -> set[Place]:
    return {(r, c) for r, row in enumerate(sim.destroyed) for c, here in enumerate(row) if here}


def go(sim: Simulator, number: int, place: Place, **enemy: Any) -> Flags:
    sim.step(probe(number))
    return sim.step(cell(*place), **enemy)


def build(sim: Simulator, number: int, kind: int, place: Place, **enemy: Any) -> Flags:
    sim.step(probe(number))
    sim.step(building(kind))
    return sim.step(cell(*place), **enemy)


def train(sim: Simulator, place: Place, kind: int, **enemy: Any) -> Flags:
    sim.step(cell(*place))
    return sim.step(unit(kind), **enemy)


def wait(sim: Simulator, times: int = 1) -> None:
    for _ in range(times):
        sim.step(NOTHING)


def allowed(sim: Simulator) -> set[int]:
    return {choice for choice, okay in enumerate(sim.mask()) if okay}


PROBES = {1, 2, 3}
BUILDINGS = set(range(4, 18))
CELLS = set(range(18, 54))
UNITS = set(range(54, 70))
