"""Results that others submit to the scoreboard: what they have to hold, and everything that is checked of them.

A result is what `cofca evaluate … --out RESULT.json` writes. Nothing in it is believed that can be checked without
playing; `replay` plays.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from cofca.experiments.official import EPISODES, LEVEL_SEED, OfficialBin, official_bins, tolerance
from cofca.experiments.scores import require_share, standard_error
from cofca.experiments.specs import Bin, experiment
from cofca.utils.files import write_whole
from cofca.utils.json import decode, known_fields, one_line, read_object
from cofca.utils.parameters import require

FORMAT = 1
OURS = "this project"
"""Whose results are measured here, not submitted."""
MOST_SEEDS, LONGEST, MOST_VERSIONS = 1000, 100, 20
EXACT = 1e-9
"""Success is a share of so few levels that its digits say which."""
NAME, WORDS, ADDRESS = r"[a-z0-9][a-z0-9-]{0,59}", r"[^\x00-\x1f\x7f|<>\[\]`\\]*", r"(https://[\w./~#?&=%+:-]+)?"


@dataclass(frozen=True)
class About:
    """What only whoever submits knows; a TOML file says it."""

    agent: str = ""
    by: str = ""
    """Who submits it."""
    preset: str = ""
    trained_on: str = ""
    """The experiment, or other levels in a few words."""
    steps: int | None = None
    """Of each seed."""
    parameters: int | None = None
    seconds: float | None = None
    """Of training all seeds, by the clock on the wall."""
    device: str = ""
    """That trained it."""
    url: str = ""
    """Of a paper or of code."""


@dataclass(frozen=True)
class Row:
    """Success on the levels of one bin."""

    id: str
    lo: int
    hi: int
    episodes: int
    sampled: float
    sampled_se: float
    seeds: list[float]
    oracle: float
    random: float
    levels: str


@dataclass(frozen=True)
class Submission(About):
    """A result."""

    format: int = field(kw_only=True)
    experiment: str = field(kw_only=True)
    worker: str = field(kw_only=True)
    level_seed: int = field(kw_only=True)
    bins: list[Row] = field(kw_only=True)
    versions: dict[str, str] = field(kw_only=True)


def read_about(path: Path | None, known: Mapping[str, Any]) -> About:
    """What is known, and what a TOML file says beside or against it."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8")) if path else {}
        return decode(About, {**known, **said})
    except ValueError as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from error


def submission_of(report: Mapping[str, Any], about: About, versions: dict[str, str]) -> Submission:
    """What an evaluation found, and what is said about it."""
    rows = [decode(Row, known_fields(Row, row)) for row in report["bins"]]
    facts = {name: report[name] for name in ("experiment", "worker", "level_seed")}
    return Submission(**asdict(about), **facts, format=FORMAT, bins=rows, versions=versions)


def write_submission(path: Path, found: Submission) -> None:
    """Write it, a line for each field and each bin."""
    page = asdict(found)
    rows = ",\n".join(f"    {json.dumps(row)}" for row in page.pop("bins"))
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in page.items()]
    write_whole(path, ("{\n" + ",\n".join([*lines, f'  "bins": [\n{rows}\n  ]']) + "\n}\n").encode())


def read_submission(path: Path) -> Submission:
    """Read and check it; what is wrong is said in one line."""
    try:
        found = decode(Submission, read_object(path))
        check(found)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return found


def check(found: Submission) -> None:
    """Refuse what can't be a result on the official levels."""
    require(found.format == FORMAT, f"the format is {found.format}, not {FORMAT}")
    _check_words(found)
    official = official_bins().get(found.experiment)
    if official is None:
        raise ValueError(f"{one_line(found.experiment)} is no official experiment: {', '.join(official_bins())}")
    workers = list(next(iter(official.values())).oracle)
    require(found.worker in workers, f"the worker is {one_line(found.worker)}, not {' or '.join(workers)}")
    require(found.level_seed == LEVEL_SEED, f"the level seed is {found.level_seed}, not {LEVEL_SEED}")
    bins = {bin.id: bin for bin in experiment(found.experiment).bins}
    _check_ids([row.id for row in found.bins], list(bins))
    require(len({len(row.seeds) for row in found.bins}) == 1, "not all bins have as many seeds")
    for row in found.bins:
        try:
            _check_figures(row)
            _check_levels(row, bins[row.id], official[row.id], found.worker)
        except ValueError as error:
            raise ValueError(f"{row.id}: {error}") from error


def _check_words(found: Submission) -> None:
    """They become part of a page, and a name that of a file."""
    require(re.fullmatch(NAME, found.agent) is not None, f"agent is {one_line(found.agent)!r}, which is no name")
    require(found.by.strip() not in ("", OURS), f"by is {one_line(found.by)!r}: say who submits it")
    named = {part.name: getattr(found, part.name) for part in fields(About)}
    for name, text in (*named.items(), *(("versions", text) for both in found.versions.items() for text in both)):
        if isinstance(text, str):
            short = len(text) <= LONGEST and text.isprintable() and re.fullmatch(WORDS, text) is not None
            require(short, f"{name} is {one_line(text)!r}, not a few plain words")
    require(re.fullmatch(ADDRESS, found.url) is not None, f"url is {one_line(found.url)!r}, not https://...")
    require(len(found.versions) <= MOST_VERSIONS, f"there are {len(found.versions)} versions")
    for name in ("steps", "parameters", "seconds"):
        require((named[name] or 0) >= 0, f"{name} must not be negative, not {named[name]}")


def _check_ids(ids: Sequence[str], known: Sequence[str]) -> None:
    require(len(set(ids)) == len(ids), f"two bins have the same id: {', '.join(map(one_line, ids))}")
    if missing := [id for id in known if id not in ids]:
        raise ValueError(f"the bin {missing[0]} is missing")
    if unknown := [id for id in ids if id not in known]:
        raise ValueError(f"there is no bin {one_line(unknown[0])}")


def _check_figures(row: Row) -> None:
    """They must fit to each other."""
    require(row.episodes == EPISODES, f"{row.episodes} episodes were played, not {EPISODES}")
    require(1 <= len(row.seeds) <= MOST_SEEDS, f"there are {len(row.seeds)} seeds")
    for share in row.seeds:
        require_share("success", share)
        levels = share * row.episodes
        require(abs(levels - round(levels)) < EXACT * EPISODES, f"{share} is not a share of {row.episodes} levels")
    mean, error = float(np.mean(row.seeds)), standard_error(row.seeds, row.episodes)
    require(abs(row.sampled - mean) < EXACT, f"sampled is {row.sampled}, but the mean of its seeds is {mean}")
    require(abs(row.sampled_se - error) < EXACT, f"sampled_se is {row.sampled_se}, but its seeds have {error}")


def _check_levels(row: Row, bin: Bin, official: OfficialBin, worker: str) -> None:
    """They must be the official ones, and so must be what others reach on them."""
    require((row.lo, row.hi) == (bin.low, bin.high), f"it is {row.lo}-{row.hi}, not {bin.low}-{bin.high}")
    require(row.levels == official.levels, f"the levels are {one_line(row.levels)}, not {official.levels}")
    for player, known in (("oracle", official.oracle[worker]), ("random", official.random[worker])):
        said = getattr(row, player)
        require(abs(said - known) <= tolerance(worker), f"{player} is {said}, not {known}")
