"""The report of the demonstration: its figures, where they are from, and the page in a real Chromium."""

import re
from pathlib import Path
from statistics import fmean

import pytest
from playwright.sync_api import Browser, expect

from cofca.viewer.comparison import Row, rows_of, table_of
from cofca.viewer.examples import episodes
from cofca.viewer.published import BINS, from_results, published
from cofca.viewer.report import NEXT, WATCHED, Curve, Measured, write_report
from viewer.files import opened, scrolls_sideways

RESULTS = Path(__file__).parents[2] / "results"
NEW = Row("<b>, trained just now", here=0.5, kind="new")
ROWS = rows_of("minecraft-length", {("cofca-s", "tuned"): 0.97}, [NEW])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, Measured(Curve([30, 60], [0.1, 0.75]), 0.62, 17, ROWS, 7), "here/cofca")
    return path


def test_what_is_published_is_what_the_results_say():
    assert list(published()) == list(from_results(RESULTS))


def test_rows_have_all_seeds_and_the_best_agent_comes_first():
    for experiment in BINS:
        oracle, *agents, random = rows_of(experiment, {}, [NEW])
        assert (oracle.label, random.label) == ("oracle", "random")
        assert all(len(row.by_seed) == 4 for row in agents if row.kind != "new")
        assert [row.order for row in agents] == sorted((row.order for row in agents), reverse=True)


def test_a_lucky_seed_stands_beside_the_mean_of_all():
    (row,) = (row for row in ROWS if row.label == "CoFCA-S (tuned)")
    assert row.here == 0.97
    assert row.success
    assert row.success.mean == pytest.approx(fmean(row.by_seed))
    page = table_of([row, NEW], "title")
    assert "0.781 " in page
    assert "± 0.149" in page
    assert page.count('class="seed"') == 4
    assert page.count('class="here"') == 2
    assert '<th scope="row">&lt;b&gt;, trained just now</th>' in page


def test_the_report_says_what_was_measured_and_needs_nothing_else(report: Path):
    page = report.read_text()
    for words in ("for 60 steps", "of 17 fresh levels", "of 7 levels", "from 0.10 to 0.75; afterwards 0.62"):
        assert words in page
    assert not re.search(r"<[^>]+(src|href)\s*=\s*.?https?:|@import|\$", page.partition("<script")[0])
    assert all(f"<code>here/cofca {words}</code>" in page for words, _ in NEXT)


def test_the_watched_episode_is_what_the_report_says():
    ours, other = (record["frames"][-1] for record in episodes(WATCHED))
    assert ours["status"] == "success"
    assert "line 15" in other["say"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_looks_right(browser: Browser, report: Path, album: Path, scheme: str, width: int):
    with opened(browser, report, width, color_scheme=scheme) as page:
        expect(page.locator(".player")).to_have_count(2)
        expect(page.locator("table.scores thead th").first).to_be_visible()
        assert not scrolls_sideways(page)
        page.screenshot(path=album / f"report-{width}-{scheme}.png", full_page=True)
        # The agent that is black in figures is seen on dark paper, too.
        row = page.locator("tr", has_text="CoFCA-R (tuned, ours)").first
        ink = "rgb(31, 41, 55)" if scheme == "light" else "rgb(230, 234, 240)"
        expect(row.locator(".seed").first).to_have_css("fill", ink)
        page.click("#end")
        expect(page.locator(".status")).to_have_text(["success", "failed"])


def test_on_paper_it_is_light_and_has_nothing_to_press(browser: Browser, report: Path, album: Path):
    with opened(browser, report, 794, color_scheme="dark") as page:
        expect(page.locator(".player")).to_have_count(2)
        page.emulate_media(media="print")
        expect(page.locator(".controls")).to_be_hidden()
        expect(page.locator(".plot")).to_be_visible()
        expect(page.locator("body")).to_have_css("color", "rgb(31, 41, 55)")
        page.screenshot(path=album / "report-print.png", full_page=True)
