"""The score of whatever answers a text with a text, on an experiment's own levels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from cofca.envs.domain import PLANNER
from cofca.experiments.eval_set import EvalSet, eval_sets
from cofca.experiments.scoring import score_row
from cofca.experiments.specs import Experiment
from cofca.experiments.specs import experiment as find_experiment
from cofca.interop.text.env import MAX_UNREADABLE, TextEnv
from cofca.interop.text.scripted import Scripted
from cofca.utils.trees import pick


def score(
    answer: Callable[[str], str] | Scripted,
    experiment: str,
    *,
    episodes: int = 1000,
    level_seed: int = 0,
    worker: str = PLANNER,
    bins: Sequence[str] | None = None,
    max_unreadable: int = MAX_UNREADABLE,
    progress: Callable[[dict[str, Any]], None] = lambda row: None,
) -> dict[str, Any]:
    """Success on an experiment's bins, beside the oracle and random choices on the same levels, as JSON.

    `answer` is given the prompt of `TextEnv` and returns an answer. Levels and chances are those of `cofca evaluate`
    with as many episodes and the same level seed, and rows have its keys; `refused` is how many answers of an episode
    could not be read or chosen. `bins` are ids, by default of all; `progress` hears of each row.
    """
    spec = find_experiment(experiment)
    rows = []
    for levels in _chosen(spec, eval_sets(spec, episodes, level_seed, worker), bins):
        rows.append(_row(levels, answer, max_unreadable))
        progress(rows[-1])
    return {"experiment": spec.name, "level_seed": level_seed, "bins": rows}


class Played(NamedTuple):
    """How an episode went."""

    reward: float
    choices: int
    """What the array environment was given."""
    refused: int
    """Answers that could not be read or chosen."""


def play(answer: Callable[[str], str] | Scripted, levels: EvalSet, max_unreadable: int) -> Iterator[Played]:
    """Each level of a set."""
    env = TextEnv(levels.domain, max_unreadable=max_unreadable, **vars(levels.params.playing))
    answering = answer.playing(env) if isinstance(answer, Scripted) else answer
    for number in range(levels.episodes):
        env.start(*pick((levels.levels, levels.keys), number))
        won, refused = 0.0, 0
        while not env.over:
            _, reward, _, _, info = env.step(answering(env.prompt))
            won, refused = won + reward, refused + (info["error"] is not None)
        yield Played(won, env.choices, refused)


def _chosen(spec: Experiment, sets: Sequence[EvalSet], ids: Sequence[str] | None) -> Sequence[EvalSet]:
    known = [levels.bin.id for levels in sets]
    if unknown := [id for id in ids or () if id not in known]:
        raise ValueError(f"{spec.name} has no bin {unknown[0]!r}; it has {', '.join(known)}")
    return [levels for levels in sets if ids is None or levels.bin.id in ids]


def _row(levels: EvalSet, answer: Callable[[str], str] | Scripted, max_unreadable: int) -> dict[str, Any]:
    """One bin."""
    played = list(play(answer, levels, max_unreadable))
    success = float(np.mean([episode.reward > 0 for episode in played]))
    refused = float(np.mean([episode.refused for episode in played]))
    return {**score_row(levels, [success]), "refused": refused}
