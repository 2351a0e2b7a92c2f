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
MEANINGS = {"paper": "the agent as published", TUNED: "with the additions of this library"}
"""Of the presets that the package has weights of."""


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
    yield from (f"# {name}", "", f"Preset: {_preset(card)}.")
    yield f"Each seed was trained from task reward alone: {card['steps']:,} steps on one {card['device']}."
    worker = f"Worker: {card['worker']}. " if experiment(evaluation_set).domain == "minecraft" else ""
    yield f"{worker}Training levels: {levels}."
    if card.get("precision", FULL) == HALF:
        yield f"The weights are stored in half precision ({HALF}) and become float32 when they are loaded."
        yield "The success below was measured before the weights were converted to half precision."
    yield from (f'Load it in Python: `cofca.load("{name}")`. Measure its success: `cofca evaluate {name}`.', "")
    yield "The table has the share of levels on which each seed succeeds with sampled choices:"
    yield f"{first['levels']} levels for each row, with level seed {first['level_seed']}."
    yield "The words are those of the glossary (`docs/glossary.md`)."
    yield ""


def _preset(card: dict[str, Any]) -> str:
    """Its name and its meaning."""
    preset = card.get("preset", TUNED)
    return f"{preset} ({MEANINGS[preset]})" if preset in MEANINGS else preset


def _table(card: dict[str, Any]) -> Iterator[str]:
    """A row for each bin, a column for each seed."""
    seeds = range(len(next(iter(card["success"].values()))["by_seed"]))
    heads = [f"seed {seed}{' (loaded by default)' if seed == card['seed'] else ''}" for seed in seeds]
    yield f"| levels | {' | '.join(heads)} |"
    yield "| --- |" + " --- |" * len(heads)
    for bin, known in card["success"].items():
        yield f"| {_lines(bin)} | {' | '.join(f'{share:.3f}' for share in known['by_seed'])} |"


def _lines(bin: str) -> str:
    """The heading of a bin: its lines and, if its id has them, how deep execution goes or the condition."""
    found = re.fullmatch(r"(\d+-\d+)(?:-(?:depth(\d+)|(.+)))?", bin)
    if not found:
        return bin
    lines, depth, condition = found.groups()
    if depth:
        return f"{lines} lines, executed depth {depth}"
    return f"{lines} lines, {condition.replace('-', ' ')}" if condition else f"{lines} lines"


def _range(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


if __name__ == "__main__":
    for shipped in names():
        print(write_text(SHIPPED / shipped, shipped))
