"""`cofca train` and `cofca evaluate` on a small experiment."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from experiments.small import EPISODES, SMALL, small_experiment
from experiments.tiny import POOLS, SEEDS
from runs.small_runs import STEPS, after
from tiny_preset import TINY_PPO

from cli.command import Capture, cofca, one_object
from cofca.cli import progress
from cofca.cli.numbers import short
from cofca.cli.train import about
from cofca.envs.minecraft import CONDITIONS
from cofca.experiments.build import canonical, make_agents, make_setup, training_params
from cofca.experiments.specs import experiment
from cofca.experiments.train import open_run, train_run
from cofca.experiments.weights import load_weights
from cofca.rl.config import settled
from cofca.runs.config import RunConfig, config_of, read_config
from cofca.runs.run import Run

OPTIONS = {"--seeds": SEEDS, "--steps": STEPS, "--evaluate-every": STEPS, "--evaluation-episodes": EPISODES}
WORDS = [str(word) for option in OPTIONS.items() for word in option]


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """The experiment and its agents are small ones."""
    with pytest.MonkeyPatch.context() as patch:
        small_experiment(patch)
        yield


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was killed after its second pool, and had been told to save at once."""
    folder = tmp_path_factory.mktemp("verb") / "run"
    with pytest.MonkeyPatch.context() as patch:
        train = Run.train
        patch.setattr(Run, "train", lambda self, listeners, evaluate: train(self, [*listeners, after(2)], evaluate))
        assert cofca("train", SMALL.name, "--out", str(folder), *WORDS, "--checkpoint-minutes", "0") == 130
    return folder


def said(capsys: Capture) -> str:
    """The one line on standard error."""
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("cofca: ")
    assert found.err.count("\n") == 1
    return found.err


def test_a_run_records_what_it_was_told(left):
    found = read_config(left)
    assert (found.experiment, found.agent, found.seeds, found.steps) == (SMALL.name, "cofca-s", SEEDS, STEPS)
    assert (found.evaluate_every, found.evaluation_episodes, found.log) == (STEPS, EPISODES, ())
    assert found.ppo == settled(TINY_PPO)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--steps", "70M"], f"steps is {STEPS}, not 70000000"),
        (["minecraft-length"], "experiment is starcraft-length, not minecraft-length"),
        (["--agent", "olsk"], "agent is cofca-s, not olsk"),
        (["--seeds", "4", "--seed", "3"], "seeds is 2, not 4"),
        (["--set", "clip=0.1"], "ppo.clip is 0.2, not 0.1"),
        (["--set", "steps=9"], "ppo.steps is 8, not 9"),
        (["--evaluate-every", "0"], f"evaluate_every is {STEPS}, not 0"),
        (["--levels", "max_depth=2"], "levels is [], not ['max_depth=2']"),
        (["--levels", "length=1-2"], "levels is [], not ['length=1-2']"),
        (["--preset", "paper"], "preset is tuned, not paper"),
    ],
)
def test_options_that_contradict_the_run_are_refused(capsys, left, words, reason):
    assert cofca("train", *words, "--out", str(left), "--resume") == 2
    assert said(capsys) == f"cofca: {left}: this run can't be resumed with other options: {reason}\n"


def test_training_levels_may_be_others_than_the_experiments():
    config = RunConfig(SMALL.name, levels=("max_prerequisites=5", "max_depth=2"))
    usual, other = make_setup(replace(config, levels=())).params, make_setup(config_of(config.page())).params
    assert other == replace(usual, max_prerequisites=5, max_depth=2)


