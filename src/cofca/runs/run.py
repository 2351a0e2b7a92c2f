"""A run: training from its configuration to its final weights, in a folder that can be resumed."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from cofca.agents.base import Agent
from cofca.agents.harden import harden
from cofca.rl.compile import compile_program
from cofca.rl.ppo import Learner, Metrics, Setup, begin
from cofca.rl.sharding import Devices
from cofca.runs.checkpoint import read_checkpoint, write_checkpoint
from cofca.runs.config import RunConfig, changed_versions, require_same_run, write_config
from cofca.runs.journal import Journal
from cofca.runs.layout import (
    CONFIG,
    FINAL,
    JOURNALS,
    checkpoint_path,
    require_new,
    require_no_links,
    saved_checkpoints,
    set_aside,
    tidy_checkpoints,
)
from cofca.runs.lock import FolderLock
from cofca.runs.loggers.base import Listener
from cofca.runs.page import DamagedCheckpointError, read_page, remove_checkpoint
from cofca.runs.preemption import PreemptedError, heeding_preemption

KEPT = 3
"""Checkpoints that are kept, the newest."""

logger = logging.getLogger(__name__)

Evaluate = Callable[[Agent, int], dict[str, Any]]
"""From agents side by side, and the steps of each so far, to figures about them."""


class Run:
    """A run folder and the learners in it."""

    def __init__(
        self,
        folder: Path,
        config: RunConfig,
        setup: Setup,
        agents: Agent,
        resume: bool = False,
        devices: Devices | None = None,
    ) -> None:
        self.folder, self.config, self.setup, self.devices = folder, config, setup, devices or Devices()
        self.journals = {name: Journal(folder / f"{name}.jsonl") for name in JOURNALS}
        self.lock: FolderLock | None = None
        try:
            learners = self._opened(agents, resume)
            self.program = compile_program(self._keys(), agents, self.setup, self.devices)
            self.learners = self.devices.place(learners)
            self.update = int(self.devices.fetch(self.learners.update)[0])
            if self.devices.agree(self.devices.is_first and not saved_checkpoints(folder)):
                self._begin()
        except BaseException:
            self._unlock()
            raise

    def _opened(self, agents: Agent, resume: bool) -> Learner:
        """What the first process finds in the folder; the others will get it from there."""
        problem: Exception | None = None
        learners = None
        try:
            if self.devices.is_first:
                if not resume:
                    require_new(self.folder)
                # Held until training ends. Taken early: a folder that can't be written to is found at once.
                self.lock = FolderLock(self.folder)
                require_no_links(self.folder)
                if resume:
                    learners = self._resumed(agents)
                else:
                    require_new(self.folder)
        except (ValueError, OSError) as error:
            problem = error
        # Nobody waits for a process that has given up.
        if self.devices.agree(problem is not None):
            raise problem or ValueError(f"{self.folder}: the first process could not open it")
        return learners or begin(self._keys(), agents, self.setup)

    def _begin(self) -> None:
        # The configuration makes the folder a run; killed before its first checkpoint, it begins when it is resumed.
        if self.devices.is_first and not (self.folder / CONFIG).exists():
            write_config(self.folder, self.config)
        self.save()

    def _unlock(self) -> None:
        if self.lock:
            self.lock.release()

    @property
    def steps(self) -> int:
        """Time steps of each seed so far."""
        return self.update * self.config.ppo.batch

    def train(self, listeners: Sequence[Listener] = (), evaluate: Evaluate | None = None) -> None:
        """Train to the end. Every line that is written into a journal is told to the listeners."""
        try:
            with heeding_preemption() as preempted:
                self._train(listeners, evaluate, preempted)
            self._finish()
        finally:
            self._unlock()

    def _train(self, listeners: Sequence[Listener], evaluate: Evaluate | None, preempted: Callable[[], bool]) -> None:
        saved = time.monotonic()
        while self.update < self.config.updates:
            before = self.steps
            self._tell("metrics", self._pool(), listeners)
            if evaluate and self._evaluation_is_due(before):
                self._evaluate(listeners, evaluate)
            if self.devices.agree(preempted()):
                self.save()
                raise PreemptedError(
                    f"{self.folder}: stopped by a signal; saved after update {self.update}, --resume continues"
                )
            late = time.monotonic() - saved > 60 * self.config.checkpoint_minutes
            if self.devices.agree(late and self.devices.is_first):
                self.save()
                saved = time.monotonic()
        self.save()

    def _evaluate(self, listeners: Sequence[Listener], evaluate: Evaluate) -> None:
        agents = self.devices.fetch(self.learners.agent)
        if not self.devices.is_first:
            return
        started = time.perf_counter()
        figures = evaluate(harden(agents), self.steps)
        self._tell("evaluations", {"seconds": round(time.perf_counter() - started, 3), **figures}, listeners)

    def save(self) -> None:
        """Write a checkpoint; older ones go."""
        learners = self.devices.fetch(self.learners)
        if not self.devices.is_first:
            return
        sizes = {f"{name}_bytes": journal.size for name, journal in self.journals.items()}
        page = {"config": self.config.page(), "update": self.update, **sizes}
        write_checkpoint(checkpoint_path(self.folder, self.update), learners, page)
        for old in saved_checkpoints(self.folder)[:-KEPT]:
            remove_checkpoint(old)

    def _pool(self) -> dict[str, Any]:
        """Train as long as one pool of levels lasts."""
        started = time.perf_counter()
        self.learners = self.program.refresh(self.learners)
        self.learners, metrics = self.program.train(self.learners)
        self.update += self.config.ppo.updates_per_pool
        found = summary(jax.device_get(metrics))
        if not (finite(self.learners.agent) and np.isfinite(found["loss"]).all()):
            raise ValueError(
                f"the loss is not finite after update {self.update}; the last good checkpoint is kept in {self.folder}"
            )
        seconds = time.perf_counter() - started
        steps = self.config.ppo.batch * self.config.ppo.updates_per_pool
        return {"steps_per_second": self.config.seeds * steps / seconds, **found}

    def _evaluation_is_due(self, before: int) -> bool:
        every = self.config.evaluate_every
        return every > 0 and (self.update >= self.config.updates or before // every < self.steps // every)

    def _tell(self, name: str, figures: dict[str, Any], listeners: Sequence[Listener]) -> None:
        if not self.devices.is_first:
            return
        line = {"update": self.update, "steps": self.steps, **figures}
        self.journals[name].append(line)
        for listen in listeners:
            listen(name, line)

    def _resumed(self, agents: Agent) -> Learner | None:
        tidy_checkpoints(self.folder)
        saved = saved_checkpoints(self.folder)
        if not saved and self._has_only_begun():
            return None
        page, learners = self._newest_whole(saved, agents)
        # What was measured after the checkpoint will be measured again.
        sizes = {name: page.get(f"{name}_bytes", 0) for name in self.journals}
        for name, size in sizes.items():
            self.journals[name].require(size)
        for name, size in sizes.items():
            self.journals[name].cut(size)
        if changed := changed_versions(self.folder):
            logger.warning("%s: begun with %s: it may not end as it would have, bit for bit", self.folder, changed)
        return learners

    def _has_only_begun(self) -> bool:
        """Whether it was killed before its first checkpoint: then nothing was measured either."""
        measured = any(journal.size for journal in self.journals.values())
        return (self.folder / CONFIG).exists() and not measured and not (self.folder / FINAL).exists()

    def _newest_whole(self, saved: list[Path], agents: Agent) -> tuple[dict[str, Any], Learner]:
        """The page and the learners of the newest checkpoint that is not damaged. Damaged ones are set aside."""
        if not saved:
            raise ValueError(f"{self.folder}: there is no checkpoint to resume from")
        *older, newest = saved
        try:
            page = read_page(newest)
            require_same_run(newest, page, self.config)
            shapes = jax.eval_shape(partial(begin, setup=self.setup), self._keys(), agents)
            return page, read_checkpoint(newest, shapes)
        except DamagedCheckpointError as error:
            if not older:
                raise ValueError(f"{error}; there is no older one") from error
            set_aside(newest)
            logger.warning("%s; going on from %s", error, older[-1].name)
        return self._newest_whole(older, agents)

    def _finish(self) -> None:
        """The weights of each seed by themselves."""
        agents = harden(self.devices.fetch(self.learners.agent))
        for seed in range(self.config.seeds if self.devices.is_first else 0):
            agent = jax.tree.map(lambda leaf, seed=seed: leaf[seed], agents)
            page = {"config": self.config.page(), "seed": seed, "update": self.update}
            write_checkpoint(self.folder / FINAL / f"seed{seed}", agent, page)

    def _keys(self) -> jax.Array:
        return jax.random.split(jax.random.key(self.config.seed), self.config.seeds)


def require_recorded(folder: Path, config: RunConfig) -> None:
    """Refuse a configuration that is not the one of the checkpoints, before anything is made as large as it says."""
    for checkpoint in saved_checkpoints(folder):
        with suppress(DamagedCheckpointError):
            require_same_run(checkpoint, read_page(checkpoint), config)


@jax.jit
def finite(agents: Agent) -> Bool[Array, ""]:
    """Whether all parameters are numbers, found out where they are."""
    return jnp.stack([jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(agents)]).all()


def summary(metrics: Metrics) -> dict[str, Any]:
    """Of the metrics of a pool's updates one number a seed, and a share for each kind of transition."""
    counts = {"episodes", "successes", "replayed", "replayed_successes", "episodes_by_kind", "successes_by_kind"}
    total = {name: np.asarray(metrics[name]).sum(axis=0) for name in counts}
    means = {name: np.asarray(values).mean(axis=0) for name, values in metrics.items() if name not in counts}
    shares = {
        "success": total["successes"] / np.maximum(total["episodes"], 1),
        "success_by_kind": total["successes_by_kind"] / np.maximum(total["episodes_by_kind"], 1),
    }
    kept = {name: total[name] for name in ("episodes", "replayed", "replayed_successes", "episodes_by_kind")}
    return {name: np.round(values, 6).tolist() for name, values in {**shares, **means, **kept}.items()}
