"""Recorded episodes that come with the package. To record them again: python -m cofca.viewer.examples"""

import base64
import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from cofca.viewer.packed import unpack
from cofca.viewer.pictures import PNG

FOLDER = Path(__file__).parent / "recorded"
OURS, LENGTH = "minecraft-wide/cofca-r", "minecraft-length"
SCANS, WITHOUT = f"{LENGTH}/cofca-s", f"{LENGTH}/unstructured"


class Example(NamedTuple):
    """An instruction, and who plays it; all choices are the likeliest ones."""

    name: str
    """Of its files."""
    title: str
    """What it shows."""
    agents: tuple[str, ...]
    """One, or two to compare."""
    seed: int = 0
    domain: str = "minecraft"

    @property
    def instruction(self) -> str:
        """As it would be typed."""
        return (FOLDER / f"{self.name}.txt").read_text(encoding="utf-8")

    @property
    def map(self) -> str:
        """As it would be drawn; empty for a random world."""
        path = FOLDER / f"{self.name}.map"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def path(self) -> Path:
        """Of the recorded episodes."""
        return FOLDER / f"{self.name}.json.gz"

    def about(self) -> dict[str, Any]:
        """All but the episodes."""
        return {**self._asdict(), "agents": list(self.agents), "instruction": self.instruction, "map": self.map}


EXAMPLES = (
    Example("fifty-lines", "Fifty lines: an agent that returns, and one without structure", (OURS, WITHOUT), 3),
    Example("in-order", "One line after another", (OURS,)),
    Example("if", "if", (OURS,)),
    Example("if-else", "if and else", (OURS,), 3),
    Example("while", "while", (OURS,)),
    Example("nested", "Blocks in blocks", (OURS,), 3),
    Example("figure-4", "Figure 4 of the paper", (OURS,)),
    Example("ambush", "StarCraft: an ambush and its repair", ("starcraft-length/cofca-s",), 50, "starcraft"),
    Example("attack", "StarCraft: an attack and its repair", ("starcraft-length/cofca-s",), 7, "starcraft"),
    Example("famous-failure", "A famous failure: CoFCA-S in blocks three deep", (OURS, SCANS), 6),
    Example("failure-cofca-d", "CoFCA-D fails: blocks three deep", (OURS, f"{LENGTH}/cofca-d"), 1),
    Example("failure-cofca-r", "CoFCA-R that never saw blocks in blocks fails", (OURS, f"{LENGTH}/cofca-r")),
    Example("failure-cofca", "CoFCA fails: an if whose condition is true", (OURS, f"{LENGTH}/cofca"), 2),
    Example("failure-olsk", "OLSK fails: an if whose condition is true", (OURS, f"{LENGTH}/olsk"), 4),
    Example("failure-olsk-e", "OLSK-E fails: an if whose condition is false", (OURS, f"{LENGTH}/olsk-e"), 1),
    Example("failure-cofca-s-paper", "The paper's CoFCA-S fails: nested blocks", (OURS, f"{LENGTH}/cofca-s-paper"), 1),
)
BY_NAME = {example.name: example for example in EXAMPLES}


@cache
def episodes(name: str) -> tuple[dict[str, Any], ...]:
    """What was recorded, an episode for each agent."""
    sheet = _sheet(BY_NAME[name].domain)
    return tuple(unpack(packed, sheet) for packed in _packed(name))


def stored(name: str) -> list[dict[str, Any]]:
    """The same, packed, each with its sheet of tiles."""
    sheet = PNG + base64.b64encode((FOLDER / f"{BY_NAME[name].domain}.png").read_bytes()).decode()
    return [{**packed, "sheet": sheet} for packed in _packed(name)]


def _packed(name: str) -> list[dict[str, Any]]:
    return json.loads(gzip.decompress(BY_NAME[name].path.read_bytes()))


@cache
def _sheet(domain: str) -> Image.Image:
    image = Image.open(FOLDER / f"{domain}.png")
    image.load()
    return image


def play(example: Example) -> list[dict[str, Any]]:
    """Its episodes, played again."""
    # Whoever only shows what is recorded needs none of this.
    import jax

    from cofca.agents.trace import trace
    from cofca.envs.custom_level import custom_level
    from cofca.experiments.domains import find_domain
    from cofca.experiments.zoo import config_of, load
    from cofca.viewer.record import record

    records, key = [], jax.random.key(example.seed)
    for agent in example.agents:
        chosen = find_domain(example.domain, config_of(agent).worker)
        level, params = custom_level(chosen, key, example.instruction, example.map or None)
        steps = trace(key, load(agent), chosen.environment(), level, params, greedy=True)
        records.append(record(chosen, agent, level, params, steps))
    return records


def main() -> None:
    """Record all of them."""
    from cofca.utils.compilation import cache_compilation
    from cofca.viewer.packed import Sheet

    cache_compilation()
    sheets = {example.domain: Sheet() for example in EXAMPLES}
    for example in EXAMPLES:
        packed = [sheets[example.domain].pack(record) for record in play(example)]
        example.path.write_bytes(gzip.compress(json.dumps(packed, separators=(",", ":")).encode(), mtime=0))
        ends = ", ".join(f"{record['agent']} {record['frames'][-1]['status']}" for record in packed)
        print(f"{example.name}: {ends}; {example.path.stat().st_size:,} bytes", flush=True)
    for domain, sheet in sheets.items():
        sheet.image().save(FOLDER / f"{domain}.png", optimize=True)


if __name__ == "__main__":
    main()
