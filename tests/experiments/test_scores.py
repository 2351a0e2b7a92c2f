"""Evaluations are typed: one object for each seed, of which reports and results are made."""

from dataclasses import asdict
from functools import cache
from typing import Any

import jax
import pytest
from tiny_preset import TINY, TINY_PPO

from cofca.agents.base import Agent
from cofca.envs.spec import spec_of
from cofca.envs.starcraft import REFERENCES
from cofca.experiments.eval_set import EvalSet, eval_sets
from cofca.experiments.evaluate import evaluate, evaluate_seeds
from cofca.experiments.scores import KindScore, Score, SeedScores, recoveries
from cofca.experiments.specs import Bin, Experiment
from cofca.utils.json import decode
from cofca.utils.trees import stack

EPISODES, SEEDS = 24, 2
BINS = tuple(Bin(low, 3, {"length": (2, 3), "steps_per_line": 4}) for low in (2, 3))
SMALL = Experiment("starcraft-length", "starcraft", {"length": (1, 3), "steps_per_line": 4}, BINS)
ROW = {"id", "lo", "hi", "episodes", "levels", "oracle", "random", "references", "sampled", "greedy", "recovery"}
OF_SEEDS = {"sampled_se", "seeds"}


@cache
def sets() -> list[EvalSet]:
    return eval_sets(SMALL, EPISODES, 0)


@cache
def agents() -> Agent:
    spec = spec_of(sets()[0].env, sets()[0].params)
    make = TINY.agent("starcraft", "cofca-s")
    return stack([make(key, spec) for key in jax.random.split(jax.random.key(1), SEEDS)])


@cache
def scores() -> list[SeedScores]:
    return evaluate_seeds(agents(), TINY_PPO, sets())


def test_each_seed_has_a_score_in_each_bin():
    assert len(scores()) == SEEDS
    for one in scores():
        assert [(score.lo, score.hi, score.episodes) for score in one.bins] == [(2, 3, EPISODES), (3, 3, EPISODES)]
        assert [score.levels for score in one.bins] == [levels.fingerprint for levels in sets()]
        for score in one.bins:
            assert score.references.keys() == REFERENCES.keys()
            assert score.recovery.keys() == {"sampled", "oracle", *REFERENCES}
    first, other = (one.bins[0] for one in scores())
    assert (first.oracle, first.random, first.references) == (other.oracle, other.random, other.references)


def test_a_score_is_read_from_its_own_page():
    for one in scores():
        page = asdict(one)
        assert [decode(Score, row) for row in page["bins"]] == one.bins
        assert {kind: decode(KindScore, row) for kind, row in page["transitions"].items()} == one.transitions


def test_a_report_has_the_means_of_the_seeds(monkeypatch: pytest.MonkeyPatch):
    seeds = scores()
    monkeypatch.setattr("cofca.experiments.evaluate.evaluate_seeds", lambda *_: seeds)
    report: dict[str, Any] = evaluate(agents(), TINY_PPO, sets())
    assert report.keys() == {"level_seed", "bins", "transitions"}
    for at, row in enumerate(report["bins"]):
        assert row.keys() >= ROW | OF_SEEDS
        assert row["seeds"] == [one.bins[at].sampled for one in seeds]
        assert row["greedy"] == pytest.approx(sum(one.bins[at].greedy for one in seeds) / SEEDS)
        assert row["recovery"]["oracle"] == asdict(seeds[0].bins[at])["recovery"]["oracle"]
        assert row["recovery"]["sampled"] == [asdict(one.bins[at])["recovery"]["sampled"] for one in seeds]
    for kind, row in report["transitions"].items():
        assert row["episodes"] == sum(one.transitions[kind].episodes for one in seeds)


def test_a_watcher_s_report_becomes_recoveries_by_cause():
    assert recoveries({}) == {}
    reported = sets()[0].watcher.report(sets()[0].oracle.notes)
    assert {cause: asdict(recovery) for cause, recovery in recoveries(reported).items()} == reported


@pytest.mark.parametrize(("won", "episodes", "success"), [(0, 0, None), (1, 4, 0.25), (4, 4, 1.0)])
def test_a_kind_without_episodes_has_no_success(won: int, episodes: int, success: float | None):
    assert KindScore.of(won, episodes) == KindScore(episodes, success)


def test_a_share_lies_between_0_and_1():
    with pytest.raises(ValueError, match=r"success must lie between 0 and 1, not 1\.5"):
        KindScore(2, 1.5)
