"""Event files that TensorBoard reads, in the run's folder. Neither TensorFlow nor PyTorch is needed."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from cofca.runs.loggers.base import Listener, scalars


@contextmanager
def open_log(folder: Path, config: dict[str, Any], steps: int) -> Iterator[Listener]:
    """Write into the folder `tensorboard`."""
    del config
    writer = EventFileWriter(str(folder / "tensorboard"))
    # TensorBoard forgets what a resumed run had written after its checkpoint, and measures again.
    writer.add_event(_event(steps + 1, session_log=SessionLog(status=SessionLog.START)))

    def listen(name: str, line: dict[str, Any]) -> None:
        values = [Summary.Value(tag=tag, simple_value=value) for tag, value in scalars(name, line).items()]
        writer.add_event(_event(line["steps"], summary=Summary(value=values)))
        writer.flush()

    try:
        yield listen
    finally:
        writer.close()


def _event(step: int, **content: Any) -> Any:
    return Event(wall_time=time.time(), step=step, **content)
