"""The command line: verbs only, each a few lines that call the rooms of the library."""

import contextlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import jax
import jax.numpy as jnp
import tyro
from jaxtyping import PRNGKeyArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from tyro.conf import Positional, subcommand
from tyro.constructors import PrimitiveConstructorSpec

from cofca.compilation import cache_compilation
from cofca.domains import NAMES, Domain, domain
from cofca.errors import MapError

T = TypeVar("T")

SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
LARGEST = 2 * 10**9
LEVELS_AT_ONCE = 1024


def read_number(text: str) -> int:
    """A whole number from 1 to 2G; `20K` and `70M` are short for thousands and millions."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([kmg]?)", text.strip().lower())
    number = Decimal(match[1]) * SUFFIXES[match[2]] if match else Decimal(0)
    if not 1 <= number <= LARGEST or number != int(number):
        raise ValueError(f"expected a whole number from 1 to 2G, such as 500 or 20K, not {_short(text)!r}")
    return int(number)


def read_seed(text: str) -> int:
    """A whole number of up to 32 bits."""
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) >= 2**32:
        raise ValueError(f"expected a whole number from 0 to {2**32 - 1}, not {_short(text)!r}")
    return int(text)


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:30] + "..."


def read_range(text: str) -> tuple[int, int]:
    """A range such as `1-10`; a single number is a range of one."""
    match = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", text.strip())
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= low <= high:
        raise ValueError(f"expected a range such as 1-10, not {_short(text)!r}")
    return low, high


def _written(parse: Callable[[str], T], metavar: str) -> Any:
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=lambda words: parse(words[0]),
        is_instance=lambda value: not isinstance(value, str),
        str_from_instance=lambda value: ["automatic" if value is None else str(value)],
    )


Number = Annotated[int, _written(read_number, "N")]
Seed = Annotated[int, _written(read_seed, "N")]
# The domain or the verb knows what is meant where none is given.
MaybeNumber = Annotated[int | None, _written(read_number, "N")]
MaybeRange = Annotated[tuple[int, int] | None, _written(read_range, "A-B")]
DomainName = Positional[Annotated[str, tyro.conf.arg(metavar="DOMAIN")]]


@dataclass(frozen=True)
class LevelOptions:
    """Which levels: options that every verb takes."""

    domain: DomainName
    """The domain: minecraft or starcraft."""
    length: MaybeRange = None
    """Shortest and longest instruction, in lines; by default those of the paper's training."""
    depth: MaybeNumber = None
    """How deep blocks may be nested (minecraft; by default 1), or how long chains of buildings may be (starcraft)."""
    seed: Seed = 0
    """Seed of everything random."""

    def setting(self) -> tuple[Domain, Any]:
        """The domain and its parameters."""
        chosen = domain(self.domain)
        given = {"length": self.length, "max_depth": self.depth}
        return chosen, chosen.params(**{name: value for name, value in given.items() if value is not None})


@dataclass(frozen=True)
class Levels(LevelOptions):
    """Print random levels as text."""

    count: Number = 10
    """How many."""
    json: bool = False
    """Print one JSON object instead."""

    def run(self) -> int:
        """Generate and print."""
        chosen, params = self.setting()
        batch = min(self.count, LEVELS_AT_ONCE)
        make = jax.jit(partial(chosen.environment().levels, params=params))
        texts: list[str] = []
        for start in range(0, self.count, batch):
            # Each level has its own key, so that more levels of a seed begin with the fewer.
            keys = jax.vmap(partial(jax.random.fold_in, jax.random.key(self.seed)))(jnp.arange(start, start + batch))
            made = [chosen.level_text(level) for level in _each(make(keys))][: self.count - start]
            if self.json:
                texts += made
                continue
            for number, text in enumerate(made, start=start + 1):
                print(f"{'' if number == 1 else chr(10)}# level {number}\n{text}")
        if self.json:
            _print_json({"domain": chosen.name, "seed": self.seed, "levels": texts})
        return 0


@dataclass(frozen=True)
class Check(LevelOptions):
    """Generate levels and let the oracle and random choices play each."""

    levels: Number = 1000
    """How many levels."""
    worker: str = "planner"
    """Who carries out commands in minecraft: planner."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Play and report; exit code 1 if the oracle fails anywhere."""
        from cofca.check import check

        if self.worker != "planner":
            raise ValueError(f"unknown worker {self.worker!r}; expected planner")
        chosen, params = self.setting()
        with _progress("levels played", self.levels) as update:
            report = check(chosen, params, self.levels, self.seed, update)
        settings = {
            "domain": chosen.name,
            "length": list(params.length),
            "seed": self.seed,
            **({"worker": self.worker} if chosen.name == "minecraft" else {}),
        }
        _print_json({**settings, **report}) if self.json else _print_report(report)
        return 0 if report["oracle_success"] == 1.0 else 1


