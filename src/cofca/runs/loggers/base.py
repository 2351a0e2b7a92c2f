"""The figures of a run, for others than its folder: TensorBoard or Weights & Biases.

Each has a module of its own, which is imported only when it is asked for.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

LOGS = ("tensorboard", "wandb")

Listener = Callable[[str, dict[str, Any]], None]
"""Is told the name of a journal and each line that is written into it."""
OpenLog = Callable[[Path, dict[str, Any], int], AbstractContextManager[Listener]]
"""From a run's folder, its configuration and the steps it has done to a listener."""


def find_log(name: str) -> OpenLog:
    """Look a log up."""
    if name not in LOGS:
        raise ValueError(f"unknown log {name!r}; expected {' or '.join(LOGS)}")
    try:
        return import_module(f"cofca.runs.loggers.{name}").open_log
    except ImportError as error:
        raise ValueError(f"--log {name} needs a package that is not installed: pip install cofca[{name}]") from error


@contextmanager
def opened(names: Sequence[str], folder: Path, config: dict[str, Any], steps: int) -> Iterator[list[Listener]]:
    """Listeners of these names, closed in the end."""
    with ExitStack() as stack:
        yield [stack.enter_context(find_log(name)(folder, config, steps)) for name in names]


def scalars(name: str, line: dict[str, Any]) -> dict[str, float]:
    """Every number of a journal's line, a seed each, by a name of its own."""
    if name == "evaluations":
        bins = {f"evaluation/{row['id']}": row["sampled"] for row in line["bins"]}
        kinds = {f"evaluation_by_kind/{kind}": found["success"] for kind, found in line["transitions"].items()}
        return dict(_each({**bins, **kinds}))
    return {"steps_per_second": line["steps_per_second"], **dict(_each(line))}


def _each(figures: dict[str, Any]) -> Iterator[tuple[str, float]]:
    for name, values in figures.items():
        for seed, value in enumerate(values if isinstance(values, list) else []):
            if isinstance(value, list):
                yield from ((f"{name}/{kind}/seed{seed}", part) for kind, part in enumerate(value))
            elif value is not None:
                yield f"{name}/seed{seed}", value
