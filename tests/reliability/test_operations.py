"""Every file operation fails once in each way, and is once the last before a kill. Nothing is lost, and what is done
next works. The table is in docs/reliability.md: python -m reliability.test_operations, in the folder of the tests,
prints it."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reliability.operations import ERRORS, KILL, Fault, KilledError, watched
from reliability.processes import TESTS
from reliability.small_life import SAVED, SCENARIOS, nothing_is_compiled

SAMPLE, SIGKILLS = 8, 20
"""So many cases of each scenario are tried in `make test`, and one of so many kills is a real one."""


@pytest.fixture(autouse=True)
def _small() -> Iterator[None]:
    with nothing_is_compiled():
        yield


class Prepared(NamedTuple):
    """A folder to copy, how many operations there are in it, and what is there in the end."""

    folder: Path
    operations: list[str]
    end: dict[str, Any]

    @property
    def faults(self) -> list[Fault]:
        return [Fault(at, what) for at in range(len(self.operations)) for what in (*ERRORS, KILL)]


def prepared(name: str, folder: Path) -> Prepared:
    scenario = SCENARIOS[name]
    scenario.prepare(folder / "before")
    copy = shutil.copytree(folder / "before", folder / "undisturbed")
    with watched(copy) as seen:
        scenario.act(copy)
    return Prepared(folder / "before", seen.names, scenario.look(copy))


def disturbed(name: str, known: Prepared, fault: Fault) -> str:
    """What comes of a fault; in any case all is well afterwards."""
    scenario = SCENARIOS[name]
    folder = shutil.copytree(known.folder, known.folder.with_name("disturbed"))
    SAVED.clear()
    outcome, told = "not noticed", ""
    with watched(folder, fault) as seen:
        try:
            scenario.act(folder)
        except KilledError:
            outcome = "killed"
        except (OSError, ValueError) as error:
            outcome, told = "stopped", str(error)
    assert "\n" not in told
    assert not seen.outside
    scenario.is_intact(folder)
    scenario.act(folder)
    assert scenario.look(folder) == known.end
    shutil.rmtree(folder)
    return outcome


@pytest.mark.parametrize("name", SCENARIOS)
def test_whatever_operation_fails_nothing_is_lost(name: str, tmp_path: Path) -> None:
    known = prepared(name, tmp_path)
    for fault in random.Random(0).sample(known.faults, SAMPLE):
        disturbed(name, known, fault)


@pytest.mark.soak
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_operation_fails_and_nothing_is_lost(name: str, tmp_path: Path) -> None:
    known = prepared(name, tmp_path)
    for fault in known.faults:
        disturbed(name, known, fault)


@pytest.mark.soak
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_real_kill_leaves_what_a_played_one_does(name: str, tmp_path: Path) -> None:
    known, scenario = prepared(name, tmp_path), SCENARIOS[name]
    for at in range(0, len(known.operations), SIGKILLS):
        played, real = (shutil.copytree(known.folder, tmp_path / f"{kind}{at}") for kind in ("played", "real"))
        with watched(played, Fault(at, KILL)), pytest.raises(KilledError):
            scenario.act(played)
        path = os.pathsep.join(filter(None, (".", os.environ.get("PYTHONPATH"))))
        command = [sys.executable, "-m", "reliability.small_life", name, str(real), str(at)]
        assert subprocess.run(command, cwd=TESTS, env={**os.environ, "PYTHONPATH": path}, check=False).returncode == -9
        assert names_in(real) == names_in(played)
        scenario.act(real)
        assert scenario.look(real) == known.end


def names_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def main() -> None:
    """Print the table."""
    for name in SCENARIOS:
        with nothing_is_compiled(), tempfile.TemporaryDirectory() as folder:
            known = prepared(name, Path(folder))
            outcomes = Counter(disturbed(name, known, fault) for fault in known.faults)
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(known.operations).items()))
            print(f"| {name} | {len(known.operations)} ({kinds}) | {dict(outcomes)} |")


if __name__ == "__main__":
    main()
