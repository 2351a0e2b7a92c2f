"""A domain of one's own, complete: a corridor of coloured lamps, switched on in the order that the lines say.

The instruction names colours, a line each. The walker steps left or right, or switches the lamp where it stands; a lamp
that is not the one to do ends the episode. `corridor.toml` beside this file is an experiment in it.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Key, PRNGKeyArray

from cofca.envs.base import Environment, Outcome, Status, outcome_of
from cofca.envs.domain import Display, Domain, Language
from cofca.envs.render.canvas import Canvas
from cofca.envs.render.files import write_gif, write_png
from cofca.envs.render.words import Words

WIDTH = 7
COLOURS = ("red", "green", "blue")
PAINT = ("#D92D4A", "#2F9E44", "#4A6FA5")
ACTIONS = ("left", "right", "switch")
STATUSES = ("running", "success", "failed", "out of time")


@dataclass(frozen=True)
class CorridorParams:
    """Frozen and hashable, so that compiled functions can be specialised to them."""

    length: tuple[int, int] = (1, 3)
    """Shortest and longest instruction, in lines."""
    max_lines: int | None = None
    """Lines that observations have room for; by default those of the longest instruction."""
    steps_per_line: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", tuple(self.length))

    @property
    def lines(self) -> int:
        return self.length[1] if self.max_lines is None else self.max_lines

    @property
    def playing(self) -> "CorridorParams":
        """Only what matters while a level is played."""
        return CorridorParams((1, self.lines), None, self.steps_per_line)


class Level(NamedTuple):
    """Everything random about an episode's start."""

    key: Key[Array, ""]
    lines: Int[Array, " lines"]
    """Colours, which count from one; zero is padding."""
    length: Int[Array, ""]
    lamps: Int[Array, " width"]
    walker: Int[Array, ""]


class State(NamedTuple):
    level: Level
    walker: Int[Array, ""]
    line: Int[Array, ""]
    """The one to do, which the agent is not told."""
    time: Int[Array, ""]
    status: Int[Array, ""]


class Observation(NamedTuple):
    lines: Int[Array, "lines 1"]
    mask: Int[Array, " lines"]
    grid: Int[Array, "1 width planes"]
    """For each cell the colour of its lamp, and whether the walker is there."""


class Transition(IntEnum):
    NEXT_LINE = 0


class Info(NamedTuple):
    transitions: Int[Array, "1"]


class Corridor(Environment[CorridorParams, Level, State, Observation]):
    """Pure functions of one episode."""

    @property
    def default_params(self) -> CorridorParams:
        return CorridorParams()

    def levels(self, keys: Key[Array, " levels"], params: CorridorParams) -> Level:
        return jax.vmap(lambda key: self.level(key, params))(keys)

    def level(self, key: PRNGKeyArray, params: CorridorParams) -> Level:
        """Every colour has a lamp, so every level can be solved."""
        k_length, k_lines, k_lamps, k_order, k_walker = jax.random.split(key, 5)
        low, high = params.length
        length = jax.random.randint(k_length, (), low, high + 1, jnp.int32)
        colours = jax.random.randint(k_lines, (params.lines,), 1, len(COLOURS) + 1, jnp.int32)
        lines = jnp.where(jnp.arange(params.lines) < length, colours, 0)
        rest = jax.random.randint(k_lamps, (WIDTH - len(COLOURS),), 1, len(COLOURS) + 1, jnp.int32)
        lamps = jax.random.permutation(k_order, jnp.concatenate([jnp.arange(1, len(COLOURS) + 1), rest]))
        return Level(key, lines, length, lamps, jax.random.randint(k_walker, (), 0, WIDTH, jnp.int32))

    def start(self, level: Level, params: CorridorParams) -> State:
        zero = jnp.int32(0)
        return State(level, level.walker, zero, zero, zero)

    def observe(self, state: State, params: CorridorParams) -> Observation:
        level, cells = state.level, jnp.arange(WIDTH)
        lamps = jax.nn.one_hot(level.lamps - 1, len(COLOURS), dtype=jnp.int8)
        walker = (cells == state.walker).astype(jnp.int8)[:, None]
        mask = (jnp.arange(level.lines.size) < level.length).astype(jnp.int8)
        return Observation(level.lines[:, None].astype(jnp.int8), mask, jnp.concatenate([lamps, walker], axis=1)[None])

    def respond(
        self, key: PRNGKeyArray, state: State, action: Int[Array, ""], params: CorridorParams
    ) -> Int[Array, ""]:
        """Whether a lamp is switched."""
        return (action == 2).astype(jnp.int32)

    def advance(
        self, key: PRNGKeyArray, state: State, action: Int[Array, ""], response: Int[Array, ""], params: CorridorParams
    ) -> tuple[State, Outcome]:
        level = state.level
        steps = jnp.where(action == 0, -1, jnp.where(action == 1, 1, 0))
        switched, running = response > 0, state.status == Status.RUNNING
        walker = jnp.clip(state.walker + steps * running, 0, WIDTH - 1)
        right = level.lamps[state.walker] == level.lines[state.line]
        line = state.line + (switched & right & running)
        time = state.time + running
        out = time >= params.steps_per_line * level.length
        status = jnp.where(out, Status.OUT_OF_TIME, Status.RUNNING)
        status = jnp.where(switched & ~right, Status.FAILED, status)
        status = jnp.where(line == level.length, Status.SUCCEEDED, status)
        status = jnp.where(running, status, state.status).astype(jnp.int32)
        after = State(level, walker.astype(jnp.int32), line, time, status)
        return after, outcome_of(state.status, status, Info(line[None]))

    def level_of(self, state: State) -> Level:
        return state.level

    def num_actions(self, params: CorridorParams) -> int:
        return len(ACTIONS)

    def num_responses(self, params: CorridorParams) -> int:
        return 2

    def observation_limits(self, params: CorridorParams) -> Observation:
        lines = jnp.full((params.lines, 1), len(COLOURS), jnp.int8)
        grid = jnp.ones((1, WIDTH, len(COLOURS) + 1), jnp.int8)
        return Observation(lines, jnp.ones(params.lines, jnp.int8), grid)


