"""The configuration of a run, as it is written into its folder and read again."""

import json
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from reprlib import repr as shown
from typing import Any

import cofca
from cofca.rl.config import PPOConfig
from cofca.runs.layout import CONFIG
from cofca.utils.files import write_whole
from cofca.utils.json import decode, known_fields, one_line, read_object
from cofca.utils.parameters import require

PACKAGES = ("jax", "jaxlib", "equinox", "optax", "numpy")
MOST_SEEDS = 10_000
OFFICIAL, PAPER = "official", "paper"
"""How agents are evaluated while they train: on the experiment's bins, or as the paper says."""
FREE = ("checkpoint_minutes", "log", "origin")
"""What may change when a run is resumed: nothing that is measured depends on it."""


@dataclass(frozen=True)
class RunConfig:
    """What a run trains. Two runs with the same configuration on the same hardware are equal, bit for bit."""

    experiment: str
    """The experiment's name, or the path of its TOML file."""
    agent: str = "cofca-s"
    """The agent's name."""
    preset: str = "tuned"
    """The preset, which names the agent's encoder, action head and numbers."""
    seeds: int = 4
    """Number of trainings side by side that differ in their random numbers."""
    steps: int = 70_000_000
    """Training steps of each seed."""
    seed: int = 0
    """Random seed."""
    worker: str = "planner"
    """What carries out commands in Minecraft."""
    ppo: PPOConfig = field(default_factory=PPOConfig)
    """The settings of PPO."""
    evaluate_every: int = 5_000_000
    """Steps of each seed between two evaluations; 0 for no evaluation."""
    evaluation_episodes: int = 250
    """Levels of each bin in an evaluation."""
    protocol: str = OFFICIAL
    """How agents are evaluated during training: official or paper."""
    checkpoint_minutes: float = 5.0
    """Minutes between two checkpoints."""
    log: tuple[str, ...] = ()
    """Loggers beside the run's folder."""
    levels: tuple[str, ...] = ()
    """Settings of the training levels that replace the experiment's, such as length=1-3."""

    origin: str = ""
    """The reference of an agent that is not in the package."""

    def __post_init__(self) -> None:
        minutes = self.checkpoint_minutes
        require(1 <= self.seeds <= MOST_SEEDS, f"seeds must lie between 1 and {MOST_SEEDS}, not {self.seeds}")
        require(0 <= self.seed < 2**32, f"seed must lie between 0 and {2**32 - 1}, not {self.seed}")
        for name, least in (("steps", 1), ("evaluate_every", 0), ("evaluation_episodes", 1)):
            require(getattr(self, name) >= least, f"{name} must be at least {least}, not {getattr(self, name)}")
        require(
            self.protocol in (OFFICIAL, PAPER), f"protocol must be {OFFICIAL} or {PAPER}, not {shown(self.protocol)}"
        )
        require(0 <= minutes < float("inf"), f"checkpoint_minutes must not be negative, not {minutes}")

    @property
    def updates(self) -> int:
        """In all, rounded up to whole pools of levels."""
        per_pool = self.ppo.batch * self.ppo.updates_per_pool
        return -(-self.steps // per_pool) * self.ppo.updates_per_pool

    @property
    def whole_steps(self) -> int:
        """Steps of each seed, rounded up to whole pools of levels."""
        return self.updates * self.ppo.batch

    def page(self) -> dict[str, Any]:
        """As JSON."""
        return json.loads(json.dumps(asdict(self)))


def config_of(page: Any) -> RunConfig:
    """The configuration on a page; what an older page does not have is as by default."""
    try:
        require(isinstance(page, dict) and "ppo" in page, "there is no ppo")
        return decode(RunConfig, known_fields(RunConfig, page))
    except ValueError as error:
        raise ValueError(f"not the configuration of a run of this version: {error}") from error


def difference(found: RunConfig, wanted: RunConfig) -> str | None:
    """The first thing that is not as wanted, in words."""
    free = {name: getattr(found, name) for name in FREE}
    here, there = _flat(found), _flat(replace(wanted, **free))
    return next((f"{name} is {here[name]}, not {there[name]}" for name in here if here[name] != there[name]), None)


def require_same_run(checkpoint: Path, page: dict[str, Any], config: RunConfig) -> None:
    """Refuse a checkpoint of another run."""
    try:
        other = difference(config_of(page.get("config", {})), config)
    except ValueError as error:
        raise ValueError(f"{checkpoint}: {error}") from error
    if other:
        raise ValueError(f"{checkpoint}: this checkpoint is of a run with another configuration: {other}")


def _flat(config: RunConfig) -> dict[str, Any]:
    page = config.page()
    ppo = page.pop("ppo")
    return {**page, **{f"ppo.{name}": value for name, value in ppo.items()}}


def write_config(folder: Path, config: RunConfig) -> None:
    """Write the configuration of a new run, and the versions of what decides what is computed."""
    folder.mkdir(parents=True, exist_ok=True)
    page = {**config.page(), "versions": versions()}
    write_whole(folder / CONFIG, (json.dumps(page, indent=2) + "\n").encode())


def read_config(folder: Path) -> RunConfig:
    """The configuration of the run in a folder."""
    path = folder / CONFIG
    try:
        return config_of(read_object(path))
    except FileNotFoundError:
        raise ValueError(f"{folder}: there is no run: {CONFIG} is missing") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def changed_versions(folder: Path) -> str:
    """What was another version when a run began, in words; nothing if all is as it was, or if nobody knows."""
    path = folder / CONFIG
    recorded = read_object(path).get("versions") if path.exists() else None
    then, now = recorded if isinstance(recorded, dict) else {}, versions()
    changed = [name for name in now if name in then and then[name] != now[name]]
    return ", ".join(f"{name} {one_line(str(then[name]))}, which is {now[name]} now" for name in changed)


def versions() -> dict[str, str]:
    """Of the packages that decide what is computed."""
    found = {"cofca": cofca.__version__}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
