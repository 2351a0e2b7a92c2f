"""Compiled functions: on disk, so that the second run starts at once, and in memory, as long as they are of use."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache, partial
from typing import Any

import jax

from cofca.utils.files import user_folder
from cofca.utils.loops import on_cpu

QUICK: dict[str, Any] = {
    "xla_backend_optimization_level": 0,
    "xla_llvm_disable_expensive_passes": True,
    "xla_cpu_use_fusion_emitters": False,
    "xla_cpu_parallel_codegen_split_count": 1,
    # Passes over loops and sums that do more for speed than small jobs need.
    "xla_disable_hlo_passes": "simplify-while-loops,while-loop-invariant-code-motion,tree_reduction_rewriter",
}
"""Options of XLA for programs that run a few times on a CPU: compiled in a quarter of the time, and slower."""

MOST_PARAMS = 4
"""Of a function that is compiled for parameters, so many of the latest are kept."""


def jit_for_params(function: Callable[..., Any]) -> Callable[..., Any]:
    """`quick_jit` with the last argument, params, fixed. JAX by itself would keep what it compiles for thousands of
    them."""

    @lru_cache(maxsize=MOST_PARAMS)
    def compiled(params: Any) -> Callable[..., Any]:
        return jax.jit(partial(function, params=params), compiler_options=quick_options())

    return lambda *args: compiled(args[-1])(*args[:-1])


def quick_jit(function: Callable[..., Any], **how: Any) -> Callable[..., Any]:
    """`jax.jit` for what runs a few times: a person waits longer for the compiler than for the program."""

    @cache
    def compiled() -> Callable[..., Any]:
        return jax.jit(function, compiler_options=quick_options(), **how)

    return lambda *args: compiled()(*args)


def compile_together(functions: Sequence[Callable[..., Any]], arguments: Sequence[Any]) -> list[Callable[..., Any]]:
    """Compile these functions, quickly, for arguments of these shapes: while one is compiled the next one is traced."""
    with ThreadPoolExecutor() as pool:
        lowered = (jax.jit(function).lower(*arguments) for function in functions)
        jobs = [pool.submit(one.compile, quick_options()) for one in lowered]
        return [job.result() for job in jobs]


@cache
def quick_options() -> dict[str, Any] | None:
    """`QUICK`, on a CPU and with an XLA that knows these options."""
    if not on_cpu():
        return None
    try:
        jax.jit(lambda: 0).lower().compile(compiler_options=QUICK)
    except jax.errors.JaxRuntimeError:
        return None
    return QUICK


def cache_compilation() -> None:
    """Keep what JAX compiles in the user's cache folder, unless JAX has been told where already."""
    if jax.config.values["jax_compilation_cache_dir"] is not None:
        return
    root = user_folder("XDG_CACHE_HOME", ".cache")
    jax.config.update("jax_compilation_cache_dir", str(root / "cofca" / "compiled"))
    # Everything that takes noticeable time is worth keeping.
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)
