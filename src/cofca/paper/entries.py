"""Submitted results as the scoreboard keeps them, a file each."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from cofca.paper.standings import LEVELS, Standing, own_standings
from cofca.paper.submission import Submission, check
from cofca.utils.files import write_whole
from cofca.utils.json import decode, one_line, read_object
from cofca.utils.parameters import require

SCOREBOARD = "scoreboard"
"""Their folder among the results."""
EXACTLY, CLOSE = "exactly", "within sampling error"
"""How a replay may agree."""


@dataclass(frozen=True)
class Entry:
    """A result, and whether whoever added it has played it again."""

    submission: Submission
    replayed: str = ""
    """How that agreed; empty where nobody has."""

    def __post_init__(self) -> None:
        known = ("", EXACTLY, CLOSE)
        require(self.replayed in known, f"replayed is {one_line(self.replayed)!r}, not {EXACTLY} or {CLOSE}")

    @property
    def path(self) -> Path:
        """Where it lies among the results."""
        return Path(SCOREBOARD) / self.submission.experiment / f"{self.submission.agent}.json"

    @property
    def standing(self) -> Standing:
        """How it stands beside others."""
        found = self.submission
        return Standing(
            found.experiment,
            found.worker,
            found.agent,
            found.preset,
            found.by,
            {row.id: row.seeds for row in found.bins},
            (LEVELS, *([f"replayed {self.replayed}"] if self.replayed else [])),
            found.steps,
            found.parameters,
            found.seconds,
            found.device,
            found.url,
        )


def standings(results: Path) -> list[Standing]:
    """Of the package's agents, and of all submitted results in a folder of results."""
    paths = sorted((results / SCOREBOARD).glob("*/*.json"))
    return [*own_standings(results), *(read_entry(path).standing for path in paths)]


def read_entry(path: Path) -> Entry:
    """A file of the scoreboard; it is checked again."""
    try:
        found = decode(Entry, read_object(path))
        check(found.submission)
        require(path.absolute().parts[-3:] == found.path.parts, f"it says that it is {found.path}")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return found


def entry_of(found: Submission, results: Path, known: Sequence[Standing]) -> Entry:
    """A result as it is to be kept, or as it is kept already. One under a name that is taken is refused, and one with
    somebody else's figures."""
    new = Entry(found)
    path, mine = results / new.path, new.standing
    if path.exists():
        old = read_entry(path)
        require(old.submission == found, f"{found.agent} has another result on {found.experiment}: {new.path}")
        return old
    # Who solves all levels or none has the figures of others who do.
    dull = {share for shares in mine.shares.values() for share in shares} <= {0.0, 1.0}
    for other in known:
        same = (other.experiment, other.worker, other.shares) == (mine.experiment, mine.worker, mine.shares)
        require(dull or not same, f"these are the figures of {other.agent} by {other.by}")
    return new


def write_entry(entry: Entry, results: Path) -> Path:
    """Keep a result."""
    path = results / entry.path
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(asdict(entry), indent=1) + "\n").encode())
    return path
