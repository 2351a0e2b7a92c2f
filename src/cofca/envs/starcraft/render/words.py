"""A frame in words: the choice, whether time passed, and what the enemy did."""

from functools import partial

import numpy as np
from jaxtyping import Array, Bool, Int

from cofca.envs.base import Status
from cofca.envs.render.words import Words, late_text
from cofca.envs.starcraft.commands import interpret
from cofca.envs.starcraft.language.instruction import words as line_words
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.progress import standing
from cofca.envs.starcraft.render.scene import Scene, choice_text, news_texts, passed_text
from cofca.envs.starcraft.render.show import scene_of
from cofca.envs.starcraft.symbols import NOTHING
from cofca.envs.starcraft.world import State, obey
from cofca.utils.compilation import quick_jit


def words(before: State, after: State, action: int, response: int, params: StarCraftParams) -> Words:
    """What happened between two states."""
    scene = scene_of(after, params, action, response)
    passed = bool(after.time != before.time)
    in_vain = passed and action != NOTHING and not _obeyed(before, np.int32(action), params)
    told = f"{passed_text(scene)} in vain" if in_vain else passed_text(scene)
    why = "" if after.status != Status.OUT_OF_TIME else _late(after, scene)
    return Words(choice_text(action, params.size), told, news_texts(scene) if passed else [], in_vain, why)


@partial(quick_jit, static_argnums=2)
def _obeyed(state: State, choice: Int[Array, ""], params: StarCraftParams) -> Bool[Array, ""]:
    """Whether the command that a choice completes is carried out."""
    command = interpret(choice, state.stage, state.buildings, params)
    return obey(state, standing(state.buildings), command)[2]


def _late(state: State, scene: Scene) -> str:
    line = int(state.line)
    return late_text(line, " ".join(line_words(scene.lines[line])))


def first_words(state: State, params: StarCraftParams) -> list[str]:
    """Nothing has happened yet."""
    del state, params
    return []
