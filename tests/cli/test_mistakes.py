"""Mistakes: one line on standard error, exit code 2."""

import time

import pytest
import tyro

from cli.command import Capture, cofca, lines_of, run
from cofca.cli import progress
from cofca.cli.progress import silence

MISTAKES = [
    ("frobnicate", "there is no subcommand 'frobnicate'; expected one of levels, check, play, bench, demo, train, "),
    ("trian minecraft-length", "there is no subcommand 'trian' (did you mean 'train'?); expected one of "),
    ("train minecraft-lenght --out x", "unknown experiment 'minecraft-lenght'; expected one of minecraft-length, "),
    ("train minecraft-lenght --out x", ", or a TOML file (did you mean 'minecraft-length'?)"),
    ("train minecraft-length --out x --agent olks", "(did you mean 'olsk'?)"),
    ("train minecraft-length --out x --preset papre", "(did you mean 'paper'?)"),
    ("train minecraft-length --out x --set learning_rat=1", "(did you mean 'learning_rate'?)"),
    (
        "train minecraft-length --out x --stesp 3",
        "--stesp, 3 (did you mean --steps?) (see cofca train --help)",
    ),
    ("evaluate minecraft-length/cofca-z", "(did you mean 'minecraft-length/cofca-s'?)"),
    ("levels minecarft", "expected minecraft or starcraft (did you mean 'minecraft'?)"),
    ("levels minecraft --seed 1 --seed 2", "they follow it (see cofca levels --help)"),
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
    (
        "check minecraft --worker human",
        "unknown worker 'human'; expected planner, learned or a folder of a worker's weights",
    ),
    ("check starcraft --worker learned", "starcraft has no worker to choose: 'learned' is one of minecraft"),
    ("train minecraft-length --out x --agent worker", "unknown agent 'worker'; expected one of cofca-s, cofca"),
    ("train minecraft-length --out x --preset wide", "unknown preset 'wide'; expected tuned"),
    ("train minecraft-length --out x --set clip=big", "the setting clip needs a number, not 'big'"),
    ("train minecraft-length --out x --set heads=0", "unknown setting 'heads'; expected one of envs, steps"),
    ("train starcraft-length --out x --levels several_units=2", "several_units must lie between 0 and 1, not 2.0"),
    (
        "train starcraft-length --out x --levels forests=2",
        "unknown setting 'forests'; expected one of length, ",
    ),
    (
        "train starcraft-length --out x --levels conditions=all",
        "unknown setting 'conditions'; expected one of length, max_lines",
    ),
    (
        "train minecraft-length --out x --levels conditions=iron>wood,wood>wood",
        "unknown condition 'wood>wood'; expected all, or some of ",
    ),
    ("train minecraft-length --out x --levels conditions=", "unknown condition ''; expected all, or some of "),
    ("train starcraft-length --out x --levels length=5", "the setting length needs a range such as 1-10, not '5'"),
    ("train starcraft-length --out x --levels length=5-2", "length must be a range from 1 upwards, not 5-2"),
    ("train starcraft-length --out x --levels length=1-9999", "an instruction may have at most 400 lines, not 9999"),
    (
        "train starcraft-length --out x --levels several_units=0.5 ambush_probability=1.5",
        "cofca: ambush_probability must lie between 0 and 1, not 1.5",
    ),
    ("bench env minecraft --peer nonsense", "unknown peer 'nonsense'; expected xland"),
    ("bench levels minecraft --levels 0", "--levels: expected a whole number"),
    ("play minecraft --instruction typo.txt", "typo.txt: line 2, column 6: unknown word 'glod'"),
    ("play minecraft --instruction open.txt", "open.txt: line 2, column 12: the instruction ends inside the if"),
    ("play minecraft --instruction empty.txt", "empty.txt: line 1, column 1: no lines at all"),
    ("play minecraft --instruction missing.txt", "missing.txt: No such file or directory"),
    ("play minecraft --instruction .", ".: Is a directory"),
    ("play minecraft --instruction binary", "binary: not a text file"),
    ("play minecraft --instruction iron.txt --map missing.txt", "missing.txt: No such file or directory"),
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
    ("train minecraft-length --out x --checkpoint-minutes soon", "expected a number of minutes, such as 5 or 0.5"),
    (
        "train minecraft-length --out x --coordinator here --processes 2 --process 0",
        "--coordinator: expected HOST:PORT, not 'here'",
    ),
    ("evaluate minecraft-length/cofca-s --worker nobody", "unknown worker 'nobody'"),
    ("evaluate iron.txt", "iron.txt/page.json: Not a directory"),
    ("evaluate nobody.py:policy --experiment minecraft-length", "nobody.py:policy: there is no file"),
    ("evaluate json:loads", "score json:loads on which levels? --experiment names them"),
    ("evaluate json:loads --experiment minecraft-length --protocol paper", "the protocol 'paper' is not for policies"),
    ("evaluate minecraft-length/cofca-s --about iron.txt", "--about is told in a result: --out names its file"),
    ("evaluate minecraft-length/cofca-s --out no/x.json", "no/x.json: there is no folder no"),
    ("evaluate minecraft-length/cofca-s --out x.json --about iron.txt", "iron.txt: "),
    ("submit missing.json", "missing.json: No such file or directory"),
    ("submit iron.txt", "iron.txt: JSON is malformed"),
    ("play minecraft --map map.txt", "--map needs an --instruction to go with it"),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_2(capsys: Capture, line: str, message: str) -> None:
    assert cofca(*line.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    # Some are found only after a while, and then it has been said what was going on.
    *going_on, mistake = said.err.splitlines()
    assert set(going_on) <= {"finding a world for it", "compiling"}
    assert mistake.startswith("cofca: ")
    assert message in mistake


def test_without_words_there_is_help(capsys: Capture) -> None:
    assert cofca() == 0
    bare = capsys.readouterr()
    assert cofca("--help") == 0
    assert bare == capsys.readouterr()
    assert bare.out.startswith("usage: cofca ")


# As a process of its own


def test_help_names_every_verb() -> None:
    done = run("--help")
    assert (done.returncode, lines_of(done.stderr)) == (0, [])
    for verb in ("levels", "check", "play", "bench", "demo", "train", "evaluate"):
        assert f" {verb} " in done.stdout


def test_a_mistake_has_no_traceback() -> None:
    done = run("levels", "atari")
    assert done.returncode == 2
    assert done.stdout == ""
    assert lines_of(done.stderr) == ["cofca: unknown domain 'atari'; expected minecraft or starcraft"]


def test_what_a_busy_machine_says_meanwhile_is_no_part_of_the_message(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    parse = tyro.cli

    def slowly(*args: object, **options: object) -> object:
        end = time.monotonic() + 30
        while not silence.broken and time.monotonic() < end:
            time.sleep(0.01)
        return parse(*args, **options)

    monkeypatch.setattr(tyro, "cli", slowly)
    assert cofca("levels", "minecraft", "--frobnicate") == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "starting"
    assert len(said) == 2
    assert said[1].startswith("cofca: Unrecognized options: --frobnicate")
