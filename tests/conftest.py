"""Shapes and types in signatures are checked while the tests run; what is compiled is kept for all their processes."""

import gc
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import get_ident

# Tests compile much and compute little: unoptimised programs are there in a quarter of the time. Not so `make soak`,
# nor what compares bits: they are to be those that users get. A worker of xdist has what its parent has chosen.
# Nor are they divided among threads: there are as many processes as cores.
if "PYTEST_XDIST_WORKER" not in os.environ and not {"soak", "bits"} & set(sys.argv):
    unoptimised = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    # Passes over loops and sums that do more for speed than these programs need.
    passes = "simplify-while-loops,while-loop-invariant-code-motion,tree_reduction_rewriter"
    unlooped = f"--xla_disable_hlo_passes={passes}"
    undivided = "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {unoptimised} {unlooped} {undivided}"

# Each process that is started from here on has a core; more threads than cores would mostly wait for each other.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

# Memory that is given back to the system is soon asked for again: processes that start from here on keep it.
os.environ["MALLOC_TRIM_THRESHOLD_"] = os.environ["MALLOC_MMAP_THRESHOLD_"] = str(2**30)

# What one process has compiled, however quickly, the others need not compile again; nor does the next run.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "compiled"))
os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"

import pytest
import typecheck
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

# Whoever only hands out tests to workers needs nothing of what they test.
if "PYTEST_XDIST_WORKER" in os.environ or "-n" not in sys.argv:
    typecheck.check("cofca")
    pytest.register_assert_rewrite("envs.differential", "envs.languages", "envs.pictures")
    pytest_plugins = ["runs.small_runs"]
    # Programs are traced into millions of objects, among which there is next to no garbage. `tidy` looks for it.
    gc.disable()

FAMILIES = {
    "rl": "runs",
    "runs": "runs",
    "experiments": "runs",
    "paper": "runs",
    "reliability": "runs",
    "test_train.py": "runs",
    "cli": "use",
    "docs": "use",
    "viewer": "use",
    "plugins": "use",
}
"""Files and folders whose tests compile the same programs."""


class ByFamily(LoadFileScheduling):
    """Each family, and of the other folders each file, is tested by one process: it traces what it needs once."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return FAMILIES.get(Path(file).name) or FAMILIES.get(Path(file).parent.name, file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFamily:
    return ByFamily(config, log)


@pytest.fixture(autouse=True, scope="session")
def patience() -> Iterator[None]:
    """A busy machine may take long for what says nothing otherwise."""
    from cofca.cli import progress

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "PATIENCE", 600.0)
        yield


@pytest.fixture(autouse=True, scope="module")
def tidy() -> Iterator[None]:
    """What a module leaves behind is looked through once, for garbage."""
    yield
    from compiled import forget_if_many

    forget_if_many()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def one_context() -> Iterator[None]:
    """JAX makes a context for each program that it compiles, in a third of the time that a small one takes. Those of a
    module share one, each thread its own: contexts know no locks."""
    from jax._src.interpreters import mlir

    with pytest.MonkeyPatch.context() as patch:
        # A JAX that calls it otherwise goes on as it is.
        if make := getattr(mlir, "make_ir_context", None):
            of_thread = cache(lambda thread: make())
            patch.setattr(mlir, "make_ir_context", lambda: of_thread(get_ident()))
        yield
