"""A policy of one's own in PyTorch, scored on official levels with one command:

cofca evaluate examples/score_torch.py:policy --experiment minecraft-length --episodes 200

Here it is a small recurrent network that has learned nothing. Whoever has weights loads them into it.
"""

import torch
from torch import Tensor, nn

from cofca.interop.policies import TorchPolicy

HIDDEN, COMMANDS = 64, 9
LARGEST = {"grid": 1, "inventory": 35, "lines": 10, "mask": 1}
"""Of the numbers of an observation, about: they become shares."""


class Net(nn.Module):
    """From a dictionary of tensors [envs, ...] and a state to the logits of commands and the next state."""

    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.Sequential(nn.LazyLinear(HIDDEN), nn.ReLU())
        self.remember = nn.GRUCell(HIDDEN, HIDDEN)
        self.choose = nn.Linear(HIDDEN, COMMANDS)

    def initial(self, number: int) -> Tensor:
        return torch.zeros(number, HIDDEN)

    def forward(self, obs: dict[str, Tensor], state: Tensor) -> tuple[Tensor, Tensor]:
        seen = torch.cat([obs[name].flatten(1) / most for name, most in LARGEST.items()], dim=1)
        state = self.remember(self.encode(seen), state)
        return self.choose(state), state


torch.manual_seed(0)
policy = TorchPolicy(Net())
