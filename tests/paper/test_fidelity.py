"""docs/fidelity.md is what its data file says, and what the data file names exists."""

import ast
from functools import cache
from pathlib import Path

import pytest

from cofca.paper.fidelity import AS_PUBLISHED, OPEN, READING, Statement, page, read

ROOT = Path(__file__).parents[2]
FIDELITY = read(ROOT / "docs" / "fidelity.toml")
STATEMENTS = FIDELITY.statements
each = pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: str(statement.number))


@cache
def symbols(path: Path) -> set[str]:
    """What a file defines: functions, classes and their methods, and names."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {name.id for target in targets if target for name in ast.walk(target) if isinstance(name, ast.Name)}
    return found


def defined(folder: str, place: str, between: str) -> bool:
    """Whether PATH:SYMBOL or PATH::TEST in a folder is there."""
    path, _, symbol = place.partition(between)
    return (ROOT / folder / path).is_file() and symbol in symbols(ROOT / folder / path)


def test_the_page_is_made_of_the_data_file():
    """If it is not: python -m cofca.paper.fidelity docs/fidelity.toml docs/fidelity.md."""
    assert (ROOT / "docs" / "fidelity.md").read_text(encoding="utf-8") == page(FIDELITY)


def test_there_are_138_statements():
    assert [statement.number for statement in STATEMENTS] == list(range(1, 139))


@each
def test_a_statement_is_as_in_the_paper_or_has_a_reading(statement: Statement):
    assert statement.verdict in (AS_PUBLISHED, READING, OPEN)
    assert bool(statement.reading) == (statement.verdict != AS_PUBLISHED)
    assert statement.section
    assert statement.line
    assert statement.says.endswith((".", "…"))


@each
def test_what_implements_a_statement_exists(statement: Statement):
    assert statement.where
    for place in statement.where:
        assert defined("src/cofca", place, ":"), place


@each
def test_what_checks_a_statement_exists_or_it_is_said_why_nothing_does(statement: Statement):
    assert bool(statement.tests) != bool(statement.unchecked) or statement.verdict == OPEN
    for place in statement.tests:
        assert defined("tests", place, "::"), place


def test_what_is_done_where_the_paper_is_silent_exists():
    for silence in FIDELITY.silences:
        assert defined("src/cofca", silence.where, ":"), silence.where


def test_a_place_that_is_not_there_is_found_out():
    assert defined("src/cofca", "rl/ppo.py:loss", ":")
    assert defined("src/cofca", "agents/base.py:Agent.initial_memory", ":")
    assert not defined("src/cofca", "rl/ppo.py:lost", ":")
    assert not defined("src/cofca", "rl/pop.py:loss", ":")


def test_no_cell_of_a_table_breaks_the_page():
    rows = [line for line in page(FIDELITY).splitlines() if line.startswith("| 1")]
    assert all(line.count("|") == 7 for line in rows if line[2:4].strip().isdigit())
