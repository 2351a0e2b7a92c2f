"""The domains by name: what the command line, Gymnasium and the viewer need of each."""

from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

# The command line knows the names before it imports JAX.
if TYPE_CHECKING:
    from cofca.envs.base import Environment
    from cofca.envs.rollout import Policy, Watcher


class Domain(NamedTuple):
    """One domain and the functions around its environment."""

    name: str
    environment: "Callable[[], Environment]"
    params: type
    """Its parameters: a frozen dataclass with a `length` range."""
    oracle: Callable[[Any], Any]
    """From a state to the right action."""
    transitions: type[IntEnum]
    """The kinds of transition that `info.transitions` counts."""
    one_path: bool
    """Whether a level is carried out in one way by everybody who carries it out. Then the oracle's episode tells which
    kinds of transition a level requires; otherwise which kinds occur depends on chance and on who plays."""
    bin_width: int
    """How results are binned by instruction length."""
    parse: Callable[[str], tuple]
    """From a text to its lines."""
    own_level: Callable[..., Any]
    """From a key, a text, parameters and perhaps a drawn map to a level."""
    level_text: Callable[[Any], str]
    """A level's instruction as text."""
    map_text: Callable[[Any], str]
    """A level's map as it would be drawn."""
    scene: Callable[..., Any]
    """From a state, parameters and the latest action and response to what the renderers show."""
    picture: Callable[..., Any]
    grid_picture: Callable[..., Any]
    """From a scene and the side of a cell in pixels to the map alone."""
    facts: Callable[[Any], dict[str, str]]
    """From a scene to what is shown beside the map, in words."""
    action_text: Callable[[int, Any], str]
    """From an action and parameters to words."""
    ansi: Callable[..., str]
    save_png: Callable[..., None]
    save_gif: Callable[..., None]
    play_help: Callable[[Any], str]
    """From parameters to how a person commands."""
    read_command: Callable[[str, Any], list[int]]
    """From what a person types to the actions it means."""
    choices: Callable[[Any, Any], str]
    """From a state and parameters to what a person can choose now."""
    words: Callable[..., Any]
    """From two states, the action and response between them and parameters to what happened, in words."""
    first_words: Callable[..., list[str]]
    """From the first state and parameters to what has happened already."""
    references: "Mapping[str, Policy]" = MappingProxyType({})
    """Scripted agents beside the oracle and random choices."""
    errands: "tuple[Environment, Policy] | None" = None
    """Where actions are commands to a worker: its single commands, and the worker that carries them out."""
    watcher: "Watcher | None" = None
    """Who takes notes while episodes are evaluated."""


def _minecraft(worker: str) -> Domain:
    import numpy as np

    from cofca.envs import minecraft
    from cofca.envs.minecraft.errands import Errands, errand_policy
    from cofca.envs.minecraft.levels.own import draw_map
    from cofca.envs.minecraft.play import choices, play_help, read_command
    from cofca.envs.minecraft.render.picture import grid_picture, picture, save_gif, save_png
    from cofca.envs.minecraft.render.scene import command_text, facts
    from cofca.envs.minecraft.render.terminal import ansi
    from cofca.envs.minecraft.render.words import first_words, words
    from cofca.experiments.workers import find_worker

    found = find_worker(worker)
    return Domain(
        name="minecraft",
        environment=partial(minecraft.Minecraft, found),
        params=minecraft.MinecraftParams,
        oracle=minecraft.oracle,
        transitions=minecraft.Transition,
        one_path=True,
        bin_width=10,
        parse=minecraft.parse,
        own_level=minecraft.own_level,
        level_text=minecraft.level_text,
        map_text=lambda level: draw_map(np.asarray(level.cells), tuple(np.asarray(level.worker).tolist())),
        scene=minecraft.scene_of,
        picture=picture,
        grid_picture=grid_picture,
        facts=facts,
        action_text=lambda action, params: command_text(action),
        ansi=ansi,
        save_png=save_png,
        save_gif=save_gif,
        play_help=play_help,
        read_command=read_command,
        choices=choices,
        words=words,
        first_words=first_words,
        errands=(Errands(), errand_policy(found)),
    )


def _starcraft() -> Domain:
    from cofca.envs import starcraft
    from cofca.envs.starcraft.levels.own import draw_map
    from cofca.envs.starcraft.play import choices, play_help, read_command
    from cofca.envs.starcraft.render.picture import grid_picture, picture, save_gif, save_png
    from cofca.envs.starcraft.render.scene import choice_text, facts
    from cofca.envs.starcraft.render.terminal import ansi
    from cofca.envs.starcraft.render.words import first_words, words
    from cofca.envs.starcraft.setbacks import SETBACKS

    return Domain(
        name="starcraft",
        environment=starcraft.StarCraft,
        params=starcraft.StarCraftParams,
        oracle=starcraft.oracle,
        transitions=starcraft.Transition,
        one_path=False,
        bin_width=5,
        parse=starcraft.parse,
        own_level=starcraft.own_level,
        level_text=starcraft.level_text,
        map_text=draw_map,
        scene=starcraft.scene_of,
        picture=picture,
        grid_picture=grid_picture,
        facts=facts,
        action_text=lambda action, params: choice_text(action, params.size),
        ansi=ansi,
        save_png=save_png,
        save_gif=save_gif,
        play_help=play_help,
        read_command=read_command,
        choices=choices,
        words=words,
        first_words=first_words,
        references=starcraft.REFERENCES,
        watcher=SETBACKS,
    )


PLANNER = "planner"
NAMES = ("minecraft", "starcraft")


def domain(name: str, worker: str = PLANNER) -> Domain:
    """Look a domain up. The worker of Minecraft is the planner, the learned one, or a folder of trained weights."""
    if name not in NAMES:
        raise ValueError(f"unknown domain {name!r}; expected {' or '.join(NAMES)}")
    if worker != PLANNER and name != "minecraft":
        raise ValueError(f"{name} has no worker to choose: {worker!r} is one of minecraft")
    return _minecraft(worker) if name == "minecraft" else _starcraft()


def errands() -> Domain:
    """What workers are trained on: Minecraft's levels, a command at a time."""
    from cofca.envs.minecraft.errands import Errands, plan_errand

    return domain("minecraft")._replace(name="errands", environment=Errands, oracle=plan_errand, errands=None)
