"""An environment in words: what the array environment shows, as text, and a command for what it takes."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PRNGKeyArray

from cofca.envs.domain import PLANNER, Domain, Prose
from cofca.envs.play import controls_of
from cofca.experiments.build import find_domain
from cofca.interop.text.compiled import Now, compiled

MAX_UNREADABLE = 10
LONGEST_COMMAND = 80
"""Characters of an answer's last line that are read; no command is longer."""
MARKS = " \t`*\"'.>"
"""What may stand around a command: models like to set it off."""
ANSWER = """\
Answer with one command. Only the last line of your answer is read. What can't be read, or can't be chosen now, changes
nothing and takes no time; after {} such answers one after another the episode is over."""


class Turn(NamedTuple):
    """What a command brought."""

    now: Now
    response: int
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class TextEnv:
    """The rules, levels and rewards of a domain for whoever reads and writes text.

    `step` takes an answer whose last line is a command, whole or a piece of one, as `cofca play` reads it. An answer
    that can't be read or chosen is refused in words and changes nothing; `max_unreadable` of them in a row truncate the
    episode. `prompt` is all that somebody without a memory needs to go on.
    """

    def __init__(
        self,
        domain: str | Domain,
        worker: str = PLANNER,
        seed: int = 0,
        max_unreadable: int = MAX_UNREADABLE,
        **params: Any,
    ) -> None:
        if max_unreadable < 1:
            raise ValueError(f"max_unreadable must be at least 1, not {max_unreadable}")
        self.domain = domain if isinstance(domain, Domain) else find_domain(domain, worker)
        self.prose, self.controls = _prose_of(self.domain), controls_of(self.domain)
        self.params = self.domain.params(**params)
        self.env = self.domain.environment()
        self.max_unreadable = max_unreadable
        self._compiled = compiled(self.env, self.params)
        self._keys = jax.random.key(seed)
        self._now: Now | None = None
        self.over = self._own = False

    @property
    def rules(self) -> str:
        """The rules, the commands and the form of an answer."""
        return f"{self.prose.rules(self.params)}\n\n{ANSWER.format(self.max_unreadable)}"

    @property
    def now(self) -> Now:
        """Where the episode stands. Its state is hidden from those who play."""
        if self._now is None:
            raise RuntimeError("this needs a reset first")
        return self._now

    @property
    def view(self) -> str:
        """The observation as text: all that it holds, and no more."""
        return self.prose.observation(self.now.obs, self.params)

    @property
    def prompt(self) -> str:
        """The rules, the episode so far and the view: from turn to turn it differs only towards the end."""
        if not self.turns:
            return f"{self.rules}\n\n{self.view}"
        said = "\n".join(self.turns)
        return f"{self.rules}\n\n# At the start\n{self._first}\n\n# Since then\n{said}\n\n# Now\n{self.view}"

    @property
    def level_key(self) -> np.ndarray | None:
        """The two numbers that bring a generated level back; one's own have none."""
        return None if self._own else np.asarray(jax.random.key_data(self.env.level_of(self.now.state).key))

    def reset(
        self, *, seed: int | None = None, level_key: Any = None, instruction: str | None = None, map: str | None = None
    ) -> str:
        """Start a new level, the one of a `level_key`, or one's own: an instruction, and perhaps a drawn map."""
        if level_key is not None and instruction is not None:
            raise ValueError("give either level_key or instruction, not both")
        if map is not None and instruction is None:
            raise ValueError("the map needs an instruction to go with it")
        keys = self._keys if seed is None else jax.random.key(seed)
        keys, key = jax.random.split(keys)
        if instruction is not None:
            level = self.domain.language.custom_level(key, instruction, self.params, map)
        else:
            level = self._compiled.level(key if level_key is None else _key(level_key))
        self._keys = keys
        view = self.start(level, key)
        self._own = instruction is not None
        return view

    def start(self, level: Any, key: PRNGKeyArray) -> str:
        """Start a level that is there already. All chances of the episode come from the key."""
        self.key, self.choices, self.unreadable, self._own = key, 0, 0, False
        self._now, self.over = jax.device_get(self._compiled.start(level)), False
        self.turns: list[str] = []
        self._first = self.view
        return self.view

    def step(self, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take an answer: text, reward, terminated, truncated, info. `info["error"]` says what was wrong with it."""
        if self.over:
            raise RuntimeError("the episode is over: this needs a reset first")
        if not isinstance(answer, str):
            raise TypeError(f"an answer must be text, not {type(answer).__name__}")
        command = command_of(answer)
        try:
            choices = self.controls.read_command(command, self.params)
        except ValueError as error:
            turn = self._refused(str(error))
        else:
            turn = self._carry_out(choices)
        self._now, self.choices = turn.now, self.choices + len(turn.info["choices"])
        self.over = turn.terminated or turn.truncated
        told = (turn.info["error"] or self.prose.news(turn.response, turn.now.obs)) + _ending(turn)
        self.turns.append(f"> {command}\n{told}")
        return f"{told}\n\n{self.view}", *turn[2:]

    def _carry_out(self, choices: list[int]) -> Turn:
        """Make all choices of a command, one after another; if one of them can't be chosen, none is made."""
        now = self.now
        for number, choice in enumerate(choices, self.choices):
            if not now.allowed[choice]:
                return self._refused(f"{self.domain.display.action_text(choice, self.params)}: not now")
            made = self._compiled.choose(self.key, np.int32(number), now.state, np.int32(choice))
            now, response, outcome = jax.device_get(made)
        self.unreadable = 0
        info = {**outcome.info._asdict(), "choices": choices, "error": None}
        flags = bool(outcome.terminated), bool(outcome.truncated)
        return Turn(now, int(response), float(outcome.reward), *flags, info)

    def _refused(self, error: str) -> Turn:
        """Nothing has been done, and why."""
        self.unreadable += 1
        truncated = self.unreadable >= self.max_unreadable
        return Turn(self.now, 0, 0.0, False, truncated, {"choices": [], "error": error})


def command_of(answer: str) -> str:
    """The command in an answer: its last line that says something, in small letters and without marks around it."""
    lines = (line.strip(MARKS) for line in answer.splitlines())
    last = [line for line in lines if line][-1:]
    return " ".join("".join(last).lower().split())[:LONGEST_COMMAND]


def _ending(turn: Turn) -> str:
    if not (turn.terminated or turn.truncated):
        return ""
    how = "success" if turn.reward else "failure" if turn.terminated else "it was cut off"
    return f"\nThe episode is over: {how}."


def _prose_of(domain: Domain) -> Prose:
    if domain.prose is None:
        raise ValueError(f"{domain.name} can't be played in words")
    return domain.prose


def _key(numbers: Any) -> PRNGKeyArray:
    found = np.asarray(numbers)
    if found.shape != (2,) or not np.issubdtype(found.dtype, np.integer) or (found < 0).any() or (found >= 2**32).any():
        raise ValueError("level_key must be the two whole numbers of an earlier episode's level")
    return jax.random.wrap_key_data(jnp.asarray(found.astype(np.uint32)))
