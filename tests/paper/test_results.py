"""Result files: written, read again, and refused when something is wrong with them."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from cofca.paper.results import read_result, read_results, write_result
from paper.made_up import made_up


def recovered(**wrong: float) -> dict:
    delays = {"mean": 2.0, "error": 0.1, "median": 2, "never": 0.0}
    return {"setbacks": 3, "pointed": delays, "repaired": {**delays, **wrong}}


RESULT = made_up("minecraft-length", "olsk", [0.9, 0.5, 0.4, 0.3, 0.2], seed=3)


@pytest.mark.parametrize("name", ["minecraft-length", "starcraft-length"])
def test_a_result_is_read_as_it_was_written(tmp_path: Path, name: str):
    result = made_up(name, "olsk", [0.9, 0.5, 0.4, 0.3, 0.2], seed=3)
    write_result(tmp_path, result)
    assert read_result(tmp_path / "tuned" / name / "olsk-seed3.json") == result
    assert read_results(tmp_path) == [result]


@pytest.mark.parametrize(
    ("number", "new"), [(1, ("id", "references", "recovery", "levels")), (2, ("id", "levels")), (3, ("id",))]
)
def test_a_result_of_an_older_format_knows_less(tmp_path: Path, number: int, new: tuple[str, ...]):
    write_result(tmp_path, RESULT)
    path = tmp_path / RESULT.path
    page = json.loads(path.read_text())
    old = [{name: value for name, value in score.items() if name not in new} for score in page["bins"]]
    del page["preset"]
    path.write_text(json.dumps({**page, "format": number, "bins": old}))
    assert read_result(path) == RESULT
    assert all(score.references == score.recovery == {} and score.levels is None for score in RESULT.bins)


def test_nothing_else_is_left_behind(tmp_path: Path):
    write_result(tmp_path, RESULT)
    write_result(tmp_path, RESULT)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["olsk-seed3.json"]


@pytest.mark.parametrize(
    "change",
    [
        {"format": 5},
        {"preset": None},
        {"preset": "../elsewhere"},
        {"seed": "three"},
        {"steps": True},
        {"bins": [{"lo": 1}]},
        {"bins": [{**asdict(RESULT.bins[0]), "levels": 16}]},
        {"bins": [{**asdict(RESULT.bins[0]), "references": {"one_pass": 1.5}}]},
        {"bins": [{**asdict(RESULT.bins[0]), "references": {"one_pass": None}}]},
        {"bins": [{**asdict(RESULT.bins[0]), "recovery": {"oracle": {"ambush": {"setbacks": 3}}}}]},
        {"bins": [{**asdict(RESULT.bins[0]), "recovery": {"oracle": {"ambush": recovered(mean=-1.0)}}}]},
        {"bins": [{**asdict(RESULT.bins[0]), "recovery": {"oracle": {"ambush": recovered(never=1.5)}}}]},
        {"bins": 5},
        {"training": {"steps": [], "success": [], "more": 1}},
        {"training": {"steps": 7, "success": []}},
        {"evaluations": None},
        {"surprise": 1},
    ],
)
def test_what_is_not_a_result_is_refused_in_one_line(tmp_path: Path, change: dict):
    write_result(tmp_path, RESULT)
    path = tmp_path / RESULT.path
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=r"olsk-seed3\.json: not a result") as error:
        read_results(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "5", "null", "{}", '"x"'])
def test_other_files_are_refused_in_one_line(tmp_path: Path, text: str):
    path = tmp_path / "tuned" / "x" / "y-seed0.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(ValueError, match=r"y-seed0\.json: not a result"):
        read_results(tmp_path)
