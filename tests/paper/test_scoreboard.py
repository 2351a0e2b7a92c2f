"""The scoreboard: who is on it, in which order, and what is not added to it."""

import json
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import pytest
from cli.command import Capture, cofca, one_object

from cofca.experiments.catalogue import weights
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper import entries, replay
from cofca.paper.entries import Entry, entry_of, read_entry, standings, write_entry
from cofca.paper.replay import agree
from cofca.paper.scoreboard import ranked, write_scoreboard
from cofca.paper.standings import OURS, Standing, own_standings
from cofca.paper.submission import write_submission
from paper.submitted import GOOD, MINE, NAME, submission

ROOT = Path(__file__).parents[2]
LEARNED = replace(MINE, worker="learned")


@cache
def ours() -> list[Standing]:
    return list(own_standings(ROOT / "results"))


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Those of the package, and an empty scoreboard."""
    monkeypatch.setattr(entries, "own_standings", lambda results: iter(ours()))
    write_submission(tmp_path / "mine.json", GOOD)
    return tmp_path / "results"


def test_every_shipped_and_published_agent_is_on_it() -> None:
    known = {(one.experiment, one.preset, one.agent) for one in ours()}
    folders = {path.parent for path in (ROOT / "results").glob("*/*/*-seed*.json")}
    published = {
        (folder.name, folder.parent.name, path.name.rpartition("-seed")[0])
        for folder in folders
        for path in folder.iterdir()
        if folder.name in EXPERIMENTS
    }
    assert known == published
    for row in weights():
        if row.domain != "errands":
            shipped = row.trained_on, row.preset, row.agent
            standing = next(one for one in ours() if (one.experiment, one.preset, one.agent) == shipped)
            assert "weights" in standing.verified
            assert standing.parameters == row.parameters


def test_the_page_is_the_one_that_results_make(tmp_path: Path) -> None:
    submitted = [read_entry(path).standing for path in sorted((ROOT / "results/scoreboard").glob("*/*.json"))]
    assert (
        write_scoreboard(tmp_path, [*ours(), *submitted]).read_bytes()
        == (ROOT / "results/scoreboard/README.md").read_bytes()
    )


def test_ranks_are_by_success_on_levels_unlike_training() -> None:
    rows = ranked(ours(), NAME, "learned")
    assert [(one.agent, one.preset) for one in rows[:2]] == [("cofca-d", "tuned"), ("cofca-r", "tuned")]
    assert [one.sample.mean for one in rows] == sorted((one.sample.mean for one in rows), reverse=True)
    for one in rows:
        low, high = one.interval
        assert 0 <= low < one.sample.mean < high <= 1
        assert "1-10" not in one.new


def test_one_seed_has_an_interval_over_levels_only() -> None:
    one, two = (Entry(submission(*seeds)).standing for seeds in ([[0.5] * 5], [[0.5] * 5, [0.51] * 5]))
    spread = 1.96 * (0.25 / 1000 / 4) ** 0.5
    assert one.interval == pytest.approx((0.5 - spread, 0.5 + spread), abs=1e-4)
    assert two.interval[0] < one.interval[0]
    assert one.hardest == ("1-10", 0.5)


# cofca submit


def test_a_result_is_added_and_ranked(results: Path, capsys: Capture) -> None:
    words = ("submit", str(results.parent / "mine.json"), "--results", str(results))
    assert cofca(*words, "--json") == 0
    path = results / "scoreboard" / NAME / "my-agent.json"
    assert one_object(capsys.readouterr().out) == {"added": str(path), "rank": 1, "of": 1, "replayed": ""}
    assert read_entry(path) == Entry(GOOD)
    page = (results / "scoreboard" / "README.md").read_text()
    row = "| 1 | [my-agent](https://example.org/my-agent) |  | 0.263 [0.025, 0.498] | 0.050 (41-50) | 0.925 | 2 | 1 M |"
    assert f"{row} 12,345 | 10 min, one CPU | levels | A. Person |" in page
    assert f"## {NAME}, planner worker" in page
    write_submission(results.parent / "mine.json", replace(GOOD, steps=5))
    assert cofca(*words) == 2
    taken = "my-agent has another result on minecraft-length: scoreboard/minecraft-length/my-agent.json"
    assert taken in capsys.readouterr().err


def test_figures_of_somebody_else_are_refused(results: Path) -> None:
    theirs = next(one for one in ours() if (one.experiment, one.agent, one.preset) == (NAME, "cofca-r", "tuned"))
    copied = submission(*([list(shares) for shares in zip(*theirs.shares.values(), strict=True)]), of=LEARNED)
    with pytest.raises(ValueError, match=f"these are the figures of cofca-r by {OURS}"):
        entry_of(copied, results, ours())
    write_entry(Entry(GOOD), results)
    with pytest.raises(ValueError, match=r"^these are the figures of my-agent by A\. Person$"):
        entry_of(replace(GOOD, agent="another"), results, standings(results))
    perfect = submission([1.0] * 5, of=replace(MINE, agent="perfect"))
    write_entry(Entry(replace(perfect, agent="also")), results)
    assert entry_of(perfect, results, standings(results)) == Entry(perfect)


def test_an_entry_of_another_name_or_with_other_figures_is_refused(results: Path) -> None:
    path = write_entry(Entry(GOOD, "exactly"), results)
    assert read_entry(path).standing.verified == ("levels", "replayed exactly")
    page = json.loads(path.read_text())
    page["submission"]["bins"][0]["sampled"] = 1.0
    path.write_text(json.dumps(page))
    with pytest.raises(ValueError, match=r"my-agent\.json: 1-10: sampled is 1\.0"):
        read_entry(path)
    page = {"submission": asdict(GOOD), "replayed": "by [me](https://example.org)"}
    path.write_text(json.dumps(page))
    with pytest.raises(ValueError, match=r"my-agent\.json: replayed is .*, not exactly or within sampling error"):
        read_entry(path)
    path = write_entry(Entry(GOOD), results)
    with pytest.raises(ValueError, match=r"it says that it is scoreboard/minecraft-length/my-agent\.json"):
        read_entry(path.rename(path.with_name("another.json")))


# Replays


@pytest.mark.parametrize(
    ("changed", "outcome"),
    [
        (0.0, "exactly"),
        (0.02, "within sampling error"),
        (0.2, "11-20: seed 0 has 0.5, but 0.7 when it is played again"),
        (None, "who.py:policy has 1 seeds, the result 2"),
    ],
)
def test_a_replay_agrees_or_is_refused(
    changed: float | None, outcome: str, results: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = {row.id: list(row.seeds) for row in GOOD.bins}
    again["11-20"] = [0.5] if changed is None else [0.5 + changed, 0.625]
    monkeypatch.setattr(replay, "play_again", lambda *asked: again)
    words = ("submit", str(results.parent / "mine.json"), "--results", str(results), "--replay", "who.py:policy")
    code = cofca(*words, "--json")
    said = capsys.readouterr()
    if code == 0:
        assert one_object(said.out)["replayed"] == outcome
        return
    assert outcome in said.err
    assert not (results / "scoreboard").exists()


def test_the_same_result_comes_again_to_be_replayed(
    results: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "play_again", lambda *asked: {row.id: list(row.seeds) for row in GOOD.bins})
    words = ("submit", str(results.parent / "mine.json"), "--results", str(results), "--json")
    for options, replayed in (((), ""), (("--replay", "who.py:policy"), "exactly"), ((), "exactly")):
        assert cofca(*words, *options) == 0
        said = one_object(capsys.readouterr().out)
        assert (said["rank"], said["of"], said["replayed"]) == (1, 1, replayed)
    assert (results / "scoreboard" / "README.md").read_text().count("my-agent") == 2  # its name and its address


def test_weights_of_another_domain_can_not_replay() -> None:
    with pytest.raises(ValueError, match="agents of starcraft-length can't play minecraft-length"):
        replay.play_again(GOOD, "starcraft-length/cofca-s", lambda done, of: None)


def test_chance_explains_small_differences_only() -> None:
    assert agree(0.5, 0.56, 1000)
    assert not agree(0.5, 0.6, 1000)
    assert agree(1.0, 0.999, 1000)
    assert not agree(1.0, 0.95, 1000)
