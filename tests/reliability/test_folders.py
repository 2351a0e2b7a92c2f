"""A run touches what it has written itself, and nothing else."""

import os
from pathlib import Path

import pytest
from experiments.small import small_agents
from runs.small_runs import CONFIG, checkpoints, new
from runs.test_checkpoint import same

from cofca.cli.entry import main
from cofca.runs.run import Run

OWN = ("2023-thesis", "20231231", "12345678-draft", ".writing-book", ".old-notes", "damaged-goods")
"""What a person may have called their own folders."""


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fill(folder: Path) -> dict[str, bytes]:
    """Folders of a person's own, one file in each."""
    for name in OWN:
        (folder / name).mkdir(parents=True)
        (folder / name / "chapter.txt").write_text(name)
    return contents(folder)


# A new run


def test_a_run_does_not_start_among_other_things_and_names_them(tmp_path: Path) -> None:
    before = fill(tmp_path / "checkpoints")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(
        ValueError, match=r": a run starts in a new or empty folder; here is 'checkpoints/', 'notes\.txt'$"
    ):
        new(tmp_path)
    assert contents(tmp_path / "checkpoints") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoints", "notes.txt"]


def test_of_many_things_some_are_named(tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(ValueError, match=r"'4\.txt' and 2 more$"):
        new(tmp_path)


def test_the_command_line_says_it_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_agents(monkeypatch)
    before = fill(tmp_path / "checkpoints")
    with pytest.raises(SystemExit) as ended:
        main(["train", "starcraft-length", "--out", str(tmp_path), "--seeds", "1"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("a new or empty folder; here is 'checkpoints/'")
    assert contents(tmp_path / "checkpoints") == before


def test_a_run_whose_configuration_was_deleted_is_not_started_over(copy: Path) -> None:
    (copy / "config.json").unlink()
    before = contents(copy)
    with pytest.raises(ValueError, match=r"here is 'checkpoints/', 'metrics\.jsonl'$"):
        new(copy)
    assert contents(copy) == before


def test_a_lock_of_somebody_else_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / ".lock").write_text("of my own program")
    with pytest.raises(ValueError, match=r"not the lock of a run; it is not overwritten$"):
        new(tmp_path)
    assert (tmp_path / ".lock").read_text() == "of my own program"


# A run that goes on


def test_what_is_put_among_checkpoints_is_left_alone(copy: Path, whole: Run) -> None:
    before = fill(copy / "checkpoints")
    mine = {name: data for name, data in before.items() if name.endswith("chapter.txt")}
    run = new(copy, resume=True)
    assert run.update == 4
    run.train()
    assert same(run.learners, whole.learners)
    after = contents(copy / "checkpoints")
    assert {name: after[name] for name in mine} == mine
    assert checkpoints(copy) == sorted([*OWN, "00000004", "00000006", "00000008"])


def test_a_run_that_was_resumed_after_it_had_only_begun_begins(tmp_path: Path) -> None:
    run = new(tmp_path / "run")
    run.lock.release()
    for path in (tmp_path / "run" / "checkpoints" / "00000000").iterdir():
        path.unlink()
    (tmp_path / "run" / "checkpoints" / "00000000").rmdir()
    assert new(tmp_path / "run", resume=True).update == 0
    assert checkpoints(tmp_path / "run") == ["00000000"]


def test_a_damaged_checkpoint_that_is_damaged_again_is_kept_as_well(copy: Path) -> None:
    for name in ("damaged-00000004", "damaged-00000004-2"):
        (copy / "checkpoints" / name).mkdir()
    (copy / "checkpoints" / "00000004" / "page.json").write_text("")
    assert new(copy, resume=True).update == 2
    assert "damaged-00000004-3" in checkpoints(copy)


# Links

LINKED = (".lock", "config.json", "metrics.jsonl", "evaluations.jsonl", "checkpoints", "final", "tensorboard")


@pytest.mark.parametrize("name", LINKED)
def test_nothing_is_written_through_links(copy: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    if name in ("checkpoints", "final", "tensorboard"):
        victim.mkdir()
        (victim / "precious.txt").write_text("precious")
    else:
        victim.write_text("precious")
    path = copy / name
    if path.exists():
        path.rename(tmp_path / "moved")
    path.symlink_to(victim)
    with pytest.raises(ValueError, match=r"is a link; ") as caught:
        new(copy, resume=True, config=CONFIG)
    assert str(caught.value).startswith(str(path))
    assert (victim / "precious.txt" if victim.is_dir() else victim).read_text() == "precious"
    assert not victim.is_dir() or len(list(victim.iterdir())) == 1


@pytest.mark.parametrize("name", ["00000004", "00000004/page.json", ".old-00000004"])
def test_links_among_checkpoints_are_refused_and_followed_nowhere(copy: Path, tmp_path: Path, name: str) -> None:
    path = copy / "checkpoints" / name
    if path.exists():
        path.rename(tmp_path / "moved")
    else:
        (tmp_path / "moved").mkdir()
    path.symlink_to(tmp_path / "moved")
    before = contents(tmp_path)
    with pytest.raises(ValueError, match=r": is a link; a run's folder must not have any$"):
        new(copy, resume=True)
    after = contents(tmp_path)
    assert {name: data for name, data in after.items() if ".lock" not in name} == {
        name: data for name, data in before.items() if ".lock" not in name
    }


@pytest.mark.parametrize("name", [".lock", "metrics.jsonl"])
def test_a_second_name_of_a_file_elsewhere_is_no_file_of_the_run(copy: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes((copy / name).read_bytes())
    (copy / name).unlink()
    os.link(victim, copy / name)
    before = victim.read_bytes()
    with pytest.raises(ValueError, match="not a file of its own"):
        new(copy, resume=True)
    assert victim.read_bytes() == before
