"""results/TIMING.json: how long every job took. Several processes may write it at once."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from cofca.runs.config import RunConfig
from cofca.utils.files import open_plain, write_whole
from cofca.utils.json import decode, read_json, read_object
from cofca.utils.parameters import require

TIMING, LOCK = "TIMING.json", ".timing-lock"


@dataclass(frozen=True)
class Timing:
    """The seconds of a job, by the clock on the wall."""

    preset: str
    experiment: str
    """That it trained on."""
    agent: str
    scale: str
    evaluated: list[str]
    """The experiments that it was evaluated in."""
    seeds: int
    steps: int
    """Of each seed."""
    device: str
    seconds: float
    """All of it. Of a job that was interrupted, what came to its journals before, and all since."""
    compiling: float
    """Opening the run and compiling it, the last time."""
    training: float
    watching: float
    """Evaluations while training."""
    evaluating: float
    """Of the final weights."""

    @property
    def job(self) -> tuple[str, ...]:
        """What it is the timing of."""
        return self.preset, self.experiment, self.agent, self.scale, str(self.seeds)


class Stopwatch:
    """Times the parts of a job by name."""

    def __init__(self) -> None:
        self.begun, self.parts = time.monotonic(), dict[str, float]()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """What happens meanwhile belongs to this part."""
        begun = time.monotonic()
        yield
        self.parts[name] = round(time.monotonic() - begun, 3)

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.monotonic() - self.begun


def journal_seconds(folder: Path, config: RunConfig) -> tuple[float, float]:
    """How long a run has trained so far, and evaluated meanwhile, as its journals tell: also before interruptions."""
    steps = config.seeds * config.ppo.batch * config.ppo.updates_per_pool
    speeds = _numbers(folder / "metrics.jsonl", "steps_per_second")
    return sum(steps / speed for speed in speeds), sum(_numbers(folder / "evaluations.jsonl", "seconds"))


def read_timings(results: Path) -> list[Timing]:
    """All that is known."""
    path = results / TIMING
    if not path.exists():
        return []
    try:
        page = read_object(path)
        require(list(page) == ["jobs"] and isinstance(page["jobs"], list), "expected jobs")
        return [decode(Timing, job) for job in page["jobs"]]
    except ValueError as error:
        raise ValueError(f"{path}: not the timing of jobs: {error}") from error


def write_timing(results: Path, timing: Timing) -> None:
    """Add the timing of a job, or replace the one it had. Others wait meanwhile, and readers see whole files."""
    results.mkdir(parents=True, exist_ok=True)
    lock = open_plain(results / LOCK, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = {each.job: each for each in read_timings(results)} | {timing.job: timing}
        jobs = ",\n".join(f"  {json.dumps(asdict(known[job]))}" for job in sorted(known))
        write_whole(results / TIMING, f'{{"jobs": [\n{jobs}\n]}}\n'.encode())
    finally:
        os.close(lock)


def _numbers(path: Path, name: str) -> list[float]:
    """What a journal's lines say, as far as they do: somebody may have been killed while writing one."""
    numbers = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        with suppress(ValueError):
            page = read_json(line)
            value = page.get(name) if isinstance(page, dict) else None
            numbers += [float(value)] if isinstance(value, int | float) and value > 0 else []
    return numbers
