"""Episodes as they are recorded, and the datasets that Minari reads."""

import json
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from cli.command import Capture, cofca, lines_of

from cofca.experiments.policies import as_batched
from cofca.experiments.specs import experiment
from cofca.interop.ids import register
from cofca.interop.minari import episodes as module
from cofca.interop.minari.episodes import episodes
from cofca.interop.minari.levels import TRAIN, levels_to_record
from cofca.interop.minari.players import TOLD, Player, player
from interop.samples import ONE_LINE

EPISODES = 5


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("recorded") / "one-line.toml"
    path.write_text(ONE_LINE)
    return experiment(str(path))


def test_the_oracle_is_recorded_in_groups_and_its_levels_come_back(spec: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 3)
    levels = levels_to_record(spec, TRAIN, EPISODES, 2)
    found = list(episodes(player("oracle", spec), levels))
    assert len({tuple(episode.level_key) for episode in found}) == EPISODES
    register()
    env = gymnasium.make("cofca/Minecraft-v0", **levels.bin.changes)
    for episode in found:
        assert (episode.rewards.sum(), episode.rewards[-1]) == (1, 1)
        assert episode.terminations.tolist() == (len(episode.actions) - 1) * [False] + [True]
        assert not episode.truncations.any()
        seen = [env.reset(options={"level_key": episode.level_key})[0]]
        seen += [env.step(action)[0] for action in episode.actions]
        for name, values in episode.obs.items():
            assert np.array_equal(values, [obs[name] for obs in seen])
            assert values.dtype == env.observation_space[name].dtype


def test_policies_outside_of_jax_are_recorded(spec: Any) -> None:
    levels = levels_to_record(spec, TRAIN, 3, 2)

    def noun(obs: dict[str, np.ndarray]) -> int:
        """What a line says: its verb and its noun, each from 1."""
        return 3 * (int(obs["lines"][1]) - 1) + int(obs["lines"][2]) - 1

    found = list(episodes(Player("mine", lambda levels: TOLD, as_batched(noun)), levels))
    for episode in found:
        assert set(episode.actions.tolist()) == {noun({name: values[0] for name, values in episode.obs.items()})}
        assert len(episode.obs["lines"]) == len(episode.actions) + 1


def test_a_bin_is_that_of_an_evaluation(spec: Any) -> None:
    from cofca.experiments.eval_set import eval_sets

    (official,) = eval_sets(spec, EPISODES, 0)
    assert levels_to_record(spec, "1-1", EPISODES, 0).fingerprint == official.fingerprint
    assert levels_to_record(spec, TRAIN, EPISODES, 0).fingerprint != official.fingerprint


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nothing --out here", "unknown experiment 'nothing'"),
        ("minecraft-length --out here --levels 3-4", "minecraft-length has no levels '3-4'; it has 1-10, 11-20, "),
        ("worker --out here", "worker is an experiment in errands; recorded are minecraft and starcraft"),
        ("minecraft-length --out here --policy starcraft-length/cofca-s", "an agent of starcraft, not of minecraft"),
        ("minecraft-length --out .", ".: exists already"),
        ("minecraft-length --out nowhere/here", "nowhere/here: there is no folder nowhere"),
    ],
)
def test_mistakes_are_told_in_one_line(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    pytest.importorskip("minari")
    monkeypatch.chdir(tmp_path)
    assert cofca("record", *words.split()) == 2
    *_, line = lines_of(capsys.readouterr().err)
    assert said in line
    assert not list(tmp_path.iterdir())


def test_without_minari_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "minari", None)
    monkeypatch.delitem(sys.modules, "cofca.interop.minari.dataset", raising=False)
    assert cofca("record", "minecraft-length", "--out", "here") == 2
    assert lines_of(capsys.readouterr().err)[-1] == "cofca: a dataset needs minari: pip install 'cofca[minari]'"


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "levels", "policy"),
    [
        ("minecraft-wide", "1-10", "oracle"),
        ("starcraft-length", TRAIN, "starcraft-length/cofca-s"),
        ("starcraft-length", "2-5", "random"),
    ],
)
def test_minari_reads_what_was_recorded(name: str, levels: str, policy: str, tmp_path: Path, capsys: Capture) -> None:
    minari = pytest.importorskip("minari")
    out = tmp_path / "demonstrations"
    words = f"record {name} --levels {levels} --policy {policy} --episodes 6 --level-seed 7 --out {out} --json"
    assert cofca(*words.split()) == 0
    report = json.loads(capsys.readouterr().out)
    dataset = minari.MinariDataset(out)
    assert (dataset.total_episodes, dataset.total_steps) == (6, report["steps"])
    about = dataset.storage.metadata["cofca"]
    spec = experiment(name)
    chosen = levels_to_record(spec, levels, 6, 7)
    assert about == {name: report[name] for name in about}
    assert (about["fingerprint"], about["level_seed"], about["policy"]) == (chosen.fingerprint, 7, policy)
    env = dataset.recover_environment()
    assert (env.observation_space, env.action_space) == (dataset.observation_space, dataset.action_space)
    for episode in dataset:
        stored = episode.infos["level_key"]
        assert stored.shape == (len(episode) + 1, 2)
        assert (stored == stored[0]).all()
        obs, _ = env.reset(options={"level_key": stored[0]})
        for part, value in obs.items():
            assert np.array_equal(episode.observations[part][0], value)
        assert (episode.terminations | episode.truncations).tolist() == (len(episode) - 1) * [False] + [True]
    won = np.mean([episode.rewards.sum() > 0 for episode in dataset])
    assert won == about["success"]
    assert policy == "random" or won == 1
