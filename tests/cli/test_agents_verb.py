"""`cofca agents`, `cofca --version` and `cofca train --print-config`: what there is, and what would be done."""

import json
from pathlib import Path

import pytest

import cofca as package
from cli.command import Capture, cofca, one_object, run
from cofca.experiments.presets import PRESETS
from cofca.experiments.specs import experiment
from cofca.experiments.zoo import card_of, find_weights, names
from cofca.runs.config import RunConfig, config_of
from cofca.utils.json import known_fields

# Agents


def test_every_agent_and_all_weights_are_listed(capsys: Capture) -> None:
    assert cofca("agents", "--json") == 0
    report = one_object(capsys.readouterr().out)
    listed = {(row["preset"], row["domain"], row["agent"]) for row in report["agents"]}
    assert listed == {
        (preset.name, domain, agent)
        for preset in PRESETS.values()
        for domain, agents in preset.agents.items()
        for agent in agents
    }
    assert all(row["parameters"] > 1000 for row in report["agents"])
    assert [row["name"] for row in report["weights"]] == [*names(), "worker"]
    parameters = {(row["preset"], row["domain"], row["agent"]): row["parameters"] for row in report["agents"]}
    for row in report["weights"]:
        assert row["parameters"] == parameters[row["preset"], row["domain"], row["agent"]]
        files = (path for path in find_weights(row["name"]).rglob("*") if path.is_file())
        assert row["bytes"] == sum(path.stat().st_size for path in files)
    scored = {row["name"]: row for row in report["weights"]}["minecraft-length/cofca-s"]
    card = card_of(find_weights("minecraft-length/cofca-s"))
    assert (scored["trained_on"], scored["domain"], scored["preset"]) == ("minecraft-length", "minecraft", "tuned")
    assert (scored["bin"], scored["score"]) == ("41-50", card["success"]["41-50"]["by_seed"][card["seed"]])
    assert (scored["steps"], scored["seeds"]) == (card["steps"], [0, 1, 2, 3])


def test_agents_and_weights_are_printed_as_tables(capsys: Capture) -> None:
    assert cofca("agents") == 0
    printed = capsys.readouterr().out
    for shown in ("minecraft-length/cofca-s", "starcraft-length/cofca-s", "tuned", "41-50", "0.979", "70,080,000"):
        assert shown in printed


# Version


def test_the_version_is_told_before_anything_is_imported() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"cofca {package.__version__}\n", "")


# The configuration of a run


@pytest.mark.parametrize("name", ["minecraft-length", "starcraft-depth", "worker"])
def test_a_configuration_is_printed_and_nothing_is_trained(
    name: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cofca("train", name, "--print-config", "--seeds", "2", "--set", "clip=0.1", "--levels", "length=2-3") == 0
    printed = one_object(capsys.readouterr().out)
    agent = experiment(name).agent
    config = config_of(printed)
    assert (config.experiment, config.agent, config.preset, config.seeds) == (name, agent, "tuned", 2)
    assert (config.ppo.clip, config.levels) == (0.1, ("length=2-3",))
    assert known_fields(RunConfig, printed) == json.loads(json.dumps(config.page()))
    assert printed["architecture"] == PRESETS["tuned"].agent(experiment(name).domain, agent).page()
    assert printed["training_levels"]["length"] == [2, 3]
    assert not list(tmp_path.iterdir())


def test_the_training_levels_of_an_experiment_are_printed(capsys: Capture) -> None:
    assert cofca("train", "starcraft-depth", "--agent", "olsk", "--print-config") == 0
    printed = one_object(capsys.readouterr().out)
    assert printed["agent"] == "olsk"
    assert printed["architecture"]["architecture"] == "Olsk"
    assert printed["training_levels"]["max_depth"] == 3


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("minecraft-length", "--out is missing: it names the run's folder"),
        ("minecraft-length --print-config --agent clippy", "unknown agent 'clippy'; expected one of cofca-s, cofca"),
        ("minecraft-length --print-config --preset huge", "unknown preset 'huge'; expected tuned"),
        ("nowhere --print-config", "unknown experiment 'nowhere'"),
        ("--resume --print-config", "--out is missing: it names the run's folder"),
    ],
)
def test_what_cannot_be_trained_is_said_in_one_line(words: str, wrong: str, capsys: Capture) -> None:
    assert cofca("train", *words.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert wrong in said.err
    assert said.err.count("\n") == 1
