"""Every variant changes something that is there: one whose place has gone would time the program in use."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
ALL = """
import variants
for change in variants.CHANGES.values():
    change()
    print(change.__name__)
"""


def test_every_change_finds_its_place() -> None:
    ran = subprocess.run([sys.executable, "-c", ALL], cwd=BENCHMARKS, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert {"plain", "by_line", "one_by_one"} <= set(ran.stdout.split())


def test_an_unknown_change_is_named() -> None:
    script = [sys.executable, str(BENCHMARKS / "variants.py"), "minecraft", "plane"]
    ran = subprocess.run(script, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "unknown change plane; expected plain," in ran.stderr
