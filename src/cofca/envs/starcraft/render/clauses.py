"""Parts of a sentence about a time step: the choice, what the enemy had done before it, and what is not done yet."""

from cofca.envs.render.words import Clauses
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.render.scene import Scene, choice_text, stage_text
from cofca.envs.starcraft.render.show import scene_of
from cofca.envs.starcraft.symbols import FIRST_UNIT, NOTHING, Building, Stage, Unit, name
from cofca.envs.starcraft.world import State


def clauses(
    before: State, after: State, action: int, response: int, params: StarCraftParams, pointer: int, target: int
) -> Clauses:
    """What happened between two states, while the pointer went from one line to another."""
    del after
    scene = scene_of(before, params)
    cause = _enemy(scene) if scene.stage == Stage(0, 0, 0) or pointer != target else ""
    return Clauses(_deed(scene, action, bool(response), params.size), cause, _pending(scene, pointer))


def _deed(scene: Scene, action: int, passed: bool, size: int) -> str:
    chosen = choice_text(action, size)
    if action == NOTHING:
        return "the agent commands nothing, and time passes"
    if scene.stage == Stage(0, 0, 0):
        return f"the agent chooses {chosen}"
    whole = stage_text(scene.stage, size).removesuffix("…").rstrip()
    return f"the agent commands: {whole} {chosen}" if passed else f"the agent adds {chosen} to “{whole} …”"


def _enemy(scene: Scene) -> str:
    """What the enemy did in the time step before, which the agent sees now."""
    lost = int(scene.destroyed.sum())
    buildings = f"the enemy destroyed {lost} building{'s' if lost > 1 else ''}" if lost else ""
    return " and ".join(filter(None, [_ambush(scene), buildings]))


def _ambush(scene: Scene) -> str:
    if not scene.ambushed:
        return ""
    symbol = FIRST_UNIT + scene.ambushed - 1
    lines = [at + 1 for at, line in enumerate(scene.lines) if line == symbol and not scene.satisfied[at]]
    return f"an ambush killed the {name(Unit(scene.ambushed))}" + (f" of line {lines[0]}" if lines else "")


def _pending(scene: Scene, pointer: int) -> str:
    if scene.satisfied[pointer]:
        return ""
    symbol = scene.lines[pointer]
    noun = name(Unit(symbol - FIRST_UNIT + 1) if symbol >= FIRST_UNIT else Building(symbol))
    return f"the {noun} is not {'trained' if symbol >= FIRST_UNIT else 'built'} yet"
