"""Every command that the documentation shows is run, shortened where it would take long."""

import shutil
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cofca.experiments.presets import PRESETS
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper import ship
from cofca.paper.scales import SCALES
from cofca.viewer import demo
from docs.pages import PAGES, ROOT, TEXTS, Command, blocks, commands_of
from docs.reader import follow, understood, within

SHOWN = [
    ("nested.toml", "extending.md", "name = "),
    ("about.toml", "benchmark.md", "agent = "),
    ("my_policy.py", "benchmark.md", '"""Always gives'),
    ("jumping_agent.py", "tutorial/2-agent.md", '"""An agent of one\'s own that jumps'),
]
"""Files that a page shows: name, page, and how they begin."""


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the files that the pages speak of, and we are in it."""
    for name, text in zip(("program.txt", "orders.txt", "map.txt"), TEXTS, strict=True):
        (tmp_path / name).write_text(text)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for example in ("my_agent.py", "corridor.py", "corridor.toml"):
        shutil.copy(ROOT / "examples" / example, tmp_path)
    shutil.copy(tmp_path / "my_agent.py", tmp_path / "wide_agent.py")
    for name, page, begins in SHOWN:
        texts = (text for _, text in blocks((ROOT / "docs" / page).read_text()) if text.startswith(begins))
        (tmp_path / name).write_text(next(texts))
    # Which code may be run is remembered here, not in the home of whoever runs the tests.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def small_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's grid is days of work: here it has two experiments for which one agent is trained, with two bins each,
    a training is one update, an evaluation one episode. Weights are not shipped into the package."""
    for name, found in EXPERIMENTS.items():
        beyond = name not in ("minecraft-length", "minecraft-jump")
        monkeypatch.setitem(EXPERIMENTS, name, replace(found, bins=found.bins[:1] + found.bins[-1:], beyond=beyond))
    for name, found in PRESETS.items():
        ppo = {domain: replace(config, envs=4, steps=4, minibatches=1) for domain, config in found.ppo.items()}
        monkeypatch.setitem(PRESETS, name, replace(found, ppo=ppo))
    monkeypatch.setitem(demo.SHORT_RUN, "minibatches", 1)
    for name, scale in SCALES.items():
        budget = {"steps": dict.fromkeys(scale.steps, 1), "evaluations": 1, "watched": 1, "episodes": 1}
        monkeypatch.setitem(SCALES, name, replace(scale, **budget, levels=16, updates_per_pool=1))
    monkeypatch.setattr(ship, "ship", partial(ship.ship, to=tmp_path / "shipped"))


@pytest.mark.usefixtures("small_world")
def test_commands_of_the_readme_run():
    for command in commands_of(PAGES[0]):
        follow(command, soak=False)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_all_commands_are_understood(page: Path):
    for command in commands_of(page):
        understood(command)


@pytest.mark.soak  # Programs that nothing else needs are compiled for it: minutes.
@pytest.mark.usefixtures("small_world")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_all_commands_run(page: Path):
    for command in commands_of(page):
        follow(command, soak=True)


def test_a_command_that_is_wrong_or_takes_too_long_is_found():
    for line, wrong in (("cofca levels atari", "exit code 2"), ("make tea", "exit code 2"), ("rm x", "rm")):
        with pytest.raises((AssertionError, KeyError), match=wrong):
            follow(Command(line), soak=False)
    with pytest.raises(AssertionError):
        follow(Command("cofca levels starcraft --count 1", output="Build Nexus\n"), soak=False)
    with pytest.raises(pytest.fail.Exception, match="not done after 1 seconds"), within(1):
        time.sleep(5)
