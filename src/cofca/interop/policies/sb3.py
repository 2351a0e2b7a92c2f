"""Models of Stable-Baselines3 and sb3-contrib as policies."""

from inspect import signature
from typing import Any

import numpy as np

from cofca.experiments.policies import Obs


class SB3Policy:
    """A model with `predict`, trained on `cofca.interop.gymnasium`, sampled or greedy (`deterministic`).

    A model that knows masks, such as MaskablePPO, is given them; a recurrent one, such as RecurrentPPO, its states.
    Samples come from PyTorch's own random numbers: seed these to have the same score twice.
    """

    batched = True

    def __init__(self, model: Any, greedy: bool = False) -> None:
        self.model, self.greedy = model, greedy
        self.masked = "action_masks" in signature(model.predict).parameters

    def initial(self, number: int) -> tuple[np.ndarray, ...]:
        """A recurrent model begins with zeros, as its own where it is given none."""
        shape = getattr(self.model.policy, "lstm_hidden_state_shape", None)
        return () if shape is None else tuple(np.zeros((number, shape[0], shape[2]), np.float32) for _ in range(2))

    def act(self, obs: Obs, state: Any, mask: np.ndarray, key: np.ndarray) -> tuple[Any, Any]:
        """Predict. Its states have layers first."""
        del key
        masks = {"action_masks": mask} if self.masked else {}
        before = tuple(part.swapaxes(0, 1) for part in state) or None
        actions, after = self.model.predict(obs, before, deterministic=self.greedy, **masks)
        return actions, tuple(part.swapaxes(0, 1) for part in after or ())
