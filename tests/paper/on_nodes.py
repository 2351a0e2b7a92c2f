"""What the nodes of the tests' cluster know besides the package: Ray calls it in every process that does a job."""

import json
import os
import time
from pathlib import Path
from typing import Any

DOOMED = "COFCA_TEST_DOOMED"
"""On the node that will be killed: runs stop there after so many updates, and wait for it."""
BEGUN, WAITING = "begun.jsonl", "waiting"
"""Files in the folder of a run: every time that training began, and that it waits for its end."""


def prepare() -> None:
    """Put the small experiment and small agents into the tables, note when training begins, and wait where that is
    asked for."""
    from experiments.small import SMALL
    from tiny_preset import TINY

    from cofca.experiments.presets import PRESETS, TUNED
    from cofca.experiments.specs import EXPERIMENTS
    from cofca.runs.run import Run

    EXPERIMENTS[SMALL.name] = SMALL
    PRESETS[TUNED] = TINY
    train = Run.train

    def noted(self: Any, listeners: Any, evaluate: Any) -> None:
        with (self.folder / BEGUN).open("a") as file:
            file.write(json.dumps({"update": self.update, "doomed": DOOMED in os.environ}) + "\n")
        train(self, [*listeners, lambda name, line: wait(self.folder, line)], evaluate)

    Run.train = noted


def wait(folder: Path, line: dict[str, Any]) -> None:
    """Listeners are told before anything is saved: what this line says is lost."""
    if line["update"] == int(os.environ.get(DOOMED, -1)):
        (folder / WAITING).touch()
        while True:
            time.sleep(1)
