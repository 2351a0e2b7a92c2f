"""Proximal policy optimisation in PyTorch, in one file, on Minecraft's instructions through Gymnasium.

With the defaults, instructions of one line and 100,000 steps, success rises from that of random choices, 0.22, to 0.996
or 0.997 (three seeds, half a minute each on a CPU). With `--length 1 2 --steps 500000` it goes from 0.14 to 0.72
(one seed): nothing in an observation tells how far one has got, and this network remembers nothing.
"""

from argparse import ArgumentParser, Namespace
from typing import NamedTuple

import gymnasium
import numpy as np
import torch
from gymnasium.vector import VectorEnv
from torch import Tensor, nn
from torch.distributions import Categorical

import cofca.interop.gymnasium  # noqa: F401 - registers the ids

STEPS_PER_UPDATE = 32
EPOCHS, MINIBATCHES = 4, 4
DISCOUNT, GAE, CLIP = 0.99, 0.95, 0.2
LEARNING_RATE, GRADIENT_NORM = 1e-3, 0.5
ENTROPY, VALUE = 0.01, 0.5
"""Weights of the entropy and of the value's error in the loss."""


class Encoder:
    """Makes one row of numbers of a dictionary of arrays: flags as they are, symbols and counts as one-hots."""

    def __init__(self, space: gymnasium.spaces.Dict) -> None:
        self.sizes = {name: _size(part) for name, part in space.items()}
        self.width = self({name: np.zeros((1, *part.shape)) for name, part in space.items()}).shape[1]

    def __call__(self, obs: dict[str, np.ndarray]) -> Tensor:
        """From arrays [envs, ...] to [envs, width]."""
        return torch.cat([self._encode(obs[name], size) for name, size in self.sizes.items()], dim=1)

    def _encode(self, values: np.ndarray, size: int) -> Tensor:
        numbers = torch.as_tensor(values, dtype=torch.long)
        return (numbers if size == 2 else nn.functional.one_hot(numbers, size)).flatten(1).float()


def _size(part: gymnasium.Space) -> int:
    """How many values its numbers have."""
    return int(part.nvec.max()) if isinstance(part, gymnasium.spaces.MultiDiscrete) else 2


class Agent(nn.Module):
    """A policy and a value, both small."""

    def __init__(self, width: int, actions: int, hidden: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.value = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: Tensor) -> tuple[Categorical, Tensor]:
        """The distribution of actions, and the value of what is seen."""
        code = self.body(seen)
        return Categorical(logits=self.policy(code)), self.value(code).squeeze(-1)


class Rollout(NamedTuple):
    """What was seen, done and gained, [steps, envs, ...]."""

    seen: Tensor
    action: Tensor
    log_prob: Tensor
    value: Tensor
    reward: Tensor
    done: Tensor


@torch.no_grad()
def collect(envs: VectorEnv, encode: Encoder, agent: Agent, seen: Tensor) -> tuple[Rollout, Tensor, list[bool]]:
    """Play; also tell what is seen last, and of every episode that ended whether it was a success."""
    steps, successes = [], []
    for _ in range(STEPS_PER_UPDATE):
        policy, value = agent(seen)
        action = policy.sample()
        obs, reward, terminated, truncated, infos = envs.step(action.numpy())
        done = terminated | truncated
        for number in np.flatnonzero(truncated):
            # Time ran out, but the instruction might have been completed: count what was still to be expected.
            last = {name: array[None] for name, array in infos["final_obs"][number].items()}
            reward[number] += DISCOUNT * agent(encode(last))[1].item()
        steps.append((seen, action, policy.log_prob(action), value, torch.tensor(reward).float(), torch.tensor(done)))
        successes += infos["success"][done].tolist()
        seen = encode(obs)
    return Rollout(*map(torch.stack, zip(*steps, strict=True))), seen, successes


def estimate(rollout: Rollout, following: Tensor) -> Tensor:
    """Generalised advantages, backward from the value of what follows the last step."""
    advantages, advantage = torch.zeros_like(rollout.value), torch.zeros_like(following)
    for step in reversed(range(len(advantages))):
        goes_on = ~rollout.done[step]
        error = rollout.reward[step] + DISCOUNT * following * goes_on - rollout.value[step]
        advantage = error + DISCOUNT * GAE * goes_on * advantage
        advantages[step], following = advantage, rollout.value[step]
    return advantages


def loss_of(agent: Agent, batch: Rollout, advantages: Tensor, returns: Tensor) -> Tensor:
    """The clipped objective, the value's error and the entropy."""
    policy, value = agent(batch.seen)
    ratio = (policy.log_prob(batch.action) - batch.log_prob).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    objective = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    return VALUE * nn.functional.mse_loss(value, returns) - objective - ENTROPY * policy.entropy().mean()


def learn(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, advantages: Tensor) -> None:
    """Several passes over the rollout in minibatches."""
    returns = (advantages + rollout.value).flatten()
    flat, advantages = Rollout(*(part.flatten(0, 1) for part in rollout)), advantages.flatten()
    for _ in range(EPOCHS):
        for some in torch.randperm(len(returns)).chunk(MINIBATCHES):
            loss = loss_of(agent, Rollout(*(part[some] for part in flat)), advantages[some], returns[some])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), GRADIENT_NORM)
            optimizer.step()


def train(options: Namespace) -> float:
    """Learn, and tell as it goes how many episodes succeed; in the end, how many of the last ones did."""
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)  # threads wait for each other longer than a network so small computes
    envs = gymnasium.make_vec(
        "cofca/Minecraft-v0", options.envs, vectorization_mode="vector_entry_point", length=tuple(options.length)
    )
    encode = Encoder(envs.single_observation_space)
    agent = Agent(encode.width, int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE)
    seen = encode(envs.reset(seed=options.seed)[0])
    updates = max(1, options.steps // (options.envs * STEPS_PER_UPDATE))
    successes: list[bool] = []
    for update in range(1, updates + 1):
        rollout, seen, ended = collect(envs, encode, agent, seen)
        with torch.no_grad():
            advantages = estimate(rollout, agent(seen)[1])
        learn(agent, optimizer, rollout, advantages)
        successes = (successes + ended)[-options.window :]
        if update % max(1, updates // 10) == 0:
            print(f"{update * options.envs * STEPS_PER_UPDATE:>9,} steps  success {np.mean(successes):.3f}", flush=True)
    return float(np.mean(successes))


def main() -> None:
    """Read the options and train."""
    parser = ArgumentParser(description="Train a small network to follow short instructions.")
    parser.add_argument("--length", type=int, nargs=2, default=(1, 1), help="fewest and most lines of an instruction")
    parser.add_argument("--steps", type=int, default=100_000, help="steps of all environments together")
    parser.add_argument("--envs", type=int, default=64, help="environments side by side")
    parser.add_argument("--window", type=int, default=1000, help="success is that of so many latest episodes")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"success of the last {options.window:,} episodes: {train(options):.3f}")


if __name__ == "__main__":
    main()
