"""A scene and an episode to be drawn."""

import numpy as np

from cofca.envs.minecraft.language.instruction import Symbols
from cofca.envs.minecraft.language.text import words
from cofca.envs.minecraft.render.scene import Scene
from cofca.envs.minecraft.symbols import Condition, LineType, Primitive, Thing, Verb, command

ELSE, ENDIF, ENDWHILE = ((kind, 0, 0) for kind in (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE))


def subtask(verb: Verb, noun: Thing) -> Symbols:
    return LineType.SUBTASK, verb, noun


def opener(kind: LineType, more: Thing, than: Thing) -> Symbols:
    return kind, 0, Condition(more, than).code


def line_text(line: Symbols) -> str:
    return " ".join(words(line))


FIGURE_4 = (
    opener(LineType.WHILE, Thing.IRON, Thing.GOLD),
    subtask(Verb.MINE, Thing.IRON),
    ENDWHILE,
    opener(LineType.IF, Thing.MERCHANT, Thing.IRON),
    subtask(Verb.INSPECT, Thing.IRON),
    subtask(Verb.SELL, Thing.GOLD),
    ELSE,
    subtask(Verb.MINE, Thing.WOOD),
    ENDIF,
)
NESTED = (
    *FIGURE_4[3:7],
    *FIGURE_4[:3],
    ENDIF,
    subtask(Verb.SELL, Thing.WOOD),
    subtask(Verb.MINE, Thing.GOLD),
)
FIFTY = 5 * NESTED
SCENE = Scene(
    cells=np.arange(36).reshape(6, 6) % len(Thing),
    worker=(3, 3),
    inventory=(0, 2, 1),
    lines=FIGURE_4,
    current=1,
    time=14,
    time_limit=270,
    command=command(Verb.SELL, Thing.GOLD),
    primitive=Primitive.NORTH_EAST,
    status="running",
)
EPISODE = [
    SCENE._replace(
        lines=FIFTY,
        current=None if time == 49 else time,
        time=time,
        time_limit=1500,
        worker=(time % 6, time // 9),
        inventory=(time, 0, 100),
        command=time % 10,
        primitive=time % 12,
        status="success" if time == 49 else "running",
    )
    for time in range(50)
]
