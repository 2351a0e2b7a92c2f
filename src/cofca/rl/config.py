"""Every number of training that somebody may want to change."""

import math
from dataclasses import dataclass, replace

from cofca.utils.parameters import require

LARGEST = 2**31 - 1
"""Of what is counted on the device."""


@dataclass(frozen=True)
class PPOConfig:
    """The settings of proximal policy optimisation and of its levels."""

    envs: int = 150
    """Number of environments of each seed."""
    steps: int = 25
    """Time steps of each environment between two updates."""
    epochs: int = 2
    """Passes over the collected steps in one update."""
    minibatches: int = 1
    """Parts into which the environments are divided in each pass."""
    learning_rate: float = 1e-3
    """Learning rate of Adam, at the start of training."""
    final_learning_rate: float | None = None
    """Learning rate at the end of training; it changes linearly. By default it is constant."""
    entropy: float = 0.005
    """Coefficient of the joint entropy of action, gate and movement."""
    final_entropy: float | None = None
    """Entropy coefficient at the end of training; it changes linearly. By default it is constant."""
    product: bool = False
    """Whether a movement counts in probability and entropy even if the gate is closed, as in the paper. By default it
    counts only as far as the gate is open."""
    columns: bool = False
    """Whether the entropy of a movement is that of the choice of a column. By default it is that of the target line:
    columns that lead to the same line then count as one, and φ may give up the one that has more to learn."""
    discount: float = 0.99
    """Discount factor for each frame of the agent."""
    gae: float = 1.0
    """λ of generalised advantage estimation. At 1, advantages are bootstrapped returns minus the value."""
    clip: float = 0.2
    """Clipping range of the probability ratio and of the value."""
    value: float = 0.25
    """Coefficient of the squared error of the value."""
    gradient_norm: float = 0.5
    """Norm to which gradients are clipped."""
    adam_epsilon: float = 1e-5
    """ε of Adam."""
    bfloat16: bool | None = None
    """Whether the networks compute in bfloat16; parameters, probabilities and the optimiser stay float32. By default
    this is so on an accelerator."""
    levels: int = 4096
    """Number of levels in the pool of each seed."""
    updates_per_pool: int = 32
    """Updates before a new pool is made."""
    failures: int = 4096
    """Size of the failure buffer: how many keys of failed episodes it keeps. 0: no failure buffer."""
    failure_probability: float = 0.3
    """Share of replayed episodes if every episode succeeds."""
    replays: int = 0
    """Places of the pool that are reserved for failed levels: each episode decides whether to try one of them, as in
    the paper. With 0 this is decided for each level when a pool is made."""
    success_smoothing: float = 0.02
    """Weight of the latest update in the moving average of the success rate."""

    def __post_init__(self) -> None:
        for name in ("envs", "steps", "epochs", "minibatches", "levels", "updates_per_pool"):
            require(getattr(self, name) >= 1, f"{name} must be at least 1, not {getattr(self, name)}")
        least = self.envs if self.replays else 0
        require(
            0 <= self.replays <= self.levels - least,
            f"replays must leave a level for each of {self.envs} environments, not be {self.replays} of {self.levels}",
        )
        require(not (self.product and self.columns), "product and columns exclude each other")
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
    # Whoever reads a configuration need not have JAX.
    from cofca.utils.loops import on_cpu

    return config if config.bfloat16 is not None else replace(config, bfloat16=not on_cpu())
