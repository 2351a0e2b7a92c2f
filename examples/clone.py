"""Behaviour cloning of demonstrations, in PyTorch: `cofca record` writes them as a dataset of Minari.

The network remembers nothing. From 1,000 episodes of instructions of one line it learns to follow all of them (random
choices: 0.24); from 2,000 of up to ten lines it follows 0.36 (random: 0.07), since it can't know how far it has got.
"""

from argparse import ArgumentParser
from pathlib import Path

import gymnasium
import minari
import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, one_hot

BATCH, LEARNING_RATE, HIDDEN = 128, 1e-3, 256


class Cloned(nn.Module):
    """From observations, side by side, to the logits of actions."""

    def __init__(self, observations: spaces.Dict, actions: int) -> None:
        super().__init__()
        self.kinds = {
            name: torch.as_tensor(space.nvec) if isinstance(space, spaces.MultiDiscrete) else None
            for name, space in observations.items()
        }
        numbers = sum(spaces.flatdim(space) for space in observations.values())
        layers = nn.Linear(numbers, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU()
        self.network = nn.Sequential(*layers, nn.Linear(HIDDEN, actions))

    def forward(self, obs: dict[str, Tensor]) -> Tensor:
        return self.network(torch.cat([self._row(name, values) for name, values in obs.items()], dim=1))

    def _row(self, name: str, values: Tensor) -> Tensor:
        """Flags as they are, symbols and counts as one-hots."""
        kinds = self.kinds[name]
        if kinds is None:
            return values.flatten(1).float()
        columns = zip(values.long().unbind(1), kinds.tolist(), strict=True)
        return torch.cat([one_hot(column, kind) for column, kind in columns], dim=1).float()


def demonstrations(dataset: minari.MinariDataset) -> tuple[dict[str, Tensor], Tensor]:
    """All observations in which something was done, and what. The last of an episode is the end."""
    episodes = list(dataset)
    names = dataset.observation_space.spaces
    obs = {name: np.concatenate([episode.observations[name][:-1] for episode in episodes]) for name in names}
    actions = np.concatenate([episode.actions for episode in episodes])
    return {name: torch.from_numpy(values) for name, values in obs.items()}, torch.from_numpy(actions)


def clone(agent: Cloned, obs: dict[str, Tensor], actions: Tensor, epochs: int) -> None:
    """Make what was done likely."""
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE)
    for _ in range(epochs):
        for part in torch.randperm(len(actions)).split(BATCH):
            loss = cross_entropy(agent({name: values[part] for name, values in obs.items()}), actions[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@torch.no_grad()
def success(agent: Cloned, env: gymnasium.Env, episodes: int) -> float:
    """The share of new levels that an agent solves. What has learned nothing plays at random."""
    won = 0.0
    for seed in range(episodes):
        obs, _ = env.reset(seed=seed)
        over = False
        while not over:
            logits = agent({name: torch.from_numpy(value)[None] for name, value in obs.items()})
            action = torch.distributions.Categorical(logits=logits).sample().item()
            obs, reward, terminated, truncated, _ = env.step(action)
            won, over = won + reward, terminated or truncated
    return won / episodes


def main() -> None:
    """Read the options, clone, and play."""
    parser = ArgumentParser(description="Clone what was recorded.")
    parser.add_argument("dataset", type=Path, help="the folder that cofca record wrote")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--episodes", type=int, default=200, help="new levels to play")
    options = parser.parse_args()
    torch.manual_seed(0)
    dataset = minari.MinariDataset(options.dataset)
    env = dataset.recover_environment()
    agent = Cloned(dataset.observation_space, int(dataset.action_space.n))
    print(f"before  success {success(agent, env, options.episodes):.3f}", flush=True)
    clone(agent, *demonstrations(dataset), options.epochs)
    print(f"cloned  success {success(agent, env, options.episodes):.3f}")


if __name__ == "__main__":
    main()