@dataclass(frozen=True)
class Play(LevelOptions):
    """Play a level yourself in the terminal."""

    instruction: Path | None = None
    """File with an instruction of your own."""
    map: Path | None = None
    """File with a drawn map for it."""

    def run(self) -> int:
        """Play one episode."""
        from cofca.play import play

        key = jax.random.key(self.seed)
        if self.map is not None and self.instruction is None:
            raise ValueError("--map needs an --instruction to go with it")
        if self.instruction is not None and (self.length is not None or self.depth is not None):
            raise ValueError("--length and --depth are of random levels; an --instruction has its own")
        if self.instruction is None:
            chosen, params = self.setting()
            with _status("making a level"):
                level = _each(jax.jit(partial(chosen.environment().levels, params=params))(key[None]))[0]
        else:
            chosen = domain(self.domain)
            level, params = self._own_level(chosen, self.instruction, key)
        return 0 if play(chosen, key, level, params) else 1

    def _own_level(self, chosen: Domain, instruction: Path, key: PRNGKeyArray) -> tuple[Any, Any]:
        """A level of one's own, and parameters with as much room as it needs. Errors name the file."""
        text, drawing = _read(instruction), None if self.map is None else _read(self.map)
        try:
            params = chosen.params(length=(1, len(chosen.parse(text))))
            with _status("finding a world for it"):
                return chosen.own_level(key, text, params, drawing), params
        except MapError as error:
            raise ValueError(f"{self.map}: {error}") from error
        except ValueError as error:
            raise ValueError(f"{instruction}: {error}") from error


@dataclass(frozen=True)
class Demo:
    """Make levels of each domain, let the oracle solve them, show one."""

    out: Path = Path("demo")
    """Folder for the pictures and animations."""
    levels: Number = 1000
    """How many levels."""
    seed: Seed = 0
    """Seed of everything random."""

    def run(self) -> int:
        """For each domain: check, then show one episode in the terminal and as pictures."""
        code = max(self._show(name) for name in NAMES)
        print("next:      cofca play minecraft        (play one yourself)")
        print("           cofca levels starcraft      (print instructions)")
        return code

    def _show(self, name: str) -> int:
        from cofca.demo import episode, most_telling, save

        print(f"\n{name}")
        code = Check(name, levels=self.levels, seed=self.seed).run()
        chosen = domain(name)
        params = chosen.params()
        with _status("playing one level"):
            scenes = episode(chosen, most_telling(chosen, params, self.seed), params, self.seed)
        for scene in (scenes[0], scenes[-1]):
            print("\n" + chosen.ansi(scene, color=sys.stdout.isatty()))
        print()
        save(chosen, scenes, self.out / name, print)
        return code


