"""Results know their preset: where they lie, what figures and claims call their agents, and what is skipped."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cli.command import Capture, cofca
from tiny_preset import TINY

from cofca.experiments.presets import PRESETS
from cofca.paper.grid import Job, is_finished, plan
from cofca.paper.plots.plot_style import label_of
from cofca.paper.results import read_result, read_results, result_path, write_result
from cofca.paper.scales import FULL, QUICK, find_scale
from cofca.paper.statistics import by_preset
from paper.made_up import made_up, seeds_of

SHARES = [0.9, 0.5, 0.4, 0.3, 0.2]
OURS = seeds_of(made_up("minecraft-length", "cofca-s", SHARES), seeds=2)
THEIRS = [replace(result, preset="published") for result in OURS]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def published() -> Iterator[None]:
    """A preset that has no agent but one."""
    some = {domain: {"olsk": agents["olsk"]} for domain, agents in TINY.agents.items() if "olsk" in agents}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "tuned", TINY)
        patch.setitem(PRESETS, "published", replace(TINY, name="published", agents=some))
        yield


def test_results_lie_in_the_folder_of_their_preset(tmp_path: Path):
    for result in (*OURS, *THEIRS):
        write_result(tmp_path, result)
    assert result_path("tuned", "minecraft-length", "cofca-s", 1) == OURS[1].path
    found = read_results(tmp_path)
    assert [str(result.path) for result in found] == [
        f"{preset}/minecraft-length/cofca-s-seed{seed}.json" for preset in ("published", "tuned") for seed in (0, 1)
    ]
    assert by_preset(found) == {"tuned": OURS, "published": THEIRS}
    assert list(by_preset(found)) == ["tuned", "published"]


def test_no_figure_and_no_table_takes_one_preset_for_another(tmp_path: Path, capsys: Capture):
    for result in (*OURS, *THEIRS):
        write_result(tmp_path, result)
    assert cofca("figures", "--results", str(tmp_path)) == 0
    assert "7 files" in capsys.readouterr().out
    for preset in ("tuned", "published"):
        figure = (tmp_path / preset / "figures" / "minecraft-length-success.svg").read_text()
        assert f">CoFCA-S ({preset})<" in figure
    text = (tmp_path / "CLAIMS.md").read_text()
    _, ours, theirs = text.split("## Scores of the preset ")
    assert "| CoFCA-S (tuned): 2 seeds" in ours
    assert "published" not in ours
    assert "| CoFCA-S (published): 2 seeds" in theirs


def test_an_agent_that_is_not_the_paper_s_is_called_ours():
    assert label_of(replace(OURS[0], agent="cofca-d")) == "CoFCA-D (tuned, ours)"
    assert label_of(replace(OURS[0], agent="mine")) == "mine (tuned)"


def test_what_is_finished_in_one_preset_is_not_in_another(tmp_path: Path, published: None):
    def job(preset: str) -> Job:
        (only,) = plan(["minecraft-length"], ["olsk"], 1, QUICK, "planner", False, preset)
        return only

    ours, theirs = job("tuned"), job("published")
    assert (ours.config.preset, theirs.config.preset) == ("tuned", "published")
    write_result(tmp_path, replace(made_up("minecraft-length", "olsk", SHARES), config=ours.config.page()))
    assert is_finished(ours, tmp_path)
    assert not is_finished(theirs, tmp_path)


def test_agents_of_one_domain_are_left_out_elsewhere():
    jobs = plan(["minecraft-length", "starcraft-length"], ["cofca-r", "olsk"], 1, QUICK, "planner")
    assert [job.name for job in jobs] == ["minecraft-length/cofca-r", "minecraft-length/olsk", "starcraft-length/olsk"]
    with pytest.raises(ValueError, match="tuned has none of cofca-r, lstm for starcraft-length"):
        plan(["starcraft-length"], ["cofca-r", "lstm"], 1, QUICK, "planner")


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("--preset huge", "unknown preset 'huge'; expected tuned or paper or paper-strict or published"),
        ("--preset published --agents cofca-s", "unknown agent 'cofca-s' of published; expected some of olsk"),
        ("--agents", "no agent is named; expected some of cofca-s, cofca"),
    ],
)
def test_presets_and_agents_that_do_not_exist_are_refused_in_one_line(
    words: str, wrong: str, published: None, capsys: Capture
):
    assert cofca("reproduce", *words.split()) == 2
    said = capsys.readouterr().err
    assert wrong in said
    assert said.count("\n") == 1


def test_all_agents_of_a_preset_are_reproduced_where_none_is_named(
    tmp_path: Path, published: None, monkeypatch: pytest.MonkeyPatch
):
    planned: list[Job] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cofca.paper.grid.carry_out", lambda jobs, runs, results, listeners: planned.extend(jobs) or [])
    assert cofca("reproduce", "starcraft-length", "--preset", "published", "--scale", "quick") == 0
    assert [job.name for job in planned] == ["starcraft-length/olsk"]


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("", ("runs/tuned/full", "results")),
        ("--scale paper", ("runs/tuned/full", "results")),
        ("--preset published --scale quick", ("runs/published/quick", "runs/published/quick/results")),
        ("--scale quick --runs mine", ("mine", "mine/results")),
    ],
)
def test_runs_and_results_of_a_preset_have_a_place_of_their_own(
    words: str, places: tuple[str, str], tmp_path: Path, published: None, monkeypatch: pytest.MonkeyPatch
):
    seen: list[tuple[str, str]] = []

    def carry_out(jobs: list[Job], runs: Path, results: Path, listeners: object) -> list[object]:
        seen.append((str(runs), str(results)))
        return []

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cofca.paper.grid.carry_out", carry_out)
    assert cofca("reproduce", "minecraft-length", "--agents", "olsk", *words.split()) == 0
    assert seen == [places]


def test_the_full_scale_has_an_older_name():
    assert find_scale("paper") is find_scale("full") is FULL
    with pytest.raises(ValueError, match="unknown scale 'papers'; expected one of full, quick"):
        find_scale("papers")


def test_results_of_this_project_are_of_the_newest_format_and_of_the_agents_there_are():
    paths = sorted((ROOT / "results").glob("*/*/*-seed*.json"))
    assert len(paths) > 100
    assert not list((ROOT / "results").glob("*/*-seed*.json"))
    for path in paths[::20]:
        result = read_result(path)
        assert path == ROOT / "results" / result.path
        page = json.loads(path.read_text())
        assert (page["format"], page["scale"], page["config"]["preset"]) == (4, "full", result.preset)
        assert all(row["id"] == f"{row['lo']}-{row['hi']}" for row in (*page["bins"], *page["evaluations"]))
        assert result.agent in PRESETS[result.preset].agents[result.experiment.partition("-")[0]]
