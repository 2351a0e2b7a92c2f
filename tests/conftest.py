"""Shapes and types in signatures are checked while the tests run; what is compiled is kept for all their processes."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

# Tests compile much and compute little: unoptimised programs are there in a quarter of the time. Not so `make soak`.
if "soak" not in sys.argv:
    unoptimised = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {unoptimised} --xla_cpu_use_fusion_emitters=false"

# Each process that is started from here on has a core; more threads than cores would mostly wait for each other.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# What one process has compiled, however quickly, the others need not compile again; nor does the next run.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "compiled"))
os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"

import jax
import pytest
from jaxtyping import install_import_hook

install_import_hook("cofca", "typecheck.checked")
pytest.register_assert_rewrite("differential", "languages", "pictures")
pytest_plugins = ["training.runs"]

MAPS = Path("/proc/self/maps")
MOST_MAPS = 35_000


@pytest.fixture(autouse=True, scope="module")
def forget_programs() -> Iterator[None]:
    """Every compiled program takes some of the 65,530 memory maps that Linux gives a process; without any left the
    compiler crashes. So programs are forgotten when there are many."""
    yield
    if MAPS.exists() and MAPS.read_bytes().count(b"\n") > MOST_MAPS:
        from cofca.training import program

        program._begun.cache_clear()
        jax.clear_caches()
        gc.collect()
