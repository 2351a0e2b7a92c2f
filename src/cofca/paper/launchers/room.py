"""How many jobs this machine has room for, and NVIDIA's Multi-Process Service, through which they share a card."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import jax

MOST = 8
"""Of the paper's jobs eight fill an H200; more only slow each other down."""
JOB_BYTES = 8 * 2**30
"""Of device memory: what the largest evaluation of a job takes, and as much again."""
JOB_CORES = 2
"""Of the host: a job compiles, and tells the card what to do."""
CONTROL, PIPE, LOG = "nvidia-cuda-mps-control", "CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"
USUAL = "/tmp/nvidia-mps/control"
"""What a service has open that somebody has started without saying where."""


def jobs_at_once() -> int:
    """How many jobs together train fastest. One fills a CPU, and of the accelerators only a GPU can be shared."""
    device = jax.devices()[0]
    if device.platform not in ("gpu", "cuda", "rocm"):
        return 1
    memory = (device.memory_stats() or {}).get("bytes_limit", JOB_BYTES)
    return max(1, min(MOST, (os.cpu_count() or 1) // JOB_CORES, memory // JOB_BYTES))


@contextmanager
def shared_card() -> Iterator[None]:
    """Lets processes that start from now on use the card at the same time instead of by turns, where that can be had.

    To be entered before JAX starts. A service that runs already is used, and stays."""
    if not shutil.which(CONTROL) or PIPE in os.environ or os.path.exists(USUAL):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="cofca-mps-") as folder:
        own = {PIPE: folder, LOG: folder}
        try:
            subprocess.run([CONTROL, "-d"], env={**os.environ, **own}, check=True, capture_output=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            print("jobs use the GPU by turns: its Multi-Process Service does not start", file=sys.stderr)
            yield
            return
        os.environ.update(own)
        try:
            yield
        finally:
            for name in own:
                del os.environ[name]
            subprocess.run([CONTROL], input="quit\n", text=True, env={**os.environ, **own}, capture_output=True)
