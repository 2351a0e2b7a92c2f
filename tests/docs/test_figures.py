"""One number, one place: tables are those of the result files, and other measured figures say where they are from."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cofca.paper.tables import BETWEEN, filled, table_of
from docs.pages import PAGES, ROOT

MADE = re.compile(r"^<!-- python -m \S+ .* makes this page. -->$", re.MULTILINE)
"""All of such a page is made from a data file, and another test compares them."""
WITH_TABLES = [page for page in PAGES if BETWEEN.search(page.read_text())]
UNITS = r"steps/s|steps a second|frames a second|(?:kB|MB|GB|ms|s|%|seconds|minutes|hours)(?![\w/])"
FIGURE = re.compile(rf"(?<![\w./-])(?:[01]?\.\d{{2,3}}(?!\w|\.\d)|\d[\d,.]* ?(?:[kMG] |million )?(?:{UNITS}))")
"""Success, which has two or three decimals, and whatever has a unit that is measured."""
SOURCE = re.compile(
    r"^```(?:sh|console)$|`(?:\.venv/bin/)?(?:cofca|python|make|pytest) [^`]+`|^<!-- table: "
    r"|benchmarks/|results/|tests/|experiments/shipped|notebook/\d|tutorial/\d|`(?:[\w-]+/)+test_\w+\.py"
    r"|^<!-- figures: ",
    re.MULTILINE,
)
"""A command that gives figures again, a table that is made, a file of results or benchmarks, a test, the notebook, a
page of the tutorial, or a comment that says where they are from: limits, definitions and arithmetic."""


class Section(NamedTuple):
    """A part of a page under a heading."""

    title: str
    text: str


def sections(text: str) -> Iterator[Section]:
    """Those of the second level; and what stands before the first."""
    first, *rest = re.split(r"^## ", text, flags=re.MULTILINE)
    yield Section("", first)
    for part in rest:
        title, _, body = part.partition("\n")
        yield Section(title, body)


def figures(section: Section) -> list[str]:
    """What is measured, outside of code and of tables that are made."""
    text = re.sub(r"^```.*?^```$", "", BETWEEN.sub("", section.text), flags=re.DOTALL | re.MULTILINE)
    return FIGURE.findall(re.sub(r"`[^`]*`", "", text))


def orphans(page: str) -> dict[str, list[str]]:
    """Figures in sections that do not say where they are from."""
    if MADE.search(page):
        return {}
    # What stands before the first heading is about all of a page.
    sourced = {part.title: SOURCE.search(part.text if part.title else page) for part in sections(page)}
    return {part.title: found for part in sections(page) if (found := figures(part)) and not sourced[part.title]}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_measured_figure_says_where_it_is_from(page: Path) -> None:
    """A command, a file of results or benchmarks, a test or the notebook has to stand in the same section."""
    assert orphans(page.read_text()) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It has .987 of 1.00.", [".987", "1.00"]),
        ("at 2.5 M steps/s, 12 ms and 8 GB, or 3 %", ["2.5 M steps/s", "12 ms", "8 GB", "3 %"]),
        ("version 0.11.2, 6 seeds, 41-50 lines, `x = 0.25`", []),
        ("`cofca bench` says 12 ms", []),
        ("<!-- table: tuned minecraft-length -->\n| .987 |\n<!-- end -->", []),
    ],
)
def test_a_figure_without_a_source_is_an_orphan(text: str, found: list[str]) -> None:
    assert orphans(f"# Page\n\n## Part\n{text}\n") == ({"Part": found} if found else {})


@pytest.mark.parametrize("page", WITH_TABLES, ids=lambda page: page.stem)
def test_tables_are_those_of_the_results(page: Path) -> None:
    """`python -m cofca.paper.tables PAGE` makes them again."""
    assert filled(page.read_text(), ROOT / "results") == page.read_text()


def test_pages_of_results_have_tables() -> None:
    assert {"minecraft-results", "starcraft-results"} <= {page.stem for page in WITH_TABLES}


def test_tables_follow_the_result_files() -> None:
    rows = table_of("paper minecraft-length:41-50 cells=seeds worst=41-50 beside=oracle", ROOT / "results")
    assert rows[0] == "| `minecraft-length` (`paper`) | 41\N{EN DASH}50 | worst seed on 41\N{EN DASH}50 |"
    assert rows[2] == "| CoFCA-S | .176 .150 .227 .211 | .150 |"
    assert rows[-1].startswith("| oracle | .99")


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("tuned atari-length", "no results of atari-length"),
        ("tuned minecraft-length colour=red", "unknown colour"),
        ("tuned minecraft-length by=night", "by must be bins, depths, setbacks, not night"),
        ("tuned minecraft-length worst=1-2", "no bin 1-2"),
        ("tuned minecraft-length:1-2", "no bin 1-2"),
        ("tuned minecraft-wide by=depths", "a single agent"),
        ("tuned minecraft-length beside=nobody", "nobody"),
    ],
)
def test_a_table_of_nothing_is_refused(words: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        filled(f"<!-- table: {words} -->\n<!-- end -->", ROOT / "results")
