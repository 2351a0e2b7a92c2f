"""Runs that are evaluated and logged while they train."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from experiments.small import EPISODES, small_sets
from experiments.tiny import SEEDS
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tiny_preset import TINY_PPO

from cofca.agents.base import Agent
from cofca.experiments.eval_set import EvalSet
from cofca.experiments.evaluate import watch
from cofca.runs.loggers.base import find_log, opened, scalars
from cofca.runs.run import Run
from runs.small_runs import CONFIG, STEPS, after, metrics_of, new
from runs.test_checkpoint import same

PER_POOL = TINY_PPO.batch * TINY_PPO.updates_per_pool
WATCHED = replace(CONFIG, evaluate_every=2 * PER_POOL)


@cache
def levels() -> list[EvalSet]:
    return small_sets(1)


def evaluate(agents: Agent, steps: int) -> dict[str, Any]:
    return watch(agents, TINY_PPO, levels())


def lines(folder: Path, name: str = "evaluations") -> list[dict[str, Any]]:
    path = folder / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that was evaluated twice, with TensorBoard. Only to be looked at."""
    run = new(tmp_path_factory.mktemp("run") / "watched", config=WATCHED)
    with opened(["tensorboard"], run.folder, {}, run.steps) as listeners:
        run.train(listeners, evaluate)
    return run


# Evaluations


def test_a_run_is_evaluated_every_so_many_steps_and_in_the_end(watched):
    found = lines(watched.folder)
    assert [line["steps"] for line in found] == [2 * PER_POOL, STEPS]
    assert [line["update"] for line in found] == [4, 8]
    for line in found:
        assert line["episodes"] == EPISODES
        assert line["seconds"] > 0
        assert [len(row["sampled"]) for row in line["bins"]] == [SEEDS, SEEDS]
        assert len(line["transitions"]["next_line"]["success"]) == SEEDS
    last = {"update": 8, "steps": STEPS, "seconds": found[-1]["seconds"]}
    assert found[-1] == {**last, **evaluate(watched.learners.agent, 0)}


def test_evaluation_does_not_change_a_bit_of_training(watched, tmp_path):
    unwatched = new(tmp_path / "run")
    unwatched.train([], evaluate)
    assert not lines(unwatched.folder)
    assert same(unwatched.learners, watched.learners)
    assert metrics_of(unwatched.folder) == metrics_of(watched.folder)


