"""cofca train."""

import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from tyro.conf import Positional

from cofca.cli.numbers import read_minutes, read_number, short
from cofca.cli.options import MaybeNumber, MaybeSeed, MaybeText, by_default, written
from cofca.cli.progress import status, tell, training_bar
from cofca.cli.show import print_json
from cofca.cli.streams import plain
from cofca.utils.settings import changed

if TYPE_CHECKING:
    from cofca.runs.config import RunConfig

EXPERIMENT = tyro.conf.arg(metavar="EXPERIMENT", help_behavior_hint="(needed without --resume)")
HOST = tyro.conf.arg(metavar="HOST:PORT")
MaybeNone = Annotated[int | None, written(partial(read_number, least=0), "N")]
MaybePath = Annotated[Path | None, written(Path, "PATH")]
MaybeMinutes = Annotated[float | None, written(read_minutes, "MINUTES")]
MaybeLogs = Annotated[tuple[str, ...] | None, written(lambda text: tuple(text.split(",")), "LOG,LOG")]


def as_in_a_run(name: str) -> Any:
    """What `--help` says of an option of every run; only whoever asks waits for JAX."""

    def hint(_: str) -> str:
        from cofca.runs.config import RunConfig

        return f"(default: {getattr(RunConfig, name)})"

    return tyro.conf.arg(help_behavior_hint=hint)


