"""Episodes as a dataset of Minari, complete or not at all."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_storage import MinariStorage

from cofca import __version__
from cofca.envs.domain import PLANNER
from cofca.experiments.eval_set import EvalSet
from cofca.experiments.specs import Experiment
from cofca.interop.ids import IDS, register
from cofca.interop.minari.episodes import Episode, episodes
from cofca.interop.minari.players import Player
from cofca.utils.files import WRITING


def write_dataset(
    out: Path, spec: Experiment, levels: EvalSet, who: Player, worker: str, heard: Callable[[int], None]
) -> dict[str, Any]:
    """Record every level of a set; what was recorded, as JSON. `heard` is told how many episodes there are so far."""
    if out.exists():
        raise ValueError(f"{out}: exists already")
    if not out.parent.is_dir():
        raise ValueError(f"{out}: there is no folder {out.parent}")
    # Minari takes a relative path from somewhere else.
    writing = out.absolute().with_name(WRITING + out.name)
    shutil.rmtree(writing, ignore_errors=True)
    try:
        report = _write(writing, spec, levels, who, worker, heard)
        writing.rename(out)
    finally:
        shutil.rmtree(writing, ignore_errors=True)
    return {"dataset": str(out), **report}


def _write(
    folder: Path, spec: Experiment, levels: EvalSet, who: Player, worker: str, heard: Callable[[int], None]
) -> dict[str, Any]:
    env = _environment(levels, worker)
    storage = MinariStorage.new(folder, env.observation_space, env.action_space, env_spec=env.spec, jpeg_encoding=False)
    rewards: list[float] = []

    def buffers() -> Iterator[EpisodeBuffer]:
        for episode in episodes(who, levels):
            yield _buffer(episode)
            rewards.append(float(episode.rewards.sum()))
            heard(len(rewards))

    storage.update_episodes(buffers())
    about = {
        "experiment": spec.name,
        "levels": levels.bin.id,
        "level_seed": levels.level_seed,
        "fingerprint": levels.fingerprint,
        "policy": who.name,
        "worker": worker,
        "success": float(np.mean(np.array(rewards) > 0)),
    }
    described = {
        "dataset_id": f"cofca/{spec.name}/{re.sub(r'[^A-Za-z0-9]+', '-', f'{levels.bin.id}-{who.name}').strip('-')}-v0",
        "minari_version": minari.__version__,
        "algorithm_name": who.name,
        "description": f"Episodes of {who.name} on levels of {spec.name}: {levels.bin.id}.",
        "requirements": [f"cofca>={__version__}"],
    }
    storage.update_metadata({**described, "cofca": about})
    counts = {"episodes": storage.total_episodes, "steps": storage.total_steps}
    return {"dataset_id": described["dataset_id"], **about, **counts}


def _environment(levels: EvalSet, worker: str) -> gymnasium.Env:
    """The environment in which keys of levels have these levels."""
    register()
    (id_,) = (id_ for id_, name in IDS.items() if name == levels.domain.name)
    given: dict[str, Any] = levels.bin.changes | ({} if worker == PLANNER else {"worker": worker})
    return gymnasium.make(id_, **given)


def _buffer(episode: Episode) -> EpisodeBuffer:
    """An episode as Minari stores it. Its options are those with which `reset` brings its level back."""
    keys = np.broadcast_to(episode.level_key, (len(episode.actions) + 1, 2))
    return EpisodeBuffer(
        options={"level_key": episode.level_key},
        observations=episode.obs,
        actions=episode.actions,
        rewards=list(episode.rewards),
        terminations=list(episode.terminations),
        truncations=list(episode.truncations),
        infos={"level_key": keys},
    )
