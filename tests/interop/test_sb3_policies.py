"""Models of Stable-Baselines3 as policies, where it is installed."""

from typing import Any

import gymnasium
import jax
import numpy as np
import pytest

from cofca.experiments.hosted import play_hosted
from cofca.experiments.scoring import solved
from cofca.interop.policies import SB3Policy
from interop.test_policies import _small, ignore, sets  # noqa: F401 - a fixture

sb3, contrib = pytest.importorskip("stable_baselines3"), pytest.importorskip("sb3_contrib")

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("ignore")]  # their warnings are not ours
SMALL = {"seed": 1, "n_steps": 64, "batch_size": 64, "device": "cpu"}
IDS = {"minecraft": "cofca/Minecraft-v0", "starcraft": "cofca/StarCraft-v0"}


def env_of(name: str) -> gymnasium.Env:
    return gymnasium.make(IDS[name], **vars(sets(name)[0].params))


def one_by_one(model: Any, name: str) -> list[bool]:
    """Level by level through Gymnasium, greedily."""
    env, won = env_of(name), []
    for key in np.asarray(jax.random.key_data(sets(name)[0].levels.key)):
        obs, _ = env.reset(options={"level_key": key})
        state, over, reward = None, False, 0.0
        while not over:
            action, state = model.predict(obs, state, deterministic=True)
            obs, reward, terminated, truncated, _ = env.step(int(action))
            over = terminated or truncated
        won.append(reward > 0)
    return won


class Extractor(sb3.common.torch_layers.CombinedExtractor):
    """An LSTM of PyTorch takes no whole number of NumPy as its size."""

    def __init__(self, space: gymnasium.spaces.Dict) -> None:
        super().__init__(space)
        self._features_dim = int(self._features_dim)


@pytest.mark.parametrize(
    ("kind", "policy"), [(sb3.PPO, "MultiInputPolicy"), (contrib.RecurrentPPO, "MultiInputLstmPolicy")]
)
def test_a_model_has_the_score_that_it_has_through_gymnasium(kind: Any, policy: str) -> None:
    model = kind(policy, env_of("minecraft"), **SMALL, policy_kwargs={"features_extractor_class": Extractor})
    model.learn(256)
    won = solved(SB3Policy(model, greedy=True), sets("minecraft")[0], ignore)
    assert won.tolist() == one_by_one(model, "minecraft")


def test_a_model_that_knows_masks_never_chooses_against_them() -> None:
    levels, chosen = sets("starcraft")[0], []
    model = contrib.MaskablePPO("MultiInputPolicy", env_of("starcraft"), **SMALL)

    class Watched(SB3Policy):
        def act(self, obs: Any, state: Any, mask: np.ndarray, key: np.ndarray) -> tuple[Any, Any]:
            actions, state = super().act(obs, state, mask, key)
            chosen.append(mask[np.arange(len(mask)), actions].all())
            return actions, state

    play_hosted(Watched(model), levels)
    assert len(chosen) > 10
    assert all(chosen)
