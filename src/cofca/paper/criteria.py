"""What results say about a kind of claim. Where the paper gives no number, ours is in the docstring."""

from collections.abc import Sequence
from functools import partial
from math import hypot

from cofca.experiments.scores import Score
from cofca.experiments.specs import experiment, is_familiar
from cofca.paper.evidence import Evidence, Verdict, compare, shown, together
from cofca.paper.plots.plot_style import LABELS
from cofca.paper.results import Result
from cofca.paper.statistics import Estimate, Results, by_bin, estimate, over_bins

Experiments = dict[str, Results]
"""Results by experiment and agent."""


def best_everywhere(name: str, best: Sequence[str], others: Sequence[str], experiments: Experiments) -> Evidence:
    """Whether some agents beat others in every bin unlike training."""
    results, verdicts, words = experiments[name], [], []
    for agent in (*best, *others):
        words.append(f"{LABELS[agent]} {_row(name, results[agent])}")
    for one in best:
        for other in others:
            mine, theirs = _new_bins(name, results[one]), _new_bins(name, results[other])
            verdicts += [compare(mine[id], theirs[id]) if id in theirs else Verdict.UNCLEAR for id in mine]
    return Evidence(together(verdicts), "; ".join(words))


def no_generalisation(name: str, agents: Sequence[str], experiments: Experiments) -> Evidence:
    """Whether agents do hardly better than random choices: by less than 0.05. From 0.15 on they do."""
    verdicts, words = [], []
    for agent in agents:
        results = experiments[name][agent]
        own, chance = _new(name, results), _new(name, results, "random")
        above = own.mean - chance.mean
        verdicts.append(Verdict.HOLDS if above < 0.05 else Verdict.FAILS if above > 0.15 else Verdict.UNCLEAR)
        words.append(f"{LABELS[agent]} {_row(name, results)} (random {chance.mean:.3f})")
    return Evidence(together(verdicts), "; ".join(words))


def degrades(name: str, agents: Sequence[str], experiments: Experiments) -> Evidence:
    """Whether agents are worse in the last bin than in the first one unlike training."""
    bins = {agent: list(_new_bins(name, experiments[name][agent]).values()) for agent in agents}
    words = (f"{LABELS[agent]} {shown(own[0])} to {shown(own[-1])}" for agent, own in bins.items())
    return Evidence(together([compare(own[0], own[-1]) for own in bins.values()]), "; ".join(words))


def loses_less(name: str, agents: Sequence[str], others: Sequence[str], experiments: Experiments) -> Evidence:
    """Whether agents lose less than half of the share of success that others lose from the first bin to the last.

    Who is no better than random choices in the first bin has nothing to lose.
    """
    losses, words = {}, []
    for agent in (*agents, *others):
        bins, chance = (
            list(_new_bins(name, experiments[name][agent], player).values()) for player in ("sampled", "random")
        )
        if compare(bins[0], chance[0]) is Verdict.HOLDS:
            losses[agent] = 1 - bins[-1].mean / bins[0].mean
        words.append(f"{LABELS[agent]} {losses[agent]:.0%}" if agent in losses else f"{LABELS[agent]} has none to lose")
    own, theirs = ([losses[agent] for agent in group if agent in losses] for group in (agents, others))
    verdict = Verdict.UNCLEAR
    if len(own) == len(agents) and theirs:
        worst, least = max(own), min(theirs)
        verdict = Verdict.HOLDS if worst < least / 2 else Verdict.FAILS if worst >= least else Verdict.UNCLEAR
    return Evidence(verdict, f"share of the success on the first bin lost on the last: {', '.join(words)}")


def easier(name: str, than: str, agents: Sequence[str], experiments: Experiments) -> Evidence:
    """Whether agents do better on new levels of one experiment than of another."""
    pairs = {agent: (_new(name, experiments[name][agent]), _new(than, experiments[than][agent])) for agent in agents}
    words = (f"{LABELS[agent]} {shown(here)} against {shown(there)}" for agent, (here, there) in pairs.items())
    return Evidence(together([compare(here, there) for here, there in pairs.values()]), "; ".join(words))


def weaker(name: str, agent: str, than: str, by: float, experiments: Experiments) -> Evidence:
    """Whether an agent is behind another by more than so much."""
    one, other = _new(name, experiments[name][agent]), _new(name, experiments[name][than])
    return Evidence(compare(other, one, by), f"{LABELS[agent]} {shown(one)}, {LABELS[than]} {shown(other)}")


