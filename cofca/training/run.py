"""A run: training from its configuration to its final weights, in a folder that can be resumed.

config.json · metrics.jsonl · checkpoints/UPDATE/ (the last few) · final/seedN/ (weights)
"""

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import jax
import numpy as np

from cofca.agents.agent import Agent
from cofca.training.checkpoint import read_checkpoint, read_page, write_checkpoint
from cofca.training.config import PPOConfig
from cofca.training.ppo import Learner, Metrics, Setup, begin, refresh, train

KEPT = 3
"""Checkpoints that are kept, the newest."""
PACKAGES = ("cofca", "jax", "jaxlib", "equinox", "optax", "numpy")


@dataclass(frozen=True)
class RunConfig:
    """What a run trains. Two runs with the same configuration on the same hardware are the same, bit for bit."""

    experiment: str
    agent: str
    seeds: int
    steps: int
    """Of each seed."""
    seed: int
    ppo: PPOConfig

    @property
    def updates(self) -> int:
        """In all, rounded up to whole pools of levels."""
        per_pool = self.ppo.batch * self.ppo.updates_per_pool
        return -(-self.steps // per_pool) * self.ppo.updates_per_pool

    def page(self) -> dict[str, Any]:
        """As JSON."""
        return json.loads(json.dumps(asdict(self)))


class Run:
    """A run folder and the learners in it."""

    def __init__(self, folder: Path, config: RunConfig, setup: Setup, agents: Agent, resume: bool = False) -> None:
        self.folder, self.config, self.setup = folder, config, setup
        self.learners = self._resumed(agents) if resume else self._new(agents)

    @property
    def update(self) -> int:
        """Updates done so far."""
        return int(self.learners.update[0])

    def train(self, minutes_per_checkpoint: float, progress: Callable[[dict[str, Any]], None]) -> None:
        """Train to the end. `progress` is given the metrics of every pool of levels."""
        saved = time.monotonic()
        while self.update < self.config.updates:
            metrics = self._pool()
            self._append(metrics)
            progress(metrics)
            if time.monotonic() - saved > 60 * minutes_per_checkpoint:
                self.save()
                saved = time.monotonic()
        self.save()
        self._finish()

    def save(self) -> None:
        """Write a checkpoint; older ones go."""
        checkpoints = self.folder / "checkpoints"
        page = {"config": self.config.page(), "update": self.update, "metrics_bytes": self._metrics_path.stat().st_size}
        write_checkpoint(checkpoints / f"{self.update:08}", self.learners, page)
        for old in sorted(checkpoints.glob("[0-9]*"))[:-KEPT]:
            shutil.rmtree(old)

    def _pool(self) -> dict[str, Any]:
        """Train as long as one pool of levels lasts."""
        started = time.perf_counter()
        self.learners = refresh(self.learners, self.setup)
        self.learners, metrics = train(self.learners, self.setup)
        found = summary(jax.device_get(metrics))
        finite = all(bool(np.isfinite(leaf).all()) for leaf in jax.tree.leaves(jax.device_get(self.learners.agent)))
        if not (finite and np.isfinite(found["loss"]).all()):
            raise ValueError(
                f"the loss is not finite after update {self.update}; the last good checkpoint is kept in {self.folder}"
            )
        seconds = time.perf_counter() - started
        steps = self.config.ppo.batch * self.config.ppo.updates_per_pool
        done = {"update": self.update, "steps": self.update * self.config.ppo.batch}
        return {**done, "steps_per_second": self.config.seeds * steps / seconds, **found}

    def _new(self, agents: Agent) -> Learner:
        if (self.folder / "config.json").exists():
            raise ValueError(f"{self.folder}: there is a run already; --resume goes on with it")
        keys = jax.random.split(jax.random.key(self.config.seed), self.config.seeds)
        learners = begin(keys, agents, self.setup)
        self.folder.mkdir(parents=True, exist_ok=True)
        page = {**self.config.page(), "versions": versions()}
        (self.folder / "config.json").write_text(json.dumps(page, indent=2) + "\n", encoding="utf-8")
        self._metrics_path.write_text("", encoding="utf-8")
        # A first checkpoint at once, so that a run can always be resumed.
        self.learners = learners
        self.save()
        return learners

    def _resumed(self, agents: Agent) -> Learner:
        found = sorted((self.folder / "checkpoints").glob("[0-9]*"))
        if not found:
            raise ValueError(f"{self.folder}: there is no checkpoint to resume from")
        page = read_page(found[-1])
        if page.get("config") != self.config.page():
            raise ValueError(f"{found[-1]}: this checkpoint is of a run with another configuration")
        keys = jax.random.split(jax.random.key(self.config.seed), self.config.seeds)
        shapes = jax.eval_shape(lambda keys, agents: begin(keys, agents, self.setup), keys, agents)
        learners = read_checkpoint(found[-1], shapes)
        # What was measured after the checkpoint will be measured again.
        with self._metrics_path.open("r+b") as file:
            file.truncate(page["metrics_bytes"])
        return learners

    def _append(self, metrics: dict[str, Any]) -> None:
        with self._metrics_path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(metrics) + "\n")

    def _finish(self) -> None:
        """The weights of each seed by themselves."""
        for seed in range(self.config.seeds):
            agent = jax.tree.map(lambda leaf, seed=seed: leaf[seed], self.learners.agent)
            page = {"config": self.config.page(), "seed": seed, "update": self.update}
            write_checkpoint(self.folder / "final" / f"seed{seed}", agent, page)

    @property
    def _metrics_path(self) -> Path:
        return self.folder / "metrics.jsonl"


def summary(metrics: Metrics) -> dict[str, Any]:
    """Of the metrics of a pool's updates one number a seed, and a share for each kind of transition."""
    counts = {"episodes", "successes", "replayed", "episodes_by_kind", "successes_by_kind"}
    total = {name: np.asarray(metrics[name]).sum(axis=0) for name in counts}
    means = {name: np.asarray(values).mean(axis=0) for name, values in metrics.items() if name not in counts}
    shares = {
        "success": total["successes"] / np.maximum(total["episodes"], 1),
        "success_by_kind": total["successes_by_kind"] / np.maximum(total["episodes_by_kind"], 1),
    }
    kept = {name: total[name] for name in ("episodes", "replayed", "episodes_by_kind")}
    return {name: np.round(values, 6).tolist() for name, values in {**shares, **means, **kept}.items()}


def versions() -> dict[str, str]:
    """Of the packages that decide what is computed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
