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
TEXT = """
from functools import partial
import jax, jax.numpy as jnp, cofca
from cofca.envs.registry import domain
from cofca.interop.text import TextEnv

found, (env, params) = domain("minecraft"), cofca.make("minecraft", length=(1, 4))
text = TextEnv("minecraft", length=(1, 4))
steps = wins = 0
for seed in range(3):
    seen = text.reset(seed=seed)
    key = jax.random.wrap_key_data(jnp.asarray(text.level_key, jnp.uint32))
    state, over = env.start(jax.tree.map(lambda leaf: leaf[0], env.levels(key[None], params)), params), False
    while not over:
        assert found.prose.observation(env.observe(state, params), params) == text.view
        action = found.oracle(state)
        _, state, *outcome, _ = env.step(key, state, action, params)
        _, *told, info = text.step(found.display.action_text(int(action), params))
        assert [float(part) for part in outcome] == [float(part) for part in told]
        steps, wins, over = steps + 1, wins + told[0], told[1] or told[2]
print(steps > 3, wins)
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    for library in ("stable_baselines3", "sb3_contrib", "gymnax", "rejax", "minari"):
        pytest.importorskip(library)
    found = Elsewhere(tmp_path_factory.mktemp("tools"))
    (found.folder / "one-line.toml").write_text(ONE_LINE)
    for name in ("rejax_ppo.py", "gymnax_style.py", "clone.py"):
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


@pytest.mark.parametrize("trainer", ["rejax_ppo.py", "gymnax_style.py"])
def test_a_trainer_of_gymnax_learns(elsewhere: Elsewhere, trainer: str) -> None:
    """One of before gymnax 1.0, and one that speaks its interface."""
    first, *_, last = example(elsewhere, trainer, "--steps", "50000")
    assert first < 0.4
    assert last > 0.8


def test_demonstrations_are_recorded_read_back_and_cloned(elsewhere: Elsewhere) -> None:
    done = elsewhere.run("record", "one-line.toml", "--episodes", "1000", "--out", "demonstrations", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["success"] == 1
    before, cloned = example(elsewhere, "clone.py", "demonstrations", "--episodes", "100")
    assert before < 0.4
    assert cloned > 0.8


def test_an_episode_in_words_equals_its_twin_in_arrays(elsewhere: Elsewhere) -> None:
    assert elsewhere.python(TEXT).split() == ["True", "3.0"]
