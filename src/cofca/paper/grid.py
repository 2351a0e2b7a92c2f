"""The grid of runs as jobs that can be interrupted: what is finished is skipped, what was begun goes on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax

from cofca.envs.domain import PLANNER
from cofca.experiments.eval_set import eval_sets
from cofca.experiments.evaluate import evaluate_seeds
from cofca.experiments.plugins import label
from cofca.experiments.presets import PRESETS, TUNED
from cofca.experiments.protocol import JUMP, PROTOCOLS, jump_sizes
from cofca.experiments.scores import SeedScores
from cofca.experiments.specs import EXPERIMENTS, Experiment, experiment
from cofca.experiments.train import open_run, train_run
from cofca.experiments.typed import origin_of, typed_agent, typed_experiment, typed_name
from cofca.experiments.weights import load_weights
from cofca.paper.curves import (
    PaperRow,
    bin_curves,
    curve_with_replays,
    gate_rate,
    paper_scores,
    score_of,
    training_curve,
)
from cofca.paper.results import Curve, Result, read_result, result_path, write_result
from cofca.paper.scales import Scale, run_config
from cofca.paper.timing import Stopwatch, Timing, journal_seconds, write_timing
from cofca.rl.compile import forget_if_many
from cofca.runs.config import PAPER, RunConfig, config_of, difference, read_config, versions
from cofca.runs.layout import CONFIG
from cofca.runs.loggers.base import Listener
from cofca.utils.json import decode

LEVEL_SEED = 0


@dataclass(frozen=True)
class Job:
    """One agent, trained once with all its seeds and evaluated in one or more experiments."""

    config: RunConfig
    evaluated: tuple[Experiment, ...]
    scale: Scale

    @property
    def name(self) -> str:
        """As it is called in reports; also where its run lies."""
        return f"{experiment(self.config.experiment).name}/{label(self.config.agent)}"


@dataclass(frozen=True)
class Outcome:
    """What became of a job."""

    job: Job
    status: str
    """finished, skipped (it was finished before), or failed."""
    reason: str = ""


def plan(
    names: Sequence[str],
    agents: Sequence[str],
    seeds: int,
    scale: Scale,
    worker: str,
    bfloat16: bool | None = None,
    preset: str = TUNED,
) -> list[Job]:
    """The jobs of a grid. An experiment that only evaluates adds to the job that trains for it, and an agent that a
    preset has for other domains only is left out.

    The precision is the one that suits this machine, unless others will do the jobs."""
    wanted = [typed_experiment(name) for name in names]
    places = {spec.name: typed_name(name) for spec, name in zip(wanted, names, strict=True)}
    if errands := [spec.name for spec in wanted if spec.domain == "errands"]:
        raise ValueError(f"{errands[0]} is no experiment of the grid: cofca train {errands[0]}")
    trained = dict.fromkeys(spec.trained_as or spec.name for spec in wanted)
    jobs = []
    for name in trained:
        spec = experiment(places.get(name, name))
        same = tuple(other for other in wanted if (other.trained_as or other.name) == name)
        chosen = worker if spec.domain == "minecraft" else PLANNER
        for agent in map(typed_agent, agents):
            if preset in PRESETS and PRESETS[preset].lacks(spec.domain, agent):
                continue
            config = run_config(spec, agent, seeds, scale, chosen, bfloat16, preset)
            own = replace(config, experiment=places.get(name, name), origin=origin_of(agent))
            jobs.append(Job(own, same, scale))
    if not jobs:
        raise ValueError(f"{preset} has none of {', '.join(agents)} for {', '.join(trained)}")
    return jobs


def paper_experiments() -> list[str]:
    """Those that are reproduced when none is named. A grid may be interrupted: claims need lengths most, so these are
    first."""
    names = [name for name, spec in EXPERIMENTS.items() if spec.domain != "errands" and not spec.beyond]
    return sorted(names, key=lambda name: not (EXPERIMENTS[name].trained_as or name).endswith("-length"))


def carry_out(
    jobs: Sequence[Job], runs: Path, results: Path, listeners: Callable[[Job], Sequence[Listener]]
) -> Iterator[Outcome]:
    """Do one job after another. One that fails is reported, and the rest goes on."""
    for job in jobs:
        yield do_job(job, runs, results, listeners)
        forget_if_many()


def do_job(job: Job, runs: Path, results: Path, listeners: Callable[[Job], Sequence[Listener]]) -> Outcome:
    """Do what is left of one job; what goes wrong is part of the outcome."""
    if outcome := known(job, results):
        return outcome
    folder, watch = runs / job.name, Stopwatch()
    try:
        before = sum(journal_seconds(folder, job.config))
        train(job, folder, listeners(job), watch)
        with watch.part("evaluating"):
            for result in evaluate(job, folder):
                write_result(results, result)
        write_timing(results, _timing(job, folder, watch, before))
        return Outcome(job, "finished")
    except (ValueError, OSError, MemoryError, jax.errors.JaxRuntimeError) as error:
        return failed(job, error)


def known(job: Job, results: Path) -> Outcome | None:
    """The outcome of a job for which nothing has to be done."""
    try:
        return Outcome(job, "skipped") if is_finished(job, results) else None
    except (ValueError, OSError) as error:
        return failed(job, error)


def failed(job: Job, error: BaseException) -> Outcome:
    """The outcome of a job that could not be done, with the reason in one line."""
    return Outcome(job, "failed", " ".join(str(error).split()))


def is_finished(job: Job, results: Path) -> bool:
    """Whether all results of a job are there, of this very job and with all bins."""
    paths = {
        results / result_path(job.config.preset, spec.name, label(job.config.agent), seed): spec
        for spec in job.evaluated
        for seed in range(job.config.seeds)
    }
    whole = True
    for path, spec in paths.items():
        found = read_result(path) if path.exists() else None
        whole &= found is not None and {bin.id for bin in spec.bins} <= {score.id for score in found.bins}
        if found and (other := _difference(config_of(found.config), job.config)):
            raise ValueError(f"{path}: of another configuration ({other}): move it away, or write elsewhere")
    return whole


def _difference(found: RunConfig, wanted: RunConfig) -> str | None:
    """How often agents were evaluated while they trained changes no final score."""
    watched = {name: getattr(wanted, name) for name in ("evaluate_every", "evaluation_episodes")}
    return difference(replace(found, **watched), wanted)


def train(job: Job, folder: Path, listeners: Sequence[Listener], watch: Stopwatch) -> None:
    """Train, or go on, or do nothing if the weights are there."""
    begun = (folder / CONFIG).exists()
    if begun and (other := difference(read_config(folder), job.config)):
        raise ValueError(f"{folder}: there is a run with another configuration: {other}")
    if not (folder / "final" / f"seed{job.config.seeds - 1}").exists():
        with watch.part("compiling"):
            run = open_run(folder, job.config, begun)
        train_run(run, listeners)


def evaluate(job: Job, folder: Path) -> Iterator[Result]:
    """The results of a trained job."""
    config, agents = job.config, load_weights(folder).agents
    for spec in job.evaluated:
        sets = eval_sets(spec, job.scale.episodes, LEVEL_SEED, config.worker)
        jumps = jump_sizes(agents, config.ppo, spec, config.worker) if _has_jumps(job, spec) else []
        for seed, scores in enumerate(evaluate_seeds(agents, config.ppo, sets)):
            yield _result(job, spec, seed, scores, folder, jumps)


def _has_jumps(job: Job, spec: Experiment) -> bool:
    return job.config.protocol == PAPER and spec.name == JUMP


def _result(
    job: Job, spec: Experiment, seed: int, scores: SeedScores, folder: Path, jumps: Sequence[dict[str, Any]]
) -> Result:
    steps, success = training_curve(folder, seed)
    bins, curve = [score_of(decode(PaperRow, page), seed=seed) for page in jumps], None
    if job.config.protocol == PAPER and spec.name in PROTOCOLS:
        bins, curve = paper_scores(folder, seed, PROTOCOLS[spec.name].last)
    return Result(
        experiment=spec.name,
        agent=label(job.config.agent),
        preset=job.config.preset,
        seed=seed,
        trained_on=experiment(job.config.experiment).name,
        steps=job.config.updates * job.config.ppo.batch,
        scale=job.scale.name,
        worker=job.config.worker,
        level_seed=LEVEL_SEED,
        device=jax.devices()[0].device_kind,
        config=job.config.page(),
        versions=versions(),
        bins=scores.bins,
        transitions=scores.transitions,
        gate=gate_rate(folder, seed),
        training=Curve(steps, success),
        evaluations=bin_curves(folder, seed),
        paper_bins=bins,
        paper_curve=curve,
        with_replays=curve_with_replays(folder, seed),
    )


def _timing(job: Job, folder: Path, watch: Stopwatch, before: float) -> Timing:
    training, watching = journal_seconds(folder, job.config)
    return Timing(
        preset=job.config.preset,
        experiment=experiment(job.config.experiment).name,
        agent=label(job.config.agent),
        scale=job.scale.name,
        evaluated=[spec.name for spec in job.evaluated],
        seeds=job.config.seeds,
        steps=job.config.updates * job.config.ppo.batch,
        device=jax.devices()[0].device_kind,
        seconds=round(before + watch.seconds, 3),
        compiling=watch.parts.get("compiling", 0.0),
        training=round(training, 3),
        watching=round(watching, 3),
        evaluating=watch.parts["evaluating"],
    )
