"""An episode as plain data, with all that the page shows of it."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from PIL import Image

from cofca.agents.trace import Step, begin
from cofca.envs.domain import Domain
from cofca.viewer.narrate import Told, last_sentence, sentence, told
from cofca.viewer.packed import TILE
from cofca.viewer.pictures import address_of

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
    for step in steps:
        words = told(domain, step, params)
        frames[-1].update(decision(domain, step, words, params))
        scene = domain.display.scene(step.after, params, int(step.decision.action), step.response)
        frames.append({**album.moment(scene), "pointer": step.pointer_after, "news": words.news})
        if step.ended:
            frames[-1]["say"] = last_sentence(domain, step, params)
    lines = domain.language.level_text(level).splitlines()
    return {"domain": domain.name, "agent": agent, "lines": lines, "frames": frames, "pictures": album.pictures}


class Album:
    """Pictures of an episode, each kept once."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.pictures: list[str] = []
        self._places: dict[bytes, int] = {}

    def moment(self, scene: Any) -> dict[str, Any]:
        """What is shown of a moment, whoever plays."""
        image = self.domain.display.grid_picture(scene, TILE)
        place = self._places.setdefault(image.tobytes(), len(self.pictures))
        if place == len(self.pictures):
            self.pictures.append(address_of(Image.fromarray(image), optimize=True))
        about = {"time": scene.time, "time_limit": scene.time_limit, "status": scene.status, "current": scene.current}
        return {**about, "picture": place, "facts": self.domain.display.facts(scene)}


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
