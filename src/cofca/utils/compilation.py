"""Compiled functions: on disk, so that the second run starts at once, and in memory, as long as they are of use."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import jax

from cofca.utils.files import user_folder

MOST_PARAMS = 4
"""Of a function that is compiled for parameters, so many of the latest are kept."""


def jit_for_params(function: Callable[..., Any]) -> Callable[..., Any]:
    """`jax.jit` with the last argument, params, fixed. JAX by itself would keep what it compiles for thousands of
    them."""

    @lru_cache(maxsize=MOST_PARAMS)
    def compiled(params: Any) -> Callable[..., Any]:
        return jax.jit(partial(function, params=params))

    return lambda *args: compiled(args[-1])(*args[:-1])


def cache_compilation() -> None:
    """Keep what JAX compiles in the user's cache folder, unless JAX has been told where already."""
    if jax.config.values["jax_compilation_cache_dir"] is not None:
        return
    root = user_folder("XDG_CACHE_HOME", ".cache")
    jax.config.update("jax_compilation_cache_dir", str(root / "cofca" / "compiled"))
    # Everything that takes noticeable time is worth keeping.
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.3)
