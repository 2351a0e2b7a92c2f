"""Weights that come with the package, by name: EXPERIMENT/AGENT, or EXPERIMENT/AGENT/seedN for another seed than the
one whose score is the median."""

from pathlib import Path
from reprlib import repr as shown
from typing import TYPE_CHECKING

from cofca.experiments.seeds import trained_as
from cofca.runs.config import RunConfig
from cofca.utils.json import one_line, read_object
from cofca.utils.spelling import guess

if TYPE_CHECKING:
    from cofca.agents.base import Agent
    from cofca.experiments.weights import Trained

SHIPPED = Path(__file__).parent / "shipped"
DEFAULTS = {"minecraft": "minecraft-wide/cofca-r", "starcraft": "starcraft-length/cofca-s"}
"""By domain, who follows an instruction when nobody is named."""
CARD = "card.json"
"""What is known about an agent's weights: how they were trained, on what levels, and how each seed did."""


def names() -> list[str]:
    """Those of all agents that come with the package."""
    return sorted(str(card.parent.relative_to(SHIPPED)) for card in SHIPPED.glob(f"*/*/{CARD}"))


def find_weights(name: str | Path) -> Path:
    """The folder of somebody's own run or weights, or else of shipped ones."""
    try:
        # A name never leads out of the package: where it would, it is just a path.
        shipped = (SHIPPED / name).resolve()
        is_shipped = shipped.exists() and shipped.is_relative_to(SHIPPED.resolve())
    except (OSError, RuntimeError, ValueError):  # what the file system can't even look up
        is_shipped = False
    return shipped if is_shipped and not Path(name).exists() else existing(Path(name))


def existing(path: Path) -> Path:
    """The path itself, if there is something."""
    if not path.exists():
        there = f"there is no such folder, and of the package's own there are {', '.join(names())}"
        raise ValueError(f"{one_line(str(path))}: {there}{guess(str(path), names())}")
    return path


def one_of(folder: Path) -> Path:
    """Of shipped weights the seed with the median score."""
    return folder / f"seed{card_of(folder)['seed']}" if (folder / CARD).exists() else folder


def card_of(folder: Path) -> dict:
    """The card of shipped weights."""
    try:
        card = read_object(folder / CARD)
    except ValueError as error:
        raise ValueError(f"{folder / CARD}: {error}") from error
    # It becomes part of a path.
    if type(card.get("seed")) is not int:
        raise ValueError(f"{folder / CARD}: the seed is {shown(card.get('seed'))}")
    return card


def load_trained(name: str | Path) -> "Trained":
    """Weights by name or folder, and what they were trained for; all seeds of a run or of shipped weights."""
    # Whoever only asks what there is waits for no JAX.
    from cofca.experiments.weights import load_weights

    return load_weights(find_weights(name))


def config_of(name: str | Path) -> RunConfig:
    """What they were trained for, without reading them."""
    return trained_as(find_weights(name))


def load(name: str | Path) -> "Agent":
    """One trained agent: of a run's folder its first seed, of shipped weights the seed with the median score."""
    from cofca.experiments.weights import load_first

    return load_first(one_of(find_weights(name)))
