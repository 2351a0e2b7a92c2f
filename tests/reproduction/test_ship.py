"""From runs and results to shipped weights: the right seed, and a card that says what was measured."""

from pathlib import Path

import pytest

from cofca.experiments.library import card_of
from cofca.reproduction.results import write_result
from cofca.reproduction.ship import ship

from .made_up import made_up

NAME = "minecraft-length/cofca-d"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for seed, share in enumerate((0.7, 0.9, 0.8)):
        write_result(tmp_path / "results", made_up("minecraft-length", "cofca-d", [1.0] + 4 * [share], seed))
        final = tmp_path / "runs" / NAME / "final" / f"seed{seed}"
        final.mkdir(parents=True)
        (final / "page.json").write_text(str(seed))
    return tmp_path


@pytest.mark.parametrize(("all_seeds", "shipped"), [(False, ["seed2"]), (True, ["seed0", "seed1", "seed2"])])
def test_the_median_seed_or_all_are_shipped_with_a_card(runs: Path, all_seeds: bool, shipped: list[str]):
    stale = runs / "shipped" / NAME / "seed9"
    stale.mkdir(parents=True)
    folder = ship(runs / "runs", runs / "results", NAME, all_seeds, runs / "shipped")
    assert sorted(path.name for path in folder.glob("seed*")) == shipped
    assert (folder / "seed2" / "page.json").read_text() == "2"
    card = card_of(folder)
    assert (card["seed"], card["steps"], card["worker"]) == (2, 70_000_000, "learned")
    assert card["success"]["41-50"] == {"levels": 1000, "level_seed": 0, "by_seed": [0.7, 0.9, 0.8]}
    text = (folder / "README.md").read_text()
    assert "| 2 (loaded by default) | 1.000 | 0.800 |" in text
    assert "| 1 | 1.000 | 0.900 |" in text


def test_without_results_nothing_is_shipped(runs: Path):
    with pytest.raises(ValueError, match="no results of minecraft-length/cofca"):
        ship(runs / "runs", runs / "results", "minecraft-length/cofca", all_seeds=True, to=runs / "shipped")
    assert not (runs / "shipped").exists()
