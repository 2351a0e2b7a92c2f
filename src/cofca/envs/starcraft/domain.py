"""The StarCraft-inspired domain, as the rest of the package knows it."""

from cofca.envs import starcraft
from cofca.envs.domain import Controls, Display, Domain, Language
from cofca.envs.starcraft.levels.own import draw_map
from cofca.envs.starcraft.play import choices, play_help, read_command
from cofca.envs.starcraft.prose import PROSE
from cofca.envs.starcraft.render.clauses import clauses
from cofca.envs.starcraft.render.palette import palette
from cofca.envs.starcraft.render.picture import grid_picture, picture, save_gif, save_png
from cofca.envs.starcraft.render.scene import choice_text, facts
from cofca.envs.starcraft.render.standing import icons, standing
from cofca.envs.starcraft.render.terminal import ansi
from cofca.envs.starcraft.render.words import first_words, words
from cofca.envs.starcraft.setbacks import SETBACKS


def unlike(orders: tuple, params: starcraft.StarCraftParams) -> list[str]:
    """Its length, in words, where training had no orders so long."""
    longest = params.length[1]
    return [f"{len(orders)} lines (at most {longest} there)"] if len(orders) > longest else []


LANGUAGE = Language(starcraft.parse, starcraft.own_level, starcraft.level_text, draw_map, unlike)
DISPLAY = Display(
    scene=starcraft.scene_of,
    picture=picture,
    grid_picture=grid_picture,
    facts=facts,
    ansi=ansi,
    save_png=save_png,
    save_gif=save_gif,
    action_text=lambda action, params: choice_text(action, params.size),
    words=words,
    first_words=first_words,
    clauses=clauses,
    palette=palette,
    standing=standing,
    icons=icons,
)


def starcraft_domain() -> Domain:
    """There is just one."""
    return Domain(
        name="starcraft",
        environment=starcraft.StarCraft,
        params=starcraft.StarCraftParams,
        oracle=starcraft.oracle,
        transitions=starcraft.Transition,
        one_path=False,
        bin_width=5,
        language=LANGUAGE,
        display=DISPLAY,
        controls=Controls(play_help, read_command, choices),
        prose=PROSE,
        references=starcraft.REFERENCES,
        watcher=SETBACKS,
        clock=lambda episodes: episodes.notes.time,
    )
