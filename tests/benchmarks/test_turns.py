"""Processes that compile side by side and are timed alone."""

import json
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PARENT = """
import json, sys
from helpers import turns
turns.start_all([turns.Process(command, {}) for command in json.loads(sys.argv[1])])
"""
CHILD = """
import os, sys, time
from helpers.turns import Turn
name, log, fails = sys.argv[1], sys.argv[2], sys.argv[3] == "fails"
def say(what):
    with open(log, "a") as file:
        file.write(f"{what} {name}\\n")
turn = Turn()
with turn.together():
    say("begins")
    time.sleep(1 + int(name) / 5)
    if fails:
        raise SystemExit(1)
    say("compiled")
with turn.alone(60):
    say("timed")
    time.sleep(0.1)
    say("done")
"""


def test_they_are_timed_one_after_the_other_when_all_have_compiled(tmp_path: Path) -> None:
    log = tmp_path / "log"
    names = {"0": "works", "1": "fails", "2": "works"}
    commands = [[sys.executable, "-c", CHILD, name, str(log), how] for name, how in names.items()]
    subprocess.run(
        [sys.executable, "-c", PARENT, json.dumps(commands)], env={"PYTHONPATH": str(BENCHMARKS)}, check=True
    )
    said = [line.split() for line in log.read_text().splitlines()]
    assert sorted(said[:5]) == [["begins", "0"], ["begins", "1"], ["begins", "2"], ["compiled", "0"], ["compiled", "2"]]
    for first in (5, 7):
        assert said[first : first + 2] == [["timed", said[first][1]], ["done", said[first][1]]]
    assert {name for _, name in said[5:]} == {"0", "2"}
