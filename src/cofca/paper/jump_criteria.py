"""What results say about claims on long jumps. Where the paper gives no number, ours is in the docstring."""

from collections.abc import Sequence

from cofca.experiments.scores import Score
from cofca.paper.bootstrap import Sample
from cofca.paper.criteria import Experiments, below_half, change, on_new_levels
from cofca.paper.evidence import Comparison, Line
from cofca.paper.plots.plot_style import LABELS, bin_label
from cofca.paper.results import Result
from cofca.paper.samples import familiar_bins, new_bins, success


def falls_beyond_training(name: str, agent: str, experiments: Experiments) -> list[Line]:
    """Whether success drops by more than 0.2 where levels ask for more than training did."""
    return [_lost(LABELS[agent], *_familiar_and_new(name, experiments[name][agent]), 0.2)]


def holds_beyond_training(name: str, agent: str, experiments: Experiments) -> list[Line]:
    """Whether success drops by less than 0.05 where levels ask for more than training did."""
    return [_lost(LABELS[agent], *_familiar_and_new(name, experiments[name][agent]), 0.05, below=True)]


def comparable(name: str, one: str, other: str, experiments: Experiments) -> list[Line]:
    """Whether two agents are within 0.1 of each other on new levels."""
    results = experiments[name]
    bins = new_bins(name, results[one], results[other])
    mine, theirs = success(results[one], bins), success(results[other], bins)
    both = Comparison((mine, -theirs), -0.1), Comparison((mine, -theirs), 0.1, below=True)
    return [Line(f"{LABELS[one]} against {LABELS[other]}", both, f"{mine.mean:.3f} against {theirs.mean:.3f}")]


def flat_and_poor(name: str, agent: str, best: str, experiments: Experiments) -> list[Line]:
    """Whether an agent's success is within 0.1 of its mean in every bin, and below half of the best agent's."""
    own, others = experiments[name][agent], experiments[name][best]
    scores = own[0].bins
    mean, theirs = success(own, [score.id for score in scores]), success(others, new_bins(name, others))
    away = [(_block(score), success(own, [score.id]) - mean) for score in scores]
    within = [(f"decisive {block}: difference from the mean", each, sign) for block, each in away for sign in (-1, 1)]
    flat = tuple(Comparison((each,), 0.1 * sign, sign > 0, what) for what, each, sign in within)
    means = [mean.mean + each.mean for _, each in away]
    return [
        Line("within 0.1 of its mean at every size", flat, f"between {min(means):.3f} and {max(means):.3f}"),
        below_half(f"mean over all sizes below half of {LABELS[best]} on sizes that are not familiar", mean, theirs),
    ]


def several_flows(agent: str, best: str, one: str, several: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether an agent is further behind the best where there are several control flows than at a single block, and
    has less than half of the best agent's success there."""
    lines = []
    for name in several:
        there, here = ([on_new_levels(each, who, experiments) for who in (best, agent)] for each in (one, name))
        behind = there[0].mean - there[1].mean, here[0].mean - here[1].mean
        figures = f"behind by {behind[0]:.3f} in `{one}`, by {behind[1]:.3f} in `{name}`"
        grown = (*change(name, one, best, experiments), *(-each for each in change(name, one, agent, experiments)))
        lines += [
            Line(f"further behind {LABELS[best]} in `{name}` than in `{one}`", (Comparison(grown),), figures),
            below_half(f"below half of {LABELS[best]} in `{name}`", here[1], here[0]),
        ]
    return lines


def _block(score: Score) -> str:
    label = bin_label(score)
    return f"block of {label} line{'' if label == '1' else 's'}"


def _lost(about: str, one: Sample, other: Sample, margin: float = 0.0, below: bool = False) -> Line:
    """What the same seeds lose from familiar sizes to larger ones: more than a margin, or less."""
    figures = f"{one.mean:.3f} on familiar sizes, {other.mean:.3f} on larger ones"
    return Line(about, (Comparison((one - other,), margin, below, "loss"),), figures)


def _familiar_and_new(name: str, results: Sequence[Result]) -> tuple[Sample, Sample]:
    return success(results, familiar_bins(name, results)), success(results, new_bins(name, results))
