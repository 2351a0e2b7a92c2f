"""Modules of PyTorch as policies, where PyTorch is installed."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.experiments.policies import PolicyError
from cofca.experiments.scoring import solved
from cofca.interop.policies import JaxPolicy, TorchPolicy
from interop.test_policies import EPISODES, _small, ignore, sets  # noqa: F401 - a fixture

torch = pytest.importorskip("torch")

HIDDEN, ACTIONS = 8, 9
WIDTH = {"grid": 252, "inventory": 3}
RANDOM = np.random.default_rng(3)
# Whole numbers: sums are exact, in whatever order.
INWARDS = RANDOM.integers(-3, 4, (sum(WIDTH.values()), HIDDEN)).astype(np.float32)
OUTWARDS = RANDOM.integers(-3, 4, (HIDDEN, ACTIONS)).astype(np.float32)


def in_jax(obs: Any, state: Any, mask: Any, key: Any) -> tuple[Any, Any]:
    seen = jnp.concatenate([obs[name].ravel() for name in WIDTH]).astype(jnp.float32)
    hidden = jnp.maximum(seen @ INWARDS + jnp.roll(state, 1), 0) % 16
    return jnp.argmax(hidden @ OUTWARDS), hidden


class Net(torch.nn.Module):
    """The same in PyTorch."""

    def forward(self, obs: Any) -> Any:
        return self.step(obs, torch.zeros(HIDDEN))[0]

    def step(self, obs: Any, state: Any) -> Any:
        seen = torch.cat([obs[name].flatten(1) for name in WIDTH], dim=1).float()
        hidden = torch.relu(seen @ torch.tensor(INWARDS) + state.roll(1, dims=-1)) % 16
        return hidden @ torch.tensor(OUTWARDS), hidden


class Recurrent(Net):
    def initial(self, number: int) -> Any:
        return torch.zeros(number, HIDDEN)

    def forward(self, obs: Any, state: Any) -> Any:
        return self.step(obs, state)


def forgetful(obs: Any, state: Any, mask: Any, key: Any) -> tuple[Any, Any]:
    return in_jax(obs, jnp.zeros(HIDDEN), mask, key)[0], state


def test_a_module_has_the_score_of_its_twin_in_jax() -> None:
    levels = sets("minecraft")[0]
    for module, twin in ((Net(), JaxPolicy(forgetful)), (Recurrent(), JaxPolicy(in_jax, jnp.zeros(HIDDEN)))):
        assert (solved(TorchPolicy(module, greedy=True), levels, ignore) == solved(twin, levels, ignore)).all()


def test_samples_are_as_likely_as_the_module_says_and_always_the_same() -> None:
    policy = TorchPolicy(Fixed([0.5, 0.5, 0.25, 0.0]))
    mask = np.array([[True, True, False, True]] * 4000)
    keys = jax.random.key_data(jax.random.split(jax.random.key(0), (4000, 2)))
    obs = {"grid": np.zeros((4000, 1), np.int8)}
    actions, _ = policy.act(obs, (), mask, np.asarray(keys))
    likely = np.exp([0.5, 0.5, 0.0])
    shares = np.bincount(actions, minlength=4)[[0, 1, 3]] / 4000
    assert shares == pytest.approx(likely / likely.sum(), abs=0.03)
    assert 2 not in actions
    assert (policy.act(obs, (), mask, np.asarray(keys))[0] == actions).all()


class Fixed(torch.nn.Module):
    def __init__(self, logits: list[float]) -> None:
        super().__init__()
        self.logits = torch.tensor(logits)

    def forward(self, obs: Any) -> Any:
        return self.logits.expand(len(obs["grid"]), -1)


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (Fixed([0.0, 1.0]), r"logits of shape \(16, 2\); expected \(16, 9\)"),
        (Fixed([float("nan")] * ACTIONS), "logits that are not numbers"),
        (torch.nn.Linear(3, 9), r"test_torch_policies|modules|TypeError: "),
    ],
)
def test_mistakes_of_a_module_are_told_in_one_line(module: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        solved(TorchPolicy(module, greedy=True), sets("minecraft")[0], ignore)
    assert EPISODES >= 16


def test_a_bare_module_is_told_its_adapter() -> None:
    with pytest.raises(PolicyError, match=r"^Net is a model of torch: give cofca\.interop\.policies\.TorchPolicy$"):
        solved(Net(), sets("minecraft")[0], ignore)
