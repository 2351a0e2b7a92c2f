"""What results say about claims on what becomes of setbacks. The paper gives no numbers: ours are in the docstrings."""

from cofca.experiments.specs import experiment, is_familiar
from cofca.paper.criteria import Experiments, against
from cofca.paper.evidence import Comparison, Line, number
from cofca.paper.plots.plot_style import LABELS
from cofca.paper.recovery import CAUSES, ENDED, Wanted
from cofca.paper.samples import delays, never_ended, new_bins


def recovers_slower(name: str, agent: str, than: str, end: str, experiments: Experiments) -> list[Line]:
    """Whether an agent takes longer than another from a setback to its end, and more often never comes to it.

    Times are only of setbacks that came to their end: who comes to few of them may be quick at those. So times and
    shares are lines of their own, after ambushes and after attacks.
    """
    lines = []
    for cause, label in CAUSES.items():
        both = experiments[name][agent], experiments[name][than]
        time, their_time = (delays(results, _not_familiar(name), cause, end) for results in both)
        share, their_share = (never_ended(results, _not_familiar(name), cause, end) for results in both)
        who = f"{LABELS[agent]} against {LABELS[than]}"
        lines += [
            against(f"time steps from {label} until the setback is {ENDED[end]}: {who}", time, their_time),
            against(f"share of setbacks after {label} that are never {ENDED[end]}: {who}", share, their_share),
        ]
    return lines


def recovers_alike(name: str, agent: str, end: str, experiments: Experiments) -> list[Line]:
    """Whether an agent takes less than one time step more in the last bin than in the first unfamiliar one."""
    results, lines = experiments[name][agent], []
    bins = new_bins(name, results)
    for cause, label in CAUSES.items():
        first, last = (delays(results, _only(id), cause, end) for id in (bins[0], bins[-1]))
        comparison = Comparison((last - first,), 1.0, below=True)
        figures = f"{number(first.mean)} on {bins[0]}, {number(last.mean)} on {bins[-1]}"
        lines.append(Line(f"time steps from {label} until the setback is {ENDED[end]}", (comparison,), figures))
    return lines


def _not_familiar(name: str) -> Wanted:
    return lambda score: not is_familiar(experiment(name), score.id)


def _only(id: str) -> Wanted:
    return lambda score: score.id == id
