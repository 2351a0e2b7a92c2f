"""What the results say by the paper's own protocol, and the paper's third figure."""

import json
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest
from matplotlib.patches import Rectangle
from tiny_preset import TINY_PAPER

from cofca.envs.registry import domain
from cofca.envs.spec import spec_of
from cofca.experiments import protocol
from cofca.experiments.agent_factory import training_params
from cofca.experiments.specs import experiment
from cofca.paper.curves import paper_scores
from cofca.paper.plots.figures import published_success
from cofca.paper.plots.scan_figure import AN_IF, scan_figure, scanned
from cofca.paper.results import Curve, PaperScore, read_result, write_result
from cofca.paper.statistics import published_bins, published_learning
from cofca.rl.config import PPOConfig
from cofca.utils.trees import stack
from paper.made_up import made_up, seeds_of

LINES = [
    {
        "protocol": "paper",
        "steps": steps,
        "seconds": 1.0,
        "bins": [
            {"id": "6-10", "lo": 6, "hi": 10, "episodes": [10, 8], "successes": [won, 0]},
            {"id": "11-15", "lo": 11, "hi": 15, "episodes": [5, 7], "successes": [1, 7]},
        ],
    }
    for steps, won in ((1_000_000, 0), (5_000_000, 2), (6_000_000, 4), (10_000_000, 10))
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "evaluations.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return tmp_path


def test_bars_are_of_the_last_steps_and_curves_of_all(run: Path):
    bins, curve = paper_scores(run, 0, last=5_000_000)
    assert bins == [PaperScore("6-10", 6, 10, 20, 14), PaperScore("11-15", 11, 15, 10, 2)]
    assert curve == Curve([1_000_000, 5_000_000, 6_000_000, 10_000_000], [0.0667, 0.2, 0.3333, 0.7333])
    assert paper_scores(run, 1, last=1)[0] == [PaperScore("6-10", 6, 10, 8, 0), PaperScore("11-15", 11, 15, 7, 7)]


def test_a_seed_that_is_missing_is_said(run: Path):
    with pytest.raises(ValueError, match=r"evaluations.jsonl: a seed is missing"):
        paper_scores(run, 2, last=1)


def test_errors_are_across_seeds(tmp_path: Path):
    plain = seeds_of(made_up("minecraft-length", "cofca-s", [0.9, 0.5, 0.4, 0.3, 0.2]), seeds=2)
    results = [
        replace(
            result,
            preset="paper",
            paper_bins=[PaperScore("11-20", 11, 20, 10, won)],
            paper_curve=Curve([1], [won / 10]),
        )
        for result, won in zip(plain, (2, 6), strict=True)
    ]
    for result in results:
        write_result(tmp_path, result)
        assert read_result(tmp_path / result.path) == result
    found = published_bins(results)["11-20"]
    assert (found.mean, found.error) == (pytest.approx(0.4), pytest.approx(0.2))
    steps, curve = published_learning(results)
    assert steps == [1]
    assert curve == [found]
    assert published_learning(plain) == ([], [])
    figure = published_success(experiment("minecraft-length"), {"cofca-s": results})
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["11-20"]


def tiny() -> object:
    found = experiment("minecraft-length")
    spec = spec_of(domain("minecraft").environment(), training_params(found, ()))
    return TINY_PAPER.agents["minecraft"]["cofca-s"](jax.random.key(0), spec)


def test_jumps_have_every_size(monkeypatch: pytest.MonkeyPatch):
    assert list(protocol.SIZES) == list(range(1, 41))
    monkeypatch.setattr(protocol, "SIZES", range(1, 3))
    monkeypatch.setattr(protocol, "ENVS", 6)
    spec = experiment("minecraft-jump")
    told = protocol.evaluate_as_published(stack([tiny()] * 2), PPOConfig(bfloat16=False), spec, "planner", 0)
    assert [(row["id"], row["episodes"]) for row in told["bins"]] == [("1-1", [6, 6]), ("2-2", [6, 6])]
    assert all(0 <= won <= 6 for row in told["bins"] for won in row["successes"])


def test_the_third_figure_shows_all_lines():
    agent = tiny()
    figure = scan_figure(agent, "tiny")
    lines, columns = len(AN_IF[0].split("; ")), agent.coins.forward.bias.size
    upper = figure.axes[0]
    assert sum(isinstance(patch, Rectangle) for patch in upper.patches) == lines * columns
    minecraft = domain("minecraft").environment()
    obs = jax.tree.map(jax.numpy.asarray, spec_of(minecraft, domain("minecraft").params(length=(1, lines))).limits)
    seen = scanned(agent, obs._replace(mask=jax.numpy.ones(lines, int)), 4)
    assert seen.flags.shape == seen.P.shape == (lines, columns)
    np.testing.assert_allclose(seen.P.sum(axis=0), 1, atol=1e-5)
    assert np.all(np.asarray(seen.P[4]) == 0)