@dataclass(frozen=True)
class Train:
    """Train an agent, or resume a run: --resume needs no other option than --out."""

    out: Annotated[MaybePath, tyro.conf.arg(help_behavior_hint="(needed without --print-config)")] = None
    """The run's folder."""
    experiment: Positional[Annotated[MaybeText, EXPERIMENT]] = None
    """minecraft-length, minecraft-compound, starcraft-length, starcraft-depth, starcraft-depth-hard, worker, or a TOML
    file."""
    agent: Annotated[MaybeText, as_in_a_run("agent")] = None
    """cofca-s, cofca, unstructured, olsk, olsk-e, cofca-d, cofca-r, cofca-r-given, cofca-m, lstm, stack, or your own as
    FILE.py:NAME. The experiment worker has the agent worker."""
    preset: Annotated[MaybeText, as_in_a_run("preset")] = None
    """paper: the agent as published, with its training and evaluation; paper-strict: the same, but gate and φ don't see
    the response to an action; tuned: the architecture with our additions."""
    seeds: Annotated[MaybeNumber, as_in_a_run("seeds")] = None
    """Trainings side by side that differ in their random numbers."""
    steps: Annotated[MaybeNumber, by_default("70M in minecraft, 20M in starcraft and for the worker")] = None
    """Training steps of each seed."""
    seed: Annotated[MaybeSeed, as_in_a_run("seed")] = None
    """Random seed."""
    worker: Annotated[MaybeText, by_default("planner; of the preset paper, learned")] = None
    """What carries out commands in minecraft: planner, learned, or a folder with the weights of a worker."""
    evaluate_every: Annotated[MaybeNone, by_default("5M; of the preset paper, as the paper says")] = None
    """Steps of each seed between two evaluations on the experiment's bins; 0 for no evaluation."""
    evaluation_episodes: Annotated[MaybeNumber, as_in_a_run("evaluation_episodes")] = None
    """Levels of each bin in these evaluations."""
    checkpoint_minutes: Annotated[MaybeMinutes, as_in_a_run("checkpoint_minutes")] = None
    """Minutes between checkpoints."""
    log: Annotated[MaybeLogs, by_default("none")] = None
    """Loggers beside the folder: tensorboard, wandb, both separated by a comma, or none."""
    set: tuple[str, ...] = ()
    """Settings of PPO that replace the preset's, such as learning_rate=0.0005 envs=64."""
    levels: tuple[str, ...] = ()
    """Settings of the training levels that replace the experiment's, such as length=1-3 conditions=all."""
    print_config: bool = False
    """Train nothing. Print one JSON object with the configuration, the architecture and the training levels."""
    resume: bool = False
    """Continue the run in the folder."""
    devices: Annotated[MaybeNumber, by_default("1; of several processes all there are")] = None
    """Number of devices that share the seeds and environments. A resumed run may have another number."""
    distributed: bool = False
    """This process is one of several that SLURM or Open MPI has started."""
    coordinator: Annotated[MaybeText, HOST] = None
    """This process is one of several: the address of the first of them."""
    processes: MaybeNumber = None
    """Number of processes."""
    process: MaybeNone = None
    """The number of this process, from 0."""

    def run(self) -> int:
        """Train to the end, or from where it was interrupted."""
        if self.print_config:
            return self._print_config()
        from cofca.experiments.train import open_run, train_run
        from cofca.rl.sharding import Devices
        from cofca.runs.layout import CONFIG
        from cofca.runs.loggers.base import find_log, opened

        folder, number = self._folder(), self._joined()
        config = self._recorded() if self.resume else self._new()
        for log in config.log:
            find_log(log)
        devices = Devices(number, config.seeds, config.ppo.envs)
        try:
            with status("compiling"):
                run = open_run(folder, config, self.resume, devices)
            tell(about(run.steps, config))
            with training_bar(config.whole_steps) as bar, opened(config.log, folder, config.page(), run.steps) as logs:
                train_run(run, [bar, *logs])
        except KeyboardInterrupt:
            if (folder / CONFIG).exists():
                tell(f"stopped; cofca train --out {plain(folder)} --resume goes on from the last checkpoint")
            raise
        if run.devices.is_first:
            print(f"weights: {plain(folder / 'final')}")
        return 0

    def _print_config(self) -> int:
        from cofca.experiments.train import describe

        print_json(describe(self._recorded() if self.resume else self._new()))
        return 0

    def _folder(self) -> Path:
        if self.out is None:
            raise ValueError("--out is missing: it names the run's folder")
        return self.out

    def _joined(self) -> int:
        """How many devices there are to use, after other processes have been found."""
        import jax

        from cofca.rl.sharding import join

        given = self.coordinator, self.processes, self.process
        if any(part is not None for part in given) and None in given:
            raise ValueError("--coordinator, --processes and --process go together")
        if self.coordinator and not re.fullmatch(r".+:[0-9]{1,5}", self.coordinator):
            raise ValueError(f"--coordinator: expected HOST:PORT, not {self.coordinator!r}")
        if self.distributed or self.coordinator:
            join(*given)
            return self.devices or len(jax.devices())
        return self.devices or 1

    def _new(self) -> "RunConfig":
        from cofca.experiments.specs import EXPERIMENTS
        from cofca.experiments.typed import new_config

        if self.experiment is None:
            names = ", ".join(name for name, spec in EXPERIMENTS.items() if not spec.trained_as)
            raise ValueError(f"EXPERIMENT is missing; expected {names}, a TOML file, or --resume")
        return new_config(self.experiment, self._given(), self.set, self.levels)

    def _recorded(self) -> "RunConfig":
        """The configuration in the folder, if nothing that was given contradicts it."""
        from cofca.experiments.build import canonical
        from cofca.experiments.specs import experiment
        from cofca.runs.config import difference, read_config

        folder = self._folder()
        recorded = read_config(folder)
        spec = experiment(recorded.experiment)
        levels = canonical(spec, self.levels or recorded.levels)
        wanted = replace(recorded, ppo=changed(recorded.ppo, self.set), levels=levels, **self._given())
        if other := difference(recorded, wanted):
            raise ValueError(f"{folder}: this run can't be resumed with other options: {other}")
        return wanted

    def _given(self) -> dict[str, Any]:
        what, how = ("experiment", "agent", "preset", "worker"), ("seeds", "steps", "seed", "checkpoint_minutes")
        names = (*what, *how, "evaluate_every", "evaluation_episodes")
        given = {name: getattr(self, name) for name in names}
        if self.log is not None:
            given["log"] = tuple(log for log in self.log if log != "none")
        return {name: value for name, value in given.items() if value is not None}


def about(done: int, config: "RunConfig") -> str:
    """What is to be trained, of which so many steps are done."""
    steps, pool = config.whole_steps, config.ppo.batch * config.ppo.updates_per_pool
    if done >= steps:
        return f"this run is finished: {short(steps)} steps of each seed"
    rounded = "" if steps == config.steps else f", {short(config.steps)} rounded up to whole pools of {short(pool)}"
    start = f", of which {short(done)} are done" if done else ""
    return f"{short(steps)} steps of each seed{rounded}{start}"
