"""`cofca reproduce --on ray` on a real cluster of two nodes, one of which is killed in the middle of its run."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from cli.command import Capture, cofca
from experiments.small import EPISODES, SMALL, small_experiment
from experiments.tiny import POOLS, SEEDS
from runs.small_runs import STEPS, metrics_of
from tiny_preset import TINY_PPO

from cofca.paper import grid
from cofca.paper.results import read_results
from cofca.paper.scales import SCALES, Scale, run_config
from paper.on_nodes import BEGUN, WAITING

pytest.importorskip("ray")
from cofca.paper.launchers import ray as cluster

# A cluster takes minutes on two cores.
pytestmark = pytest.mark.soak
TESTS = Path(__file__).parent.parent
AGENTS = ("cofca-s", "olsk")
KILLED_AT = 3 * TINY_PPO.updates_per_pool
HOOK = {"runtime_env": {"worker_process_setup_hook": "paper.on_nodes.prepare"}}


def small_run(found: Any, agent: str, *rest: Any) -> Any:
    """With a checkpoint after every pool of levels."""
    return replace(run_config(found, agent, *rest), checkpoint_minutes=0.0)


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Small experiments, agents and budgets. Nodes get jobs as they are planned here, and the tables from the hook."""
    with pytest.MonkeyPatch.context() as patch:
        small_experiment(patch)
        patch.setitem(SCALES, "tiny", Scale("tiny", {"starcraft": STEPS}, 2, watched=EPISODES, episodes=EPISODES))
        patch.setattr(grid, "run_config", small_run)
        patch.setattr(cluster, "PATIENCE", 10.0)
        patch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
        # As `ray job submit` hands over the environment of a job.
        patch.setenv("RAY_JOB_CONFIG_JSON_ENV_VAR", json.dumps(HOOK))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        yield


@dataclass
class TwoNodes:
    """The process in which a cluster runs."""

    process: subprocess.Popen[str]
    address: str

    def kill_one(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()


@pytest.fixture(scope="module")
def nodes(small: None) -> Iterator[TwoNodes]:
    words = [sys.executable, "-m", "paper.two_nodes", str(KILLED_AT)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield TwoNodes(process, process.stdout.readline().strip())
            process.stdin.close()
            process.wait(30)
        finally:
            process.kill()


def reproduce(folder: Path, *more: str) -> int:
    where = ["--runs", str(folder / "runs"), "--results", str(folder / "results")]
    return cofca("reproduce", SMALL.name, "--agents", *AGENTS, "--seeds", str(SEEDS), "--scale", "tiny", *where, *more)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("local")
    assert reproduce(folder) == 0
    return folder


def kill_when_waiting(nodes: TwoNodes, runs: Path) -> str:
    """Kill a node when its run waits for that; returns which run it was."""
    end = time.monotonic() + 600
    while not (found := list(runs.glob(f"*/*/{WAITING}"))):
        assert time.monotonic() < end
        time.sleep(0.2)
    nodes.kill_one()
    return found[0].parent.name


@pytest.fixture(scope="module")
def survived(nodes: TwoNodes, local: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a grid one of whose nodes was killed, and whose run that was. After the local one: what was
    compiled for that need not be compiled on the nodes."""
    folder = tmp_path_factory.mktemp("ray")
    with ThreadPoolExecutor() as pool:
        killed = pool.submit(kill_when_waiting, nodes, folder / "runs")
        assert reproduce(folder, "--on", "ray", "--address", nodes.address) == 0
        return folder, killed.result()


def test_the_results_are_those_of_the_local_launcher(local: Path, survived: tuple[Path, str]):
    folder, _ = survived
    assert len(read_results(folder / "results")) == len(AGENTS) * SEEDS
    assert read_results(folder / "results") == read_results(local / "results")
    for agent in AGENTS:
        run = Path("runs") / SMALL.name / agent
        assert metrics_of(folder / run) == metrics_of(local / run)


def test_the_run_whose_node_was_killed_went_on_from_its_checkpoint_and_nothing_ran_twice(survived: tuple[Path, str]):
    folder, killed = survived
    begun = {
        agent: [json.loads(line) for line in (folder / "runs" / SMALL.name / agent / BEGUN).read_text().splitlines()]
        for agent in AGENTS
    }
    spared = next(agent for agent in AGENTS if agent != killed)
    assert begun[spared] == [{"update": 0, "doomed": False}]
    before = KILLED_AT - TINY_PPO.updates_per_pool
    assert begun[killed] == [{"update": 0, "doomed": True}, {"update": before, "doomed": False}]
    updates = [line["update"] for line in metrics_of(folder / "runs" / SMALL.name / killed)]
    assert updates == [TINY_PPO.updates_per_pool * (pool + 1) for pool in range(POOLS)]


def test_the_folder_is_that_of_the_local_launcher(local: Path, survived: tuple[Path, str]):
    def files(folder: Path) -> set[str]:
        ours = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        return {path for path in ours if Path(path).name not in (BEGUN, WAITING)}

    assert files(survived[0]) == files(local)


def test_what_is_finished_is_skipped_without_a_node(
    survived: tuple[Path, str], nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch, capsys: Capture
):
    monkeypatch.setattr(cluster, "_task", None)
    assert reproduce(survived[0], "--on", "ray", "--address", nodes.address) == 0
    said = capsys.readouterr().err
    assert [line for line in said.splitlines() if "skipped" in line] == [
        f"{number}/2 {SMALL.name}/{agent} skipped" for number, agent in enumerate(AGENTS, start=1)
    ]
