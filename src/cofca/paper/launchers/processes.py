"""The grid on one machine, several jobs at a time, each in a process of its own.

On an accelerator one job leaves gaps that others fill; where it is NVIDIA's, its Multi-Process Service lets them.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path

from cofca.paper.grid import Job, Outcome, do_job, failed, known
from cofca.paper.job_status import Watch, look
from cofca.runs.preemption import PreemptedError, heeding_preemption
from cofca.utils.compilation import cache_compilation

LOOK_SECONDS = 1.0
HEAD_START = 60.0
"""Seconds that a job has at most before the next one starts, if it does not train earlier: many that compile at once
hold each other up."""
Work = Callable[[Connection, Job, Path, Path], None]


class Hand:
    """A process that does a job."""

    def __init__(self, job: Job, runs: Path, results: Path, work: Work) -> None:
        # JAX has threads, which a forked process would lack.
        context = get_context("spawn")
        self.job, self.journal, self.begun = job, runs / job.name / "metrics.jsonl", time.time()
        self.heard, said = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(said, job, runs, results))
        self.process.start()
        # Now only the process can speak: when it is gone there is nothing more to hear.
        said.close()

    def is_under_way(self, head_start: float) -> bool:
        """Whether it trains, or has had time enough to begin."""
        age = time.time() - self.begun
        return age >= head_start or (self.journal.exists() and self.journal.stat().st_mtime > self.begun)

    def outcome(self) -> Outcome:
        """What it said at its end; a process that was killed has said nothing."""
        try:
            said = self.heard.recv()
        except EOFError:
            said = None
        self.process.join()
        return said or failed(self.job, RuntimeError(f"its process ended with exit code {self.process.exitcode}"))


def work(said: Connection, job: Job, runs: Path, results: Path) -> None:
    """What a process does."""
    cache_compilation()
    said.send(do_job(job, runs, results, lambda job: []))


def carry_out(
    jobs: Sequence[Job],
    runs: Path,
    results: Path,
    watch: Watch,
    at_once: int,
    by: Work = work,
    head_start: float = HEAD_START,
) -> Iterator[Outcome]:
    """Do all jobs, so many at a time. One that fails, or whose process dies, is reported, and the rest goes on."""
    outcomes = {job.name: known(job, results) for job in jobs}
    yield from (outcome for outcome in outcomes.values() if outcome)
    left, hands = deque(job for job in jobs if not outcomes[job.name]), list[Hand]()
    with heeding_preemption() as asked:
        try:
            while left or hands:
                while left and len(hands) < at_once and all(hand.is_under_way(head_start) for hand in hands):
                    hands.append(Hand(left.popleft(), runs, results, by))
                ended = wait([hand.heard for hand in hands], LOOK_SECONDS)
                if asked():
                    raise PreemptedError("stopped: the jobs are saved, the same command continues them")
                for hand in [hand for hand in hands if hand.heard in ended]:
                    hands.remove(hand)
                    yield hand.outcome()
                running = [look(hand.job, runs / hand.job.name, "here") for hand in hands]
                watch(running + [look(job, runs / job.name, None) for job in left])
        finally:
            # Training heeds that, and saves.
            for hand in hands:
                hand.process.terminate()
            for hand in hands:
                hand.process.join()