@dataclass(frozen=True)
class BenchEnv(LevelOptions):
    """Measure environment steps per second: random actions, observations built, levels from a refreshed pool."""

    envs: Number = 1024
    """Environments side by side."""
    steps: Number = 1024
    """Steps of each environment between two refreshes of the pool."""
    pool: MaybeNumber = None
    """Levels in the pool; by default as many as environments."""
    peer: str | None = None
    """Also time another library in the same run: xland."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Measure and report."""
        from cofca.bench import bench_env
        from cofca.peers import bench_xland, require_xland

        if self.peer not in (None, "xland"):
            raise ValueError(f"unknown peer {self.peer!r}; expected xland")
        if self.peer:
            require_xland()
        chosen, params = self.setting()
        with _status("measuring"):
            report = bench_env(chosen, params, self.envs, self.steps, self.pool or self.envs, self.seed)
            if self.peer:
                peer = bench_xland(self.envs, max(self.steps // 8, 1), self.seed)
                report["peer"] = self.peer
                report["peer_steps_per_second"] = peer["steps_per_second"]
                report["peer_ratio"] = report["steps_per_second"] / peer["steps_per_second"]
                report["peer_compile_seconds"] = peer["compile_seconds"]
        _print_json(report) if self.json else _print_facts(report)
        return 0


@dataclass(frozen=True)
class BenchLevels(LevelOptions):
    """Measure how many levels are made a second."""

    levels: Number = 4096
    """Levels made at once."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Measure and report."""
        from cofca.bench import bench_levels

        chosen, params = self.setting()
        with _status("measuring"):
            report = bench_levels(chosen, params, self.levels, self.seed)
        _print_json(report) if self.json else _print_facts(report)
        return 0


@dataclass(frozen=True)
class BenchTrain:
    """Measure training steps per second: rollouts, updates and levels apart, and all together."""

    domain: DomainName
    """The domain: minecraft or starcraft."""
    agent: str = "cofca-s"
    """Which agent."""
    seeds: Number = 1
    """Trainings side by side."""
    envs: MaybeNumber = None
    """Environments of each; by default as in the paper."""
    updates: MaybeNumber = None
    """Updates between two pools of levels; by default as in training."""
    seed: Seed = 0
    """Seed of everything random."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Measure and report."""
        from cofca.agents.layers import stack
        from cofca.agents.registry import make_agent
        from cofca.agents.spec import spec_of
        from cofca.experiments.table import experiment
        from cofca.training.bench import bench_train
        from cofca.training.ppo import Setup

        chosen, trained = domain(self.domain), experiment(f"{self.domain}-length")
        given: dict[str, Any] = {"envs": self.envs, "updates_per_pool": self.updates}
        config = replace(trained.ppo, **{name: value for name, value in given.items() if value is not None})
        env, params = chosen.environment(), chosen.params(**trained.train)
        keys = jax.random.split(jax.random.key(self.seed), self.seeds)
        with _status("measuring"):
            agents = [make_agent(key, self.agent, chosen.name, spec_of(env, params)) for key in keys]
            report = bench_train(stack(agents), Setup(env, params, config, updates=1000), self.seed)
        report = {"domain": chosen.name, "agent": self.agent, **report}
        _print_json(report) if self.json else _print_facts(report)
        return 0


@dataclass(frozen=True)
class Bench:
    """Measure speed."""

    what: (
        Annotated[BenchEnv, subcommand("env")]
        | Annotated[BenchLevels, subcommand("levels")]
        | Annotated[BenchTrain, subcommand("train")]
    )

    def run(self) -> int:
        """Measure and report."""
        return self.what.run()


@dataclass(frozen=True)
class Train:
    """Train an agent."""

    experiment: Positional[Annotated[str, tyro.conf.arg(metavar="EXPERIMENT")]]
    """What for: minecraft-length, minecraft-compound, starcraft-length, starcraft-depth or starcraft-depth-hard."""
    out: Path
    """The run's folder."""
    agent: str = "cofca-s"
    """cofca-s, cofca, unstructured, olsk or olsk-e."""
    seeds: Number = 4
    """Trainings side by side."""
    steps: Number = 70_000_000
    """Of each seed."""
    seed: Seed = 0
    """Seed of everything random."""
    resume: bool = False
    """Go on with the run in the folder."""
    checkpoint_minutes: float = 5.0
    """Minutes between checkpoints."""
    set: tuple[str, ...] = ()
    """Settings of PPO other than the experiment's, such as learning_rate=0.0005 envs=64."""

    def run(self) -> int:
        """Train to the end, or from where it was interrupted."""
        from cofca.experiments.table import experiment
        from cofca.experiments.weights import make_agents, make_setup
        from cofca.training.config import changed
        from cofca.training.run import Run, RunConfig

        found = experiment(self.experiment)
        if found.trained_as:
            raise ValueError(f"{found.name} evaluates agents of {found.trained_as}: train that")
        ppo = changed(found.ppo, self.set)
        config = RunConfig(found.name, self.agent, self.seeds, self.steps, self.seed, ppo)
        with _status("compiling"):
            run = Run(self.out, config, make_setup(config), make_agents(config), self.resume)
        with _training(config.updates) as show:
            run.train(self.checkpoint_minutes, show)
        print(f"weights: {self.out / 'final'}")
        return 0


@dataclass(frozen=True)
class Evaluate:
    """Let trained agents play levels they have never seen."""

    weights: Positional[Annotated[Path, tyro.conf.arg(metavar="RUN-or-WEIGHTS")]]
    """The folder of a run, or of one seed's weights."""
    experiment: str | None = None
    """On whose levels; by default those of the experiment it was trained for."""
    episodes: Number = 1000
    """Of each bin."""
    level_seed: Seed = 0
    """Seed of the levels."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Play and report."""
        from cofca.experiments.evaluate import evaluate, join
        from cofca.experiments.table import experiment
        from cofca.experiments.weights import load_weights

        trained = load_weights(self.weights)
        found = experiment(self.experiment or trained[0].experiment.name)
        if found.domain != trained[0].experiment.domain:
            raise ValueError(f"{found.name} is an experiment in {found.domain}, but the agent is of another domain")
        reports = []
        with _progress("seeds evaluated", len(trained)) as update:
            for one in trained:
                reports.append(evaluate(one.agent, domain(found.domain), found, self.episodes, self.level_seed))
                update(len(reports))
        report = {"agent": trained[0].name, "trained_on": trained[0].experiment.name, **join(reports)}
        _print_json(report) if self.json else _print_bins(report)
        return 0


Verb = (
    Annotated[Levels, subcommand("levels")]
    | Annotated[Check, subcommand("check")]
    | Annotated[Play, subcommand("play")]
    | Annotated[Bench, subcommand("bench")]
    | Annotated[Demo, subcommand("demo")]
    | Annotated[Train, subcommand("train")]
    | Annotated[Evaluate, subcommand("evaluate")]
)


def main(args: Sequence[str] | None = None) -> None:
    """Run a verb; a user's mistake is one line on standard error and exit code 2."""
    args = sys.argv[1:] if args is None else list(args)
    verb = _parse(args)
    cache_compilation()
    try:
        sys.exit(verb.run())
    except (ValueError, OSError) as error:
        _fail(str(error))
    except (MemoryError, jax.errors.JaxRuntimeError) as error:
        if isinstance(error, MemoryError) or "RESOURCE_EXHAUSTED" in str(error):
            _fail("not enough memory for so many at once")
        raise
    except KeyboardInterrupt:
        sys.exit(130)


def _parse(args: Sequence[str]) -> Any:
    """Read the arguments; of the parser's boxed message only what is wrong is kept."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            return tyro.cli(
                Verb,
                prog="cofca",
                description=f"Instructions with control flow. Domains: {', '.join(NAMES)}.",
                args=args,
                config=(
                    tyro.conf.FlagCreatePairsOff,
                    tyro.conf.OmitSubcommandPrefixes,
                    tyro.conf.OmitArgPrefixes,
                ),
            )
    except SystemExit as stop:
        if stop.code in (0, None):
            raise
        # Rules of lines or, on a plain terminal, dashes part what is wrong from advice.
        parts = re.split(r"\n[│| ]*[─-]{4,}[│| ]*(?=\n)", said.getvalue().partition("\n")[2].join("\n\n"))
        message = next(words for part in parts if (words := " ".join(part.replace("│", " ").replace("|", " ").split())))
        _fail(f"{message} (see cofca --help)")


def _fail(message: str) -> None:
    print(f"cofca: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file") from error


def _each(batch: Any) -> list[Any]:
    leaves, structure = jax.tree.flatten(batch)
    return [jax.tree.unflatten(structure, single) for single in zip(*leaves, strict=True)]


def _print_json(report: dict[str, Any]) -> None:
    print(json.dumps(report))


@contextlib.contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)


@contextlib.contextmanager
def _training(updates: int) -> Iterator[Callable[[dict[str, Any]], None]]:
    """A bar on standard error with success and speed."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("training", total=updates)

        def show(metrics: dict[str, Any]) -> None:
            success = " ".join(f"{share:.3f}" for share in metrics["success"])
            words = f"success {success}  {metrics['steps_per_second']:,.0f} steps/s"
            progress.update(task, completed=metrics["update"], description=words)

        yield show


def _print_bins(report: dict[str, Any]) -> None:
    players = ("sampled", "greedy", "oracle", "random")
    table = Table("bin", "episodes", *players, title=f"{report['agent']} on {report['experiment']}")
    for row in report["bins"]:
        shares = (f"{row[player]:.3f}" for player in players)
        table.add_row(f"{row['lo']}-{row['hi']}", str(row["episodes"]), *shares)
    Console().print(table)


def _status(what: str) -> Any:
    return Console(stderr=True).status(what)


def _print_report(report: dict[str, Any]) -> None:
    console = Console()
    players = [name.removesuffix("_success") for name in report if name.endswith("_success")]
    table = Table("lines", "episodes", *(name.replace("_", " ") for name in players), title="success")
    for row in report["bins"]:
        shares = (f"{row[name]:.3f}" for name in players)
        table.add_row(f"{row['lo']}-{row['hi']}", str(row["episodes"]), *shares)
    shares = (f"{report[f'{name}_success']:.4f}" for name in players)
    table.add_row("all", str(report["levels"]), *shares, style="bold")
    console.print(table)
    kinds = Table("transition", "per episode", "share of levels", title="what correct execution contains")
    for kind, figures in report["transitions"].items():
        kinds.add_row(kind.replace("_", " "), *(f"{figure:.3f}" for figure in figures.values()))
    console.print(kinds)


def _print_facts(report: dict[str, Any]) -> None:
    table = Table(show_header=False)
    for name, value in report.items():
        shown = f"{value:,.2f}" if isinstance(value, float) else str(value)
        if isinstance(value, list):
            shown = " ".join(f"{item:.3f}" for item in value)
        table.add_row(name.replace("_", " "), shown)
    Console().print(table)
