"""The command line: what the verbs print, and what they say to mistakes."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from cofca.cli import main, read_number, read_range
from cofca.domains import domain
from cofca.minecraft import parse, unparse
from cofca.rollout import Episodes, Policy, play

Capture = pytest.CaptureFixture[str]
MAP = "@i....\ng.....\n" + 4 * "......\n"
BASE = "@g....\nm.....\n" + 4 * "......\n"


def cofca(*words: str) -> int:
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert isinstance(stop.value.code, int)
    return stop.value.code


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    return subprocess.run([sys.executable, "-m", "cofca", *words], capture_output=True, text=True, check=False)


def one_object(out: str) -> dict[str, Any]:
    """The JSON object that is all there is on standard output."""
    assert out.count("\n") == 1
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files good and bad, and we are in it."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "iron.txt": "\ufeff# a byte order mark and comments do not count\n\nmine iron\n",
        "wood.txt": "mine wood\n",
        "typo.txt": "mine iron\nsell glod\n",
        "open.txt": "if more iron than gold\n  mine iron\n",
        "empty.txt": "# nothing here\n",
        "map.txt": MAP,
        "small.txt": "@i\n",
        "letter.txt": MAP.replace("g", "x"),
        "nobody.txt": MAP.replace("@", "."),
        "adept.txt": "# orders\nBuild Pylon\nTrain Adept\n",
        "zealt.txt": "Build Pylon\nTrain Zealt\n",
        "homeless.txt": "Build Pylon\nTrain Adept\nTrain Zealot\n",
        "base.txt": BASE,
        "baseless.txt": BASE.replace("@", "N"),
        "full.txt": BASE.replace(".", "m"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    return tmp_path


# Levels


def test_levels_are_printed_as_text_that_can_be_read_back(capsys: Capture) -> None:
    levels = ("levels", "minecraft", "--count", "6", "--length", "2-4", "--seed")
    assert cofca(*levels, "7", "--json") == 0
    texts = one_object(capsys.readouterr().out)["levels"]
    assert len(texts) == 6
    for text in texts:
        assert unparse(parse(text)) == text
        assert 2 <= len(text.splitlines()) <= 4

    assert cofca(*levels, "7") == 0
    printed = capsys.readouterr().out
    assert printed == "\n\n".join(f"# level {number}\n{text}" for number, text in enumerate(texts, start=1)) + "\n"

    assert cofca(*levels, "8") == 0
    assert capsys.readouterr().out != printed


def test_starcraft_levels_are_printed_as_text_that_can_be_read_back(capsys: Capture) -> None:
    assert cofca("levels", "starcraft", "--count", "6", "--length", "2-4", "--depth", "2", "--seed", "7", "--json") == 0
    texts = one_object(capsys.readouterr().out)["levels"]
    assert len(texts) == 6
    for text in texts:
        domain("starcraft").parse(text)
        kinds = [row.split()[0] for row in text.splitlines()]
        assert 2 <= len(kinds) <= 4
        assert "Build Build Build" not in " ".join(kinds)  # no chain is deeper than 2


# Check


def test_check_lets_oracle_and_random_choices_play(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cofca.check.BATCH", 128)  # so that the last batch is not full
    assert cofca("check", "minecraft", "--levels", "200", "--length", "1-10", "--seed", "1", "--json") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["domain"], report["length"], report["seed"]) == ("minecraft", [1, 10], 1)
    assert report["levels"] == 200
    assert report["oracle_success"] == 1.0
    assert report["random_success"] < 0.5
    (only,) = report["bins"]
    assert only == {"lo": 1, "hi": 10, "episodes": 200, "oracle": 1.0, "random": report["random_success"]}
    for kind in ("next_line", "if_entered", "else_entered", "while_entered", "loop_back"):
        assert report["transitions"][kind]["per_episode"] > 0
        assert 0 < report["transitions"][kind]["share_of_levels"] <= 1


def test_check_lets_references_play_starcraft_too(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    references = domain("starcraft").references

    def trace_only(key: Any, env: Any, levels: Any, policy: Policy, params: Any) -> Episodes:
        """Every episode is won, in one pass none: five policies would take long to compile."""
        shapes = jax.eval_shape(lambda: play(key, env, levels, policy, params))
        nothing = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)
        info = nothing.info._replace(length=levels.program.length)
        return nothing._replace(returns=nothing.returns + (policy is not references["one_pass"]), info=info)

    monkeypatch.setattr("cofca.check.play", trace_only)
    assert cofca("check", "starcraft", "--levels", "100", "--length", "2-8", "--json") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["domain"], report["length"], report["levels"]) == ("starcraft", [2, 8], 100)
    won = dict.fromkeys(("oracle", "random", "plus_minus_one", "plus_minus_one_idle"), 1.0) | {"one_pass": 0.0}
    assert {name.removesuffix("_success"): share for name, share in report.items() if "success" in name} == won
    assert [(row["lo"], row["hi"]) for row in report["bins"]] == [(1, 5), (6, 10)]
    for row in report["bins"]:
        assert {name: row[name] for name in won} == won
    assert tuple(report["transitions"]) == ("next_line", "skip", "jump_back", "unit_lost", "buildings_lost")


REPORT = {
    "levels": 30,
    "oracle_success": 0.9,
    "random_success": 0.25,
    "bins": [
        {"lo": 1, "hi": 10, "episodes": 20, "oracle": 1.0, "random": 0.375},
        {"lo": 11, "hi": 20, "episodes": 10, "oracle": 0.7, "random": 0.0},
    ],
    "transitions": {"next_line": {"per_episode": 1.5, "share_of_levels": 0.625}},
}


def test_check_fails_when_the_oracle_fails(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cofca.check.check", lambda *_: REPORT)
    assert cofca("check", "minecraft", "--levels", "30") == 1
    printed = capsys.readouterr().out
    for shown in ("11-20", "0.375", "0.9000", "next line", "0.625"):
        assert shown in printed


# Bench


def test_bench_measures_steps_and_compilation(capsys: Capture) -> None:
    assert cofca("bench", "env", "minecraft", "--envs", "16", "--steps", "4", "--json") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["domain"], report["envs"], report["steps_per_round"], report["pool"]) == ("minecraft", 16, 4, 16)
    assert report["steps_per_second"] > 0
    assert report["compile_seconds"] > 0
    rounds = sorted(report["seconds_per_round"])
    assert report["steps_per_second"] == pytest.approx(16 * 4 / rounds[len(rounds) // 2])


def test_bench_prints_a_table(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = {"levels": 64, "levels_per_second": 12345.678, "seconds_per_round": [0.5, 0.25]}
    monkeypatch.setattr("cofca.bench.bench_levels", lambda *_: measured)
    assert cofca("bench", "levels", "minecraft", "--levels", "64") == 0
    printed = capsys.readouterr().out
    for shown in ("levels per second", "12,345.68", "0.500 0.250"):
        assert shown in printed


# Play


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Answer the game's questions with these lines; an answer more than these is the end of the input."""

    def type_in(*lines: str) -> None:
        answers = iter(lines)

        def answer(prompt: str) -> str:
            if (line := next(answers, None)) is None:
                raise EOFError
            return line

        monkeypatch.setattr("builtins.input", answer)

    return type_in


