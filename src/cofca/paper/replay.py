"""A submitted result played again: by the weights or the policy that it is of."""

from collections.abc import Callable

import numpy as np

from cofca.experiments.eval_set import eval_sets
from cofca.experiments.scoring import score
from cofca.experiments.specs import experiment
from cofca.experiments.typed import typed_policy
from cofca.experiments.zoo import load_trained
from cofca.paper.entries import CLOSE, EXACTLY
from cofca.paper.submission import Submission
from cofca.utils.references import names_code

FAR = 4.0
"""Standard errors of a difference that are too many: by chance one in 16,000 is as large."""
Shares = dict[str, list[float]]
"""Success of each seed by the id of the bin."""


def replay(found: Submission, who: str, progress: Callable[[int, int], None]) -> str:
    """How the score of weights or of a policy agrees with a result; what does not agree is refused."""
    again = play_again(found, who, progress)
    said = {row.id: row.seeds for row in found.bins}
    for id, shares in again.items():
        if len(shares) != len(said[id]):
            raise ValueError(f"{who} has {len(shares)} seeds, the result {len(said[id])}")
        for seed, (one, other) in enumerate(zip(said[id], shares, strict=True)):
            if not agree(one, other, found.bins[0].episodes):
                raise ValueError(f"{id}: seed {seed} has {one}, but {other} when it is played again")
    return EXACTLY if again == said else CLOSE


def play_again(found: Submission, who: str, progress: Callable[[int, int], None]) -> Shares:
    """The same levels, with the same chances."""
    spec, episodes = experiment(found.experiment), found.bins[0].episodes
    if names_code(who):
        report = score(typed_policy(who), spec, episodes, found.level_seed, found.worker, progress)
        return {row["id"]: row["seeds"] for row in report["bins"]}
    agents, config = load_trained(who)
    if experiment(config.experiment).domain != spec.domain:
        raise ValueError(f"{who}: agents of {config.experiment} can't play {spec.name}")
    shares = Shares()
    for levels in eval_sets(spec, episodes, found.level_seed, found.worker):
        shares[levels.bin.id] = (levels.played(agents, config.ppo).returns > 0).mean(axis=1).tolist()
        progress(len(shares), len(spec.bins))
    return shares


def agree(one: float, other: float, episodes: int) -> bool:
    """Whether chance explains the difference of two shares of so many episodes."""
    likely = ((one + other) * episodes + 2) / (2 * episodes + 4)
    return bool(abs(one - other) <= FAR * np.sqrt(2 * likely * (1 - likely) / episodes))
