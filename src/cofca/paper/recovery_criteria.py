"""What results say about claims on what becomes of setbacks. The paper gives no numbers: ours are in the docstrings."""

from cofca.experiments.specs import experiment, is_familiar
from cofca.paper.criteria import Experiments
from cofca.paper.evidence import Evidence, Verdict, compare, shown, together
from cofca.paper.plots.plot_style import LABELS
from cofca.paper.recovery import CAUSES, ENDS, Wanted, delay, never
from cofca.paper.results import Result


def recovers_slower(name: str, agent: str, than: str, end: str, experiments: Experiments) -> Evidence:
    """Whether an agent takes longer than another from a setback to its end, after ambushes and after attacks.

    As does who never comes to it in 0.05 more of all setbacks: means are only of those that did.
    """
    verdicts, words = [], []
    for cause, label in CAUSES.items():
        both = experiments[name][agent], experiments[name][than]
        one, other = (delay(results, _unlike_training(name), cause, end) for results in both)
        mine, theirs = (never(results, _unlike_training(name), cause, end) for results in both)
        verdicts.append(Verdict.HOLDS if mine > theirs + 0.05 else compare(one, other))
        rows = (f"{LABELS[who]} {_times(name, experiments[name][who], cause, end)}" for who in (agent, than))
        words.append(f"after {label} {', '.join(rows)}")
    return Evidence(together(verdicts), f"time steps until {ENDS[end]}: {'; '.join(words)}")


def recovers_alike(name: str, agent: str, end: str, experiments: Experiments) -> Evidence:
    """Whether an agent takes less than one time step more in the last bin than in the first one unlike training."""
    results, verdicts, words = experiments[name][agent], [], []
    bins = [score.id for score in results[0].bins if _unlike_training(name)(score)]
    for cause, label in CAUSES.items():
        first, last = (delay(results, _only(id), cause, end) for id in (bins[0], bins[-1]))
        verdicts.append(compare(first, last, -1.0))
        words.append(f"after {label} {shown(first)} to {shown(last)}")
    return Evidence(together(verdicts), f"time steps until {ENDS[end]}, {LABELS[agent]}: {'; '.join(words)}")


def _unlike_training(name: str) -> Wanted:
    return lambda score: not is_familiar(experiment(name), score.id)


def _only(id: str) -> Wanted:
    return lambda score: score.id == id


def _times(name: str, results: list[Result], cause: str, end: str) -> str:
    where = _unlike_training(name)
    return f"{shown(delay(results, where, cause, end))} (never {never(results, where, cause, end):.1%})"
