"""Cases that fuzzing has found, a few for each target: python -m reliability.corpus TARGET FOLDER keeps new ones.

A case is a line of JSON: a text whose letters are the bytes. One is kept if reading it takes a way through the package
that no case before it takes.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from tiny_preset import TINY

import cofca
from cofca.experiments.presets import PRESETS
from reliability.cases import is_read, ready

HERE = Path(__file__).parent / "corpus"
PACKAGE = os.path.dirname(cofca.__file__)
LARGEST = 4096
"""Bytes of a case that is kept."""
Way = tuple[str, int, int]
"""From a line of a file to the next that is run."""


def path_of(name: str) -> Path:
    return HERE / f"{name.replace(' ', '-')}.jsonl"


def corpus(name: str) -> list[bytes]:
    """The cases that are kept for a target."""
    path = path_of(name)
    return [json.loads(line).encode("latin-1") for line in path.read_text().splitlines()] if path.exists() else []


def keep(name: str, cases: Iterable[bytes]) -> tuple[int, int]:
    """Add to the cases of a target those that take new ways; how many there are, and how many ways."""
    kept, ways = [], set[Way]()
    new = sorted((data for data in cases if len(data) <= LARGEST), key=lambda data: (len(data), data))
    old = corpus(name)
    with TemporaryDirectory() as folder:
        target = ready(name, Path(folder))
        for number, data in enumerate((*old, *new)):
            found = taken(lambda data=data: is_read(target, data, Path(folder)))
            if number < len(old) or found - ways:
                kept.append(data)
            ways |= found
    HERE.mkdir(exist_ok=True)
    path_of(name).write_text("".join(json.dumps(data.decode("latin-1")) + "\n" for data in kept))
    return len(kept), len(ways)


def taken(run: Callable[[], Any]) -> set[Way]:
    """The ways through the package."""
    ways: set[Way] = set()

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(PACKAGE):
            return None
        last = frame.f_lineno

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal last
            ways.add((name, last, frame.f_lineno))
            last = frame.f_lineno
            return line

        return line

    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(None)
    return ways


def cases_in(folder: Path) -> Iterator[bytes]:
    """What a fuzzer has written."""
    return (path.read_bytes() for path in folder.iterdir())


if __name__ == "__main__":
    PRESETS[TINY.name] = TINY
    print("{} cases, {} ways".format(*keep(sys.argv[1], cases_in(Path(sys.argv[2])))))
