"""Arrays on disk: safetensors beside a JSON page, written so that a reader sees all of it or nothing."""

import hashlib
import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from cofca.runs.page import ARRAYS, OLD, PAGE, DamagedCheckpointError, is_only_a_checkpoint, read_page, seal, tidy
from cofca.utils.files import WRITING, sync_folder, write_new
from cofca.utils.json import one_line


def write_checkpoint(folder: Path, tree: Any, page: dict[str, Any]) -> None:
    """Write all arrays of a tree, and a page about them, as one new folder."""
    data = save({name: _plain(leaf) for name, leaf in _named(tree).items()})
    page = {**page, "sha256": hashlib.sha256(data).hexdigest()}
    page["seal"] = seal(page)
    _write(folder, data, (json.dumps(page, indent=2) + "\n").encode())


def copy_checkpoint(folder: Path, to: Path) -> None:
    """Write the same checkpoint elsewhere."""
    _write(to, (folder / ARRAYS).read_bytes(), (folder / PAGE).read_bytes())


def _write(folder: Path, arrays: bytes, page: bytes) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    tidy(folder)
    if folder.exists() and not is_only_a_checkpoint(folder):
        raise ValueError(f"{folder}: there is something else here, which is not overwritten")
    # A folder that is complete is renamed into place: whoever is killed before that leaves no half checkpoint.
    temporary = folder.with_name(WRITING + folder.name)
    temporary.mkdir(mode=0o755)
    try:
        write_new(temporary / ARRAYS, arrays)
        write_new(temporary / PAGE, page)
        sync_folder(temporary)
        # The old one is set aside: at every moment one of the two is whole.
        if folder.exists():
            folder.rename(folder.with_name(OLD + folder.name))
        temporary.rename(folder)
        sync_folder(folder.parent)
    finally:
        tidy(folder)


def read_checkpoint(folder: Path, like: Any) -> Any:
    """The tree of a checkpoint, with the structure, shapes and types of `like`; anything else is refused."""
    page = read_page(folder)
    try:
        data = (folder / ARRAYS).read_bytes()
    except FileNotFoundError as error:
        raise DamagedCheckpointError(f"{folder}: not a checkpoint: {ARRAYS} is missing") from error
    if hashlib.sha256(data).hexdigest() != page["sha256"]:
        raise DamagedCheckpointError(f"{folder}: damaged checkpoint: the checksum of {ARRAYS} is wrong")
    try:
        arrays = load(data)
    except KeyError as error:
        raise DamagedCheckpointError(f"{folder}: damaged checkpoint: numbers of an unknown kind, {error}") from error
    except (SafetensorError, ValueError) as error:
        raise DamagedCheckpointError(f"{folder}: damaged checkpoint: {one_line(str(error))}") from error
    wanted = _named(like)
    if missing := sorted(wanted.keys() ^ arrays.keys()):
        where = "missing" if missing[0] in wanted else "not expected"
        raise ValueError(f"{folder}: a checkpoint of something else: {one_line(missing[0])} is {where}")
    leaves = [_restored(folder, name, arrays[name], leaf) for name, leaf in wanted.items()]
    return jax.tree.unflatten(jax.tree.structure(like), leaves)


def _restored(folder: Path, name: str, array: np.ndarray, like: Any) -> jax.Array:
    is_key = jnp.issubdtype(like.dtype, jax.dtypes.prng_key)
    shape, dtype = ((*like.shape, 2), np.dtype(np.uint32)) if is_key else (like.shape, np.dtype(like.dtype))
    if array.shape != tuple(shape) or array.dtype != dtype:
        found = f"{array.dtype}{list(array.shape)}"
        raise ValueError(f"{folder}: a checkpoint of something else: {name} is {found}, not {dtype}{list(shape)}")
    placed = jax.device_put(array)
    return jax.random.wrap_key_data(placed) if is_key else placed


def _named(tree: Any) -> dict[str, Any]:
    """Every leaf by its path."""
    return {jax.tree_util.keystr(path).lstrip("."): leaf for path, leaf in jax.tree_util.tree_leaves_with_path(tree)}


def _plain(leaf: Any) -> np.ndarray:
    is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.array(jax.random.key_data(leaf) if is_key else leaf, order="C")
