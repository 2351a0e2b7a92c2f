"""Whatever somebody else wrote is read, or refused in one line: no crash, no hang, and no file is written."""

import ast
import json
import os
import pickle
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pytest
from minecraft.examples import FIGURE
from reproduction.made_up import made_up

import cofca
from cofca.agents.sizes import Sizes, paper_sizes
from cofca.cli.own import find_text
from cofca.domains import domain
from cofca.experiments.library import CARD, find_weights, one_of
from cofca.experiments.table import experiment
from cofca.experiments.weights import load_weights, make_agents
from cofca.experiments.workers import find_worker
from cofca.minecraft.levels.own import read_map as read_minecraft_map
from cofca.own import own_level
from cofca.reproduction.results import FORMAT, read_result, result_path
from cofca.reproduction.scales import find_scale
from cofca.reproduction.ship import ship
from cofca.reproduction.story import bin_curves, gate_rate, training_curve
from cofca.reproduction.summary import by_bin, by_experiment, learning, training
from cofca.settings import changed
from cofca.starcraft.levels.own import read_map as read_starcraft_map
from cofca.training.checkpoint import ARRAYS, PAGE, read_checkpoint, read_page, write_checkpoint
from cofca.training.config import PPOConfig
from cofca.training.journal import Journal
from cofca.training.log import find_log
from cofca.training.run_config import CONFIG, RunConfig, config_of, difference, read_config

from .fuzzer import forged, mutated
from .watch import HangError, only_reading

QUICK, FULL = 500, 8000
"""Cases of each target in `make test` and in `make soak`; the latter are more than 100,000 even without names."""
SLOW = {"weights": 10}
"""Whole agents are made to compare with: so many times fewer cases."""
LONGEST = 1000
"""Letters of an error's message, besides the name of the file."""

SMALL = RunConfig("minecraft-length", seeds=1, sizes=Sizes(2, 2, 2, 1, recurrent=2), log=("tensorboard",))
STARCRAFT = "Build Pylon\nBuild Gateway\nTrain Zealot\nBuild Forge\nTrain Adept\n"
MINECRAFT_MAP = "@.ig..\n..w...\n~~~~~~\n..m...\n#.....\n.....w\n"
STARCRAFT_MAP = "@.m.g.\nP.....\n..a...\n......\n...N..\n.....W\n"
METRICS = {"update": 1, "steps": 100, "success": [0.5, 1.0], "gate": [0.1, 0.2], "loss": [0.0, 1.0]}
ROWS = [{"lo": low, "hi": low + 9, "episodes": 20, "sampled": [0.5, 1.0]} for low in (1, 11)]
EVALUATION = {"update": 1, "steps": 100, "episodes": 20, "bins": ROWS, "transitions": {}}
RESULT = made_up("minecraft-length", "olsk", [0.9, 0.5, 0.4, 0.3, 0.2], seed=3)


class Target(NamedTuple):
    """Something that is read."""

    sample: bytes
    prepare: Callable[[bytes], Any]
    """Put a case where it is read."""
    read: Callable[[], Any]
    named: Path | None
    """The folder that every error names."""


Make = Callable[[Path], Target]
"""A target that has an empty folder to itself."""


def pages(*found: Any) -> bytes:
    return b"\n".join(json.dumps(page).encode() for page in found)


def file_target(path: Path, sample: bytes, read: Callable[[], Any], named: bool = True) -> Target:
    """Read from a file."""
    return Target(sample, path.write_bytes, read, path.parent if named else None)


def typed_target(sample: bytes, read: Callable[[str], Any]) -> Target:
    """Read from what somebody types. The system hands on what is no text as lone surrogates."""
    typed: list[str] = []

    def prepare(data: bytes) -> None:
        typed[:] = [data.decode("utf-8", "surrogateescape")]

    return Target(sample, prepare, lambda: read(typed[0]), None)


# Targets


def instructions(name: str, sample: str, folder: Path) -> Target:
    path = folder / "instruction.txt"
    # To find a world for it is not reading.
    chosen = domain(name)._replace(own_level=lambda key, text, params, drawing: None)
    key = jax.random.key(0)
    return file_target(path, sample.encode(), lambda: own_level(chosen, key, find_text(str(path))[0]), named=False)


def drawn_maps(read: Callable[[str, int], Any], sample: str, folder: Path) -> Target:
    path = folder / "map.txt"
    return file_target(path, sample.encode(), lambda: read(find_text(str(path))[0], 6), named=False)


def configurations(folder: Path) -> Target:
    def read() -> None:
        config = read_config(folder)
        assert config_of(config.page()) == config
        assert difference(config, config) is None
        assert config.updates >= 1

    return file_target(folder / CONFIG, pages({**SMALL.page(), "versions": {"jax": "0"}}), read)


