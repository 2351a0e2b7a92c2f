"""One run on many devices and in several processes is the run on one device."""

import shutil
from functools import partial
from pathlib import Path

import jax
import numpy as np
import pytest
from experiments.tiny import POOLS, SEEDS, SETUP, agents_of
from jax.sharding import AxisType, PartitionSpec
from runs.small_runs import metrics_of
from safetensors.numpy import load_file
from tiny_preset import TINY_PPO

from cofca.rl.ppo import begin
from cofca.rl.sharding import Devices
from cofca.runs.lock import FolderLock
from cofca.runs.page import ARRAYS
from reliability.processes import finished, free_port, started
from reliability.tiny_run import tiny_run


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run on one device."""
    folder = tmp_path_factory.mktemp("run") / "alone"
    tiny_run(folder, POOLS).train()
    return folder


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run on eight."""
    folder = tmp_path_factory.mktemp("run") / "divided"
    finished(started(folder, POOLS, "--devices", "8", devices=8))
    return folder


def weights(folder: Path) -> list[dict[str, np.ndarray]]:
    return [load_file(folder / "final" / f"seed{seed}" / ARRAYS) for seed in range(SEEDS)]


def alike(one: Path, other: Path) -> bool:
    """Sums of numbers are rounded in another order: equal up to that."""
    for ours, theirs in zip(weights(one), weights(other), strict=True):
        assert ours.keys() == theirs.keys()
        if not all(np.allclose(ours[name], theirs[name], atol=1e-5) for name in ours):
            return False
    for line, same in zip(metrics_of(one), metrics_of(other), strict=True):
        assert all(line[name] == same[name] for name in ("update", "episodes", "success"))
        assert np.allclose(line["loss"], same["loss"], atol=1e-5)
    return True


def test_eight_devices_train_as_one_does(alone: Path, divided: Path) -> None:
    assert alike(alone, divided)
    moved = tiny_run(alone, POOLS)
    assert not np.allclose(moved.learners.agent.critic.weight[0], moved.learners.agent.critic.weight[1])


def halfway(folder: Path, to: Path) -> Path:
    """The same run as it was after half of its pools."""
    shutil.copytree(folder, to)
    shutil.rmtree(to / "final")
    for late in ("00000006", "00000008"):
        shutil.rmtree(to / "checkpoints" / late)
    return to


def test_a_checkpoint_of_eight_devices_goes_on_with_one(alone: Path, divided: Path, tmp_path: Path) -> None:
    run = tiny_run(halfway(divided, tmp_path / "run"), POOLS)
    assert run.update == POOLS
    run.train()
    assert alike(alone, run.folder)


@pytest.mark.soak
def test_a_checkpoint_of_one_device_goes_on_in_two_processes_of_which_only_the_first_writes(
    alone: Path, tmp_path: Path
) -> None:
    host = f"127.0.0.1:{free_port()}"
    folders = [halfway(alone, tmp_path / "first"), tmp_path / "second"]
    both = ("--devices", "4", "--coordinator", host, "--resume", "--process")
    finished(*(started(folder, POOLS, *both, str(process), devices=2) for process, folder in enumerate(folders)))
    assert alike(alone, folders[0])
    assert not folders[1].exists()


@pytest.mark.soak
def test_when_somebody_else_is_in_the_folder_all_processes_stop_and_say_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    there = FolderLock(tmp_path / "run")
    both = ("--devices", "4", "--coordinator", f"127.0.0.1:{free_port()}", "--process")
    processes = [started(tmp_path / "run", POOLS, *both, str(number), devices=2) for number in range(2)]
    for process in processes:
        process.communicate(timeout=120)
        assert process.returncode == 1
    there.release()
    said = capfd.readouterr().err
    assert "is training here" in said
    assert "the first process could not open it" in said


@pytest.mark.parametrize("name", ["unstructured", "olsk"])
def test_what_belongs_to_environments_is_divided_among_them_and_no_weights_are(name: str) -> None:
    devices = Devices()
    devices.mesh = jax.make_mesh((1, 1), ("seeds", "envs"), 2 * (AxisType.Auto,))
    learners = jax.eval_shape(partial(begin, setup=SETUP), jax.random.split(jax.random.key(0), SEEDS), agents_of(name))
    layout = devices.layout(learners)
    assert jax.tree.structure(layout) == jax.tree.structure(learners)
    levels, divided = layout.levels, PartitionSpec("seeds", "envs")
    for part in (layout.memory, levels.playing, levels.level, levels.known):
        assert {place.spec for place in jax.tree.leaves(part)} == {divided}
    for part in (layout.key, layout.agent, layout.optimizer, layout.update, levels.pool, levels.failures):
        assert {place.spec for place in jax.tree.leaves(part)} == {PartitionSpec("seeds")}


@pytest.mark.parametrize(
    ("number", "message"),
    [(0, "devices must lie between 1 and"), (len(jax.devices()) + 1, "devices must lie between 1 and")],
)
def test_devices_that_are_not_there_are_refused(number: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Devices(number, SEEDS, TINY_PPO.envs)


def test_environments_that_cant_be_divided_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax, "devices", lambda: ["one device"] * 8)
    with pytest.raises(ValueError, match="10 environments of a seed can't be divided among 4 devices"):
        Devices(8, 2, 10)
