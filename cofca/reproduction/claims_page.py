"""results/CLAIMS.md: every claim with its verdict, and the scores behind them."""

from collections.abc import Sequence
from pathlib import Path

from cofca.reproduction.claims import CLAIMS, judge
from cofca.reproduction.evidence import shown
from cofca.reproduction.figures import BESIDE, LABELS
from cofca.reproduction.judges import Experiments
from cofca.reproduction.results import Result
from cofca.reproduction.summary import Results, by_bin, by_experiment, players_beside

HEAD = """# What the paper claims, and what was measured

Made from the result files beside this page (`cofca figures`). Success is sampled, on fixed levels that training never
saw; figures are means over seeds ± standard errors, bins in their order. *Holds* and *doesn't hold* mean two standard
errors; between them a claim is *not clear*. A number in a claim ("more than 0.1") is ours where the paper gives none.
"""


def write_claims(results: Sequence[Result], folder: Path) -> Path:
    """Write the page."""
    found = by_experiment(results)
    path = folder / "CLAIMS.md"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([HEAD, *_verdicts(found), *_scores(found)]), encoding="utf-8")
    return path


def _verdicts(found: Experiments) -> list[str]:
    lines = []
    for title, claims in CLAIMS.items():
        lines.append(f"## {title}\n")
        for claim in claims:
            evidence = judge(claim, found)
            note = f" {claim.note}" if claim.note else ""
            lines.append(
                f"- **{claim.says}** Verdict: **{evidence.verdict.value}**. Measured: {evidence.measured}.{note}"
            )
        lines.append("")
    return lines


def _scores(found: Experiments) -> list[str]:
    lines = ["## Scores\n"]
    for name, agents in found.items():
        lines += [f"### {name}\n", *_table(agents), ""]
    return lines


def _table(agents: Results) -> list[str]:
    first = next(iter(agents.values()))
    bins = [f"{score.lo}-{score.hi}" if score.lo < score.hi else f"{score.lo}" for score in first[0].bins]
    rows = [["", *bins], ["---"] * (len(bins) + 1)]
    for agent, results in agents.items():
        seeds, steps = len(results), results[0].steps / 1e6
        scores = [shown(mean) for mean in by_bin(results)]
        rows.append([f"{LABELS.get(agent, agent)} ({seeds} seeds, {steps:.4g} M steps)", *scores])
    for player in players_beside(first):
        label, _ = BESIDE.get(player, (player, ""))
        rows.append([label, *(f"{mean.mean:.3f}" for mean in by_bin(first, player))])
    return [f"| {' | '.join(row)} |" for row in rows]
