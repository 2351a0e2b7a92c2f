"""All agents there are, and all weights that come with the package."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path

import jax
from safetensors import safe_open

from cofca.experiments.agent_factory import agent_shapes
from cofca.experiments.presets import PRESETS
from cofca.experiments.specs import EXPERIMENTS, experiment
from cofca.experiments.weights import seeds_of
from cofca.experiments.workers import LEARNED
from cofca.experiments.zoo import CARD, SHIPPED, card_of, config_of, find_weights, names, one_of
from cofca.runs.checkpoint import ARRAYS
from cofca.runs.config import RunConfig
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


@dataclass(frozen=True)
class Card:
    """What is told here of a card."""

    seed: int
    steps: int
    success: dict[str, CardScore]


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


def _lines(bin: str) -> int:
    """The longest instruction in a bin, LOW-HIGH or LOW-HIGH-WHAT."""
    return int(bin.split("-")[1])


def _numbers(path: Path) -> int:
    """How many numbers lie in a file of arrays, without reading them."""
    with safe_open(path, framework="numpy") as file:
        return sum(prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118, it is no dict
