"""From `paper` to `tuned`, one change at a time, for CoFCA-S: which of our changes did what.

Each preset has the changes of those before it in its domain, and one of its own. The last is `tuned` in float32.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from cofca.agents.cofca_s import CofcaS
from cofca.agents.encoders.conditioned import ConditionedPointerEncoder
from cofca.agents.encoders.minecraft import MinecraftPointerEncoder
from cofca.agents.encoders.starcraft import NameHead, StarCraftPointerEncoder
from cofca.experiments.presets.base import AgentPreset, Preset
from cofca.experiments.presets.paper import PAPER, PAPER_STRICT
from cofca.experiments.presets.tuned import TUNED
from cofca.runs.config import OFFICIAL

AGENT = "cofca-s"


def _ppo(found: Preset, domain: str, **changes: Any) -> Preset:
    agent = found.agents[domain][AGENT]
    ppo = replace(agent.ppo or found.ppo[domain], **changes)
    return _with(found, domain, replace(agent, ppo=ppo))


def _agent(found: Preset, domain: str, **changes: Any) -> Preset:
    return _with(found, domain, replace(found.agents[domain][AGENT], **changes))


def _numbers(found: Preset, domain: str, **more: Any) -> Preset:
    numbers = {**found.agents[domain][AGENT].numbers, **more}
    return _agent(found, domain, architecture=CofcaS, numbers=numbers)


def _with(found: Preset, domain: str, agent: AgentPreset) -> Preset:
    return replace(found, agents={domain: {AGENT: agent}})


def _tuned_ppo(domain: str, *names: str) -> dict[str, Any]:
    return {name: getattr(TUNED.ppo[domain], name) for name in names}


_SCHEDULES = ("learning_rate", "final_learning_rate", "final_entropy")
_POOLS = ("levels", "replays", "updates_per_pool")
_TUNED_CRAFT = TUNED.agents["minecraft"][AGENT]
_TUNED_ORDERS = TUNED.agents["starcraft"][AGENT]

_MINECRAFT = {
    "schedules": partial(_ppo, **_tuned_ppo("minecraft", *_SCHEDULES)),
    "encoder": partial(_agent, encoder=MinecraftPointerEncoder, encoder_numbers=_TUNED_CRAFT.encoder_numbers),
    "joint": partial(_ppo, product=False),
    "rest": partial(_numbers),
    "coins": partial(_numbers, coin_bias=1.0),
    "levels": lambda found, domain: replace(found, levels={}),
    "pools": partial(_ppo, **_tuned_ppo("minecraft", *_POOLS)),
}
"""What changes, in this order."""

_STARCRAFT = {
    "schedules": partial(_ppo, **_tuned_ppo("starcraft", *_SCHEDULES, "epochs", "minibatches", "adam_epsilon")),
    "encoder": partial(_agent, encoder=StarCraftPointerEncoder, encoder_numbers=_TUNED_ORDERS.encoder_numbers),
    "head": partial(_agent, head=NameHead),
    "joint": partial(_ppo, product=False),
    "rest": partial(_numbers),
    "gate": partial(_numbers, gate_after_commands=True),
    "answers": partial(_numbers, answers=4),
    "wander": partial(_numbers, wander=0.1),
    "pools": partial(_ppo, **_tuned_ppo("starcraft", *_POOLS)),
}


def _shortened(found: Preset, name: str) -> Preset:
    return replace(found, name=name, steps=dict.fromkeys(found.agents, 20_000_000), protocol=OFFICIAL)


_SHORT = _shortened(PAPER, "ablation-paper")
_AUTHORS = _agent(_SHORT, "minecraft", encoder=ConditionedPointerEncoder, encoder_numbers={"channels": 32})


def _chain(domain: str, changes: dict[str, Any]) -> list[Preset]:
    found, made = _SHORT, []
    for number, (name, change) in enumerate(changes.items(), start=1):
        found = replace(change(found, domain), name=f"{domain}-{number}-{name}")
        made.append(found)
    return made


ABLATION = {
    found.name: found
    for found in (
        _shortened(PAPER_STRICT, "ablation-strict"),
        _SHORT,
        *_chain("minecraft", _MINECRAFT),
        *_chain("starcraft", _STARCRAFT),
        replace(_AUTHORS, name="minecraft-conditioned"),
    )
}
"""Presets by name. `ablation-paper` and `ablation-strict` are `paper` and `paper-strict` with the ablation's budget;
`minecraft-conditioned` is the first with the authors' second convolution: its kernel is made of the line at the
pointer."""