PLAY = ("play", "minecraft", "--instruction", "iron.txt", "--map", "map.txt")


@pytest.mark.usefixtures("files")
def test_playing_to_success(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("  Mine  IRON ", "")  # Enter repeats
    assert cofca(*PLAY) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")
    for shown in ("0 mine iron", "8 inspect wood", "30 of 30", "moves east", "28 of 30", "mines"):
        assert shown in printed
    assert "\x1b" not in printed  # no colours where there is no terminal


@pytest.mark.usefixtures("files")
def test_playing_to_failure(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("mine gold", "1")
    assert cofca(*PLAY) == 1
    assert capsys.readouterr().out.endswith("No success after 2 steps; the oracle needs 2.\n")


@pytest.mark.usefixtures("files")
def test_a_step_can_be_taken_back(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("u", "inspect gold", "7", "undo", "u", "u", "0", "0")
    assert cofca(*PLAY) == 0
    printed = capsys.readouterr().out
    left = [line.split("of")[0].split()[-1] for line in printed.splitlines() if line.startswith("time left")]
    assert left == ["30", "30", "29", "28", "29", "30", "30", "29", "28"]
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("lines", [["q"], ["0", "QUIT"], ["0"], []])
def test_quitting(capsys: Capture, type_in: Callable[..., None], lines: list[str]) -> None:
    type_in(*lines)
    assert cofca(*PLAY) == 1
    assert capsys.readouterr().out.endswith("stopped\n")


@pytest.mark.usefixtures("files")
def test_an_unknown_command_is_asked_again(capsys: Capture, type_in: Callable[..., None]) -> None:
    wrong = ("", "dig iron", "mine", "mine iron now", "9", "-1", "1.5", "²")
    type_in(*wrong, "0", "0")
    assert cofca(*PLAY) == 0
    printed = capsys.readouterr().out
    for line in wrong:
        assert f"unknown command {line!r}; expected mine, sell or inspect and iron, gold or wood\n" in printed
    assert "Success after 2 steps" in printed


PLAY_STARCRAFT = ("play", "starcraft", "--instruction", "adept.txt", "--map", "base.txt")


@pytest.mark.usefixtures("files")
def test_playing_starcraft_to_success(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("probe 1 go 6 6", "u", "  Probe 1  BUILD pylon 2 2", "train adept 2 2")
    assert cofca(*PLAY_STARCRAFT) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")
    for shown in (
        "Rows and columns go from 1 to 6.",
        "Type a command such as probe 1 build pylon 2 3",
        "u takes it back",
    ):
        assert shown in printed
    left = [line.split("of")[0].split()[-1] for line in printed.splitlines() if line.startswith("time left")]
    assert left == ["60", "59", "60", "59", "58"]


@pytest.mark.usefixtures("files")
def test_an_unknown_starcraft_command_is_asked_again(capsys: Capture, type_in: Callable[..., None]) -> None:
    wrong = {
        "": "unknown command ''; expected something like probe 1 build pylon 2 3",
        "probe 4 go 1 1": "unknown command 'probe 4 go 1 1'; expected something like probe 1",
        "probe 1 build pylon": "unknown command 'probe 1 build pylon'; expected something like",
        "probe 1 build adept 1 1": "unknown building 'adept'; expected one of assimilator, cyberneticscore,",
        "train nexus 1 1": "unknown unit 'nexus'; expected one of adept, carrier,",
        "train adept 0 1": "no cell in row 0, column 1; expected numbers from 1 to 6",
        "probe 1 go 1 7": "no cell in row 1, column 7; expected numbers from 1 to 6",
    }
    type_in(*wrong)
    assert cofca(*PLAY_STARCRAFT) == 1
    printed = capsys.readouterr().out
    for message in wrong.values():
        assert message in printed
    assert printed.endswith("stopped\n")
    assert printed.count("time left") == 1  # none of them did anything


# Numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("500", 500),
        ("20K", 20_000),
        ("20k", 20_000),
        ("1.5K", 1500),
        ("70M", 70_000_000),
        (" 2g ", 2 * 10**9),
    ],
)
def test_a_number_may_be_short(text: str, number: int) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["0", "-1", "", "K", "1.5", "0.5", "20KB", "1e3", "1 K", "1_000", "inf", "x"])
def test_a_number_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a whole number from 1 to 2G, such as 500 or 20K, not '"):
        read_number(text)


@pytest.mark.parametrize(("text", "pair"), [("1-10", (1, 10)), ("5", (5, 5)), (" 3-3 ", (3, 3))])
def test_a_range_is_read(text: str, pair: tuple[int, int]) -> None:
    assert read_range(text) == pair


@pytest.mark.parametrize("text", ["0-3", "5-2", "-1-3", "1-", "-3", "", "a-b", "1-2-3", "1 - 2", "1.5-2", "1K-2K"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a range such as 1-10, not '"):
        read_range(text)


# Mistakes: one line on standard error, exit code 2

MISTAKES = [
    ("", "Expected one of {levels, check, play, bench, demo, train, evaluate}"),
    ("frobnicate", "frobnicate"),
    ("bench", "Expected one of {env, levels, train}"),
    ("levels", "Missing from cofca levels: DOMAIN"),
    ("levels atari", "unknown domain 'atari'; expected minecraft or starcraft"),
    ("play atari --instruction iron.txt", "unknown domain 'atari'; expected minecraft or starcraft"),
    ("levels minecraft --frobnicate", "Unrecognized options: --frobnicate"),
    ("levels minecraft surplus", "Unrecognized options: surplus"),
    ("levels minecraft --count", "Missing value for argument '--count'"),
    ("levels minecraft --count -3", "--count: expected a whole number from 1 to 2G, such as 500 or 20K, not '-3'"),
    ("levels minecraft --count 20G", "--count: expected a whole number from 1 to 2G"),
    (f"levels minecraft --count {400 * '9'}", "--count: expected a whole number from 1 to 2G"),
    (f"levels minecraft --seed {23 * '9'}", "--seed: expected a whole number from 0 to 4294967295"),
    ("levels minecraft --seed -1", "--seed: expected a whole number from 0 to 4294967295"),
    (f"levels minecraft --length 1-{5000 * '9'}", "--length: expected a range such as 1-10"),
    ("bench env minecraft --pool -1", "--pool"),
    ("bench env minecraft --pool 0", "--pool"),
    ("levels minecraft --count 0", "--count: expected a whole number"),
    ("levels minecraft --length 5-2", "--length: expected a range such as 1-10, not '5-2'"),
    ("levels minecraft --length 1-9999", "an instruction may have at most 400 lines, not 9999"),
    ("levels minecraft --depth -1", "--depth: expected a whole number"),
    ("levels minecraft --seed x", "--seed"),
    ("check minecraft --levels many", "--levels: expected a whole number"),
    ("check minecraft --worker human", "unknown worker 'human'; expected planner"),
    ("bench env minecraft --peer nonsense", "unknown peer 'nonsense'; expected xland"),
    ("bench levels minecraft --levels 0", "--levels: expected a whole number"),
    ("play minecraft --instruction typo.txt", "typo.txt: line 2, column 6: unknown word 'glod'"),
    ("play minecraft --instruction open.txt", "open.txt: line 2, column 12: the instruction ends inside the if"),
    ("play minecraft --instruction empty.txt", "empty.txt: line 1, column 1: no lines at all"),
    ("play minecraft --instruction missing.txt", "No such file or directory: 'missing.txt'"),
    ("play minecraft --instruction .", "Is a directory: '.'"),
    ("play minecraft --instruction binary", "binary: not a text file"),
    ("play minecraft --instruction iron.txt --map missing.txt", "No such file or directory: 'missing.txt'"),
    ("play minecraft --instruction iron.txt --map binary", "binary: not a text file"),
    (
        "play minecraft --instruction iron.txt --map small.txt",
        "small.txt: map: expected 6 rows of 6 cells",
    ),
    ("play minecraft --instruction iron.txt --map letter.txt", "letter.txt: map: row 2, column 1: unknown letter 'x'"),
    ("play minecraft --instruction iron.txt --map nobody.txt", "nobody.txt: map: expected one worker '@', found 0"),
    ("play minecraft --instruction wood.txt --map map.txt", "line 1: mine wood needs wood on the map"),
    ("levels starcraft --length 1", "no instruction is shorter than 2 lines, but length ends at 1"),
    ("levels starcraft --depth 1 --length 3", "every instruction has an even number of lines, but length starts at 3"),
    ("play starcraft --instruction zealt.txt", "zealt.txt: line 2, column 7: unknown word 'zealt'"),
    ("play starcraft --instruction homeless.txt", "line 3, column 1: Zealot has no building before it; expected Build"),
    ("play starcraft --instruction empty.txt", "empty.txt: line 1, column 1: no lines at all; expected Build or Train"),
    ("play starcraft --instruction adept.txt --map small.txt", "small.txt: map: expected 6 rows of 6 cells"),
    (
        "play starcraft --instruction adept.txt --map baseless.txt",
        "baseless.txt: map: expected one Nexus with the Probes '@', found 0",
    ),
    (
        "play starcraft --instruction adept.txt --map full.txt",
        "adept.txt: no free cell is left for line 1: Build Pylon",
    ),
    ("play minecraft --map map.txt", "--map needs an --instruction to go with it"),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_2(capsys: Capture, line: str, message: str) -> None:
    assert cofca(*line.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("cofca: ")
    assert said.err.endswith("\n")
    assert said.err.count("\n") == 1
    assert message in said.err


# As a process of its own


def test_help_names_every_verb() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for verb in ("levels", "check", "play", "bench", "demo", "train", "evaluate"):
        assert f" {verb} " in done.stdout


def test_a_mistake_has_no_traceback() -> None:
    done = run("levels", "atari")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "cofca: unknown domain 'atari'; expected minecraft or starcraft\n"
