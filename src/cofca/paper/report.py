"""results/CLAIMS.md: every claim with its verdicts, side by side for the presets, and the scores behind them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

from cofca.paper.claims import CLAIMS, JUDGED, Claim, judge
from cofca.paper.evidence import Evidence, Line, Verdict, decided, number
from cofca.paper.page_notes import SCORES, VERDICTS
from cofca.paper.results import Result
from cofca.paper.score_tables import score_tables, table
from cofca.paper.statistics import by_experiment, by_preset


@dataclass(frozen=True)
class Judged:
    """A claim, and the evidence of each preset."""

    title: str
    claim: Claim
    by_preset: dict[str, Evidence]


def write_claims(results: Sequence[Result], folder: Path) -> Path:
    """Write the page."""
    path = folder / "CLAIMS.md"
    folder.mkdir(parents=True, exist_ok=True)
    presets = {preset: by_experiment(own) for preset, own in by_preset(results).items()}
    rows = [
        Judged(title, claim, {preset: judge(claim, presets.get(preset, {})) for preset in JUDGED})
        for title, claims in CLAIMS.items()
        for claim in claims
    ]
    scores = [(f"## Scores of the preset `{name}`\n", SCORES, *score_tables(own)) for name, own in presets.items()]
    lines = [VERDICTS, *_count(rows), *_claims(rows), *(line for part in scores for line in part)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _count(rows: Sequence[Judged]) -> list[str]:
    """How many claims have which verdict."""
    counts = {preset: Counter(row.by_preset[preset].verdict for row in rows) for preset in JUDGED}
    body = [[f"`{preset}`", *(str(counts[preset][verdict]) for verdict in Verdict)] for preset in JUDGED]
    return [*table([["", *(verdict.value for verdict in Verdict)], ["---"] * (len(Verdict) + 1), *body]), ""]


def _claims(rows: Sequence[Judged]) -> list[str]:
    firm, lines, title = _firm(rows), list[str](), ""
    for row in rows:
        if row.title != title:
            title = row.title
            lines.append(f"## {title}\n")
        note = f" {row.claim.note}" if row.claim.note else ""
        lines += [f"**{row.claim.says}**{note}\n", *_table(row, firm), ""]
    return lines


def _table(row: Judged, firm: set[int]) -> list[str]:
    cells = {
        preset: {line.about: _cell(line, verdict, id(line) in firm) for line, verdict in evidence.lines}
        for preset, evidence in row.by_preset.items()
    }
    labels = dict.fromkeys(about for own in cells.values() for about in own)
    body = [[about, *(cells[preset].get(about, "") for preset in JUDGED)] for about in labels]
    wholes = ["the claim", *(_whole(row.by_preset[preset]) for preset in JUDGED)]
    return table([["", *(f"`{preset}`" for preset in JUDGED)], ["---"] * (len(JUDGED) + 1), wholes, *body])


def _whole(evidence: Evidence) -> str:
    """The verdict on a claim, and the number of lines with each verdict."""
    counts = Counter(verdict for _, verdict in evidence.lines)
    parts = (f"{verdict.value} {number}" for verdict, number in counts.items())
    return f"**{evidence.verdict.value}**" + (f" (lines: {', '.join(parts)})" if len(counts) > 1 else "")


def _cell(line: Line, verdict: Verdict, is_firm: bool) -> str:
    said = [line.figures] if line.figures else []
    if decisive := line.decisive:
        low, high = decisive.interval
        between = "" if isnan(low) else f" [{number(low)}, {number(high)}]"
        said.append(f"{decisive.what} {number(decisive.difference)}{between}")
    return f"{verdict.value}{'*' if is_firm else ''}: {'; '.join(said)}"


def _firm(rows: Sequence[Judged]) -> set[int]:
    """The lines that are clear among all of the page, by their identity."""
    lines = [line for row in rows for evidence in row.by_preset.values() for line, _ in evidence.lines]
    verdicts = decided(lines)
    return {id(line) for line, verdict in zip(lines, verdicts, strict=True) if verdict is not Verdict.UNCLEAR}
