"""All that is read and that somebody else may have written: files, and what is typed."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pytest
from envs.minecraft.examples import FIGURE
from paper.made_up import made_up
from paper.submitted import GOOD
from plugins.test_experiments import SHORT
from tiny_preset import TINY

from cofca.cli.own import find_text
from cofca.envs.custom_level import custom_level
from cofca.envs.minecraft.language import text as minecraft_text
from cofca.envs.minecraft.levels.own import read_map as read_minecraft_map
from cofca.envs.registry import domain
from cofca.envs.starcraft.language import text as starcraft_text
from cofca.envs.starcraft.levels.own import read_map as read_starcraft_map
from cofca.experiments.build import canonical, make_agents
from cofca.experiments.presets import PRESETS, TUNED, preset
from cofca.experiments.specs import experiment, read_experiment
from cofca.experiments.weights import load_weights
from cofca.experiments.workers import find_worker
from cofca.experiments.zoo import CARD, find_weights, one_of
from cofca.paper.curves import bin_curves, curve_with_replays, gate_rate, training_curve
from cofca.paper.entries import Entry
from cofca.paper.results import FORMAT, read_result, result_path
from cofca.paper.scales import find_scale
from cofca.paper.ship import ship
from cofca.paper.statistics import by_bin, by_experiment, learning, training
from cofca.paper.submission import read_submission
from cofca.rl.config import PPOConfig
from cofca.runs.checkpoint import read_checkpoint, write_checkpoint
from cofca.runs.config import RunConfig, config_of, difference, read_config
from cofca.runs.journal import Journal
from cofca.runs.layout import CONFIG
from cofca.runs.loggers.base import find_log
from cofca.runs.page import ARRAYS, PAGE, read_page
from cofca.utils.settings import changed

SMALL = RunConfig("minecraft-length", preset=TINY.name, seeds=1, log=("tensorboard",))
WORDS = {"minecraft": minecraft_text, "starcraft": starcraft_text}
STARCRAFT = "Build Pylon\nBuild Gateway\nTrain Zealot\nBuild Forge\nTrain Adept\n"
MINECRAFT_MAP = "@.ig..\n..w...\n~~~~~~\n..m...\n#.....\n.....w\n"
STARCRAFT_MAP = "@.m.g.\nP.....\n..a...\n......\n...N..\n.....W\n"
REPLAYS = {"episodes": [4, 5], "replayed": [1, 2], "replayed_successes": [0, 1]}
METRICS = {"update": 1, "steps": 100, "success": [0.5, 1.0], "gate": [0.1, 0.2], "loss": [0.0, 1.0], **REPLAYS}
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


def unsealed(folder: Path) -> bytes:
    """The page of a checkpoint as earlier versions wrote it: without a checksum of its own, anybody can change it."""
    page = json.loads((folder / PAGE).read_bytes())
    page.pop("seal", None)
    return pages(page)


def assert_inside(folder: Path, path: Path) -> None:
    assert (folder / path).resolve().is_relative_to(folder.resolve())


def instructions(name: str, sample: str, folder: Path) -> Target:
    path = folder / "instruction.txt"
    # To find a world for it is not reading.
    language = domain(name).language._replace(custom_level=lambda key, text, params, drawing: None)
    chosen = domain(name)._replace(language=language)
    key, words = jax.random.key(0), WORDS[name]

    def read() -> None:
        text, _ = find_text(str(path))
        custom_level(chosen, key, text)
        lines = words.parse(text)
        assert words.parse(words.unparse(lines)) == lines
        assert words.from_symbols(words.pad(lines, len(lines))) == lines

    return file_target(path, sample.encode(), read, named=False)


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


def experiments(folder: Path) -> Target:
    path = folder / "own.toml"

    def read() -> None:
        found = read_experiment(path)
        assert hash(tuple(found.train.items())) == hash(tuple(found.train.items()))
        assert len({bin.id for bin in found.bins}) == len(found.bins)

    return file_target(path, SHORT.encode(), read)


def settings(folder: Path) -> Target:
    del folder
    return typed_target(b"learning-rate=0.0005", lambda text: changed(PPOConfig(), [text]))


def settings_of_levels(name: str, sample: bytes, folder: Path) -> Target:
    del folder

    def read(text: str) -> None:
        kept = canonical(experiment(name), [text])
        assert canonical(experiment(name), kept) == kept

    return typed_target(sample, read)


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
    path = folder / RESULT.path
    path.parent.mkdir(parents=True)

    def read() -> None:
        result = read_result(path)
        assert_inside(folder, result.path)
        by_experiment([result])
        by_bin([result])
        learning([result], lambda id: True)
        training([result])
        training([result], replays=True)

    return file_target(path, pages({"format": FORMAT, **asdict(RESULT)}), read)


def submissions(folder: Path) -> Target:
    path = folder / "result.json"

    def read() -> None:
        entry = Entry(read_submission(path))
        assert_inside(folder, entry.path)
        low, high = entry.standing.interval
        assert 0 <= low <= high <= 1

    return file_target(path, pages(asdict(GOOD)), read)


def metrics(folder: Path) -> Target:
    def read() -> None:
        training_curve(folder, 1)
        curve_with_replays(folder, 1)
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
    assert_inside(Path("results"), result_path("tuned", name, "olsk", 0))
    assert_inside(Path("results"), result_path(name, "minecraft-length", "olsk", 0))
    assert_inside(Path("results"), result_path("tuned", "minecraft-length", name, 0))


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
    "experiments": experiments,
    "settings": settings,
    "conditions": partial(settings_of_levels, "minecraft-length", b"conditions=iron>gold,gold>merchant"),
    "lengths": partial(settings_of_levels, "starcraft-length", b"length=2-12"),
    "weights": weights,
    "checkpoints": checkpoints,
    "arrays": arrays,
    "headers": headers,
    "results": results,
    "submissions": submissions,
    "metrics": metrics,
    "evaluations": evaluations,
    "cards": cards,
    "names of experiments": partial(names, experiment, "minecraft-length"),
    "names of agents": partial(names, partial(PRESETS[TUNED].agent, "minecraft"), "cofca-s"),
    "names of presets": partial(names, preset, TUNED),
    "names of weights": partial(names, find_weights, "minecraft-length/cofca-s"),
    "names of workers": partial(names, find_worker, "planner"),
    "names of domains": partial(names, domain, "minecraft"),
    "names of scales": partial(names, find_scale, "full"),
    "names of logs": partial(names, find_log, "tensorboard"),
    "names of files": partial(names, find_text, "mine iron"),
    "names of results": partial(names, placed, "minecraft-length"),
    "names of what is shipped": partial(names, shipped, "minecraft-length/olsk"),
}
