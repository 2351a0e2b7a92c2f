"""The domains by name: what the command line, Gymnasium and the viewer need of each."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

from jaxtyping import PRNGKeyArray

from cofca import minecraft
from cofca.environment import Environment


class Domain(NamedTuple):
    """One domain and the functions around its environment."""

    name: str
    environment: Callable[[], Environment]
    params: type
    """Its parameters: a frozen dataclass with a `length` range."""
    oracle: Callable[[Any], Any]
    """From a state to the right action."""
    transitions: type[IntEnum]
    """The kinds of transition that `info.transitions` counts."""
    bin_width: int
    """How results are binned by instruction length."""
    parse: Callable[[str], tuple]
    """From a text to its lines."""
    own_level: Callable[..., Any]
    """From a key, a text, parameters and perhaps a drawn map to a level."""
    level_text: Callable[[Any], str]
    """A level's instruction as text."""
    scene: Callable[..., Any]
    """From a state, parameters and the latest action and response to what the renderers show."""
    picture: Callable[..., Any]
    ansi: Callable[..., str]
    save_png: Callable[..., None]
    save_gif: Callable[..., None]
    play: Callable[[PRNGKeyArray, Any, Any], bool]
    """Let a person play a level in the terminal."""


def _minecraft() -> Domain:
    from cofca.minecraft.play import play
    from cofca.minecraft.render.picture import picture, save_gif, save_png
    from cofca.minecraft.render.terminal import ansi

    return Domain(
        name="minecraft",
        environment=minecraft.Minecraft,
        params=minecraft.MinecraftParams,
        oracle=minecraft.oracle,
        transitions=minecraft.Transition,
        bin_width=10,
        parse=minecraft.parse,
        own_level=minecraft.own_level,
        level_text=minecraft.level_text,
        scene=minecraft.scene_of,
        picture=picture,
        ansi=ansi,
        save_png=save_png,
        save_gif=save_gif,
        play=play,
    )


_DOMAINS = {"minecraft": _minecraft}
NAMES = tuple(_DOMAINS)


def domain(name: str) -> Domain:
    """Look a domain up."""
    if name not in _DOMAINS:
        raise ValueError(f"unknown domain {name!r}; expected {' or '.join(NAMES)}")
    return _DOMAINS[name]()
