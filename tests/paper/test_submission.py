"""Results that are submitted: read as they were written, and refused for whatever somebody may change in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from cofca.paper.submission import read_about, read_submission, submission_of, write_submission
from paper.submitted import GOOD


def test_a_submission_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_submission(tmp_path / "mine.json", GOOD)
    assert read_submission(tmp_path / "mine.json") == GOOD


def test_it_is_made_of_a_report_and_of_what_a_file_says(tmp_path: Path) -> None:
    (tmp_path / "about.toml").write_text('by = "A. Person"\nagent = "my-agent"\n')
    about = read_about(tmp_path / "about.toml", {"agent": "policy", "steps": 7})
    assert (about.agent, about.by, about.steps) == ("my-agent", "A. Person", 7)
    rows = [{**vars(row), "greedy": 0.5, "references": {}} for row in GOOD.bins]
    report = {"experiment": GOOD.experiment, "worker": GOOD.worker, "level_seed": 0, "bins": rows, "published": []}
    made = submission_of(report, about, {"cofca": "0"})
    assert (made.bins, made.steps, made.worker) == (GOOD.bins, 7, "planner")


def first(page: dict[str, Any], **changes: Any) -> None:
    """Change the first bin."""
    page["bins"][0] |= changes


def swapped(page: dict[str, Any]) -> None:
    page["bins"][1]["levels"] = page["bins"][0]["levels"]


TAMPERED: dict[str, tuple[Any, str]] = {
    "an unknown field": (lambda page: page.update(replayed="exactly"), "unknown field 'replayed'"),
    "an unknown field of a bin": (lambda page: first(page, greedy=1.0), r"unknown field 'greedy' - at \$\.bins\[0\]"),
    "a missing field": (lambda page: page.pop("worker"), "missing required field worker"),
    "another format": (lambda page: page.update(format=2), "the format is 2, not 1"),
    "a name that leads elsewhere": (lambda page: page.update(agent="../olsk"), "agent is '../olsk', which is no name"),
    "nobody": (lambda page: page.update(by=" "), "by is ' ': say who submits it"),
    "this project": (lambda page: page.update(by="this project"), "by is 'this project': say who submits it"),
    "words for a page": (lambda page: page.update(by="A | B"), r"by is 'A \| B', not a few plain words"),
    "a terminal's commands": (lambda page: page.update(device="\x1b[2J"), "device is .*, not a few plain words"),
    "an address that runs": (lambda page: page.update(url="javascript:x"), "url is 'javascript:x', not https"),
    "steps backwards": (lambda page: page.update(steps=-1), "steps must not be negative, not -1"),
    "an experiment of one's own": (lambda page: page.update(experiment="easy"), "easy is no official experiment"),
    "no experiment of the board": (lambda page: page.update(experiment="worker"), "worker is no official experiment"),
    "another worker": (lambda page: page.update(worker="mine"), "the worker is mine, not planner or learned"),
    "another level seed": (lambda page: page.update(level_seed=1), "the level seed is 1, not 0"),
    "a bin left out": (lambda page: page["bins"].pop(), "the bin 41-50 is missing"),
    "a bin twice": (lambda page: page["bins"].append(page["bins"][0]), "two bins have the same id"),
    "a bin more": (lambda page: page["bins"].append({**page["bins"][0], "id": "1-2"}), "there is no bin 1-2"),
    "another range": (lambda page: first(page, hi=5), "1-10: it is 1-5, not 1-10"),
    "fewer episodes": (lambda page: first(page, episodes=100), "1-10: 100 episodes were played, not 1000"),
    "other levels": (lambda page: first(page, levels="0" * 16), "1-10: the levels are 0000000000000000, not fef27"),
    "the levels of another bin": (swapped, "11-20: the levels are fef27eec87630a64, not 337199aad3408b78"),
    "more than all": (lambda page: first(page, seeds=[1.5, 1.0]), "1-10: success must lie between 0 and 1, not 1.5"),
    "no whole number of levels": (
        lambda page: first(page, seeds=[0.9005, 0.95]),
        "1-10: 0.9005 is not a share of 1000 levels",
    ),
    "no seeds": (lambda page: [row.update(seeds=[]) for row in page["bins"]], "1-10: there are 0 seeds"),
    "a seed left out": (lambda page: first(page, seeds=[0.95]), "not all bins have as many seeds"),
    "a better mean": (
        lambda page: first(page, sampled=0.99),
        "1-10: sampled is 0.99, but the mean of its seeds is 0.9",
    ),
    "a better seed": (lambda page: first(page, seeds=[0.9, 0.99]), "1-10: sampled is 0.925, but the mean of its seeds"),
    "a smaller error": (lambda page: first(page, sampled_se=0.001), "1-10: sampled_se is 0.001, but its seeds have"),
    "a lower ceiling": (lambda page: first(page, oracle=0.9), "1-10: oracle is 0.9, not 1.0"),
    "a lower floor": (lambda page: first(page, random=0.0), "1-10: random is 0.0, not 0.105"),
    "a number for a word": (lambda page: page.update(agent=5), "Expected str, got int"),
    "no list of bins": (lambda page: page.update(bins={}), "Expected array, got object"),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_what_was_tampered_with_is_refused_in_one_line(case: str, tmp_path: Path) -> None:
    tamper, reason = TAMPERED[case]
    path = tmp_path / "mine.json"
    write_submission(path, GOOD)
    page = json.loads(path.read_text())
    tamper(page)
    path.write_text(json.dumps(page))
    with pytest.raises(ValueError, match=reason) as error:
        read_submission(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)
    assert str(error.value).isprintable()


def test_there_are_more_than_twenty_kinds_each_with_its_own_reason() -> None:
    assert len({reason for _, reason in TAMPERED.values()}) == len(TAMPERED) > 20


@pytest.mark.parametrize("text", ["", "{", "[]", "5", '{"bins": NaN}', "\ufffe"])
def test_other_files_are_refused_in_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(ValueError, match=r"mine\.json: ") as error:
        read_submission(tmp_path / "mine.json")
    assert "\n" not in str(error.value)


def test_what_a_file_says_of_an_agent_is_checked(tmp_path: Path) -> None:
    (tmp_path / "about.toml").write_text("steps = 'many'\n")
    with pytest.raises(ValueError, match=r"about\.toml: Expected int \| null, got str - at \$\.steps"):
        read_about(tmp_path / "about.toml", {})
