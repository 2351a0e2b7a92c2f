"""Compiled functions kept on disk, so that the second run starts at once."""

import jax

from cofca.utils.files import user_folder


def cache_compilation() -> None:
    """Keep what JAX compiles in the user's cache folder, unless JAX has been told where already."""
    if jax.config.values["jax_compilation_cache_dir"] is not None:
        return
    root = user_folder("XDG_CACHE_HOME", ".cache")
    jax.config.update("jax_compilation_cache_dir", str(root / "cofca" / "compiled"))
    # Everything that takes noticeable time is worth keeping.
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.3)
