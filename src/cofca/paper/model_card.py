"""The cards of the weights in the package, from what was measured.

python -m cofca.paper.model_card writes all of them again.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cofca.experiments.precision import FULL, HALF
from cofca.experiments.presets import TUNED
from cofca.experiments.specs import experiment
from cofca.experiments.zoo import CARD, SHIPPED, names
from cofca.utils.files import write_whole

TEXT = "README.md"


def write_text(folder: Path, name: str) -> Path:
    """Write the card for people beside the one for programs."""
    path = folder / TEXT
    write_whole(path, text_of(name, json.loads((folder / CARD).read_text(encoding="utf-8"))).encode())
    return path


def text_of(name: str, card: dict[str, Any]) -> str:
    """The card for people, with the front matter that hubs of models read."""
    return "\n".join([*_front_matter(name, card), *_about(name, card), "", *_table(card), ""])


def _front_matter(name: str, card: dict[str, Any]) -> Iterator[str]:
    """YAML; success is that of the seed that is loaded by default."""
    yield from ("---", "license: apache-2.0", "library_name: cofca", "pipeline_tag: reinforcement-learning")
    yield "tags: [reinforcement-learning, instruction-following, control-flow, jax]"
    yield from ("model-index:", f"- name: {name}", "  results:")
    for bin, known in card["success"].items():
        evaluation_set = name.partition("/")[0]
        yield "  - task: {type: reinforcement-learning}"
        yield f'    dataset: {{type: {evaluation_set}, name: "{evaluation_set}, {_lines(bin)}"}}'
        yield f"    metrics: [{{type: success_rate, name: sampled success, value: {_default(card, known)}}}]"
    yield "---"


def _default(card: dict[str, Any], bin: dict[str, Any]) -> float:
    """Success of the seed that is loaded by default."""
    return bin["by_seed"][card["seed"]]


def _about(name: str, card: dict[str, Any]) -> Iterator[str]:
    evaluation_set = name.partition("/")[0]
    first = next(iter(card["success"].values()))
    levels = ", ".join(f"{field} {_range(value)}" for field, value in card["levels"].items())
    yield from (f"# {name}", "", f"Preset: {card.get('preset', TUNED)}.")
    yield f"Trained from task reward alone: {card['steps']:,} steps a seed on one {card['device']}."
    worker = f"Worker: {card['worker']}. " if experiment(evaluation_set).domain == "minecraft" else ""
    yield f"{worker}Training levels: {levels}."
    if card.get("precision", FULL) == HALF:
        yield f"Stored in half precision ({HALF}), float32 again when loaded; success is of the weights before that."
    yield from (f'In Python: `cofca.load("{name}")`. Success again: `cofca evaluate {name}`.', "")
    yield f"Sampled success on {first['levels']} levels a bin, level seed {first['level_seed']}:"


def _table(card: dict[str, Any]) -> Iterator[str]:
    """A row for each bin, a column for each seed."""
    seeds = range(len(next(iter(card["success"].values()))["by_seed"]))
    heads = [f"seed {seed}{' (loaded by default)' if seed == card['seed'] else ''}" for seed in seeds]
    yield f"| levels | {' | '.join(heads)} |"
    yield "| --- |" + " --- |" * len(heads)
    for bin, known in card["success"].items():
        yield f"| {_lines(bin)} | {' | '.join(f'{share:.3f}' for share in known['by_seed'])} |"


def _lines(bin: str) -> str:
    """The heading of a bin: one that is about nothing else is so many lines."""
    return f"{bin} lines" if re.fullmatch(r"\d+-\d+", bin) else bin


def _range(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


if __name__ == "__main__":
    for shipped in names():
        print(write_text(SHIPPED / shipped, shipped))