def settings(folder: Path) -> Target:
    del folder
    return typed_target(b"learning-rate=0.0005", lambda text: changed(PPOConfig(), [text]))


def weights(folder: Path) -> Target:
    """The page of an agent's weights, whose arrays are as they should be."""
    agent = jax.tree.map(lambda leaf: leaf[0], make_agents(SMALL))
    write_checkpoint(folder, agent, {"config": SMALL.page(), "seed": 0, "update": 0})
    return file_target(folder / PAGE, unsealed(folder), lambda: load_weights(folder))


def checkpoints(folder: Path) -> Target:
    """The page of a run's checkpoint, as far as it is read before the arrays."""
    here = folder / "00000001"
    write_checkpoint(here, {"x": jnp.zeros(1)}, {"config": SMALL.page(), "update": 1, "metrics_bytes": 0})

    def read() -> None:
        page = read_page(here)
        Journal(here / "metrics.jsonl").require(page.get("metrics_bytes", 0))
        try:
            config_of(page.get("config"))
        except ValueError as error:
            raise ValueError(f"{here}: {error}") from error

    return file_target(here / PAGE, unsealed(here), read)


def arrays(folder: Path) -> Target:
    """Weights with the right checksum, whoever has made them."""
    tree = {"key": jax.random.split(jax.random.key(0)), "weights": jnp.ones((2, 3)), "flags": jnp.ones(3, bool)}
    write_checkpoint(folder, tree, {})

    def prepare(data: bytes) -> None:
        (folder / ARRAYS).write_bytes(data)
        (folder / PAGE).write_bytes(pages({"sha256": sha256(data).hexdigest()}))

    return Target((folder / ARRAYS).read_bytes(), prepare, lambda: read_checkpoint(folder, tree), folder)


def headers(folder: Path) -> Target:
    """The same, where only the header is wrong, and its length is right."""
    target = arrays(folder)
    size = int.from_bytes(target.sample[:8], "little")
    header, body = target.sample[8 : 8 + size].rstrip(), target.sample[8 + size :]

    def prepare(data: bytes) -> None:
        target.prepare(len(data).to_bytes(8, "little") + data + body)

    return target._replace(sample=header, prepare=prepare)


def results(folder: Path) -> Target:
    path = folder / "olsk-seed3.json"

    def read() -> None:
        result = read_result(path)
        assert_inside(folder, result.path)
        by_experiment([result])
        by_bin([result])
        learning([result], lambda low, high: True)
        training([result])

    return file_target(path, pages({"format": FORMAT, **asdict(RESULT)}), read)


def metrics(folder: Path) -> Target:
    def read() -> None:
        training_curve(folder, 1)
        gate_rate(folder, 1)

    return file_target(folder / "metrics.jsonl", pages(METRICS, METRICS), read)


def evaluations(folder: Path) -> Target:
    return file_target(folder / "evaluations.jsonl", pages(EVALUATION, EVALUATION), lambda: bin_curves(folder, 1))


def cards(folder: Path) -> Target:
    def read() -> None:
        assert_inside(folder, one_of(folder))

    return file_target(folder / CARD, pages({"seed": 2, "steps": 100, "success": {}}), read)


def names(look_up: Callable[[str], Any], sample: str, folder: Path) -> Target:
    del folder
    return typed_target(sample.encode(), look_up)


def placed(name: str) -> None:
    assert_inside(Path("results"), result_path(name, "olsk", 0))
    assert_inside(Path("results"), result_path("minecraft-length", name, 0))


def shipped(name: str) -> None:
    # There are no results, so that nothing is ever copied.
    with pytest.raises(ValueError, match=r"there are no results|is no EXPERIMENT/AGENT|unknown experiment"):
        ship(Path("runs"), Path("results"), name, all_seeds=True, to=Path("shipped"))


TARGETS: dict[str, Make] = {
    "minecraft instructions": partial(instructions, "minecraft", FIGURE),
    "starcraft instructions": partial(instructions, "starcraft", STARCRAFT),
    "minecraft maps": partial(drawn_maps, read_minecraft_map, MINECRAFT_MAP),
    "starcraft maps": partial(drawn_maps, read_starcraft_map, STARCRAFT_MAP),
    "configurations": configurations,
    "settings": settings,
    "weights": weights,
    "checkpoints": checkpoints,
    "arrays": arrays,
    "headers": headers,
    "results": results,
    "metrics": metrics,
    "evaluations": evaluations,
    "cards": cards,
    "names of experiments": partial(names, experiment, "minecraft-length"),
    "names of agents": partial(names, partial(paper_sizes, domain="minecraft"), "cofca-s"),
    "names of weights": partial(names, find_weights, "minecraft-length/cofca-s"),
    "names of workers": partial(names, find_worker, "planner"),
    "names of domains": partial(names, domain, "minecraft"),
    "names of scales": partial(names, find_scale, "paper"),
    "names of logs": partial(names, find_log, "tensorboard"),
    "names of files": partial(names, find_text, "mine iron"),
    "names of results": partial(names, placed, "minecraft-length"),
    "names of what is shipped": partial(names, shipped, "minecraft-length/olsk"),
}


