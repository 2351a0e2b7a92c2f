"""From a wheel, outside the repository: other people's trainers and datasets."""

import json
import shutil

import pytest
from interop.samples import ONE_LINE

from plugins.test_wheel import ROOT, Elsewhere

pytestmark = pytest.mark.soak
MINECRAFT = """
import cofca, gymnasium, sys, torch
from cofca.interop.policies import SB3Policy
from stable_baselines3 import PPO
torch.set_num_threads(1)
PPO("MultiInputPolicy", "cofca/Minecraft-v0", n_steps=64, batch_size=64, seed=0).learn(256)
# Room for as many lines as the longest bin has.
model = PPO("MultiInputPolicy", gymnasium.make("cofca/Minecraft-v0", max_lines=50), n_steps=64, batch_size=64, seed=0)
rows = cofca.evaluate(SB3Policy(model.learn(256)), "minecraft-length", episodes=4)["bins"]
print([row["id"] for row in rows], all(0 <= row["sampled"] <= 1 for row in rows), cofca.__file__)
"""
STARCRAFT = """
import torch
from sb3_contrib import MaskablePPO
torch.set_num_threads(1)
model = MaskablePPO("MultiInputPolicy", "cofca:cofca/StarCraft-v0", n_steps=64, batch_size=64, seed=0)
print(model.learn(256).num_timesteps)
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    for library in ("stable_baselines3", "sb3_contrib", "gymnax", "rejax", "minari"):
        pytest.importorskip(library)
    found = Elsewhere(tmp_path_factory.mktemp("tools"))
    (found.folder / "one-line.toml").write_text(ONE_LINE)
    for name in ("rejax_ppo.py", "clone.py"):
        shutil.copy(ROOT / "examples" / name, found.folder)
    return found


def shares(printed: str) -> list[float]:
    """The last words of the lines that an example prints."""
    return [float(line.split()[-1]) for line in printed.splitlines()]


def example(elsewhere: Elsewhere, *words: str) -> list[float]:
    run = f"import runpy, sys; sys.argv = {list(words)!r}; runpy.run_path({words[0]!r}, run_name='__main__')"
    return shares(elsewhere.python(run))


def test_ppo_trains_on_minecraft_and_is_scored_on_official_levels(elsewhere: Elsewhere) -> None:
    ids, fine, place = elsewhere.python("import cofca.interop.gymnasium\n" + MINECRAFT).rsplit(maxsplit=2)
    assert ids == "['1-10', '11-20', '21-30', '31-40', '41-50']"
    assert (fine, place.startswith(str(elsewhere.site))) == ("True", True)


def test_maskable_ppo_trains_on_starcraft_without_an_import(elsewhere: Elsewhere) -> None:
    assert elsewhere.python(STARCRAFT).split() == ["256"]


def test_a_trainer_of_gymnax_learns(elsewhere: Elsewhere) -> None:
    first, *_, last = example(elsewhere, "rejax_ppo.py", "--steps", "50000")
    assert first < 0.4
    assert last > 0.8


def test_demonstrations_are_recorded_read_back_and_cloned(elsewhere: Elsewhere) -> None:
    done = elsewhere.run("record", "one-line.toml", "--episodes", "1000", "--out", "demonstrations", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["success"] == 1
    before, cloned = example(elsewhere, "clone.py", "demonstrations", "--episodes", "100")
    assert before < 0.4
    assert cloned > 0.8
