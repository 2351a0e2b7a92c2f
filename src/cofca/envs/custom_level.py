"""Levels of a person's own: an instruction, and perhaps a drawn map."""

from typing import Any

from jaxtyping import PRNGKeyArray

from cofca.envs.domain import Domain

ROOMS = (10, 25, 50, 100, 200, 400)
"""Instructions are padded to so many lines, so that those of similar length share what has been compiled."""


def custom_level(domain: Domain, key: PRNGKeyArray, text: str, drawing: str | None = None) -> tuple[Any, Any]:
    """A level, and parameters with the room it needs."""
    lines = max(len(domain.language.parse(text)), 1)
    params = domain.params(length=(1, room_for(lines)))
    return domain.language.custom_level(key, text, params, drawing), params


def room_for(lines: int) -> int:
    """What an instruction of so many lines is padded to; one beyond all rooms is refused by the parameters."""
    return next((room for room in ROOMS if room >= lines), lines)
