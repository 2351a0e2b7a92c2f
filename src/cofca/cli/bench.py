"""cofca bench."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from tyro.conf import subcommand

from cofca.cli.options import DomainName, LevelOptions, MaybeNumber, MaybeRange, Number, Seed
from cofca.cli.progress import status
from cofca.cli.show import print_facts, print_json
from cofca.envs.domain import PLANNER
from cofca.envs.registry import domain


@dataclass(frozen=True)
class BenchEnv(LevelOptions):
    """Measure environment steps per second, with random actions, observations, and levels from a refreshed pool."""

    envs: Number = 1024
    """Number of environments."""
    steps: Number = 1024
    """Steps of each environment between two refreshes of the pool."""
    pool: MaybeNumber = None
    """Levels in the pool. By default as many as environments."""
    peer: str | None = None
    """Also measure another library in the same run: xland."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Measure and report."""
        from cofca.envs.bench import bench_env
        from cofca.envs.peers import bench_xland, require_xland

        if self.peer not in (None, "xland"):
            raise ValueError(f"unknown peer {self.peer!r}; expected xland")
        if self.peer:
            require_xland()
        chosen, params = self.setting()
        with status("measuring"):
            report = bench_env(chosen, params, self.envs, self.steps, self.pool or self.envs, self.seed)
            if self.peer:
                peer = bench_xland(self.envs, max(self.steps // 8, 1), self.seed)
                report["peer"] = self.peer
                report["peer_steps_per_second"] = peer["steps_per_second"]
                report["peer_ratio"] = report["steps_per_second"] / peer["steps_per_second"]
                report["peer_compile_seconds"] = peer["compile_seconds"]
        print_json(report) if self.json else print_facts(report)
        return 0


@dataclass(frozen=True)
class BenchLevels(LevelOptions):
    """Measure how many levels are made per second."""

    levels: Number = 4096
    """Number of levels made at once."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Measure and report."""
        from cofca.envs.bench import bench_levels

        chosen, params = self.setting()
        with status("measuring"):
            report = bench_levels(chosen, params, self.levels, self.seed)
        print_json(report) if self.json else print_facts(report)
        return 0


@dataclass(frozen=True)
class BenchTrain:
    """Measure training steps per second: rollouts, updates and levels separately, and all together."""

    domain: DomainName
    """The domain: minecraft or starcraft."""
    agent: str = "cofca-s"
    """The agent."""
    preset: str = "tuned"
    """tuned, paper or paper-strict."""
    seeds: Number = 1
    """Trainings side by side."""
    envs: MaybeNumber = None
    """Environments of each training. By default as in the paper."""
    length: MaybeRange = None
    """Shortest and longest instruction, in lines. By default as in the paper's training."""
    updates: MaybeNumber = None
    """Updates between two pools of levels. By default as in training."""
    worker: str = PLANNER
    """What carries out commands in minecraft: planner, learned, or a folder with the weights of a worker."""
    seed: Seed = 0
    """Random seed."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Measure and report."""
        with status("measuring"):
            report = self.measure(self.prepare())
        print_json(report) if self.json else print_facts(report)
        return 0

    def prepare(self) -> Any:
        """Compile what is measured."""
        from cofca.experiments.build import make_agents, make_setup
        from cofca.experiments.presets import preset
        from cofca.experiments.specs import experiment
        from cofca.rl.bench import prepare
        from cofca.rl.config import settled
        from cofca.runs.config import RunConfig

        trained = experiment(f"{domain(self.domain).name}-length")
        given: dict[str, Any] = {"envs": self.envs, "updates_per_pool": self.updates}
        ppo = replace(
            settled(preset(self.preset).ppo_of(trained.domain, self.agent)),
            **{name: value for name, value in given.items() if value is not None},
        )
        config = RunConfig(
            trained.name, self.agent, self.preset, self.seeds, 1000 * ppo.batch, self.seed, self.worker, ppo
        )
        setup = make_setup(config)
        if self.length:
            low, high = self.length
            setup = setup._replace(params=replace(setup.params, length=(low, high)))
        return prepare(make_agents(config), setup, self.seed)

    def measure(self, prepared: Any) -> dict[str, Any]:
        """What was measured, and of what."""
        from cofca.rl.bench import measure

        lines, bfloat16 = prepared.setup.params.length[1], prepared.setup.config.bfloat16
        return {
            "domain": self.domain,
            "agent": self.agent,
            "preset": self.preset,
            "lines": lines,
            "bfloat16": bfloat16,
            **measure(prepared),
        }


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
