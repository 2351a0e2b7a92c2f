"""The tables on pages, from the result files. A page says what belongs between two lines:

    <!-- table: PRESET[,PRESET] EXPERIMENT[:BIN,BIN] … [OPTION=VALUE,VALUE …] -->
    <!-- end -->

python -m cofca.paper.tables PAGE … writes it there. Options are the fields of `Spec`.
"""

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

from cofca.paper.page_tables import Known, Spec, by_bin, by_depth, of_setbacks, read_known
from cofca.paper.score_tables import table
from cofca.paper.statistics import Results

RESULTS = Path("results")
BETWEEN = re.compile(r"<!-- table: (.*?) -->\n.*?<!-- end -->", re.DOTALL)
KINDS: dict[str, Callable[[Spec, Known], Iterator[list[str]]]] = {
    "bins": by_bin,
    "depths": by_depth,
    "setbacks": of_setbacks,
}


def filled(page: str, results: Path = RESULTS) -> str:
    """A page with its tables."""

    def fill(found: re.Match[str]) -> str:
        try:
            rows = table_of(found[1], results)
        except (KeyError, ValueError) as error:
            raise ValueError(f"<!-- table: {found[1]} -->: {error}") from error
        return "\n".join([f"<!-- table: {found[1]} -->\n", *rows, "\n<!-- end -->"])

    return BETWEEN.sub(fill, page)


def table_of(words: str, results: Path = RESULTS) -> list[str]:
    """The lines of the table that these words ask for."""
    asked, *rest = words.split()
    known, columns, presets = dict[tuple[str, str], Results](), list[tuple[str, str]](), tuple(asked.split(","))
    for word in (word for word in rest if "=" not in word):
        name, _, bins = word.partition(":")
        known.update({(preset, name): read_known(results, preset, name) for preset in presets})
        columns += [(name, bin) for bin in (bins.split(",") if bins else _bins(known[presets[0], name]))]
    spec = _spec(presets, columns, rest)
    wanted = {bin for _, bin in columns} | {bin for bin in (spec.mean, spec.worst) if bin}
    if absent := wanted - {bin for agents in known.values() for bin in _bins(agents)}:
        raise ValueError(f"no bin {', '.join(sorted(absent))}")
    return table(list(KINDS[spec.by](spec, known)))


def _bins(agents: Results) -> list[str]:
    return [score.id for score in next(iter(agents.values()))[0].bins]


def _spec(presets: tuple[str, ...], columns: list[tuple[str, str]], words: list[str]) -> Spec:
    options = dict(word.split("=", 1) for word in words if "=" in word)
    several = {field.name for field in fields(Spec) if isinstance(field.default, tuple)}
    if unknown := options.keys() - {field.name for field in fields(Spec)}:
        raise ValueError(f"unknown {', '.join(sorted(unknown))}")
    if options.get("by", "bins") not in KINDS:
        raise ValueError(f"by must be {', '.join(KINDS)}, not {options['by']}")
    values = {name: tuple(value.split(",")) if name in several else value for name, value in options.items()}
    return Spec(presets, tuple(columns), **values)  # type: ignore[arg-type]


def main() -> None:
    """Read the words of the command line."""
    parser = argparse.ArgumentParser(description="Write the tables of pages again, from the result files.")
    parser.add_argument("pages", type=Path, nargs="+", help="Markdown with lines <!-- table: … -->")
    for page in parser.parse_args().pages:
        try:
            page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        except (OSError, ValueError) as error:
            parser.error(str(error))


if __name__ == "__main__":
    main()
