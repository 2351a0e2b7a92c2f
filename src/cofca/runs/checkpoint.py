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

from cofca.utils.files import WRITING, sync_folder, write_new
from cofca.utils.json import one_line, read_json

ARRAYS, PAGE = "arrays.safetensors", "page.json"
OLD = ".old-"
"""What a folder is called while it is replaced."""


class DamagedCheckpointError(ValueError):
    """A folder that is not, or not any more, a whole checkpoint."""


def write_checkpoint(folder: Path, tree: Any, page: dict[str, Any]) -> None:
    """Write all arrays of a tree, and a page about them, as one new folder."""
    data = save({name: _plain(leaf) for name, leaf in _named(tree).items()})
    page = {**page, "sha256": hashlib.sha256(data).hexdigest()}
    page["seal"] = _seal(page)
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


def remove_checkpoint(folder: Path) -> None:
    """Remove a checkpoint, so that a reader sees all of it or nothing. One to which somebody added files stays."""
    if is_only_a_checkpoint(folder):
        _remove(folder.rename(folder.with_name(WRITING + folder.name)))


def tidy(folder: Path) -> None:
    """Clear up what a killed process left beside a checkpoint; what it set aside without a successor is put back."""
    aside, unfinished = folder.with_name(OLD + folder.name), folder.with_name(WRITING + folder.name)
    if is_only_a_checkpoint(aside):
        _remove(aside) if folder.exists() else aside.rename(folder)
    if is_only_a_checkpoint(unfinished):
        _remove(unfinished)


def is_only_a_checkpoint(folder: Path) -> bool:
    """Whether nothing lies in a folder that `write_checkpoint` has not put there. Nothing else is ever removed."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    return all(path.name in (ARRAYS, PAGE) and path.is_file() for path in folder.iterdir())


def _remove(folder: Path) -> None:
    for name in (ARRAYS, PAGE):
        (folder / name).unlink(missing_ok=True)
    folder.rmdir()


def read_page(folder: Path) -> dict[str, Any]:
    """The page of a checkpoint."""
    try:
        page = read_json((folder / PAGE).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise DamagedCheckpointError(f"{folder}: not a checkpoint: {error.filename} is missing") from error
    except ValueError as error:
        raise DamagedCheckpointError(f"{folder}: damaged checkpoint: {PAGE} can't be read: {error}") from error
    if not isinstance(page, dict) or "sha256" not in page:
        raise DamagedCheckpointError(f"{folder}: not a checkpoint: {PAGE} has no checksum")
    # Pages written by earlier versions are not sealed.
    if "seal" in page and page["seal"] != _seal(page):
        raise DamagedCheckpointError(f"{folder}: damaged checkpoint: the checksum of {PAGE} is wrong")
    return page


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


def _seal(page: dict[str, Any]) -> str:
    """A checksum of all that a page says."""
    said = {name: value for name, value in page.items() if name != "seal"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
