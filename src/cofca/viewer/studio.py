"""What the server can do: check an instruction, draw a level, and let an agent play one."""

import os
import sys
from collections import OrderedDict
from contextlib import suppress
from itertools import count
from threading import Event, Lock, get_native_id
from types import ModuleType
from typing import Any

from cofca.envs.domain import Domain
from cofca.envs.registry import NAMES
from cofca.experiments.specs import experiment
from cofca.experiments.zoo import DEFAULTS, config_of, names
from cofca.utils.errors import InstructionError
from cofca.viewer.examples import BY_NAME
from cofca.viewer.packed import TILE
from cofca.viewer.pictures import address_of
from cofca.viewer.request import LINES, Ask, Draw, RequestError, Text

FIRST, LOW = ("while", "fifty-lines", "nested", "ambush"), 5
"""Examples as long as what a visitor is likely to run, and how far their compilation stands back."""
PATIENCE = 2.0
"""Seconds that what needs JAX, and nobody waits for, leaves to somebody who opens the page."""
KEPT = 32
"""So many of the latest episodes can still be exported."""
EXAMPLES = {
    "minecraft": """while more iron than gold
    mine iron
endwhile
if more merchants than iron
    inspect iron
    sell gold
else
    mine wood
endif
""",
    "starcraft": "Build Pylon\nBuild Gateway\nTrain Zealot\nBuild Forge\nTrain Adept\n",
}


class Studio:
    """Agents by name, and the latest episodes. It is there before JAX is."""

    def __init__(self, own: tuple[str, ...] = ()) -> None:
        """`own` are folders of somebody's own weights; whoever uses the page can only choose among names."""
        self.agents: dict[str, tuple[str, str]] = {}
        for name in (*names(), *own):
            config = config_of(name)
            trained_in = experiment(config.experiment).domain
            if trained_in == "errands":
                raise ValueError(f"{name}: a {config.agent} follows no instructions")
            self.agents[name] = (trained_in, config.worker)
        self._kept: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self._numbers, self._lock = count(1), Lock()
        self.opened = Event()
        """Whether the page has shown somebody something."""

    def choices(self) -> dict[str, Any]:
        """What there is to choose from."""
        there = ({"name": name, "agents": self._of(name), "example": EXAMPLES.get(name, "")} for name in self.domains)
        return {"domains": list(there), "examples": [example.about() for example in BY_NAME.values()]}

    @property
    def domains(self) -> list[str]:
        """The package's, and those of somebody's own agents."""
        return list(dict.fromkeys([*NAMES, *(trained_in for trained_in, _ in self.agents.values())]))

    def _domain(self, name: str) -> Domain:
        if name not in self.domains:
            raise RequestError(f"domain must be one of {', '.join(self.domains)}")
        found: Domain = players().domain(name)
        return found

    def _of(self, name: str) -> list[str]:
        """The agents of a domain, first the one that the page chooses by itself."""
        found = [agent for agent, (trained_in, _) in self.agents.items() if trained_in == name]
        return sorted(found, key=lambda agent: agent != DEFAULTS.get(name))

    def check(self, text: Text) -> dict[str, Any]:
        """Whether an instruction is well formed."""
        return {"lines": self._lines(self._domain(text.domain), text.instruction)}

    def draw(self, wish: Draw) -> dict[str, Any]:
        """A random level as text and map."""
        drawn: dict[str, Any] = players().draw(self._domain(wish.domain), wish)
        return drawn

    def tiles(self, name: str) -> list[dict[str, str]]:
        """What a map of a domain can be drawn with; nothing where nobody made pictures of it."""
        self._let_the_page_go_first()
        palette = self._domain(name).display.palette
        drawn = palette(TILE) if palette else {}
        return [{"letter": letter, "name": what, "picture": address_of(tile)} for letter, (what, tile) in drawn.items()]

    def play(self, ask: Ask) -> dict[str, Any]:
        """An episode, and the number it is kept under."""
        if ask.agent not in self.agents or self.agents[ask.agent][0] != ask.domain:
            raise RequestError("there is no such agent in this domain")
        chosen = self._domain_of(ask)
        self._lines(chosen, ask.instruction)
        told = self._episode(chosen, ask)
        with self._lock:
            number = next(self._numbers)
            self._kept[number] = told
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return {"number": number, **told}

    def _domain_of(self, ask: Ask) -> Domain:
        """With the worker that the agent is used to."""
        found: Domain = players().find_domain(ask.domain, self.agents[ask.agent][1])
        return found

    def _episode(self, chosen: Domain, ask: Ask) -> dict[str, Any]:
        told: dict[str, Any] = players().episode(chosen, ask)
        return told

    def warm(self) -> None:
        """Compile what the first visitor is likely to ask for, while they read; a thread of its own has the time."""
        self._let_the_page_go_first()
        if sys.platform == "linux":  # elsewhere threads have no priorities of their own
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, get_native_id(), LOW)
        for example in (BY_NAME[name] for name in FIRST):
            ask = Ask(example.domain, example.agents[0], example.instruction, example.map, example.seed, greedy=True)
            self._episode(self._domain_of(ask), ask)

    def _let_the_page_go_first(self) -> None:
        """Importing JAX keeps Python busy, and what is recorded can be shown before that."""
        if "jax" not in sys.modules:
            self.opened.wait(PATIENCE)

    def kept(self, numbers: list[int]) -> list[dict[str, Any]]:
        """Earlier episodes by their numbers."""
        with self._lock:
            if not all(number in self._kept for number in numbers):
                raise RequestError("this episode is not kept any more: run it again")
            return [self._kept[number] for number in numbers]

    @staticmethod
    def _lines(chosen: Domain, text: str) -> int:
        number = len(chosen.language.parse(text))
        if number > LINES:
            raise InstructionError(f"at most {LINES} lines here", LINES + 1)
        return number


_importing = Lock()


def players() -> ModuleType:
    """What needs JAX, from the first request on that does. Others wait meanwhile: two threads that import the same
    modules in another order get in each other's way."""
    with _importing:
        from cofca.utils.compilation import cache_compilation
        from cofca.viewer import players

        cache_compilation()
    return players
