"""How much of the paper is reproduced: as much as it did, or enough to see that everything works."""

from dataclasses import dataclass, replace
from typing import Any

from cofca.experiments.build import canonical
from cofca.experiments.presets import TUNED, preset
from cofca.experiments.specs import Experiment
from cofca.experiments.typed import evaluation
from cofca.rl.config import settled
from cofca.runs.config import RunConfig


@dataclass(frozen=True)
class Scale:
    """Budgets. Steps are of each seed, by domain."""

    name: str
    steps: dict[str, int]
    evaluations: int
    """While training, evenly spread."""
    watched: int
    """Episodes of each bin in each of these."""
    episodes: int
    """Of each bin in the end."""
    levels: int | None = None
    """In a pool, where it is not the experiment's."""
    updates_per_pool: int | None = None


FULL = Scale("full", {"minecraft": 70_000_000, "starcraft": 20_000_000}, evaluations=14, watched=250, episodes=1000)
QUICK = Scale(
    "quick", {"minecraft": 120_000, "starcraft": 60_000}, evaluations=3, watched=20, episodes=50, levels=512,
    updates_per_pool=4,
)  # fmt: skip
SCALES = {scale.name: scale for scale in (FULL, QUICK)}
ALIASES = {"paper": FULL.name}
"""What scales used to be called."""


def find_scale(name: str) -> Scale:
    """Look a scale up."""
    name = ALIASES.get(name, name)
    if name not in SCALES:
        raise ValueError(f"unknown scale {name!r}; expected one of {', '.join(SCALES)}")
    return SCALES[name]


def run_config(
    spec: Experiment,
    agent: str,
    seeds: int,
    scale: Scale,
    worker: str,
    bfloat16: bool | None = None,
    preset_name: str = TUNED,
) -> RunConfig:
    """The run of one agent in an experiment. All agents get the same levels and settings."""
    chosen = preset(preset_name)
    chosen.agent(spec.domain, agent)
    ppo = chosen.ppo_of(spec.domain, agent)
    levels, updates = scale.levels or ppo.levels, scale.updates_per_pool or ppo.updates_per_pool
    precision = bfloat16 if ppo.bfloat16 is None else ppo.bfloat16
    replays = ppo.replays * levels // ppo.levels
    ppo = settled(replace(ppo, levels=levels, replays=replays, updates_per_pool=updates, bfloat16=precision))
    steps = scale.steps.get(spec.domain, spec.steps)
    evaluations: dict[str, Any] = {}
    if scale is FULL:
        steps, evaluations = chosen.steps.get(spec.domain, steps), evaluation(chosen, spec)
    return RunConfig(
        spec.name,
        agent,
        preset_name,
        seeds,
        steps,
        worker=worker,
        ppo=ppo,
        levels=canonical(spec, chosen.levels.get(spec.domain, ())),
        **{"evaluate_every": -(-steps // scale.evaluations), "evaluation_episodes": scale.watched, **evaluations},
    )
