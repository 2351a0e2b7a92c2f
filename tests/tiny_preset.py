"""The one preset of tests: every agent of `tuned`, so small that it compiles and learns in seconds."""

from dataclasses import replace
from typing import Any

from cofca.experiments.presets import PRESETS, TUNED, AgentPreset, Preset
from cofca.rl.config import PPOConfig

TINY_PPO = PPOConfig(envs=8, steps=8, levels=32, updates_per_pool=2, epochs=1, failures=16, failure_probability=1.0)
SMALL: dict[str, Any] = {"hidden": 10, "embedding": 7, "gru": 5, "channels": 6, "integers": 4}
MOST_COLUMNS, FARTHEST = 3, 5


def small(preset: AgentPreset, **numbers: Any) -> AgentPreset:
    """The same architecture with small numbers, and perhaps others besides."""
    own = {name: SMALL.get(name, value) for name, value in preset.numbers.items()}
    if "columns" in own:
        own["columns"] = min(own["columns"], MOST_COLUMNS)
    if own.get("farthest", 1) > 1:
        own["farthest"] = FARTHEST
    encoder = {name: SMALL[name] for name in preset.encoder_numbers}
    return replace(preset, numbers={**own, **numbers}, encoder_numbers=encoder)


TINY = Preset(
    "tiny",
    {
        domain: {name: small(agent) for name, agent in agents.items()}
        for domain, agents in PRESETS[TUNED].agents.items()
    },
    dict.fromkeys(PRESETS[TUNED].ppo, TINY_PPO),
)
