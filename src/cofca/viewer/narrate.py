"""An agent follows an instruction, told as it goes."""

from typing import Any, NamedTuple

from cofca.agents.trace import Step
from cofca.envs.domain import Domain


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
