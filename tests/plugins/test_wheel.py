"""From a wheel, outside the repository: an agent, an experiment and a domain of one's own, by command line alone."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
TINY = ["--seeds", "1", "--steps", "1", "--set", "envs=4", "steps=4", "levels=16", "updates_per_pool=2"]
ENTRY_POINTS = b"[console_scripts] cofca = cofca.cli:main [gymnasium.envs] cofca = cofca.interop.ids:register"
VERBS = """
import contextlib, io, json, sys
from cofca.cli.entry import main
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            main(words)
        except SystemExit as end:
            code = end.code
    print(json.dumps([code, printed.getvalue()]))
"""
"""Several verbs in one process, which imports JAX once; of each its exit code and what it prints."""


class Elsewhere:
    """A folder of somebody else's, with the package installed from a wheel."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.site = folder, folder / "site"
        quiet = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*quiet, "wheel", "--no-deps", "--wheel-dir", folder / "wheel", copied(folder)], check=True)
        (self.wheel,) = (folder / "wheel").iterdir()
        subprocess.run([*quiet, "install", "--no-deps", "--target", self.site, self.wheel], check=True)
        for name in ("my_agent.py", "corridor.py", "corridor.toml"):
            shutil.copy(ROOT / "examples" / name, folder)

    def run(self, *words: str, state: str = "state") -> subprocess.CompletedProcess[str]:
        own = {"PYTHONPATH": str(self.site), "XDG_STATE_HOME": str(self.folder / state)}
        command = [sys.executable, "-m", "cofca", *words]
        environment = {**os.environ, **own}
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def verbs(self, *lines: str) -> list[tuple[int, str]]:
        """What several verbs come to, one after the other."""
        said = self.python(VERBS, json.dumps([shlex.split(line) for line in lines]))
        return [tuple(json.loads(line)) for line in said.splitlines()]

    def python(self, code: str, *words: str) -> str:
        own = {"PYTHONPATH": str(self.site), "XDG_STATE_HOME": str(self.folder / "state")}
        command, environment = [sys.executable, "-c", code, *words], {**os.environ, **own}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=True)
        return done.stdout


def copied(folder: Path) -> Path:
    """What a wheel is made of, apart from what earlier builds have left: setuptools would put that in as well."""
    source = folder / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    return source


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    return Elsewhere(tmp_path_factory.mktemp("elsewhere"))


@pytest.fixture(scope="module")
def trained(elsewhere: Elsewhere) -> Elsewhere:
    done = elsewhere.run("train", "corridor.toml", "--agent", "my_agent.py:MyAgent", "--out", "run", *TINY)
    assert done.returncode == 0, done.stderr
    return elsewhere


def test_the_package_is_the_one_of_the_wheel(elsewhere: Elsewhere) -> None:
    told = elsewhere.python("import cofca; print(cofca.__file__); print(cofca.__version__)").split()
    assert told[0].startswith(str(elsewhere.site))
    assert told[1] == "0.2.0"


def test_the_wheel_holds_the_package_and_nothing_else(elsewhere: Elsewhere) -> None:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/cofca"]
    found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    package = {name.removeprefix("src/") for name in found if (ROOT / name).exists()}
    about = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt", "licenses/LICENSE")
    with ZipFile(elsewhere.wheel) as wheel:
        assert set(wheel.namelist()) == package | {f"cofca-0.2.0.dist-info/{name}" for name in about}
        assert wheel.read("cofca-0.2.0.dist-info/entry_points.txt").split() == ENTRY_POINTS.split()


def test_a_run_remembers_where_its_code_is_from(trained: Elsewhere) -> None:
    page = json.loads((trained.folder / "run" / "config.json").read_text())
    assert page["agent"] == page["origin"] == f"{trained.folder / 'my_agent.py'}:MyAgent"
    assert page["experiment"] == str(trained.folder / "corridor.toml")


def test_it_goes_on_is_evaluated_and_followed(trained: Elsewhere) -> None:
    resumed, evaluated, followed = trained.verbs(
        "train --out run --resume",
        "evaluate run --episodes 4 --json",
        "follow --agent run --instruction 'red; blue' --json --html episode.html",
    )
    assert (resumed[0], evaluated[0]) == (0, 0)
    assert [row["id"] for row in json.loads(evaluated[1])["bins"]] == ["1-3", "4-8"]
    assert json.loads(followed[1])["steps"]
    assert "corridor" in (trained.folder / "episode.html").read_text()


def test_it_is_viewed(trained: Elsewhere) -> None:
    code = (
        "from cofca.viewer.studio import Studio; from cofca.viewer.request import Ask; studio = Studio(('run',)); "
        "domain = studio.domains[-1]; "
        "print(len(studio.play(Ask(domain, 'run', instruction='red', greedy=True))['frames']))"
    )
    assert int(trained.python(code)) > 1


def test_somebody_elses_run_does_not_run_its_code(trained: Elsewhere) -> None:
    refused = trained.run("evaluate", "run", state="nobody")
    assert refused.returncode == 2
    agent = f"{trained.folder / 'my_agent.py'}:MyAgent"
    assert f"this code is new here or has changed; to allow it: cofca agents --trust {agent}\n" in refused.stderr
    assert "Traceback" not in refused.stderr
    trusted = trained.run("agents", "--trust", "my_agent.py:MyAgent", state="somebody")
    assert trusted.stdout == f"trusted: {agent}\n"
