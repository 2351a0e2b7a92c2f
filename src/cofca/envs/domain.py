"""A domain: an environment, and what everything that sits on top may ask of it."""

import operator
from collections.abc import Callable, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

    from cofca.envs.base import Environment
    from cofca.envs.rollout import Episodes, Policy, Watcher


PLANNER = "planner"
"""The worker that domains with workers have by default."""


class Language(NamedTuple):
    """Instructions and maps as people write them."""

    parse: Callable[[str], tuple]
    """From a text to its lines."""
    custom_level: Callable[..., Any]
    """From a key, a text, parameters and perhaps a drawn map to a level."""
    level_text: Callable[[Any], str]
    """A level's instruction as text."""
    map_text: Callable[[Any], str]
    """A level's map as it would be drawn."""
    unlike: Callable[[Any, Any], list[str]] | None = None
    """From an instruction's lines and parameters of training levels to what these do not have, in words."""


class Display(NamedTuple):
    """Moments of an episode as people see them."""

    scene: Callable[..., Any]
    """From a state, parameters and the latest action and response to what the renderers show."""
    picture: Callable[..., Any]
    grid_picture: Callable[..., Any]
    """From a scene and the side of a cell in pixels to the map alone."""
    facts: Callable[[Any], dict[str, str]]
    """From a scene to what is shown beside the map, in words."""
    ansi: Callable[..., str]
    save_png: Callable[..., None]
    save_gif: Callable[..., None]
    action_text: Callable[[int, Any], str]
    """From an action and parameters to words."""
    words: Callable[..., Any]
    """From two states, the action and response between them and parameters to what happened, in words."""
    first_words: Callable[..., list[str]]
    """From the first state and parameters to what has happened already."""
    clauses: Callable[..., Any] | None = None
    """From what `words` takes, the pointer before and after it to parts of a sentence; None where nobody wrote them."""
    palette: "Callable[[int], dict[str, tuple[str, Image]]] | None" = None
    """From the side of a cell in pixels to the name and the tile of each letter of a drawn map."""
    place: Callable[[Any], tuple[float, float]] | None = None
    """From a scene to where on the map its worker is, as shares of width and height; None where pictures show ways."""
    standing: Callable[[Any], dict[str, Any]] | None = None
    """From a scene to what of the instruction stands, as plain data: `done`, and the rows of the build `tree`."""
    icons: "Callable[[Any, int], dict[str, Image]] | None" = None
    """From a scene and a side in pixels to the emblem of each name in lines and tree."""


class Controls(NamedTuple):
    """How a person plays."""

    help: Callable[[Any], str]
    """From parameters to how to command."""
    read_command: Callable[[str, Any], list[int]]
    """From what a person types to the actions it means."""
    choices: Callable[[Any, Any], str]
    """From a state and parameters to what a person can choose now."""


class Prose(NamedTuple):
    """What an agent is told where it reads and writes text: what observations and responses hold, and no more."""

    rules: Callable[[Any], str]
    """From parameters to the rules and the commands, for somebody who has never seen the domain."""
    observation: Callable[[Any, Any], str]
    """From an observation and parameters to all that it holds."""
    news: Callable[[int, Any], str]
    """From a response and the observation after it to what has just happened."""


class Domain(NamedTuple):
    """One domain."""

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
    language: Language
    display: Display
    controls: Controls | None = None
    """None where a person can't play."""
    prose: Prose | None = None
    """None where there is no text environment."""
    references: "Mapping[str, Policy]" = MappingProxyType({})
    """Scripted agents beside the oracle and random choices."""
    watcher: "Watcher | None" = None
    """Who takes notes while episodes are evaluated."""
    clock: "Callable[[Episodes], Any]" = operator.attrgetter("steps")
    """From episodes to how many time steps each took, where several actions may fall into one."""
    errands: "tuple[Environment, Policy] | None" = None
    """Where actions are commands to a worker: its single commands, and the worker that carries them out."""
    few_levels: Callable[[Any, Any], Any] | None = None
    """From a few keys and parameters to the environment's levels, sooner where nothing has been compiled; None where
    nobody wrote that."""
    with_worker: "Callable[[Any], Domain] | None" = None
    """The same domain with another worker, where there is a choice."""
