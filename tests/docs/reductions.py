"""How what takes long is shortened before it is run. Everything else in a command stays as the page has it."""

import re
from typing import NamedTuple


class Reduction(NamedTuple):
    """For commands that begin like this."""

    begins: str
    why: str
    options: dict[str, str | None] = {}
    """Other values; None: without the option."""
    typed: str = ""
    code: int = 0
    """The exit code it then has."""
    soak: bool = False
    """Whether even so it takes too long for anything but `make soak`. The verbs have tests of their own, tests/cli."""


REDUCTIONS = [
    Reduction("cofca demo", "trains for minutes", {"--steps": "1", "--episodes": "1"}, soak=True),
    Reduction("cofca play", "a person plays for as long as it likes", typed="q\n", code=1),
    Reduction("cofca view", "serves until it is interrupted, which is then as it should be"),
    Reduction("cofca check", "plays up to 20,000 levels", {"--levels": "16"}, soak=True),
    Reduction(
        "cofca bench env .*--peer",
        "compares for minutes with a library that setup does not install",
        {"--peer": None},
        soak=True,
    ),
    Reduction("cofca bench env", "measures for a minute", {"--envs": "16", "--steps": "4"}, soak=True),
    Reduction("cofca bench levels", "makes thousands of them", {"--levels": "4"}, soak=True),
    Reduction(
        "cofca bench train", "measures for minutes", {"--seeds": "1", "--envs": "4", "--updates": "1"}, soak=True
    ),
    Reduction(
        "cofca train corridor.toml",
        "trains for a minute; there is no worker to choose",
        {
            "--seeds": "1",
            "--steps": "1",
            "--evaluate-every": "0",
            "--set": "envs=4 steps=4 levels=16 replays=0 updates_per_pool=1",
        },
    ),
    Reduction(
        "cofca train (?!.*--resume)",
        "trains for hours, and where there are eight devices; what is compiled for it serves `cofca reproduce` too",
        {
            "--seeds": "1",
            "--steps": "1",
            "--worker": "learned",
            "--devices": None,
            "--evaluate-every": "0",
            "--set": "envs=4 steps=4 levels=16 replays=0 updates_per_pool=1",
        },
    ),
    Reduction("cofca evaluate .*--protocol paper", "makes 2,048 levels and plays 75,000 time steps", soak=True),
    Reduction("cofca evaluate examples/score_torch", "needs PyTorch", {"--episodes": "2"}, soak=True),
    Reduction("cofca submit", "refuses what was played in two episodes", code=2, soak=True),
    # As many as the page's own snippet, so that they are compiled once.
    Reduction("cofca evaluate", "plays 1,000 levels a bin", {"--episodes": "2"}),
    Reduction("cofca follow --agent runs/", "an agent that has hardly learned has no success", code=1),
    Reduction(
        "cofca reproduce --on ray",
        "needs a cluster, as tests/paper/test_cluster.py has one",
        {"--address": "127.0.0.1:1"},
        code=2,
    ),
    Reduction("cofca reproduce .*--agents", "trains several agents for days", {"--seeds": "1"}, soak=True),
    Reduction("cofca reproduce", "trains all agents for days", {"--seeds": "1", "--agents": "cofca-s"}),
    Reduction("cofca record", "plays 2,000 levels, and needs Minari", {"--episodes": "2"}, soak=True),
    Reduction(
        "python examples/clone", "plays 200 levels, and needs Minari", {"--epochs": "1", "--episodes": "2"}, soak=True
    ),
    Reduction("python examples/rejax", "needs rejax", {"--steps": "3000"}, soak=True),
    Reduction("python examples/language_model.py", "plays 20 levels a bin", {"--episodes": "2"}),
    Reduction("python examples/", "trains for a minute", {"--steps": "3000"}),
]


def reduction_of(line: str) -> Reduction:
    """The one that applies; by default a command is run as it stands."""
    return next((found for found in REDUCTIONS if re.match(found.begins, line)), Reduction("", "cheap"))


def changed(words: list[str], option: str, value: str | None) -> list[str]:
    """The words without an option and its values, or with others."""
    kept, dropping = [], False
    for word in words:
        dropping = word == option or (dropping and not word.startswith("--"))
        if not dropping:
            kept.append(word)
    return kept if value is None else [*kept, option, *value.split()]
