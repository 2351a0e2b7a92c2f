"""What is official of every experiment's levels: their fingerprints, and what the oracle and random choices reach.

`python benchmarks/official.py results` prints the file.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cofca.utils.json import decode, read_json

EPISODES, LEVEL_SEED = 1000, 0
"""Of each bin; the seed of its levels."""
FILE = Path(__file__).parent / "official.jsonl"
FLOATING, TOLERANCE = "learned", 0.01
"""The last digits of a network depend on the machine, and at times what it does. All else is the same everywhere."""


@dataclass(frozen=True)
class OfficialBin:
    """The official levels of a bin."""

    experiment: str
    id: str
    levels: str
    """Their fingerprint."""
    oracle: dict[str, float]
    """Success by worker."""
    random: dict[str, float]


@cache
def official_bins() -> dict[str, dict[str, OfficialBin]]:
    """By experiment and id."""
    found: dict[str, dict[str, OfficialBin]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        one = decode(OfficialBin, read_json(line))
        found.setdefault(one.experiment, {})[one.id] = one
    return found


def tolerance(worker: str) -> float:
    """How far success of the oracle or of random choices may be from what is official."""
    return TOLERANCE if worker == FLOATING else 1e-9
