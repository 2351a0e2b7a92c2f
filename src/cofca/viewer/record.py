"""An episode as plain data, with all that the page shows of it."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from PIL import Image

from cofca.agents.trace import Step, begin
from cofca.envs.domain import Domain
from cofca.viewer.narrate import Told, last_sentence, sentence, told
from cofca.viewer.packed import TILE
from cofca.viewer.pictures import address_of

ICON = 32
"""Pixels of an emblem's side: twice what it takes, for fine screens."""
LIKELIEST = 6
"""So many of the actions are shown with their probabilities."""
LEAST = 0.0005
"""Less is not worth showing."""


def record(domain: Domain, agent: str, level: Any, params: Any, steps: Iterable[Step]) -> dict[str, Any]:
    """Write everything down that is told of an episode. `agent` is who plays, by name."""
    album = Album(domain)
    start = begin(level, domain.environment(), params)
    frames = [
        {
            **album.moment(domain.display.scene(start, params)),
            "pointer": 0,
            "news": domain.display.first_words(start, params),
        }
    ]
    lines = domain.language.level_text(level).splitlines()
    about: dict[str, Any] = {"domain": domain.name, "agent": agent, "lines": lines}
    for step in steps:
        if step.reasons.depths is not None:
            about["depths"] = [[_share(depth) for depth in L] for L in step.reasons.depths[: len(lines)].T]
        words = told(domain, step, params)
        frames[-1].update(decision(domain, step, words, params))
        scene = domain.display.scene(step.after, params, int(step.decision.action), step.response)
        frames.append({**album.moment(scene), "pointer": step.pointer_after, "news": words.news})
        if step.ended:
            frames[-1]["say"] = last_sentence(domain, step, params)
    return {**about, "frames": frames, **album.kept()}


class Once:
    """Things in the order in which they came, each kept once."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, key: Any, make: Callable[[], Any]) -> int:
        """Of the thing with this key, which is made if it is new."""
        number = self._numbers.setdefault(key, len(self.things))
        if number == len(self.things):
            self.things.append(make())
        return number


class Album:
    """What is seen of an episode. Moments name by number what often looks the same again."""

    def __init__(self, domain: Domain) -> None:
        self.display = domain.display
        self.pictures, self.standings = Once(), Once()
        self.icons: dict[str, str] = {}

    def moment(self, scene: Any) -> dict[str, Any]:
        """What is shown of a moment, whoever plays."""
        image = self.display.grid_picture(scene, TILE)
        about = {"time": scene.time, "time_limit": scene.time_limit, "status": scene.status, "current": scene.current}
        about["picture"] = self.pictures.number(image.tobytes(), lambda: _address(Image.fromarray(image)))
        return {**about, "facts": self.display.facts(scene), **self._for_the_page_to_draw(scene)}

    def _for_the_page_to_draw(self, scene: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.display.place:
            found["place"] = [_share(share) for share in self.display.place(scene)]
        if self.display.standing:
            standing = self.display.standing(scene)
            found["standing"] = self.standings.number(repr(standing), lambda: standing)
        if self.display.icons and not self.icons:
            self.icons = {name: _address(icon) for name, icon in self.display.icons(scene, ICON).items()}
        return found

    def kept(self) -> dict[str, Any]:
        """What the numbers of moments stand for."""
        more = {"standings": self.standings.things, "icons": self.icons}
        return {"pictures": self.pictures.things, **{name: kept for name, kept in more.items() if kept}}


def _address(image: Image.Image) -> str:
    return address_of(image, optimize=True)


def decision(domain: Domain, step: Step, words: Told, params: Any) -> dict[str, Any]:
    """What was decided, and what else might have been."""
    reasons = step.reasons
    best = np.argsort(-reasons.actions)[:LIKELIEST]
    return {
        "action": words.action,
        "response": words.response,
        "say": sentence(domain, step, words, params),
        "actions": [
            [domain.display.action_text(int(action), params), _share(reasons.actions[action])] for action in best
        ],
        "gate": _share(reasons.gate),
        "target": words.target,
        "columns": [_shares(column) for column in np.asarray(reasons.columns).T],
        "weights": [_share(weight) for weight in reasons.weights],
        "targets": _shares(reasons.targets),
        "value": _share(reasons.value),
    }


def _shares(probabilities: Iterable[Any]) -> list[list[float]]:
    """[line, probability], where there is any to speak of."""
    return [[line, _share(share)] for line, share in enumerate(probabilities) if share >= LEAST]


def _share(number: Any) -> float:
    return round(float(number), 4)
