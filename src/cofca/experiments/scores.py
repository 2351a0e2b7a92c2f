"""What an evaluation says: the success of one seed's agent in every bin, and what lies beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any

import numpy as np

from cofca.experiments.specs import bin_id
from cofca.utils.parameters import require, settle

PLAYERS = ("sampled", "greedy", "oracle", "random")


@dataclass(frozen=True)
class Delays:
    """Time steps until something happened; None where it never did."""

    mean: float | None
    error: float | None
    """The standard error of the mean over episodes; None where it happened in one episode only."""
    median: float | None
    never: float | None
    """The share of setbacks after which it did not happen; None without setbacks."""

    def __post_init__(self) -> None:
        if self.never is not None:
            require_share("never", self.never)
        for name in ("mean", "error", "median"):
            require_time(name, getattr(self, name))


@dataclass(frozen=True)
class Recovery:
    """What became of an enemy's setbacks; `envs.starcraft.setbacks` says what is measured."""

    setbacks: int
    pointed: Delays
    repaired: Delays
    waited: float | None = None
    """Mean time steps to the repair or, where there was none, to the end of the episode; None in older results."""

    def __post_init__(self) -> None:
        require(self.setbacks >= 0, f"setbacks must not be negative, not {self.setbacks}")
        require_time("waited", self.waited)


@dataclass(frozen=True)
class Score:
    """Success on the levels of one bin."""

    id: str = field(default="", kw_only=True)
    """Of the bin; older results have none, and it is LO-HI."""
    lo: int
    hi: int
    episodes: int
    sampled: float
    greedy: float
    oracle: float
    random: float
    references: dict[str, float] = field(default_factory=dict)
    """Of scripted agents, by name; none in domains without."""
    recovery: dict[str, dict[str, Recovery]] = field(default_factory=dict)
    """Of the agent, sampled, the oracle and scripted agents, by the cause of setbacks; none in domains without."""
    relative_time: dict[str, float] = field(default_factory=dict)
    """Of the agent, sampled and greedy, and of scripted agents: time steps to success over those of the oracle, on the
    levels where both succeed; without those who never do. None in older results."""
    levels: str | None = None
    """Fingerprint of the levels: who has the same has played the same ones. None in older results."""
    depth: int | None = None
    condition: str | None = None
    """Of the bin, where it is about them."""

    def __post_init__(self) -> None:
        settle(self, id=bin_id(self.id, self.lo, self.hi))
        require(self.episodes >= 0, f"episodes must not be negative, not {self.episodes}")
        for name in (*PLAYERS, *self.references):
            require_share(name, self.success(name))
        for name, ratio in self.relative_time.items():
            require_time(name, ratio)

    def success(self, player: str) -> float:
        """Of the agent, sampled or greedy, or of a reference."""
        return getattr(self, player) if player in PLAYERS else self.references[player]


@dataclass(frozen=True)
class KindScore:
    """Success in the episodes that one kind of transition belongs to."""

    episodes: int
    success: float | None
    """None without episodes."""

    def __post_init__(self) -> None:
        require(self.episodes >= 0, f"episodes must not be negative, not {self.episodes}")
        if self.success is not None:
            require_share("success", self.success)

    @classmethod
    def of(cls, won: float, episodes: float) -> "KindScore":
        """So many won of so many."""
        return cls(int(episodes), float(won / episodes) if episodes else None)


@dataclass(frozen=True)
class SeedScores:
    """The evaluation of one seed."""

    bins: list[Score]
    transitions: dict[str, KindScore]
    """By the kind of transition."""


def as_page(scored: Any) -> dict[str, Any]:
    """A dataclass with scores in it, as JSON; depth and condition are told of bins that are about them."""

    def told(fields: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: value for name, value in fields if name not in ("depth", "condition") or value is not None}

    return asdict(scored, dict_factory=told)


def recoveries(report: Mapping[str, Any]) -> dict[str, Recovery]:
    """What a watcher reports of setbacks, by their cause."""
    return {
        cause: Recovery(said["setbacks"], Delays(**said["pointed"]), Delays(**said["repaired"]), said["waited"])
        for cause, said in report.items()
    }


def standard_error(shares: Sequence[float], episodes: int | None) -> float:
    """Of the mean of seeds' shares of so many episodes each: over seeds, but not less than over levels. All seeds play
    the same ones, and what is hard for one is hard for another."""
    values = np.array(shares, float)
    over_seeds = float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else float("nan")
    if episodes is None:
        return over_seeds
    number = values.size * episodes
    # As if one more had succeeded and one more failed: who always succeeded is not certain to go on.
    likely = (values.mean() * number + 1) / (number + 2)
    return float(np.fmax(over_seeds, np.sqrt(likely * (1 - likely) / episodes)))


def require_time(name: str, time: float | None) -> None:
    """Refuse what is no time."""
    require(time is None or 0 <= time < inf, f"{name} must be a time, not {time}")


def require_share(name: str, share: float) -> None:
    """Refuse what is no share."""
    require(0 <= share <= 1, f"{name} must lie between 0 and 1, not {share}")
