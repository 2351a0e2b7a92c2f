"""Compiled functions kept on disk, so that the second run starts at once."""

import os
from pathlib import Path

import jax


def cache_compilation() -> None:
    """Keep what JAX compiles in the user's cache folder, unless JAX has been told where already."""
    if jax.config.values["jax_compilation_cache_dir"] is not None:
        return
    root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    jax.config.update("jax_compilation_cache_dir", str(root / "cofca" / "compiled"))
    # Everything that takes noticeable time is worth keeping.
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.3)
