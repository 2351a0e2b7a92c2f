"""The life of a run of a few numbers, and of its results, in which nothing is compiled: python -m
reliability.small_life SCENARIO FOLDER AT kills the process at one of its file operations."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import config
from paper.made_up import made_up
from tiny_preset import TINY_PPO

from cofca.experiments.zoo import one_of
from cofca.paper.results import Result, read_results, write_result
from cofca.paper.ship import ship
from cofca.rl.ppo import Learner
from cofca.runs import run as runs
from cofca.runs.checkpoint import read_checkpoint
from cofca.runs.config import RunConfig
from cofca.runs.layout import CONFIG as CONFIG_FILE
from cofca.runs.layout import saved_checkpoints
from cofca.runs.run import Run
from reliability.operations import SIGKILL, Fault, watched

SEEDS, POOLS, LEFT = 2, 5, 3
BATCH = TINY_PPO.batch * TINY_PPO.updates_per_pool
CONFIG = RunConfig(
    "starcraft-length", seeds=SEEDS, steps=POOLS * BATCH, ppo=TINY_PPO, evaluate_every=2 * BATCH, checkpoint_minutes=0
)
NAME = "starcraft-length/cofca-s"
COUNTED = ("episodes", "successes", "replayed", "replayed_successes", "episodes_by_kind", "successes_by_kind", "loss")


def begin(keys: Any, agents: Any, setup: Any) -> Learner:
    """It learns to count, and has nothing but its weights."""
    nothing: Any = dict.fromkeys(Learner._fields)
    return Learner(**{**nothing, "agent": agents, "update": jnp.zeros(SEEDS, jnp.int32)})


def train(learner: Learner) -> tuple[Learner, dict[str, np.ndarray]]:
    agent = {"weights": learner.agent["weights"] + 1}
    learner = learner._replace(agent=agent, update=learner.update + TINY_PPO.updates_per_pool)
    return learner, dict.fromkeys(COUNTED, np.ones((1, SEEDS)))


@contextmanager
def nothing_is_compiled() -> Iterator[None]:
    """Learners are a few numbers."""
    program = SimpleNamespace(refresh=lambda learner: learner, train=train)
    with pytest.MonkeyPatch.context() as patch:
        # Learners of another kind, which no type checker would let in.
        patch.setattr(config, "jaxtyping_disable", True)
        patch.setattr(runs, "begin", begin)
        patch.setattr(runs, "compile_program", lambda *about: program)
        patch.setattr(runs, "finite", lambda agents: True)
        patch.setattr(runs, "harden", lambda agents: agents)
        yield


class Recorded(Run):
    """A run of which it is known what it has saved."""

    def save(self) -> None:
        super().save()
        SAVED[self.folder] = self.update


SAVED: dict[Path, int] = {}
SETUP: Any = None


def opened(folder: Path, resume: bool) -> Run:
    return Recorded(folder, CONFIG, SETUP, {"weights": jnp.zeros((SEEDS, 3))}, resume)


def evaluate(agents: Any, steps: int) -> dict[str, Any]:
    return {"bins": []}


def go_on(folder: Path) -> None:
    """What a person does next: train, with --resume where there is a run."""
    opened(folder / "run", (folder / "run" / CONFIG_FILE).exists()).train([], evaluate)


def stop_after_some(folder: Path) -> None:
    """A run that was killed before its last pool was saved, with what a killed process may leave."""

    def stop(name: str, line: dict[str, Any]) -> None:
        if line["update"] == LEFT * TINY_PPO.updates_per_pool:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        opened(folder / "run", resume=False).train([stop], evaluate)
    newest = saved_checkpoints(folder / "run")[-1]
    newest.rename(newest.with_name(".old-" + newest.name))
    shutil.copytree(newest.with_name(".old-" + newest.name), newest.with_name(".writing-00000099"))


def whole_run(folder: Path) -> dict[str, Any]:
    """All that a run promises: weights, metrics, evaluations, the newest checkpoints."""
    run = folder / "run"
    like = {"weights": jnp.zeros(3)}
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    weights = [read_checkpoint(run / "final" / f"seed{seed}", like)["weights"].tolist() for seed in range(SEEDS)]
    return {
        "weights": weights,
        "metrics": [line["update"] for line in lines],
        "evaluations": len((run / "evaluations.jsonl").read_text().splitlines()),
        "there": sorted(str(path.relative_to(run)) for path in run.rglob("*")),
    }


def goes_on_from_what_was_saved(folder: Path) -> None:
    """Whatever `save` has returned from is still there."""
    if saved := SAVED.pop(folder / "run", None):
        run = opened(folder / "run", resume=True)
        run.lock.release()
        assert run.update >= saved


RESULT = made_up("starcraft-length", "cofca-s", [1.0] + 4 * [0.9])


def result_of(seed: int, share: float) -> Result:
    return replace(RESULT, seed=seed, bins=[replace(score, sampled=share) for score in RESULT.bins])


def earlier_result(folder: Path) -> None:
    write_result(folder / "results", result_of(0, 0.5))


def put_result(folder: Path) -> None:
    write_result(folder / "results", result_of(0, 0.9))
    write_result(folder / "results", result_of(1, 0.8))


def can_be_read(folder: Path) -> None:
    """Old or new ones."""
    assert {result.bins[0].sampled for result in read_results(folder / "results")} <= {0.5, 0.8, 0.9}


def results(folder: Path) -> dict[str, Any]:
    shares = [result.bins[0].sampled for result in read_results(folder / "results")]
    return {"shares": shares, "there": sorted(path.name for path in folder.rglob("*"))}


def earlier_shipment(folder: Path) -> None:
    """A finished run with its results, shipped when another seed was the median one."""
    go_on(folder)
    (folder / "run").rename(folder / "cofca-s")
    (folder / "runs" / "starcraft-length").mkdir(parents=True)
    (folder / "cofca-s").rename(folder / "runs" / NAME)
    for seed, share in enumerate((0.9, 0.5)):
        write_result(folder / "results", result_of(seed, share))
    put_shipment(folder)
    for seed, share in enumerate((0.5, 0.9)):
        write_result(folder / "results", result_of(seed, share))


def put_shipment(folder: Path) -> None:
    ship(folder / "runs", folder / "results", NAME, all_seeds=False, to=folder / "shipped")


def shipment(folder: Path) -> dict[str, Any]:
    shipped = folder / "shipped"
    return {str(path.relative_to(shipped)): path.is_file() and path.read_bytes() for path in shipped.rglob("*")}


def can_be_loaded(folder: Path) -> None:
    """At every moment there is the seed that the card names, whole."""
    read_checkpoint(one_of(folder / "shipped" / NAME), {"weights": jnp.zeros(3)})


class Scenario(NamedTuple):
    """Something that writes files."""

    prepare: Callable[[Path], Any]
    act: Callable[[Path], Any]
    is_intact: Callable[[Path], None]
    """What holds at every moment."""
    look: Callable[[Path], dict[str, Any]]
    """What is there in the end, whatever happened on the way."""


SCENARIOS = {
    "start, train, save, prune and finish": Scenario(Path.mkdir, go_on, goes_on_from_what_was_saved, whole_run),
    "resume, train and finish": Scenario(stop_after_some, go_on, goes_on_from_what_was_saved, whole_run),
    "write results": Scenario(earlier_result, put_result, can_be_read, results),
    "ship weights": Scenario(earlier_shipment, put_shipment, can_be_loaded, shipment),
}


def main() -> None:
    """Die at an operation."""
    name, folder, at = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    jax.config.update("jax_platforms", "cpu")
    with nothing_is_compiled(), watched(folder, Fault(at, SIGKILL)):
        SCENARIOS[name].act(folder)


if __name__ == "__main__":
    main()
