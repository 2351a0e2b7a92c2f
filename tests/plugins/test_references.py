"""Code of one's own: what a person types is run, what a file says is run only if a person has typed it before."""

import shlex
from pathlib import Path

import pytest
from cli.command import cofca

from cofca.experiments.agent_factory import agent_shapes
from cofca.experiments.plugins import own_agent
from cofca.runs.config import RunConfig
from cofca.utils.references import canonical, find, is_reference, typed


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def written(folder: Path, text: str = "ran = True\nclass Mine: pass\n", name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_name_without_a_colon_says_not_where_it_is() -> None:
    assert not is_reference("cofca-s")
    assert is_reference("mine.py:Mine")


def test_what_was_typed_can_be_found_again_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    reference = typed("mine.py:Mine")
    assert reference == f"{tmp_path / 'mine.py'}:Mine"
    monkeypatch.chdir("/")
    assert find(reference).__name__ == "Mine"


def test_what_nobody_typed_is_not_run(tmp_path: Path) -> None:
    traces = tmp_path / "ran"
    path = written(tmp_path, f"open({str(traces)!r}, 'w').close()\nMine = 1\n")
    with pytest.raises(ValueError, match="this code is new here or has changed"):
        find(f"{path}:Mine")
    with pytest.raises(ValueError, match="this code is new here or has changed"):
        own_agent(f"{path}:Mine")
    assert not traces.exists()


def test_what_has_changed_since_it_was_typed_is_not_run(tmp_path: Path) -> None:
    path = written(tmp_path)
    reference = typed(f"{path}:Mine")
    path.write_text("class Mine: other = 1\n")
    with pytest.raises(ValueError, match="is new here or has changed"):
        find(reference)


def test_the_command_that_allows_it_can_be_copied(tmp_path: Path) -> None:
    folder = tmp_path / "of another"
    folder.mkdir()
    reference = f"{written(folder)}:Mine"
    with pytest.raises(ValueError, match="to allow it: ") as caught:
        agent_shapes(RunConfig("minecraft-length", reference, origin=reference))
    words = shlex.split(str(caught.value).partition("to allow it: ")[2])
    assert words == ["cofca", "agents", "--trust", reference]
    assert cofca(*words[1:]) == 0
    assert find(reference).__name__ == "Mine"


def test_a_register_that_is_damaged_trusts_nobody(tmp_path: Path, state: Path) -> None:
    reference = typed(f"{written(tmp_path)}:Mine")
    (state / "cofca" / "code.json").write_text("[broken")
    with pytest.raises(ValueError, match="this code is new here or has changed"):
        find(reference)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mine.py:", "expected FILE.py:NAME or PACKAGE.MODULE:NAME"),
        (":Mine", "expected FILE.py:NAME or PACKAGE.MODULE:NAME"),
        ("mine.py:not a name", "expected FILE.py:NAME or PACKAGE.MODULE:NAME"),
        ("nowhere.py:Mine", "there is no file"),
        ("no_such_package.module:Mine", "it can't be imported: ModuleNotFoundError"),
        ("json:Mine", "there is no Mine in json"),
    ],
)
def test_mistakes_are_told_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        typed(text)
    assert "\n" not in str(caught.value)


def test_an_error_in_the_code_is_told_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, "raise RuntimeError('half\\ndone')\n", "broken.py")
    with pytest.raises(ValueError, match="it can't be imported: RuntimeError: half done") as caught:
        typed(f"{path}:Mine")
    assert "\n" not in str(caught.value)


def test_files_are_found_beside_the_one_that_names_them(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert canonical("mine.py:Mine", beside=tmp_path) == f"{path}:Mine"