def oracle(state: State) -> Int[Array, ""]:
    """Go to the nearest lamp of the colour, and switch it."""
    level, cells = state.level, jnp.arange(WIDTH)
    wanted: Bool[Array, " width"] = level.lamps == level.lines[jnp.minimum(state.line, level.length - 1)]
    distance = jnp.where(wanted, abs(cells - state.walker), WIDTH)
    nearest = jnp.argmin(distance)
    return jnp.where(nearest == state.walker, 2, jnp.where(nearest > state.walker, 1, 0))


# Texts and pictures, for `follow` and `view`


def parse(text: str) -> tuple[int, ...]:
    """From one colour a line to numbers."""
    lines = [line.split("#")[0].strip() for line in text.replace(";", "\n").splitlines()]
    found = [line for line in lines if line]
    for number, line in enumerate(found, start=1):
        if line not in COLOURS:
            raise ValueError(f"line {number}: expected {', '.join(COLOURS)}, not {line!r}")
    return tuple(COLOURS.index(line) + 1 for line in found)


def custom_level(key: PRNGKeyArray, text: str, params: CorridorParams, drawing: str | None = None) -> Level:
    """A level with somebody's own instruction."""
    if drawing is not None:
        raise ValueError("a corridor can't be drawn")
    colours = parse(text)
    lines = jnp.zeros(params.lines, jnp.int32).at[: len(colours)].set(jnp.array(colours, jnp.int32))
    return Corridor().level(key, params)._replace(lines=lines, length=jnp.int32(len(colours)))


def level_text(level: Level) -> str:
    return "\n".join(COLOURS[colour - 1] for colour in np.asarray(level.lines)[: int(level.length)])


class Scene(NamedTuple):
    """One moment in plain Python."""

    lines: tuple[int, ...]
    lamps: tuple[int, ...]
    walker: int
    current: int | None
    time: int
    time_limit: int
    status: str
    pointer: int | None = None


def scene(state: State, params: CorridorParams, action: int | None = None, response: int | None = None) -> Scene:
    level, line = state.level, int(state.line)
    lines = tuple(np.asarray(level.lines)[: int(level.length)].tolist())
    limit, status = params.steps_per_line * len(lines), STATUSES[int(state.status)]
    current = line if line < len(lines) else None
    return Scene(
        lines, tuple(np.asarray(level.lamps).tolist()), int(state.walker), current, int(state.time), limit, status
    )


def picture(shown: Scene, tile: int = 64) -> np.ndarray:
    canvas = Canvas(WIDTH * tile, tile, 1)
    for place, colour in enumerate(shown.lamps):
        left = place * tile
        canvas.plate((left + 6, 6, left + tile - 6, tile - 6), PAINT[colour - 1], 12)
        if place == shown.walker:
            canvas.text(left + tile / 2, tile / 2, "@", tile / 2, "#FFFFFF", "mm", bold=True)
    return np.array(canvas.image)


def words(before: State, after: State, action: int, response: int, params: CorridorParams) -> Words:
    done = int(after.line) > int(before.line)
    return Words(ACTIONS[action], "switches" if response else "walks", ["the lamp is on"] if done else [])


def ansi(shown: Scene, color: bool = True) -> str:
    cells = [COLOURS[lamp - 1][0] for lamp in shown.lamps]
    cells[shown.walker] = cells[shown.walker].upper()
    return " ".join(cells)


def corridor() -> Domain:
    """The domain, as the package asks for it."""
    return Domain(
        name="corridor",
        environment=Corridor,
        params=CorridorParams,
        oracle=oracle,
        transitions=Transition,
        one_path=True,
        bin_width=5,
        language=Language(parse, custom_level, level_text, lambda level: ""),
        display=Display(
            scene=scene,
            picture=picture,
            grid_picture=picture,
            facts=lambda shown: {"walker": f"cell {shown.walker + 1}"},
            ansi=ansi,
            save_png=lambda shown, path: write_png(picture(shown), path),
            save_gif=lambda scenes, path: write_gif(scenes, picture, path, 0.4),
            action_text=lambda action, params: ACTIONS[action],
            words=words,
            first_words=lambda state, params: [],
        ),
    )
