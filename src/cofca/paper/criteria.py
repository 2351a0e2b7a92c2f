"""What results say about a kind of claim, line by line. Where the paper gives no number, ours is in the docstring."""

from collections.abc import Sequence

from cofca.paper.bootstrap import LEVEL, Sample, improvement
from cofca.paper.evidence import Comparison, Line, number
from cofca.paper.plots.plot_style import LABELS
from cofca.paper.results import Result
from cofca.paper.samples import log_odds, new_bins, share_lost, success
from cofca.paper.statistics import Results

Experiments = dict[str, Results]
"""Results by experiment and agent."""


def better(name: str, best: Sequence[str], others: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether some agents beat others on levels that are not familiar, all bins together."""
    results = experiments[name]
    pairs = [(one, other, new_bins(name, results[one], results[other])) for one in best for other in others]
    return [
        against(f"{LABELS[one]} against {LABELS[other]}", success(results[one], bins), success(results[other], bins))
        for one, other, bins in pairs
    ]


def better_everywhere(name: str, best: str, others: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether an agent beats others in every bin that is not familiar."""
    results, lines = experiments[name], []
    for other in others:
        bins = new_bins(name, results[best], results[other])
        parts = [(id, success(results[best], [id]), success(results[other], [id])) for id in bins]
        lines.append(
            Line(
                f"{LABELS[best]} against {LABELS[other]}",
                tuple(Comparison((one, -rival), what=f"decisive bin {id}: difference") for id, one, rival in parts),
                "; ".join(f"{id}: {one.mean:.3f} against {rival.mean:.3f}" for id, one, rival in parts),
            )
        )
    return lines


def lead_grows(name: str, best: str, others: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether an agent is further ahead of others in the last bin than in the first one that is not familiar."""
    results, lines = experiments[name], []
    for other in others:
        bins = new_bins(name, results[best], results[other])
        (first, last), (their_first, their_last) = (_ends(results[agent], bins) for agent in (best, other))
        leads = first.mean - their_first.mean, last.mean - their_last.mean
        figures = f"ahead by {leads[0]:.3f} on {bins[0]}, by {leads[1]:.3f} on {bins[-1]}"
        comparison = Comparison((last - first, their_first - their_last))
        lines.append(Line(f"{LABELS[best]} against {LABELS[other]}", (comparison,), figures))
    return lines


def no_generalisation(name: str, agents: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether agents do hardly better than random choices: by less than 0.05."""
    lines = []
    for agent in agents:
        results = experiments[name][agent]
        own, chance = (success(results, new_bins(name, results), player) for player in ("sampled", "random"))
        comparison = Comparison((own - chance,), 0.05, below=True)
        lines.append(Line(LABELS[agent], (comparison,), f"{own.mean:.3f} against {chance.mean:.3f} of random choices"))
    return lines


def inconsistent(name: str, agents: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether agents succeed on less than half of the levels that are not familiar."""
    samples = {agent: on_new_levels(name, agent, experiments) for agent in agents}
    return [
        Line(LABELS[agent], (Comparison((sample,), 0.5, below=True, what="success"),), "")
        for agent, sample in samples.items()
    ]


def degrades(name: str, agents: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether agents are worse in the last bin than in the first one that is not familiar, in log-odds: who
    succeeds at nearly all levels can lose little, but as surely as others."""
    lines = []
    for agent in agents:
        results = experiments[name][agent]
        bins = new_bins(name, results)
        first, last = _ends(results, bins)
        lost = log_odds(results, bins[0]) - log_odds(results, bins[-1])
        figures = f"{first.mean:.3f} on {bins[0]}, {last.mean:.3f} on {bins[-1]}"
        lines.append(Line(LABELS[agent], (Comparison((lost,), what="loss in log-odds"),), figures))
    return lines


def loses_less(name: str, agents: Sequence[str], others: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether agents lose less than half of the share of success that others lose from the first bin to the last.

    Who is not clearly better than random choices in the first bin has nothing to lose.
    """
    losses = {agent: _loss(name, experiments[name][agent]) for agent in (*agents, *others)}
    lines = []
    for agent in agents:
        for other in others:
            own, theirs = losses[agent], losses[other]
            half = theirs * 0.5 if theirs else None
            words = [f"{loss.mean:.0%}" if loss else "unknown (not above chance)" for loss in (own, half)]
            known = (Comparison((half, -own), what="half minus own"),) if own and half else ()
            figures = f"loses {words[0]}, half of the share that {LABELS[other]} loses is {words[1]}"
            lines.append(Line(f"{LABELS[agent]} against {LABELS[other]}", known, figures))
    return lines


def easier(name: str, than: str, agents: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether agents do better on new levels of one experiment than of another."""
    lines = []
    for agent in agents:
        here, there = (on_new_levels(each, agent, experiments).mean for each in (name, than))
        comparison = Comparison(change(name, than, agent, experiments))
        about = f"{LABELS[agent]}: `{name}` against `{than}`"
        lines.append(Line(about, (comparison,), f"{here:.3f} against {there:.3f}"))
    return lines


def weaker(name: str, agent: str, than: str, by: float, experiments: Experiments) -> list[Line]:
    """Whether an agent is behind another by more than so much."""
    results = experiments[name]
    bins = new_bins(name, results[agent], results[than])
    own, theirs = success(results[agent], bins), success(results[than], bins)
    return [against(f"{LABELS[than]} against {LABELS[agent]}", theirs, own, by)]


def suffers_less(name: str, than: str, agent: str, others: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether an agent loses less success than others from one experiment's new levels to another's."""
    losses = {one: change(than, name, one, experiments) for one in (agent, *others)}
    changes = {one: -sum(sample.mean for sample in loss) for one, loss in losses.items()}
    return [
        Line(
            f"{LABELS[agent]} against {LABELS[other]}",
            (Comparison((*losses[other], *(-sample for sample in losses[agent]))),),
            f"success changes from `{than}` to `{name}` by {changes[agent]:+.3f}, against {changes[other]:+.3f}",
        )
        for other in others
    ]


def against(about: str, one: Sample, other: Sample, margin: float = 0.0) -> Line:
    """One agent's mean against another's: it is higher, by more than a margin."""
    figures = f"{number(one.mean)} against {number(other.mean)}"
    if one.seeds and other.seeds:
        share, low, high = improvement(one, other)
        figures += f", higher with probability {share:.2f} [{low:.2f}, {high:.2f}]"
    return Line(about, (Comparison((one, -other), margin),), figures)


def below_half(about: str, one: Sample, best: Sample) -> Line:
    """An agent's mean is below half of the best agent's."""
    comparison = Comparison((one, best * -0.5), below=True)
    half = f"{number(best.mean / 2)}, half of {number(best.mean)}"
    return Line(about, (comparison,), f"{number(one.mean)} against {half}")


def _ends(results: Sequence[Result], bins: Sequence[str]) -> tuple[Sample, Sample]:
    return success(results, bins[:1]), success(results, bins[-1:])


def _loss(name: str, results: Sequence[Result]) -> Sample | None:
    bins = new_bins(name, results)
    first, last = _ends(results, bins)
    above_chance = Comparison((first - success(results, bins[:1], "random"),))
    return share_lost(first, last) if 2 * above_chance.p_values[0] <= LEVEL else None


def on_new_levels(name: str, agent: str, experiments: Experiments) -> Sample:
    """Success on all levels that are not familiar."""
    results = experiments[name][agent]
    return success(results, new_bins(name, results))


def change(name: str, than: str, agent: str, experiments: Experiments) -> tuple[Sample, ...]:
    """Success on new levels of one experiment less that of another: paired where the same agents play both."""
    here, there = on_new_levels(name, agent, experiments), on_new_levels(than, agent, experiments)
    runs = {experiments[each][agent][0].trained_on for each in (name, than)}
    return (here - there,) if len(runs) == 1 else (here, -there)
