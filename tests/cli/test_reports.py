"""What levels, check and bench print."""

from typing import Any

import jax
import jax.numpy as jnp
import pytest

from cli.command import Capture, cofca, one_object
from cofca.cli.show import print_check
from cofca.envs.minecraft import parse, unparse
from cofca.envs.registry import domain
from cofca.envs.rollout import Episodes, Policy, play

# Levels


def test_levels_are_printed_as_text_that_can_be_read_back(capsys: Capture) -> None:
    levels = ("levels", "minecraft", "--count", "3", "--length", "5-9", "--seed")  # as the README has it
    assert cofca(*levels, "7", "--json") == 0
    texts = one_object(capsys.readouterr().out)["levels"]
    assert len(texts) == 3
    for text in texts:
        assert unparse(parse(text)) == text
        assert 5 <= len(text.splitlines()) <= 9

    assert cofca(*levels, "7") == 0
    printed = capsys.readouterr().out
    assert printed == "\n\n".join(f"# level {number}\n{text}" for number, text in enumerate(texts, start=1)) + "\n"

    assert cofca(*levels, "8") == 0
    assert capsys.readouterr().out != printed


def test_starcraft_levels_are_printed_as_text_that_can_be_read_back(capsys: Capture) -> None:
    assert cofca("levels", "starcraft", "--count", "6", "--length", "2-4", "--depth", "2", "--seed", "7", "--json") == 0
    texts = one_object(capsys.readouterr().out)["levels"]
    assert len(texts) == 6
    for text in texts:
        domain("starcraft").language.parse(text)
        kinds = [row.split()[0] for row in text.splitlines()]
        assert 2 <= len(kinds) <= 4
        assert "Build Build Build" not in " ".join(kinds)  # no chain is deeper than 2


# Check


def test_check_lets_oracle_and_random_choices_play(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cofca.envs.check.BATCH", 128)  # so that the last batch is not full
    assert cofca("check", "minecraft", "--levels", "200", "--length", "1-10", "--seed", "1", "--json") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["domain"], report["length"], report["seed"]) == ("minecraft", [1, 10], 1)
    assert report["levels"] == 200
    assert report["oracle_success"] == 1.0
    assert report["random_success"] < 0.5
    (only,) = report["bins"]
    assert only == {"lo": 1, "hi": 10, "episodes": 200, "oracle": 1.0, "random": report["random_success"]}
    for kind in ("next_line", "if_entered", "else_entered", "while_entered", "loop_back"):
        assert report["transitions"][kind]["per_episode"] > 0
        assert 0 < report["transitions"][kind]["share_of_levels"] <= 1
    assert (report["subtasks"], report["subtask_success"]) == (2000, 1.0)
    print_check(report)
    assert "carried out by the worker: 1.0000 of 2,000" in capsys.readouterr().out


def test_check_lets_references_play_starcraft_too(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    references = domain("starcraft").references

    def trace_only(keys: Any, env: Any, levels: Any, policy: Policy, params: Any) -> Episodes:
        """Every episode is won, in one pass none: six policies would take long to compile."""
        shapes = jax.eval_shape(lambda: play(keys, env, levels, policy, params))
        nothing = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)
        info = nothing.info._replace(length=levels.program.length)
        return nothing._replace(returns=nothing.returns + (policy is not references["one_pass"]), info=info)

    monkeypatch.setattr("cofca.envs.check.play", trace_only)
    assert cofca("check", "starcraft", "--levels", "100", "--length", "2-8", "--json") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["domain"], report["length"], report["levels"]) == ("starcraft", [2, 8], 100)
    won = {"oracle": 1.0, "random": 1.0, **dict.fromkeys(references, 1.0), "one_pass": 0.0}
    assert {name.removesuffix("_success"): share for name, share in report.items() if "success" in name} == won
    assert [(row["lo"], row["hi"]) for row in report["bins"]] == [(1, 5), (6, 10)]
    for row in report["bins"]:
        assert {name: row[name] for name in won} == won
    assert tuple(report["transitions"]) == ("next_line", "skip", "jump_back", "unit_lost", "buildings_lost")


REPORT = {
    "levels": 30,
    "oracle_success": 0.9,
    "random_success": 0.25,
    "subtasks": 16,
    "subtask_success": 0.875,
    "bins": [
        {"lo": 1, "hi": 10, "episodes": 20, "oracle": 1.0, "random": 0.375},
        {"lo": 11, "hi": 20, "episodes": 10, "oracle": 0.7, "random": 0.0},
    ],
    "transitions": {"next_line": {"per_episode": 1.5, "share_of_levels": 0.625}},
}


def test_check_fails_when_the_oracle_fails(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cofca.envs.check.check", lambda *_: REPORT)
    assert cofca("check", "minecraft", "--levels", "30") == 1
    printed = capsys.readouterr().out
    for shown in ("11-20", "0.375", "0.9000", "next line", "0.625", "0.8750"):
        assert shown in printed


# Bench


def test_bench_measures_steps_and_compilation(capsys: Capture) -> None:
    assert cofca("bench", "env", "starcraft", "--envs", "16", "--steps", "4", "--json") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["domain"], report["envs"], report["steps_per_round"], report["pool"]) == ("starcraft", 16, 4, 16)
    assert report["steps_per_second"] > 0
    assert report["compile_seconds"] > 0
    rounds = sorted(report["seconds_per_round"])
    assert report["steps_per_second"] == pytest.approx(16 * 4 / rounds[len(rounds) // 2])


def test_bench_prints_a_table(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = {"levels": 64, "levels_per_second": 12345.678, "seconds_per_round": [0.5, 0.25]}
    monkeypatch.setattr("cofca.envs.bench.bench_levels", lambda *_: measured)
    assert cofca("bench", "levels", "minecraft", "--levels", "64") == 0
    printed = capsys.readouterr().out
    for shown in ("levels per second", "12,345.68", "0.500 0.250"):
        assert shown in printed