def test_a_watched_run_that_was_killed_and_resumed_is_the_run_that_was_not(watched, tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        new(folder, config=WATCHED).train([after(2)], evaluate)
    # Killed before the evaluation: go on until it is written, but not saved.
    unsaved = replace(WATCHED, checkpoint_minutes=60.0)
    with pytest.raises(KeyboardInterrupt):
        new(folder, resume=True, config=unsaved).train([after(3)], evaluate)
    assert [line["update"] for line in lines(folder)] == [4]
    resumed = new(folder, resume=True, config=WATCHED)
    assert (resumed.update, lines(folder)) == (2, [])
    resumed.train([], evaluate)
    assert same(resumed.learners, watched.learners)
    here, there = ([{**line, "seconds": 0} for line in lines(run.folder)] for run in (resumed, watched))
    assert here == there


def test_a_finished_run_that_is_resumed_is_not_evaluated_again(watched, tmp_path):
    folder = Path(shutil.copytree(watched.folder, tmp_path / "copy"))
    new(folder, resume=True, config=WATCHED).train([], evaluate)
    assert lines(folder) == lines(watched.folder)


def test_evaluations_that_are_missing_are_told(watched, tmp_path):
    folder = Path(shutil.copytree(watched.folder, tmp_path / "copy"))
    (folder / "evaluations.jsonl").unlink()
    with pytest.raises(ValueError, match=r"evaluations\.jsonl: is missing, but had \d+ bytes"):
        new(folder, resume=True, config=WATCHED)


# Logs


def events(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard reads in a folder."""
    found = EventAccumulator(str(folder / "tensorboard")).Reload()
    return {tag: [(event.step, event.value) for event in found.Scalars(tag)] for tag in found.Tags()["scalars"]}


def test_tensorboard_reads_what_the_journals_say(watched):
    found, metrics, evaluations = events(watched.folder), lines(watched.folder, "metrics"), lines(watched.folder)
    for seed in range(SEEDS):
        for name in ("loss", "success", "entropy"):
            wanted = [(line["steps"], np.float32(line[name][seed])) for line in metrics]
            assert found[f"{name}/seed{seed}"] == wanted
        wanted = [(line["steps"], np.float32(line["bins"][1]["sampled"][seed])) for line in evaluations]
        assert found[f"evaluation/3-3/seed{seed}"] == wanted
    assert len(found["steps_per_second"]) == len(metrics)
    assert f"success_by_kind/0/seed{SEEDS - 1}" in found


def test_tensorboard_forgets_what_was_logged_after_the_checkpoint(tmp_path):
    line = {"steps_per_second": 1.0, "loss": [0.5]}
    for start, steps, loss in ((0, (10, 20, 30), 0.5), (20, (30, 40), 0.25)):
        with opened(["tensorboard"], tmp_path, {}, start) as (listen,):
            for step in steps:
                listen("metrics", {**line, "loss": [loss], "steps": step})
    assert events(tmp_path)["loss/seed0"] == [(10, 0.5), (20, 0.5), (30, 0.25), (40, 0.25)]


def test_kinds_that_never_occurred_have_no_scalar():
    kinds = {"skip": {"episodes": [0, 2], "success": [None, 0.5]}}
    bins = [{"id": "1-5", "lo": 1, "hi": 5, "sampled": [0.1, 0.2]}]
    found = scalars("evaluations", {"steps": 1, "bins": bins, "transitions": kinds})
    assert found == {"evaluation/1-5/seed0": 0.1, "evaluation/1-5/seed1": 0.2, "evaluation_by_kind/skip/seed1": 0.5}


def test_wandb_is_told_the_same_and_goes_on_with_the_run_of_the_folder(tmp_path, monkeypatch):
    begun: list[dict[str, Any]] = []
    logged: list[dict[str, Any]] = []
    steps: list[str] = []

    @contextmanager
    def init(**settings: Any) -> Iterator[SimpleNamespace]:
        begun.append(settings)
        yield SimpleNamespace(log=logged.append, define_metric=lambda name, step_metric: steps.append(step_metric))
        settings["finished"] = True

    fake = ModuleType("wandb")
    fake.init = init
    monkeypatch.setitem(sys.modules, "wandb", fake)
    monkeypatch.delitem(sys.modules, "cofca.runs.loggers.wandb", raising=False)
    for _ in range(2):
        with opened(["wandb"], tmp_path, {"seeds": 1}, 0) as (listen,):
            listen("metrics", {"steps": 5, "steps_per_second": 2.0, "loss": [0.5]})
    assert logged == 2 * [{"steps": 5, "steps_per_second": 2.0, "loss/seed0": 0.5}]
    assert begun[0] == begun[1]
    assert begun[0]["finished"]
    assert begun[0]["config"] == {"seeds": 1}
    assert steps == ["steps", "steps"]
    monkeypatch.delitem(sys.modules, "cofca.runs.loggers.wandb")


@pytest.mark.parametrize("name", ["tensorboard", "wandb"])
def test_a_package_that_is_not_installed_is_named(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    for module in [found for found in sys.modules if found.startswith((f"{name}.", "cofca.runs.loggers."))]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(ValueError, match=rf"^--log {name} needs .* pip install cofca\[{name}\]$"):
        find_log(name)


def test_an_unknown_log_is_refused():
    with pytest.raises(ValueError, match=r"^unknown log 'paper'; expected tensorboard or wandb$"):
        find_log("paper")


def test_training_imports_neither_logs_nor_the_command_line():
    heavy = "{'tyro', 'rich', 'tensorboard', 'wandb', 'gymnasium'}"
    code = f"import sys, cofca.runs.run, cofca.experiments.evaluate; sys.exit(str({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "set()\n"
