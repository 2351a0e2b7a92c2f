"""The emblems of buildings and units in any size."""

from collections.abc import Callable
from functools import cache

from PIL import Image

from cofca.envs.render.brush import CLEAR, Brush, drawn
from cofca.envs.starcraft.render import early, late
from cofca.envs.starcraft.symbols import FIRST_UNIT, Building


def _unit(brush: Brush) -> None:
    """A warrior: one sign for all units, as they are never seen on the map."""
    brush.ellipse((6, 36, 58, 96), "#B02A4C")
    brush.ellipse((6, 36, 50, 96), "#D9486E")
    brush.box((0, 60, 64, 64), CLEAR)
    brush.box((18, 4, 46, 42), "#7A1733", 13)
    brush.box((18, 19, 46, 26), "#FFC9D6", 3)


PAINT: dict[Building, Callable[[Brush], None]] = {
    Building.ASSIMILATOR: early.assimilator,
    Building.CYBERNETICS_CORE: early.cybernetics_core,
    Building.DARK_SHRINE: late.dark_shrine,
    Building.FLEET_BEACON: late.fleet_beacon,
    Building.FORGE: early.forge,
    Building.GATEWAY: early.gateway,
    Building.NEXUS: early.nexus,
    Building.PHOTON_CANNON: early.photon_cannon,
    Building.PYLON: early.pylon,
    Building.ROBOTICS_BAY: late.robotics_bay,
    Building.ROBOTICS_FACILITY: late.robotics_facility,
    Building.STAR_GATE: late.star_gate,
    Building.TEMPLAR_ARCHIVES: late.templar_archives,
    Building.TWILIGHT_COUNCIL: late.twilight_council,
}


@cache
def emblem(line: int, size: int, strength: float = 1.0) -> Image.Image:
    """The emblem of a line's building or unit alone, faint with a strength below one."""
    image = drawn(PAINT[Building(line)] if line < FIRST_UNIT else _unit, size)
    if strength < 1:
        image.putalpha(image.getchannel("A").point([round(strength * alpha) for alpha in range(256)]))
    return image
