"""results/scoreboard/README.md: everybody with a result on the official levels, ranked in each experiment.

python -m cofca.paper.scoreboard results

Made from JSON alone: results of the package's agents, the timing of their jobs, and submitted results. Parameters of
the package's agents are counted.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from cofca.experiments.official import official_bins
from cofca.experiments.specs import EXPERIMENTS, Experiment, experiment
from cofca.paper.entries import SCOREBOARD, standings
from cofca.paper.page_notes import STANDINGS
from cofca.paper.score_tables import table
from cofca.paper.standings import Standing
from cofca.utils.files import write_whole

COLUMNS = (
    "rank", "agent", "preset", "not familiar", "hardest", "familiar", "seeds", "steps", "parameters",
    "wall time", "verified", "by",
)  # fmt: skip


def write_scoreboard(results: Path, known: Sequence[Standing]) -> Path:
    """Write the page into a folder of results."""
    path = results / SCOREBOARD / "README.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (STANDINGS + "\n".join(_sections(known)) + "\n").encode())
    return path


def ranked(known: Sequence[Standing], experiment: str, worker: str) -> list[Standing]:
    """Those of one table, the best first."""
    same = [one for one in known if (one.experiment, one.worker) == (experiment, worker)]
    return sorted(same, key=lambda one: (-one.sample.mean, one.agent, one.preset, one.by))


def _sections(known: Sequence[Standing]) -> Iterator[str]:
    for name in (name for name in EXPERIMENTS if name in official_bins()):
        workers = next(iter(official_bins()[name].values())).oracle
        for worker in workers:
            if rows := ranked(known, name, worker):
                about = f", {worker} worker" if len(workers) > 1 else ""
                yield f"\n## {name}{about}\n\n{_described(experiment(name))}\n"
                yield from table([list(COLUMNS), ["---"] * len(COLUMNS), *_rows(rows), *_beside(rows[0])])


def _described(spec: Experiment) -> str:
    """Whose agents an experiment is about, and where its levels are described."""
    page = "result-files.md#experiments-beyond-the-paper" if spec.beyond else f"{spec.domain}-results.md"
    return f"The agents are trained in `{spec.trained_as or spec.name}` ([levels](../../docs/{page}))."


def _rows(ranks: Sequence[Standing]) -> Iterator[list[str]]:
    for rank, one in enumerate(ranks, start=1):
        low, high = one.interval
        id, least = one.hardest
        like = [np.mean(shares) for id, shares in one.shares.items() if id not in one.new]
        seeds = len(one.sample.seeds)
        yield [
            str(rank),
            f"[{one.agent}]({one.url})" if one.url else one.agent,
            one.preset,
            f"{one.sample.mean:.3f} [{low:.3f}, {high:.3f}]{'' if seeds > 1 else ' *'}",
            f"{least:.3f} ({id})",
            f"{np.mean(like):.3f}" if like else "",
            str(seeds),
            f"{one.steps / 1e6:.4g} M" if one.steps else "",
            f"{one.parameters:,}" if one.parameters else "",
            f"{one.seconds / 60:.0f} min, {one.device}" if one.seconds else "",
            ", ".join(one.verified),
            one.by,
        ]


def _beside(one: Standing) -> Iterator[list[str]]:
    """The oracle and random choices on the same levels."""
    bins = official_bins()[one.experiment]
    for player in ("oracle", "random"):
        success = {id: getattr(found, player)[one.worker] for id, found in bins.items()}
        like = [success[id] for id in success if id not in one.new]
        least = min(success, key=success.__getitem__)
        figures = f"{np.mean([success[id] for id in one.new]):.3f}", f"{success[least]:.3f} ({least})"
        yield ["", player, "", *figures, f"{np.mean(like):.3f}" if like else "", *[""] * (len(COLUMNS) - 6)]


if __name__ == "__main__":
    print(write_scoreboard(Path(sys.argv[1]), standings(Path(sys.argv[1]))))
