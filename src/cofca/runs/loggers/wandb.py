"""A run at Weights & Biases."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import wandb

from cofca.runs.loggers.base import Listener, scalars

PROJECT = "cofca"


@contextmanager
def open_log(folder: Path, config: dict[str, Any], steps: int) -> Iterator[Listener]:
    """Begin a run there, or go on with the one that belongs to the folder."""
    del steps
    name = folder / "wandb-id.txt"
    if not name.exists():
        name.write_text(uuid.uuid4().hex, encoding="utf-8")
    there = name.read_text(encoding="utf-8").strip()
    with wandb.init(
        project=PROJECT, name=folder.resolve().name, dir=str(folder), id=there, resume="allow", config=config
    ) as run:
        # Steps are a figure of their own: a resumed run measures some of them again.
        run.define_metric("*", step_metric="steps")
        yield lambda name, line: run.log({"steps": line["steps"], **scalars(name, line)})
