"""Whatever somebody else wrote is read, or refused in one line: no crash, no hang, and no file is written."""

import json
import pickle
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import pytest
from tiny_preset import TINY, small

from cofca.experiments.presets import PRESETS
from cofca.paper.results import FORMAT
from reliability.cases import assert_clear, is_read, ready, refusal
from reliability.corpus import corpus
from reliability.fuzzer import forged, mutated
from reliability.targets import RESULT, TARGETS, headers, pages, weights
from reliability.watch import only_reading

QUICK, FULL = 500, 8000
"""Cases of each target in `make test` and in `make soak`; the latter are more than 100,000 even without names."""
SLOW = {"weights": 10}
"""Whole agents are made to compare with: so many times fewer cases."""
WIDE = {name: small(agent, hidden=10**6) for name, agent in TINY.agents["minecraft"].items()}
HUGE = replace(TINY, name="huge", agents={"minecraft": WIDE})
"""Agents of terabytes."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder. Nothing appears beside it, nor where the process is."""
    here, elsewhere = tmp_path / "outer" / "here", tmp_path / "outer" / "elsewhere"
    here.mkdir(parents=True)
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setitem(PRESETS, TINY.name, TINY)
    yield here
    outside = {path.name for path in tmp_path.rglob("*") if here not in path.parents}
    assert outside == {"outer", "here", "elsewhere"}


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_is_read_works_or_says_why_not(name: str, folder: Path):
    fuzz(name, folder, QUICK, seed=0)


@pytest.mark.soak
@pytest.mark.parametrize("name", TARGETS)
def test_a_hundred_thousand_cases_work_or_say_why_not(name: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    cases, worked = fuzz(name, folder, FULL, seed=1)
    with capsys.disabled():
        print(f"\n{name}: {cases:,} cases, {worked:,} of them read")


def fuzz(name: str, folder: Path, cases: int, seed: int) -> tuple[int, int]:
    """Read so many cases; how many there were and how many of them worked."""
    cases //= SLOW.get(name, 1)
    target, rng = ready(name, folder), Random(f"{name} {seed}")
    worked = 0
    for _ in range(cases):
        worked += is_read(target, mutated(rng, target.sample), folder)
    return cases, worked


@pytest.mark.parametrize("name", [name for name in TARGETS if corpus(name)])
def test_what_fuzzing_has_reached_works_or_says_why_not(name: str, folder: Path):
    """Cases of `reliability.guided`, each of which takes a way through the package that the others do not."""
    target = ready(name, folder)
    assert {is_read(target, data, folder) for data in corpus(name)} == {True, False}


@pytest.mark.parametrize("agent", ["cofca-s", "unstructured"])
def test_an_agent_is_not_made_as_large_as_a_page_says(agent: str, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PRESETS, HUGE.name, HUGE)
    target = weights(folder)
    page = json.loads(target.sample)
    page["config"].update(agent=agent, preset=HUGE.name)
    target.prepare(pages(page))
    error = refusal(target.read)
    assert error is not None
    assert "a checkpoint of something else" in str(error)


@pytest.mark.parametrize(
    ("kind", "number"), [("BF16", 12), ("F16", 12), ("F8_E4M3", 24), ("F4", 48), ("F64", 3), ("C64", 3), ("other", 6)]
)
def test_arrays_of_kinds_that_training_has_not_are_refused(kind: str, number: int, folder: Path):
    """In place of six numbers of four bytes."""
    target = headers(folder)
    header = json.loads(target.sample)
    header["['weights']"].update(dtype=kind, shape=[number])
    target.prepare(pages(header))
    error = refusal(target.read)
    assert error is not None
    assert_clear(error, target.named)


def test_what_is_written_while_reading_is_seen(tmp_path: Path):
    with pytest.raises(AssertionError), only_reading():
        (tmp_path / "file").write_text("x")
    # Nowhere else is anything unpickled, here only to show that it would be seen.
    with pytest.raises(AssertionError), only_reading():
        pickle.loads(pickle.dumps(Path))


def test_the_same_seed_gives_the_same_cases():
    sample = pages({"format": FORMAT, **asdict(RESULT)})
    one, other = ([mutated(rng, sample) for _ in range(100)] for rng in (Random(5), Random(5)))
    assert one == other
    assert len(set(one)) > 80
    assert forged(Random(0), b"no JSON") == b"no JSON"
