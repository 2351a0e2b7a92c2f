"""What results say about claims on training itself. Where the paper gives no number, ours is in the docstring."""

from collections.abc import Sequence

from cofca.paper.criteria import Experiments, against
from cofca.paper.evidence import Comparison, Line
from cofca.paper.plots.plot_style import LABELS
from cofca.paper.samples import familiar_bins, gate, replays_cost, success, trained


def trains_better(name: str, than: str, agents: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether agents end training better in one experiment than in another."""
    ends = [(agent, trained(experiments[name][agent]), trained(experiments[than][agent])) for agent in agents]
    return [against(f"{LABELS[agent]}: `{name}` against `{than}`", here, there) for agent, here, there in ends]


def replays_depress(name: str, agents: Sequence[str], experiments: Experiments) -> list[Line]:
    """Whether success over all of training is lower with replayed failures than on fresh levels alone."""
    lines = []
    for agent in agents:
        fresh, cost = replays_cost(experiments[name][agent])
        figures = f"{fresh.mean:.3f} on fresh levels, {fresh.mean - cost.mean:.3f} with replays"
        lines.append(Line(LABELS[agent], (Comparison((cost,)),), figures))
    return lines


def ignores_instruction(name: str, agent: str, experiments: Experiments) -> list[Line]:
    """Whether an agent opens its gate in less than 2 % of steps, and fails at more than half of familiar levels."""
    results = experiments[name][agent]
    known = success(results, familiar_bins(name, results))
    return [
        Line("share of steps with an open gate", (Comparison((gate(results),), 0.02, below=True, what="share"),), ""),
        Line("success on familiar levels", (Comparison((known,), 0.5, below=True, what="success"),), ""),
    ]
