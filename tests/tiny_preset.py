"""The presets of tests: every agent of `tuned` and of the paper's, so small that they compile and learn in seconds."""

from dataclasses import replace
from functools import partial
from typing import Any

from cofca.experiments.presets import PRESETS, TUNED, AgentPreset, Preset
from cofca.rl.config import PPOConfig

TINY_PPO = PPOConfig(envs=8, steps=8, levels=32, updates_per_pool=2, epochs=1, failures=16, failure_probability=1.0)
SMALL: dict[str, Any] = {"hidden": 10, "embedding": 7, "gru": 5, "channels": 6, "integers": 4, "inventory": 3}
MOST_COLUMNS, FARTHEST = 3, 5


def small(preset: AgentPreset, **numbers: Any) -> AgentPreset:
    """The same architecture with small numbers, and perhaps others besides."""
    own = {name: _small(name, value) for name, value in preset.numbers.items()}
    if "columns" in own:
        own["columns"] = min(own["columns"], MOST_COLUMNS)
    if own.get("farthest", 1) > 1:
        own["farthest"] = FARTHEST
    encoder = {name: _small(name, value) for name, value in preset.encoder_numbers.items()}
    return replace(preset, numbers={**own, **numbers}, encoder_numbers=encoder, ppo=None)


def _small(name: str, value: Any) -> Any:
    """A small number in place of a large one; of several, each another; of a part, all that it fixes."""
    if isinstance(value, partial):
        return partial(value.func, **{part: _small(part, number) for part, number in value.keywords.items()})
    if isinstance(value, tuple):
        return tuple(SMALL[name] + place for place in range(len(value)))
    return SMALL.get(name, value)


def tiny(name: str, of: Preset, ppo: PPOConfig) -> Preset:
    """A preset with small agents, which all learn alike."""
    agents = {domain: {agent: small(found) for agent, found in known.items()} for domain, known in of.agents.items()}
    return Preset(name, agents, dict.fromkeys(of.ppo, ppo))


TINY = tiny("tiny", PRESETS[TUNED], TINY_PPO)
TINY_PAPER = tiny("tiny-paper", PRESETS["paper"], replace(TINY_PPO, product=True, bfloat16=False, replays=8))
TINY_STRICT = tiny("tiny-strict", PRESETS["paper-strict"], TINY_PAPER.ppo["minecraft"])
