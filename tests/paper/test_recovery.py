"""What became of setbacks: seeds and bins put together, drawn and written down from results alone."""

from dataclasses import replace
from math import isnan, sqrt
from pathlib import Path

import pytest

from cofca.experiments.scores import Delays, Recovery, Score
from cofca.paper.plots.figures import draw_figures
from cofca.paper.recovery import NOTHING, delay, knows_recovery, never, setbacks
from cofca.paper.report import write_claims
from cofca.paper.results import Result
from paper.made_up import made_up, seeds_of

SHARES = [0.99, 0.9, 0.8, 0.7, 0.6]


def all_of_them(score: Score) -> bool:
    return True


def after_ambushes(result: Result, *repaired: tuple[int, Delays]) -> Result:
    """The first bins' setbacks, and how they were repaired; the other bins have none."""
    none = Delays(None, None, None, None)
    parts = [*repaired, *[(0, none)] * (len(result.bins) - len(repaired))]
    bins = [
        replace(score, recovery={"sampled": {cause: Recovery(number, none, delays) for cause in ("ambush", "attack")}})
        for score, (number, delays) in zip(result.bins, parts, strict=True)
    ]
    return replace(result, bins=bins)


def test_bins_count_by_how_many_setbacks_came_to_their_end():
    one = after_ambushes(
        made_up("starcraft-length", "olsk", SHARES), (100, Delays(2.0, 0.1, 2, 0.0)), (60, Delays(8.0, 0.4, 7, 0.5))
    )
    found = delay([one], all_of_them, "ambush", "repaired")
    assert found.mean == pytest.approx((100 * 2 + 30 * 8) / 130)
    assert found.error == pytest.approx(sqrt((100 * 0.1) ** 2 + (30 * 0.4) ** 2) / 130)
    assert never([one], all_of_them, "ambush", "repaired") == pytest.approx(30 / 160)
    assert setbacks([one, one], all_of_them, "ambush") == 320
    assert delay([one], lambda score: score.lo == 6, "ambush", "repaired").mean == 8.0


def test_an_error_that_is_not_known_in_one_bin_is_not_known():
    base = made_up("starcraft-length", "olsk", SHARES)
    one = after_ambushes(base, (100, Delays(2.0, 0.1, 2, 0.0)), (1, Delays(8.0, None, 8, 0.0)))
    assert isnan(delay([one], all_of_them, "ambush", "repaired").error)


def test_the_error_of_several_seeds_is_theirs_and_a_seed_without_ends_has_no_say():
    base = made_up("starcraft-length", "olsk", SHARES)
    one, other = (after_ambushes(base, (100, Delays(mean, 0.1, 2, 0.0))) for mean in (2.0, 4.0))
    silent = after_ambushes(base, (10, Delays(None, None, None, 1.0)))
    assert delay([one, other], all_of_them, "ambush", "repaired").error == pytest.approx(1.0)
    assert delay([one, other, silent], all_of_them, "ambush", "repaired").mean == pytest.approx(3.0)
    assert never([one, silent], all_of_them, "ambush", "repaired") == pytest.approx(10 / 110)
    assert isnan(delay([silent], all_of_them, "ambush", "repaired").mean)
    assert isnan(never([after_ambushes(base)], all_of_them, "ambush", "repaired"))


@pytest.fixture
def results() -> list[Result]:
    agents = ("cofca-s", "unstructured")
    return [result for agent in agents for result in seeds_of(made_up("starcraft-length", agent, SHARES))]


def test_a_figure_is_drawn_of_those_who_know(tmp_path: Path, results: list[Result]):
    old = [replace(one, bins=[replace(score, recovery={}) for score in one.bins]) for one in results[4:]]
    assert knows_recovery(results)
    assert not knows_recovery(old)
    paths = {path.name: path for path in draw_figures([*results[:4], *old], tmp_path)}
    text = paths["starcraft-length-recovery.svg"].read_text()
    assert all(f">{label}<" in text for label in ("CoFCA-S (tuned)", "oracle", "one pass", "21-25"))
    assert "Unstructured" not in text
    assert "time steps after an attack" in text
    assert "until the loss is repaired" in text


def test_without_setbacks_no_figure_is_drawn(tmp_path: Path):
    known = [made_up("minecraft-length", "olsk", SHARES)]
    assert "minecraft-length-recovery.svg" not in [path.name for path in draw_figures(known, tmp_path)]
    assert "Setbacks" not in write_claims(known, tmp_path).read_text()


def test_the_page_has_a_row_for_each_agent_and_reference(tmp_path: Path, results: list[Result]):
    text = write_claims(results, tmp_path).read_text()
    # Four seeds and four bins of 200; the first bin is as in training.
    assert "| CoFCA-S (tuned) | 3,200 | 1.000 ± 0.000, never 0.0% | 4.000 ± 0.000, never 2.0% |" in text
    assert f"| Unstructured Memory (tuned) | 3,200 | {NOTHING} | 14.000 ± 0.000, never 50.0% |" in text
    assert f"| oracle | 400 | {NOTHING} | 2.500 ± 0.025, never 0.0% |" in text
    assert "| one pass | 400 | never 100.0% | 2.500 ± 0.025, never 0.0% |" in text
