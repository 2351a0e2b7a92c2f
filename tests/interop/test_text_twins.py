"""The text environment and the array environment are the same, step by step."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import jax
import numpy as np
import pytest
from compiled import at

from cofca.envs.domain import Domain
from cofca.envs.registry import domain
from cofca.envs.starcraft.symbols import FIRST_BUILDING, FIRST_CELL, FIRST_PROBE, Building, Unit, name
from cofca.interop.text import TextEnv
from interop.told import SETTINGS, told

DOMAINS = tuple(SETTINGS)
LEVELS, STEPS = 16, 400
Command = tuple[str, list[int]]
"""What is typed, and the choices that it means."""


class Twin:
    """The array environment, which is told what the text environment should make of a command."""

    def __init__(self, name: str) -> None:
        self.domain: Domain = domain(name)
        self.params = self.domain.params(**SETTINGS[name])
        self.env = env = self.domain.environment()
        self.levels = jax.jit(partial(env.levels, params=self.params))(jax.random.split(jax.random.key(3), LEVELS))
        self._start = jax.jit(partial(env.start, params=self.params))
        self._look = jax.jit(
            lambda s: (env.observe(s, self.params), env.allowed(s, self.params), self.domain.oracle(s))
        )

        def chance_and_step(key: Any, number: Any, state: Any, action: Any) -> Any:
            return env.step(jax.random.split(jax.random.fold_in(key, number), 3)[2], state, action, self.params)

        self._step = jax.jit(chance_and_step)

    def begin(self, place: int) -> tuple[Any, Any]:
        """A level and the key of its episode."""
        level, self.key = at(self.levels, place), jax.random.key(place)
        self.state, self.number = self._start(level), 0
        return level, self.key

    def look(self) -> tuple[dict[str, np.ndarray], np.ndarray, int]:
        """The observation, what is allowed, and what the oracle would do."""
        obs, allowed, choice = jax.device_get(self._look(self.state))
        return obs._asdict(), allowed, int(choice)

    def step(self, choices: list[int]) -> tuple[float, bool, bool] | None:
        """Reward, terminated and truncated; None where a choice is not allowed, and then nothing has happened."""
        before = self.state
        for number, choice in enumerate(choices, self.number):
            if not self.look()[1][choice]:
                self.state = before
                return None
            _, self.state, *outcome, _ = self._step(self.key, np.int32(number), self.state, np.int32(choice))
        self.number += len(choices)
        reward, terminated, truncated = outcome
        return float(reward), bool(terminated), bool(truncated)


@cache
def twin(name: str) -> Twin:
    return Twin(name)


@cache
def text_env(name: str) -> TextEnv:
    return TextEnv(name, max_unreadable=10_000, **SETTINGS[name])


def commands(name: str, rng: np.random.Generator) -> Iterator[Command]:
    """Random ones: mostly pieces that are allowed, sometimes any, sometimes whole commands."""
    found = twin(name)
    while True:
        allowed = found.look()[1]
        if name == "starcraft" and rng.random() < 0.4:
            yield whole(rng, found.look()[0])
        else:
            choice = int(rng.choice(np.flatnonzero(allowed | (rng.random() < 0.2))))
            yield found.domain.display.action_text(choice, found.params), [choice]


def whole(rng: np.random.Generator, obs: dict[str, np.ndarray]) -> Command:
    """A command of several choices, in one of the ways to spell it."""
    probe, building, unit = (int(rng.integers(1, end + 1)) for end in (3, len(Building), len(Unit)))
    cell, size = int(rng.integers(36)), 6
    built = np.flatnonzero(obs["grid"][..., : len(Building)].any(axis=-1))
    home = int(rng.choice(built))
    ways = {
        "probe {p} build {b} {r} {c}": (
            cell,
            [FIRST_PROBE + probe - 1, FIRST_BUILDING + building - 1, FIRST_CELL + cell],
        ),
        "Probe {p} builds {b} at row {r} column {c}": (cell, [probe, FIRST_BUILDING + building - 1, FIRST_CELL + cell]),
        "probe {p} go {r} {c}": (cell, [probe, FIRST_CELL + cell]),
        "Probe {p} goes to row {r}, column {c}.": (cell, [probe, FIRST_CELL + cell]),
        "train {u} {r} {c}": (home, [FIRST_CELL + home, FIRST_CELL + 36 + unit - 1]),
        "row {r} column {c} trains {u}": (home, [FIRST_CELL + home, FIRST_CELL + 36 + unit - 1]),
    }
    text = str(rng.choice(list(ways)))
    place, choices = ways[text]
    words = {"p": probe, "b": name(Building(building)), "u": name(Unit(unit))}
    return text.format(**words, r=place // size + 1, c=place % size + 1), choices


def compare(name: str, text: str) -> None:
    """The text tells the twin's observation, to the last number and its type."""
    seen, expected = told(name, text, twin(name).params), twin(name).look()[0]
    assert seen.keys() == expected.keys()
    for field, value in expected.items():
        assert seen[field].dtype == value.dtype
        np.testing.assert_array_equal(seen[field], value, field)


def step_both(name: str, command: Command) -> tuple[bool, float]:
    """Give both a command; whether the episode is over, and the reward. A refused one changes neither."""
    typed, choices = command
    text, *outcome, info = text_env(name).step(typed)
    expected = twin(name).step(choices)
    assert (info["error"] is None) == (expected is not None), typed
    assert tuple(outcome) == (expected or (0.0, False, False))
    assert info["choices"] == (choices if expected else [])
    assert text.endswith(f"\n\n{text_env(name).view}")
    compare(name, text_env(name).view)
    return text_env(name).over, outcome[0]


@pytest.mark.parametrize("name", DOMAINS)
def test_random_commands_lead_both_to_the_same_observations_and_outcomes(name: str) -> None:
    rng, ends, place = np.random.default_rng(7), [], 0
    coming = commands(name, rng)
    over = True
    for _ in range(STEPS):
        if over:
            compare(name, text_env(name).start(*twin(name).begin(place % LEVELS)))
            place += 1
        over, _ = step_both(name, next(coming))
        ends.append(over)
    assert sum(ends) > 4


@pytest.mark.parametrize("name", DOMAINS)
def test_the_oracle_has_the_same_episodes_in_both(name: str) -> None:
    rewards = []
    for place in range(LEVELS):
        compare(name, text_env(name).start(*twin(name).begin(place)))
        over = False
        while not over:
            choice = twin(name).look()[2]
            over, reward = step_both(name, (twin(name).domain.display.action_text(choice, twin(name).params), [choice]))
        rewards.append(reward)
    assert any(rewards) if name == "starcraft" else all(rewards)


def test_losses_are_told() -> None:
    """Or the comparisons would not have compared them."""
    found, env = twin("starcraft"), text_env("starcraft")
    lost = set()
    for place in range(LEVELS):
        env.start(*found.begin(place))
        while not env.over:
            text = env.step(found.domain.display.action_text(found.look()[2], found.params))[0]
            found.step([found.look()[2]])
            lost |= {what for what in ("ambushed", "buildings destroyed at") if what in text.partition("\n")[0]}
    assert lost == {"ambushed", "buildings destroyed at"}
