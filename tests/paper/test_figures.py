"""Figures: which are drawn, and that nothing but results decides what they look like."""

from dataclasses import replace
from pathlib import Path

import pytest
from cli.command import Capture, cofca

from cofca.paper.plots.figures import draw_figures
from cofca.paper.results import write_result
from paper.made_up import made_up, seeds_of

RESULTS = [
    *seeds_of(made_up("minecraft-length", "cofca-s", [0.99, 0.9, 0.8, 0.7, 0.6])),
    *seeds_of(made_up("minecraft-length", "olsk", [0.9, 0.5, 0.3, 0.2, 0.1])),
    *seeds_of(made_up("minecraft-jump", "olsk", [0.9] * 4 + [0.5] * 5)),
]
FILES = [
    "minecraft-jump-success.svg",
    *(f"minecraft-length-{what}.svg" for what in ("learning", "success", "training")),
]


def drawn(folder: Path, results: list) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(draw_figures(results, folder))}


def test_the_same_results_give_the_same_files(tmp_path: Path):
    once, again = drawn(tmp_path / "a", RESULTS), drawn(tmp_path / "b", RESULTS)
    assert list(once) == FILES
    assert once == again


def test_other_results_give_other_files(tmp_path: Path):
    better = [replace(score, sampled=1.0) for score in RESULTS[0].bins]
    once = drawn(tmp_path / "a", RESULTS)
    other = drawn(tmp_path / "b", [replace(RESULTS[0], bins=better), *RESULTS[1:]])
    assert once["minecraft-length-success.svg"] != other["minecraft-length-success.svg"]
    assert once["minecraft-jump-success.svg"] == other["minecraft-jump-success.svg"]


def test_a_figure_names_agents_and_references(tmp_path: Path):
    text = drawn(tmp_path, RESULTS)["minecraft-length-success.svg"].decode()
    assert all(label in text for label in ("CoFCA-S", "OLSK", "oracle", "random", "as in training", "41-50"))


@pytest.mark.parametrize("what", ["success", "learning"])
def test_scripted_references_are_drawn_where_all_seeds_know_them(tmp_path: Path, what: str):
    known = seeds_of(made_up("starcraft-length", "cofca-s", [0.99, 0.9, 0.8, 0.7, 0.6]))
    old = replace(known[1], bins=[replace(score, references={}) for score in known[1].bins])
    labels = (b">\xc2\xb11 pointer<", b">\xc2\xb11 pointer, idle<", b">one pass<")
    name = f"starcraft-length-{what}.svg"
    one, other = drawn(tmp_path / "a", known)[name], drawn(tmp_path / "b", [known[0], old, *known[2:]])[name]
    assert all(label in one for label in labels)
    assert not any(label in other for label in labels)
    assert b">oracle<" in one
    assert b">oracle<" in other


def test_training_with_replays_is_drawn_where_all_seeds_counted_them(tmp_path: Path):
    known = seeds_of(made_up("minecraft-length", "olsk", [0.9, 0.5, 0.3, 0.2, 0.1], replays=0.9))
    name, label = "minecraft-length-training.svg", b">OLSK (tuned), with replays<"
    assert label in drawn(tmp_path / "a", known)[name]
    assert label not in drawn(tmp_path / "b", [replace(known[0], with_replays=None), *known[1:]])[name]


def test_agents_of_one_s_own_are_drawn_too(tmp_path: Path):
    mine = [replace(result, agent="mine") for result in RESULTS[:4]]
    assert b">mine (tuned)<" in drawn(tmp_path, mine)["minecraft-length-success.svg"]


def test_the_verb_draws_from_files_alone(tmp_path: Path, capsys: Capture):
    for result in RESULTS:
        write_result(tmp_path, result)
    assert cofca("figures", "--results", str(tmp_path)) == 0
    assert "5 files" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "tuned" / "figures").iterdir()) == FILES
    assert (tmp_path / "CLAIMS.md").exists()


@pytest.mark.parametrize("there", [True, False])
def test_without_results_there_is_nothing_to_draw(tmp_path: Path, capsys: Capture, there: bool):
    folder = tmp_path if there else tmp_path / "nowhere"
    assert cofca("figures", "--results", str(folder)) == 2
    assert "there are no results here" in capsys.readouterr().err
