"""What the paper says about its system, statement by statement, as a page.

python -m cofca.paper.fidelity docs/fidelity.toml docs/fidelity.md
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cofca.utils.json import decode

AS_PUBLISHED, READING, OPEN = "as in the paper", "reading", "open"


@dataclass(frozen=True)
class Statement:
    """Something that the paper says, and how the preset `paper` implements it."""

    number: int
    section: str
    line: str
    """Of the paper's LaTeX."""
    says: str
    verdict: Literal["as in the paper", "reading", "open"]
    reading: str = ""
    """What the paper leaves open or what cannot be followed, and what is done."""
    where: tuple[str, ...] = ()
    """PATH:SYMBOL in the package."""
    tests: tuple[str, ...] = ()
    """PATH::TEST."""
    unchecked: str = ""
    """Why no program can check it."""


@dataclass(frozen=True)
class Part:
    """Statements about one part of the system."""

    name: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Silence:
    """Something that the paper says nothing about, and what is done."""

    about: str
    done: str
    where: str


@dataclass(frozen=True)
class Fidelity:
    """The whole data file."""

    preamble: str
    agents: tuple[str, ...]
    tables: dict[str, dict[str, tuple[Any, ...]]]
    """By domain and row, a cell for each agent, as printed."""
    cells: dict[str, str]
    """Readings of cells."""
    parts: tuple[Part, ...]
    silences: tuple[Silence, ...]

    @property
    def statements(self) -> list[Statement]:
        """All of them."""
        return [statement for part in self.parts for statement in part.statements]


def read(path: Path) -> Fidelity:
    """The data file."""
    return decode(Fidelity, tomllib.loads(path.read_text(encoding="utf-8")))


def page(found: Fidelity) -> str:
    """The page, as Markdown."""
    return "\n".join([*_head(found), *_tables(found), *_parts(found), *_silences(found)]) + "\n"


def _head(found: Fidelity) -> Iterator[str]:
    yield "# Fidelity to the paper\n"
    yield "<!-- python -m cofca.paper.fidelity docs/fidelity.toml docs/fidelity.md makes this page. -->\n"
    yield found.preamble.strip() + "\n"
    counts = Counter[str](statement.verdict for statement in found.statements)
    yield from _table("verdict", "statements")
    yield from (f"| {verdict} | {counts[verdict]} |" for verdict in (AS_PUBLISHED, READING, OPEN) if counts[verdict])


def _tables(found: Fidelity) -> Iterator[str]:
    yield "\n## The two tables of hyper-parameters\n"
    yield (
        "The cells are given as printed in the paper. `tests/experiments/test_paper_preset.py` compares each cell with "
        "the preset.\n"
    )
    for domain, rows in found.tables.items():
        yield from _table(f"*{domain}*", *found.agents)
        yield from ("| " + " | ".join([row, *map(_cell, cells)]) + " |" for row, cells in rows.items())
        yield ""
    yield from (f"- *{cell}*: {reading}" for cell, reading in found.cells.items())


def _parts(found: Fidelity) -> Iterator[str]:
    for part in found.parts:
        yield f"\n## {part.name}\n"
        yield from _table("", "the paper says", "section", "verdict", "implemented in", "checked by")
        yield from map(_row, part.statements)


def _row(found: Statement) -> str:
    verdict = f"**{found.verdict}**: {found.reading}" if found.reading else found.verdict
    where = "<br>".join(f"`{place}`" for place in found.where)
    checks = "<br>".join(f"`{test}`" for test in found.tests) or found.unchecked
    section = f"{found.section} ({found.line})"
    return f"| {found.number} | {found.says} | {section} | {verdict} | {where} | {checks} |"


def _silences(found: Fidelity) -> Iterator[str]:
    yield "\n## Where the paper is silent\n"
    yield from _table("about", "done here", "implemented in")
    yield from (f"| {one.about} | {one.done} | `{one.where}` |" for one in found.silences)


def _table(*heads: str) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value).replace("e-0", "e-")


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(page(read(Path(sys.argv[1]))), encoding="utf-8")
