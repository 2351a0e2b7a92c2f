"""Weights that come with the package, by name."""

from pathlib import Path

import jax
import pytest

import cofca
from cofca.agents.cofca_s import CofcaS
from cofca.experiments.presets import TUNED
from cofca.experiments.zoo import card_of, config_of, find_weights, load_trained, names, one_of

NAME = "minecraft-length/cofca-s"


def test_every_name_has_a_card_and_the_weights_of_what_it_says():
    assert NAME in names()
    for name in names():
        folder = find_weights(name)
        config = config_of(name)
        preset = "" if config.preset == TUNED else f"-{config.preset}"
        assert name == f"{config.experiment}/{config.agent}{preset}"
        assert card_of(folder)["steps"] >= config.steps
        assert one_of(folder).is_dir()
        assert (folder / "README.md").exists()


def test_one_agent_is_loaded_and_all_seeds_are_there():
    one, seeds = jax.device_get((cofca.load(NAME), load_trained(NAME).agents))
    assert isinstance(one, CofcaS)
    number = card_of(find_weights(NAME))["seed"]
    for leaf, all_ in zip(jax.tree.leaves(one), jax.tree.leaves(seeds), strict=True):
        assert all_.shape == (4, *leaf.shape)
        assert (all_[number] == leaf).all()
    assert not (cofca.load(f"{NAME}/seed{(number + 1) % 4}").critic.weight == one.critic.weight).all()


def test_a_folder_of_ones_own_comes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).mkdir(parents=True)
    assert find_weights(NAME) == Path(NAME)


@pytest.mark.parametrize("name", ["minecraft-length/nobody", "../weights.py", "nowhere", "/nowhere"])
def test_what_is_not_there_is_said_to_be_so(name: str):
    with pytest.raises(ValueError, match=r"there is no such folder, and of the package's own there are .*cofca-s"):
        cofca.load(name)
