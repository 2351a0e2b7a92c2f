"""All agents there are, and all weights that come with the package."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import fmean
from typing import Any

import jax
from safetensors import safe_open

from cofca.envs.domain import PLANNER
from cofca.experiments.agent_factory import agent_shapes
from cofca.experiments.presets import PRESETS
from cofca.experiments.scores import standard_error
from cofca.experiments.seeds import seeds_of
from cofca.experiments.specs import EXPERIMENTS, experiment
from cofca.experiments.workers import LEARNED
from cofca.experiments.zoo import CARD, SHIPPED, card_of, config_of, find_weights, names, one_of
from cofca.runs.config import RunConfig
from cofca.runs.page import ARRAYS
from cofca.utils.json import decode


@dataclass(frozen=True)
class AgentEntry:
    """An agent of one preset in one domain."""

    agent: str
    preset: str
    domain: str
    architecture: str
    parameters: int


@dataclass(frozen=True)
class WeightsEntry:
    """Weights that come with the package."""

    name: str
    agent: str
    preset: str
    domain: str
    trained_on: str
    """The experiment."""
    steps: int
    """Of each seed."""
    parameters: int
    seeds: list[int]
    """Those that come with the package."""
    bin: str | None
    """The longest one; None where no score is known."""
    score: float | None
    """Sampled success on its levels, of the seed that is loaded by default."""
    bytes: int
    """Of all files."""


@dataclass(frozen=True)
class CardScore:
    """What a card says of one bin."""

    by_seed: list[float]
    levels: int = 0
    """How many were played."""
    level_seed: int = 0


@dataclass(frozen=True)
class Card:
    """What is told here of a card."""

    seed: int
    steps: int
    success: dict[str, CardScore]
    worker: str = PLANNER


def agents() -> Iterator[AgentEntry]:
    """Every agent of every preset. None is made: only shapes are counted."""
    trained_on = {spec.domain: spec.name for spec in reversed(EXPERIMENTS.values()) if not spec.trained_as}
    for name, preset in PRESETS.items():
        for domain, named in preset.agents.items():
            for agent, made_of in named.items():
                shapes = agent_shapes(RunConfig(trained_on[domain], agent, name))
                parameters = sum(leaf.size for leaf in jax.tree.leaves(shapes))
                yield AgentEntry(agent, name, domain, made_of.architecture.__name__, parameters)


def weights() -> Iterator[WeightsEntry]:
    """All weights that come with the package, the worker's among them."""
    for name in (*names(), str(LEARNED.relative_to(SHIPPED))):
        folder, config = find_weights(name), config_of(name)
        one = one_of(folder)
        steps, bin, score = config.updates * config.ppo.batch, None, None
        if (folder / CARD).exists():
            card = decode(Card, card_of(folder), ignore_unknown=True)
            # Of several with instructions as long, the last.
            bin = max(reversed(card.success), key=_lines)
            steps, score = card.steps, card.success[bin].by_seed[card.seed]
        seeds = [int(seed.name.removeprefix("seed")) for seed in seeds_of(folder) if seed != folder]
        yield WeightsEntry(
            name=name,
            agent=config.agent,
            preset=config.preset,
            domain=experiment(config.experiment).domain,
            trained_on=config.experiment,
            steps=steps,
            parameters=_numbers(one / ARRAYS),
            seeds=seeds or [config.seed],
            bin=bin,
            score=score,
            bytes=sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        )


def published(experiment: str) -> list[dict[str, Any]]:
    """What the cards of weights that were trained in an experiment say of its bins: means over all seeds, as JSON."""
    known = [name for name in names() if config_of(name).experiment == experiment]
    return [_published(name, decode(Card, card_of(find_weights(name)), ignore_unknown=True)) for name in known]


def _published(name: str, card: Card) -> dict[str, Any]:
    rows = [
        {
            "id": id,
            "sampled": fmean(score.by_seed),
            "sampled_se": standard_error(score.by_seed, score.levels),
            "episodes": score.levels,
            "level_seed": score.level_seed,
        }
        for id, score in card.success.items()
    ]
    return {"name": name, "worker": card.worker, "bins": rows}


def _lines(bin: str) -> int:
    """The longest instruction in a bin, LOW-HIGH or LOW-HIGH-WHAT."""
    return int(bin.split("-")[1])


def _numbers(path: Path) -> int:
    """How many numbers lie in a file of arrays, without reading them."""
    with safe_open(path, framework="numpy") as file:
        return sum(prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118, it is no dict
