"""The tables of results/CLAIMS.md: scores by bin, and what became of setbacks."""

from cofca.experiments.scores import Score
from cofca.experiments.specs import experiment_or_plain, is_familiar
from cofca.paper.page_notes import SETBACKS
from cofca.paper.plots.plot_style import bin_label, label_of
from cofca.paper.recovery import CAUSES, ENDED, ENDS, described, knows_recovery, setbacks
from cofca.paper.results import Result
from cofca.paper.statistics import Results, by_bin, in_bins, name_beside, players_beside, shown


def score_tables(experiments: dict[str, Results]) -> list[str]:
    """The scores of one preset in every experiment, and what became of setbacks."""
    lines = []
    for name, agents in experiments.items():
        lines += [f"### {name}\n", *_table(agents), "", *_other_levels(agents)]
        if known := {agent: results for agent, results in agents.items() if knows_recovery(results)}:
            lines += [SETBACKS, *_recovery_table(name, known), ""]
    return lines


def _table(agents: Results) -> list[str]:
    first = next(iter(agents.values()))
    bins = [bin_label(score) for score in first[0].bins]
    rows = [["", *bins], ["---"] * (len(bins) + 1)]
    for results in agents.values():
        seeds, steps = len(results), results[0].steps / 1e6
        scores = [shown(mean) for mean in in_bins(first[0].bins, by_bin(results))]
        rows.append([f"{label_of(results[0])}: {seeds} seeds, {steps:.4g} M steps", *scores])
    for player in players_beside(first):
        means = in_bins(first[0].bins, by_bin(first, player))
        rows.append([name_beside(player), *(f"{mean.mean:.3f}" for mean in means)])
    return table(rows)


def _other_levels(agents: Results) -> list[str]:
    """A warning, where not all who are compared have played the same levels.

    Results without a fingerprint are known by what scripted agents made of their levels, in domains that have these."""
    known: dict[str, list[Score]] = {}
    for score in (score for results in agents.values() for result in results for score in result.bins):
        known.setdefault(score.id, []).append(score)
    apart = [bin_label(scores[0]) for scores in known.values() if _differ(scores)]
    said = "In these bins not all agents were evaluated on the same levels"
    return [f"{said}: {', '.join(apart)}. [Errata](../docs/errata.md).\n"] if apart else []


def _differ(scores: list[Score]) -> bool:
    fingerprints = {score.levels for score in scores if score.levels}
    scripted = [score.references for score in scores if score.references]
    # There are more scripted agents than there were.
    known = sorted(set.intersection(*map(set, scripted))) if scripted else []
    return len(fingerprints) > 1 or len({tuple(shares[name] for name in known) for shares in scripted}) > 1


def _recovery_table(name: str, agents: Results) -> list[str]:
    columns = [f"{cause}: {what}" for cause in CAUSES for what in ("setbacks", *ENDED.values())]
    rows = [["", *columns], ["---"] * (len(columns) + 1)]
    rows += [[label_of(results[0]), *_recovery_row(name, results, "sampled")] for results in agents.values()]
    first = next(iter(agents.values()))
    for player in players_beside(first):
        if knows_recovery(first, player):
            # Whoever played the same levels has the same ones beside it.
            rows.append([name_beside(player), *_recovery_row(name, first[:1], player)])
    return table(rows)


def _recovery_row(name: str, results: list[Result], player: str) -> list[str]:
    def not_familiar(score: Score) -> bool:
        return not is_familiar(experiment_or_plain(name), score.id)

    cells = []
    for cause in CAUSES:
        cells.append(f"{setbacks(results, not_familiar, cause, player):,}")
        cells += [described(results, not_familiar, cause, end, player) for end in ENDS]
    return cells


def table(rows: list[list[str]]) -> list[str]:
    """Rows as Markdown; the first ones are the head and what is below it."""
    return [f"| {' | '.join(row)} |" for row in rows]
