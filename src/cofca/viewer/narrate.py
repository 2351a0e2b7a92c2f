"""An agent follows an instruction, told as it goes."""

from typing import Any, NamedTuple

import numpy as np

from cofca.agents.distribution import CLOSED
from cofca.agents.trace import Step
from cofca.envs.domain import Domain
from cofca.envs.render.words import Clauses

SHUT = 1 / (1 + np.exp(-CLOSED))
"""How likely the gate of an agent without a pointer opens."""


class Told(NamedTuple):
    """One time step as a person reads it. Lines count from 0."""

    time: int
    pointer: int
    current: int | None
    """The line to do, which the agent is not told."""
    action: str
    response: str
    gate: float
    """Probability of opening."""
    target: int | None
    """Where the pointer moved to; None if the gate stayed shut."""
    news: list[str]


def told(domain: Domain, step: Step, params: Any) -> Told:
    """A step in words."""
    action = int(step.decision.action)
    words = domain.display.words(step.state, step.after, action, step.response, params)
    return Told(
        time=int(step.state.time) + 1,
        pointer=step.pointer,
        current=domain.display.scene(step.state, params).current,
        action=words.action,
        response=words.response,
        gate=round(float(step.reasons.gate), 4),
        target=int(step.decision.target) if step.decision.gate else None,
        news=[*words.news, *filter(None, [words.why])],
    )


def line_of(step: Told) -> str:
    """A step as one line of text."""
    moved = "stays" if step.target is None else f"to line {step.target + 1}"
    text = (
        f"{step.time:>4}  line {step.pointer + 1:<3} {step.action:<18} {step.response:<20} gate {step.gate:.2f} {moved}"
    )
    return "; ".join([text.ljust(72) if step.news else text, *step.news])


def sentence(domain: Domain, step: Step, words: Told, params: Any) -> str:
    """The step as one plain sentence: what was done, and where the pointer goes and why."""
    parts = Clauses(f"the agent chooses {words.action}")
    if domain.display.clauses is not None:
        action, after = int(step.decision.action), step.pointer_after
        parts = domain.display.clauses(step.state, step.after, action, step.response, params, step.pointer, after)
    if step.ended:
        return f"{capital(parts.deed)}, and the episode ends."
    text = _stays(step, parts) if words.target is None else _moves(step, parts, words.target)
    missed = f", but {parts.astray}" if parts.astray else ""
    return f"{capital(parts.deed)}; {text}{missed}."


def last_sentence(domain: Domain, step: Step, params: Any) -> str:
    """How the episode ended."""
    action = int(step.decision.action)
    why = domain.display.words(step.state, step.after, action, step.response, params).why
    scene = domain.display.scene(step.after, params)
    if scene.status == "success":
        return f"Success: the whole instruction is carried out after {scene.time} time steps."
    told = why if why.startswith(scene.status) else ": ".join(filter(None, [scene.status, why]))
    return f"{capital(told)}."


def _stays(step: Step, parts: Clauses) -> str:
    if np.isclose(step.reasons.gate, SHUT, rtol=1e-3, atol=0) and step.reasons.columns[0, 0] == 1:
        return "this agent has no pointer to move"
    if parts.cause:
        return f"{parts.cause}, and the pointer stays at line {step.pointer + 1}"
    waits = f"the pointer waits at line {step.pointer + 1}"
    return f"{waits}: {parts.pending}" if parts.pending else waits


def _moves(step: Step, parts: Clauses, target: int) -> str:
    """Where the pointer goes, and how sure it was of that."""
    distance = target - step.pointer
    way = {0: "stays at", 1: "goes on to"}.get(distance, "jumps to" if distance > 0 else "goes back to")
    moved = f"the pointer {way} line {target + 1}, {100 * float(step.reasons.targets[target]):.0f} % sure"
    return f"{parts.cause} → {moved}" if parts.cause else moved


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]
