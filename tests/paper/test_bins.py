"""Bins are known by their ids: results, curves and comparisons go by them, and so do keys of levels."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from cofca.experiments.scores import Score
from cofca.experiments.specs import EXPERIMENTS, Bin, Experiment, experiment, is_familiar
from cofca.paper.criteria import better_everywhere
from cofca.paper.curves import bin_curves
from cofca.paper.evidence import Verdict, weigh
from cofca.paper.plots.plot_style import bin_label
from cofca.paper.results import read_result, write_result
from cofca.paper.statistics import by_bin, by_experiment
from paper.made_up import made_up, seeds_of

SHARES = [0.9, 0.5, 0.4, 0.3, 0.2]
ROWS = [{"lo": low, "hi": low + 9, "sampled": [0.5, 1.0]} for low in (1, 11)]


def bins_of(deep: bool) -> list[Bin]:
    return [bin for found in EXPERIMENTS.values() for bin in found.bins if (bin.depth is not None) == deep]


def test_the_keys_of_a_bin_are_folded_from_its_lowest_number_where_no_other_bin_has_it():
    assert all(bin.id == f"{bin.low}-{bin.high}" for bin in bins_of(deep=False))
    assert all(bin.fold == bin.low for bin in bins_of(deep=False))
    assert {bin.fold for bin in bins_of(deep=True)}.isdisjoint(range(1000))
    assert len({bin.fold for bin in bins_of(deep=True)}) == len({bin.id for bin in bins_of(deep=True)})


def test_bins_of_the_same_numbers_are_told_apart_by_their_ids():
    one, other = (Bin(11, 20, {"length": (11, 20)}, id=id) for id in ("11-20-deep", "11-20-flat"))
    assert len({one.fold, other.fold, 11}) == 3
    assert 0 <= one.fold < 2**32
    mixed = Experiment("mine", "minecraft", {}, (Bin(11, 20, {}, familiar=True), one))
    assert [is_familiar(mixed, bin.id) for bin in mixed.bins] == [True, False]
    with pytest.raises(ValueError, match="two bins have the same id"):
        replace(mixed, bins=(one, one))
    with pytest.raises(ValueError, match="is no id of a bin"):
        Bin(1, 2, {}, id="a\nb")


def test_scores_and_curves_have_the_ids_of_their_bins(tmp_path: Path):
    result = made_up("minecraft-jump", "olsk", [0.5] * 9)
    ids = [bin.id for bin in experiment("minecraft-jump").bins]
    assert [score.id for score in result.bins] == [curve.id for curve in result.evaluations] == ids
    assert [bin_label(score) for score in result.bins[:2]] == ["1", "2"]
    write_result(tmp_path, result)
    page = json.loads((tmp_path / result.path).read_text())
    assert [row["id"] for row in page["bins"]] == [row["id"] for row in page["evaluations"]] == ids


def test_depth_and_condition_are_told_of_bins_that_have_them(tmp_path: Path):
    spec = experiment("minecraft-wide")
    result = made_up("minecraft-wide", "olsk", [0.5] * len(spec.bins))
    write_result(tmp_path, result)
    assert read_result(tmp_path / result.path) == result
    page = json.loads((tmp_path / result.path).read_text())
    for row, curve, bin in zip(page["bins"], page["evaluations"], spec.bins, strict=True):
        assert (row.get("depth"), row.get("condition")) == (bin.depth, bin.condition)
        assert (curve.get("depth"), curve.get("condition")) == (bin.depth, bin.condition)
        assert ("depth" in row) == (bin.depth is not None)
    row = {**ROWS[0], "id": "1-10-depth3", "depth": 3, "condition": "iron>gold"}
    line = json.dumps({"steps": 100, "episodes": 20, "bins": [row]})
    (tmp_path / "evaluations.jsonl").write_text(f"{line}\n")
    assert [(curve.depth, curve.condition) for curve in bin_curves(tmp_path, 0)] == [(3, "iron>gold")]


def test_scores_without_an_id_are_those_of_the_bin_with_the_same_numbers(tmp_path: Path):
    result = made_up("minecraft-length", "olsk", SHARES)
    write_result(tmp_path, result)
    path = tmp_path / result.path
    page = json.loads(path.read_text())
    for row in (*page["bins"], *page["evaluations"]):
        del row["id"]
    path.write_text(json.dumps(page))
    assert read_result(path) == result


@pytest.mark.parametrize("order", [1, -1])
def test_bins_are_compared_by_their_ids_whatever_their_order(order: int):
    lower, higher = (made_up("minecraft-length", "olsk", shares) for shares in (SHARES, [0.95, 0.6, 0.5, 0.4, 0.3]))
    best = replace(higher, agent="cofca-s", bins=higher.bins[::order])
    found = by_experiment([*seeds_of(best, 0.001), *seeds_of(lower, 0.001)])
    assert weigh(better_everywhere("minecraft-length", "cofca-s", ["olsk"], found)).verdict is Verdict.HOLDS
    means = by_bin([best, higher])
    assert {id: mean.mean for id, mean in means.items()} == {score.id: score.sampled for score in higher.bins}


def test_a_result_has_no_bin_twice():
    result = made_up("minecraft-length", "olsk", SHARES)
    with pytest.raises(ValueError, match="two bins have the same id"):
        replace(result, bins=[result.bins[0], result.bins[0]])


@pytest.mark.parametrize("ids", [(None, None), ("1-10", "11-20"), ("a", "b")])
def test_a_journal_s_bins_keep_their_ids(tmp_path: Path, ids: tuple[str | None, ...]):
    rows = [{**row, "id": id} if id else row for row, id in zip(ROWS, ids, strict=True)]
    line = json.dumps({"steps": 100, "episodes": 20, "bins": rows})
    (tmp_path / "evaluations.jsonl").write_text(f"{line}\n{line}\n")
    assert [curve.id for curve in bin_curves(tmp_path, 1)] == [
        id or label for id, label in zip(ids, ("1-10", "11-20"), strict=True)
    ]
    (tmp_path / "evaluations.jsonl").write_text(f"{line}\n" + json.dumps({**json.loads(line), "bins": rows[::-1]}))
    with pytest.raises(ValueError, match="not all evaluations have the same bins"):
        bin_curves(tmp_path, 1)


def test_an_id_comes_first_on_a_score_s_page():
    score = Score(1, 10, 5, 0.5, 0.5, 1.0, 0.0)
    assert next(iter(asdict(score))) == "id"
    assert score == Score(1, 10, 5, 0.5, 0.5, 1.0, 0.0, id="1-10")


def test_a_block_is_familiar_if_ten_lines_hold_it_and_something_behind_it():
    jump = experiment("minecraft-jump")
    assert [bin.low for bin in jump.bins if bin.familiar] == [1, 2, 4]