def test_agents_are_made_for_the_lengths_they_are_trained_on():
    """At the start they make no moves that no training level has room for."""
    usual = RunConfig(SMALL.name, "olsk-e", seeds=1)
    for config, longest in ((usual, 3), (replace(usual, levels=("length=1-2",)), 2)):
        moves = np.asarray(make_agents(config).gate_phi.phi.bias[0])
        beyond = abs(np.arange(moves.size) - moves.size // 2) > longest - 1
        assert beyond.any()
        assert moves[beyond].max() < moves[~beyond].min()


def test_a_run_with_other_lengths_trains(tmp_path):
    config = RunConfig(SMALL.name, seeds=SEEDS, steps=1, ppo=TINY_PPO, evaluate_every=0, levels=("length=1-2",))
    run = open_run(tmp_path / "run", config, resume=False)
    assert (run.setup.params.length, run.setup.params.steps_per_line) == ((1, 2), SMALL.train["steps_per_line"])
    train_run(run, [])
    assert read_config(tmp_path / "run") == config
    trained = load_weights(tmp_path / "run")
    assert trained.config.levels == ("length=1-2",)
    assert np.array_equal(trained.agents.critic.weight, run.learners.agent.critic.weight)
    assert not np.array_equal(trained.agents.critic.weight, make_agents(config).critic.weight)


@pytest.mark.parametrize("setting", ["wait=true", "size=7"])
def test_levels_that_the_agents_could_not_be_evaluated_after_are_refused(setting: str):
    with pytest.raises(ValueError, match="these levels have other observations or actions than the evaluation of"):
        canonical(experiment("minecraft-length"), [setting])


def test_settings_of_levels_are_kept_in_one_spelling():
    given = ["max-depth=2", "max_prerequisites=5.0e0", "several_units=0"]
    with pytest.raises(ValueError, match="max_prerequisites needs a whole number"):
        canonical(SMALL, given)
    kept = canonical(SMALL, [given[0], given[2]])
    assert kept == canonical(SMALL, kept) == ("max_depth=2",)
    assert canonical(SMALL, ()) == ()
    assert canonical(SMALL, ["length=1-3"]) == ()
    assert canonical(SMALL, ["max_depth=2", "length=01-02"]) == ("length=1-2", "max_depth=2")


def test_conditions_are_kept_by_name():
    found = experiment("minecraft-length")
    assert canonical(found, ["conditions=gold>iron,merchant>wood"]) == ("conditions=gold>iron,merchant>wood",)
    (every,) = canonical(found, ["conditions=all"])
    assert training_params(found, [every]).conditions == CONDITIONS
    assert canonical(found, [every]) == (every,)
    assert canonical(found, ["conditions=iron>gold,gold>merchant,merchant>iron"]) == ()


def test_an_unfinished_run_is_not_evaluated(capsys, left):
    assert cofca("evaluate", str(left)) == 2
    assert said(capsys) == f"cofca: {left}: this run is not finished: it has no final weights\n"


def test_who_stops_a_run_is_told_how_to_go_on(capsys, monkeypatch, left):
    train = Run.train
    monkeypatch.setattr(Run, "train", lambda self, listeners, evaluate: train(self, [*listeners, after(2)], evaluate))
    assert cofca("train", "--out", str(left), "--resume") == 130
    *_, last = capsys.readouterr().err.splitlines()
    assert last == f"stopped; cofca train --out {left} --resume goes on from the last checkpoint"


def test_a_run_is_resumed_without_options_and_evaluated(capsys, monkeypatch, left):
    # What agrees with the run may be said, and how it is logged may change.
    monkeypatch.setattr(progress, "EVERY", 0.0)
    assert cofca("train", "--out", str(left), "--resume", "--set", "clip=0.2", "--log", "tensorboard") == 0
    out, told = capsys.readouterr()
    assert out == f"weights: {left / 'final'}\n"
    pool = STEPS // POOLS
    assert f"{short(STEPS)} steps of each seed, of which {short(pool)} are done\n" in told
    for done in (2 * pool, 3 * pool, STEPS):
        assert re.search(rf"training: {short(done)} of {short(STEPS)} steps, success [\d. ]+, [\d,]+ steps/s, ", told)
    assert "0:00:00 left\n" in told
    assert list((left / "tensorboard").iterdir())
    (line,) = (left / "evaluations.jsonl").read_text().splitlines()
    assert json.loads(line)["steps"] == STEPS

    assert cofca("evaluate", str(left), "--episodes", str(EPISODES), "--json") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["agent"], report["trained_on"], report["experiment"]) == ("cofca-s", SMALL.name, SMALL.name)
    for row in report["bins"]:
        assert {"lo", "hi", "episodes", "sampled", "sampled_se", "greedy", "oracle", "random"} <= row.keys()
        assert len(row["seeds"]) == SEEDS
    assert report["transitions"]["next_line"]["episodes"] > 0
    monkeypatch.setattr("cofca.experiments.evaluate.evaluate", lambda agents, *_: report)
    assert cofca("evaluate", str(left / "final" / "seed1")) == 0
    printed = capsys.readouterr().out
    scripted = f"{report['bins'][0]['references']['one_pass']:.3f}"
    oracle = f"{report['bins'][0]['oracle']:.3f}"
    for shown in ("cofca-s (tuned) on starcraft-length", "sampled", oracle, "scripted players", "one pass", scripted):
        assert shown in printed
    assert f"{report['bins'][0]['sampled']:.3f} ± {report['bins'][0]['sampled_se']:.3f}" in printed
    one, both = (load_weights(folder).agents.critic.weight for folder in (left / "final" / "seed1", left))
    assert np.array_equal(one, both[1:])

    assert cofca("train", "--out", str(left), "--resume") == 0
    assert f"this run is finished: {short(STEPS)} steps of each seed\n" in capsys.readouterr().err


def test_steps_are_rounded_up_in_words():
    config = RunConfig("minecraft-length", steps=70_000_000, ppo=replace(TINY_PPO, envs=150, steps=25))
    assert about(0, config) == "70M steps of each seed, 70M rounded up to whole pools of 7.5K"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "EXPERIMENT is missing; expected minecraft-length, "),
        (["--resume"], "there is no run: config.json is missing"),
        (["minecraft-jump"], "minecraft-jump evaluates agents of minecraft-length: train minecraft-length"),
        ([SMALL.name, "--log", "tensorboard,paper"], "unknown log 'paper'; expected tensorboard or wandb"),
        ([SMALL.name, "--checkpoint-minutes", "-1"], "checkpoint_minutes must not be negative"),
        ([SMALL.name, "--evaluate-every", "-1"], "expected a whole number from 0 to 2G"),
        ([SMALL.name, "--devices", "1000"], "devices must lie between 1 and "),
        ([SMALL.name, "--coordinator", "127.0.0.1:1"], "--coordinator, --processes and --process go together"),
    ],
)
def test_mistakes_are_told_in_one_line(capsys, tmp_path, words, reason):
    assert cofca("train", *words, "--out", str(tmp_path / "run")) == 2
    assert reason in said(capsys)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"experiment": 1, "ppo": {"speed": 1}}'])
def test_a_configuration_that_cannot_be_read_is_told_in_one_line(capsys, tmp_path, text):
    (tmp_path / "config.json").write_text(text)
    assert cofca("train", "--out", str(tmp_path), "--resume") == 2
    assert f"{tmp_path / 'config.json'}: " in said(capsys)
