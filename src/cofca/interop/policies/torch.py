"""Modules of PyTorch as policies."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cofca.experiments.policies import Obs, PolicyError

if TYPE_CHECKING:
    from torch import Tensor, nn


class TorchPolicy:
    """A module from a dict of tensors [envs, ...] to the logits of actions [envs, actions], sampled or greedy.

    A recurrent module has `initial(number) -> state`, a tree of tensors with environments first, is called with
    observation and state, and returns logits and state. Actions that are not allowed are never chosen.
    """

    batched = True

    def __init__(self, module: "nn.Module", greedy: bool = False, device: str = "cpu") -> None:
        self.module, self.greedy, self.device = module.to(device).eval(), greedy, device
        self.recurrent = callable(getattr(module, "initial", None))

    def initial(self, number: int) -> Any:
        """The module's own, or nothing."""
        return self.module.initial(number) if self.recurrent else ()

    def act(self, obs: Obs, state: Any, mask: np.ndarray, key: np.ndarray) -> tuple[np.ndarray, Any]:
        """The likeliest actions, or such as they are likely."""
        import torch

        with torch.no_grad():
            seen = {name: torch.as_tensor(value, device=self.device) for name, value in obs.items()}
            logits, state = self.module(seen, state) if self.recurrent else (self.module(seen), state)
            logits = _checked(logits, mask).masked_fill(~torch.as_tensor(mask, device=self.device), -torch.inf)
            if not self.greedy:
                # The largest of them with Gumbel noise is such as they are likely.
                uniform = np.stack([np.random.default_rng(one.ravel()).random(mask.shape[1]) for one in key])
                logits = logits - torch.as_tensor(-np.log(uniform), device=self.device).log()
            return logits.argmax(dim=1).cpu().numpy(), state


def _checked(logits: "Tensor", mask: np.ndarray) -> "Tensor":
    shape = tuple(getattr(logits, "shape", ()))
    if shape != mask.shape:
        raise PolicyError(f"the module returned logits of shape {shape}; expected {mask.shape}")
    if logits.isnan().any():
        raise PolicyError("the module returned logits that are not numbers")
    return logits