def falls_beyond_training(name: str, agent: str, experiments: Experiments) -> Evidence:
    """Whether success drops by more than 0.2 where levels ask for more than training did."""
    known, new = _familiar(name, experiments[name][agent]), _new(name, experiments[name][agent])
    return Evidence(compare(known, new, 0.2), f"{shown(known)} on familiar sizes, {shown(new)} on larger ones")


def holds_beyond_training(name: str, agent: str, experiments: Experiments) -> Evidence:
    """Whether success drops by less than 0.05 where levels ask for more than training did."""
    known, new = _familiar(name, experiments[name][agent]), _new(name, experiments[name][agent])
    return Evidence(compare(new, known, -0.05), f"{shown(known)} on familiar sizes, {shown(new)} on larger ones")


def comparable(name: str, one: str, other: str, experiments: Experiments) -> Evidence:
    """Whether two agents are within 0.1 of each other on new levels."""
    mine, theirs = _new(name, experiments[name][one]), _new(name, experiments[name][other])
    verdicts = [compare(mine, theirs, -0.1), compare(theirs, mine, -0.1)]
    return Evidence(together(verdicts), f"{LABELS[one]} {shown(mine)}, {LABELS[other]} {shown(theirs)}")


def flat_and_poor(name: str, agent: str, best: str, experiments: Experiments) -> Evidence:
    """Whether an agent's success differs by less than 0.1 from bin to bin, and is below half of the best agent's."""
    own, others = by_bin(experiments[name][agent]).values(), _new(name, experiments[name][best])
    means = [each.mean for each in own]
    spread, mean = max(means) - min(means), sum(means) / len(means)
    verdict = Verdict.HOLDS if spread < 0.1 and mean < others.mean / 2 else Verdict.FAILS
    return Evidence(
        verdict, f"{LABELS[agent]} between {min(means):.3f} and {max(means):.3f}; {LABELS[best]} {shown(others)}"
    )


def ignores_instruction(name: str, agent: str, experiments: Experiments) -> Evidence:
    """Whether an agent hardly ever opens its gate and fails even at familiar levels."""
    results = experiments[name][agent]
    gate = estimate([result.gate for result in results])
    known = _familiar(name, results)
    verdict = Verdict.FAILS if known.mean >= 0.5 else Verdict.HOLDS if gate.mean < 0.02 else Verdict.UNCLEAR
    return Evidence(
        verdict,
        f"gate open in {gate.mean:.1%} of steps at the end of training, success {shown(known)} on familiar levels",
    )


def trains_better(name: str, than: str, agents: Sequence[str], experiments: Experiments) -> Evidence:
    """Whether agents end training better in one experiment than in another."""
    pairs = {agent: (_trained(experiments[name][agent]), _trained(experiments[than][agent])) for agent in agents}
    words = (f"{LABELS[agent]} {shown(here)} against {shown(there)}" for agent, (here, there) in pairs.items())
    return Evidence(together([compare(here, there) for here, there in pairs.values()]), "; ".join(words))


def suffers_less(name: str, than: str, agent: str, others: Sequence[str], experiments: Experiments) -> Evidence:
    """Whether an agent loses less success than others from one experiment's new levels to another's."""
    losses = {
        one: _loss(_new(than, experiments[than][one]), _new(name, experiments[name][one])) for one in (agent, *others)
    }
    words = ", ".join(f"{LABELS[one]} {shown(loss)}" for one, loss in losses.items())
    verdicts = [compare(losses[other], losses[agent]) for other in others]
    return Evidence(together(verdicts), f"success lost from {than} to {name}: {words}")


def _loss(before: Estimate, after: Estimate) -> Estimate:
    return Estimate(before.mean - after.mean, hypot(before.error, after.error))


def _new_bins(name: str, results: list[Result], player: str = "sampled") -> dict[str, Estimate]:
    return {id: mean for id, mean in by_bin(results, player).items() if not is_familiar(experiment(name), id)}


def _new(name: str, results: list[Result], player: str = "sampled") -> Estimate:
    """On all levels unlike training."""
    return over_bins(results, lambda score: not _is_familiar(name, score), player)


def _familiar(name: str, results: list[Result]) -> Estimate:
    return over_bins(results, partial(_is_familiar, name))


def _is_familiar(name: str, score: Score) -> bool:
    return is_familiar(experiment(name), score.id)


def _trained(results: list[Result]) -> Estimate:
    return estimate([result.training.success[-1] for result in results])


def _row(name: str, results: list[Result]) -> str:
    return " / ".join(f"{mean.mean:.3f}" for mean in _new_bins(name, results).values())
