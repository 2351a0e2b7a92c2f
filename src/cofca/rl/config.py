"""Every number of training that somebody may want to change."""

import math
from dataclasses import dataclass, replace

from cofca.utils.loops import on_cpu
from cofca.utils.parameters import require

LARGEST = 2**31 - 1
"""Of what is counted on the device."""


@dataclass(frozen=True)
class PPOConfig:
    """Proximal policy optimisation, and how it is fed."""

    envs: int = 150
    """Environments side by side."""
    steps: int = 25
    """Time steps of each between two updates."""
    epochs: int = 2
    """Passes over the collected steps in one update."""
    minibatches: int = 1
    """Parts of each pass, by environments."""
    learning_rate: float = 1e-3
    final_learning_rate: float | None = None
    """Reached linearly at the end of training; by default the learning rate stays."""
    entropy: float = 0.005
    """Weight of the joint entropy of action, gate and movement."""
    final_entropy: float | None = None
    """Reached linearly at the end of training; by default the weight stays."""
    product: bool = False
    """Whether a movement counts in probability and entropy even if the gate is closed, as in the paper; by default as
    far as it is open."""
    discount: float = 0.99
    """Per agent frame."""
    gae: float = 1.0
    """λ of generalised advantages; at 1 they are plain bootstrapped returns less the value."""
    clip: float = 0.2
    """How far the ratio, and the value, may move before the objective stops following."""
    value: float = 0.25
    """Weight of the squared error of the value."""
    gradient_norm: float = 0.5
    adam_epsilon: float = 1e-5
    bfloat16: bool | None = None
    """Whether the networks compute in bfloat16; parameters, probabilities and the optimiser stay float32. By default a
    run does on an accelerator."""
    levels: int = 4096
    """Levels in the pool of each seed."""
    updates_per_pool: int = 32
    """Updates before a new pool is made."""
    failures: int = 4096
    """Keys of failed episodes that are kept; 0 for no failure buffer."""
    failure_probability: float = 0.3
    """Share of replayed episodes when every episode succeeds."""
    replays: int = 0
    """Levels of the pool that are kept for failed episodes: each episode decides whether to try one of them again, as
    in the paper. By default it is decided for each level when a pool is made."""
    success_smoothing: float = 0.02
    """How fast the moving success rate follows, an update."""

    def __post_init__(self) -> None:
        for name in ("envs", "steps", "epochs", "minibatches", "levels", "updates_per_pool"):
            require(getattr(self, name) >= 1, f"{name} must be at least 1, not {getattr(self, name)}")
        least = self.envs if self.replays else 0
        require(
            0 <= self.replays <= self.levels - least,
            f"replays must leave a level for each of {self.envs} environments, not be {self.replays} of {self.levels}",
        )
        require(self.envs % self.minibatches == 0, f"envs ({self.envs}) must be a multiple of minibatches")
        for name in ("learning_rate", "clip", "gradient_norm", "adam_epsilon"):
            value = getattr(self, name)
            require(0 < value < math.inf, f"{name} must be positive, not {value}")
        for name in ("discount", "gae", "failure_probability", "success_smoothing"):
            require(0 <= getattr(self, name) <= 1, f"{name} must lie between 0 and 1, not {getattr(self, name)}")
        for name in ("entropy", "final_entropy", "final_learning_rate", "value", "failures"):
            value = getattr(self, name)
            require(value is None or 0 <= value < math.inf, f"{name} must not be negative, not {value}")
        for name in ("envs", "steps", "epochs", "minibatches", "levels", "updates_per_pool", "failures"):
            require(getattr(self, name) <= LARGEST, f"{name} must be at most {LARGEST}, not {getattr(self, name)}")

    @property
    def batch(self) -> int:
        """Time steps of one update."""
        return self.envs * self.steps


def settled(config: PPOConfig) -> PPOConfig:
    """The configuration with the precision that suits the machine, unless there is one already."""
    return config if config.bfloat16 is not None else replace(config, bfloat16=not on_cpu())