# Tests


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder. Nothing appears beside it, nor where the process is."""
    here, elsewhere = tmp_path / "outer" / "here", tmp_path / "outer" / "elsewhere"
    here.mkdir(parents=True)
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
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
    target = TARGETS[name](folder)
    rng = Random(f"{name} {seed}")
    target.prepare(target.sample)
    target.read()
    worked = 0
    for number in range(cases):
        data = mutated(rng, target.sample)
        target.prepare(data)
        there = files(folder)
        try:
            error = refusal(target.read)
            if error is not None:
                assert_clear(error, target.named)
        except (Exception, HangError) as wrong:
            raise AssertionError(f"case {number}: {type(wrong).__name__} on {data[:300]!r}") from wrong
        assert files(folder) == there
        worked += error is None
    return cases, worked


@pytest.mark.parametrize("agent", ["cofca-s", "unstructured"])
def test_an_agent_is_not_made_as_large_as_a_page_says(agent: str, folder: Path):
    target = weights(folder)
    page = json.loads(target.sample)
    page["config"].update(agent=agent, sizes=asdict(Sizes(4096, 4096, 4096, 4096, 4096, pooled=False)))
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
    with pytest.raises(AssertionError), only_reading():
        pickle.loads(pickle.dumps(Path))


def refusal(read: Callable[[], Any]) -> ValueError | OSError | None:
    """What is said of a case that is not read."""
    try:
        with only_reading():
            read()
    except (ValueError, OSError) as error:
        return error
    return None


def assert_clear(error: ValueError | OSError, named: Path | None) -> None:
    """One short line that names the file. A library's own errors would say what it was doing, not what is wrong."""
    message = str(error)
    assert message
    assert "\n" not in message
    if isinstance(error, OSError):
        return
    assert type(error) is ValueError or type(error).__module__.startswith("cofca")
    # What somebody types may be repeated, however long it is.
    if named is not None:
        assert str(named) in message
        assert len(message) < LONGEST


def files(folder: Path) -> set[str]:
    return {found.path for found in os.scandir(folder)}


def unsealed(folder: Path) -> bytes:
    """The page of a checkpoint as earlier versions wrote it: without a checksum of its own, anybody can change it."""
    page = json.loads((folder / PAGE).read_bytes())
    page.pop("seal", None)
    return pages(page)


def assert_inside(folder: Path, path: Path) -> None:
    assert (folder / path).resolve().is_relative_to(folder.resolve())


FORBIDDEN_MODULES = {
    "pickle",
    "cPickle",
    "_pickle",
    "dill",
    "cloudpickle",
    "joblib",
    "shelve",
    "marshal",
    "yaml",
    "torch",
}
FORBIDDEN_CALLS = {"eval", "exec", "compile"}


def problems(tree: ast.AST) -> Iterator[str]:
    """Whatever in a module could run what it reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in FORBIDDEN_MODULES)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in FORBIDDEN_MODULES:
            yield str(node.module)
        if isinstance(node, ast.Name) and node.id in FORBIDDEN_CALLS:
            yield node.id
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            yield "allow_pickle"


def test_the_package_has_no_way_to_run_what_it_reads():
    paths = sorted(Path(cofca.__file__).parent.rglob("*.py"))
    assert len(paths) > 100
    assert {str(path): found for path in paths if (found := list(problems(ast.parse(path.read_text()))))} == {}


@pytest.mark.parametrize(
    "code",
    [
        *("import pickle", "import torch.nn", "from yaml import load", "eval('1')", "run = exec", "import os, dill"),
        "np.load(path, allow_pickle=True)",
    ],
)
def test_ways_to_run_what_is_read_are_found(code: str):
    assert list(problems(ast.parse(code)))


def test_the_same_seed_gives_the_same_cases():
    sample = pages({"format": FORMAT, **asdict(RESULT)})
    one, other = ([mutated(rng, sample) for _ in range(100)] for rng in (Random(5), Random(5)))
    assert one == other
    assert len(set(one)) > 80
    assert forged(Random(0), b"no JSON") == b"no JSON"
