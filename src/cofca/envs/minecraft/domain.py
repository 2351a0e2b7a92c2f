"""The Minecraft-inspired domain, as the rest of the package knows it."""

from functools import partial

import numpy as np

from cofca.envs import minecraft
from cofca.envs.domain import Controls, Display, Domain, Language
from cofca.envs.minecraft.errands import Errands, errand_policy, plan_errand
from cofca.envs.minecraft.levels.few import few_levels
from cofca.envs.minecraft.levels.own import draw_map
from cofca.envs.minecraft.play import choices, play_help, read_command
from cofca.envs.minecraft.prose import PROSE
from cofca.envs.minecraft.render.clauses import clauses
from cofca.envs.minecraft.render.palette import palette
from cofca.envs.minecraft.render.picture import grid_picture, picture, save_gif, save_png
from cofca.envs.minecraft.render.scene import command_text, facts, place
from cofca.envs.minecraft.render.terminal import ansi
from cofca.envs.minecraft.render.words import first_words, words
from cofca.envs.minecraft.unlike import unlike
from cofca.envs.minecraft.worker import Worker, planner

LANGUAGE = Language(
    parse=minecraft.parse,
    custom_level=minecraft.own_level,
    level_text=minecraft.level_text,
    map_text=lambda level: draw_map(np.asarray(level.cells), tuple(np.asarray(level.worker).tolist())),
    unlike=unlike,
)
DISPLAY = Display(
    scene=minecraft.scene_of,
    picture=picture,
    grid_picture=grid_picture,
    facts=facts,
    ansi=ansi,
    save_png=save_png,
    save_gif=save_gif,
    action_text=lambda action, params: command_text(action),
    words=words,
    first_words=first_words,
    clauses=clauses,
    palette=palette,
    place=place,
)


def minecraft_domain(worker: Worker = planner) -> Domain:
    """With this worker."""
    return Domain(
        name="minecraft",
        environment=partial(minecraft.Minecraft, worker),
        params=minecraft.MinecraftParams,
        oracle=minecraft.oracle,
        transitions=minecraft.Transition,
        one_path=True,
        bin_width=10,
        language=LANGUAGE,
        display=DISPLAY,
        controls=Controls(play_help, read_command, choices),
        prose=PROSE,
        errands=(Errands(), errand_policy(worker)),
        few_levels=few_levels,
        with_worker=minecraft_domain,
    )


def errands_domain() -> Domain:
    """What workers are trained on: Minecraft's levels, a command at a time."""
    whole = minecraft_domain()
    return whole._replace(
        name="errands", environment=Errands, oracle=plan_errand, prose=None, errands=None, with_worker=None
    )
