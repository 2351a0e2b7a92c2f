"""The page of the ablation: its rows, its intervals, its figure."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cofca.experiments.presets import ABLATION
from cofca.experiments.specs import experiment, watched
from cofca.paper.ablation import CHANGES, START, figure, interval, main, page, rows
from cofca.paper.bootstrap import Sample
from cofca.paper.results import Result, write_result
from paper.made_up import made_up, seeds_of

SHARES = {
    "ablation-strict": 0.1,
    START: 0.3,
    "minecraft-conditioned": 0.35,
    "minecraft-1-schedules": 0.5,
    "minecraft-2-encoder": 0.8,
}


def results() -> list[Result]:
    made = {name: made_up("minecraft-length", "cofca-s", [0.9, *[share] * 4]) for name, share in SHARES.items()}
    return [replace(one, preset=name) for name, result in made.items() for one in seeds_of(result)]


def test_every_preset_of_the_ablation_is_told_in_words():
    assert set(CHANGES) == set(ABLATION)


def test_each_row_is_compared_with_the_one_that_it_changes():
    found = {row.preset: row for row in rows(results(), "minecraft")}
    assert list(found) == list(SHARES)
    before = {name: row.before and round(row.before.mean, 6) for name, row in found.items()}
    assert before == {
        "ablation-strict": None,
        START: None,
        "minecraft-conditioned": 0.3,
        "minecraft-1-schedules": 0.3,
        "minecraft-2-encoder": 0.5,
    }
    assert found["minecraft-2-encoder"].new.mean == pytest.approx(0.8)
    assert rows(results(), "starcraft") == []


def test_an_interval_holds_the_mean_and_is_wider_with_fewer_seeds_and_levels():
    seeds = Sample(dict(enumerate([0.4, 0.5, 0.6, 0.5])))
    low, high = interval(seeds)
    # Student's t with three degrees of freedom.
    assert high - low == pytest.approx(2 * 3.182 * seeds.error, rel=0.03)
    assert low < 0.5 < high
    for wider in (Sample({0: 0.4, 1: 0.6}), replace(seeds, levels=0.01)):
        assert np.ptp(interval(wider)) > high - low


def test_the_page_has_all_seeds_and_the_figure_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for result in results():
        write_result(tmp_path / "ablation", result)
    monkeypatch.setattr("sys.argv", ["ablation", str(tmp_path)])
    main()
    text = (tmp_path / "ABLATION.md").read_text()
    assert text == page(results())
    row = next(line for line in text.splitlines() if CHANGES["minecraft-1-schedules"] in line)
    assert "0.49 0.50 0.50 0.51" in row
    assert "+0.200 [" in row
    assert (tmp_path / "ablation" / "minecraft.svg").exists()
    assert not (tmp_path / "ablation" / "starcraft.svg").exists()
    [axes] = figure(rows(results(), "minecraft")).axes
    assert len(axes.get_yticklabels()) == len(SHARES)


def test_the_longest_bins_are_not_played_while_training():
    assert max(bin.high for bin in watched(experiment("minecraft-depth")).bins) == 50
    assert watched(experiment("minecraft-length")) == experiment("minecraft-length")
    only_long = replace(experiment("minecraft-longer"), bins=experiment("minecraft-longer").bins[1:])
    assert watched(only_long) == only_long
