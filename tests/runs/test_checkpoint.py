"""Checkpoints: what is written is read again, and anything else is refused."""

import json
import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.runs.checkpoint import read_checkpoint, write_checkpoint
from cofca.runs.page import ARRAYS, PAGE, read_page, remove_checkpoint, tidy


class Kept(NamedTuple):
    """Leaves of all the types that training has."""

    key: Any
    weights: Any
    flags: Any
    small: Any
    words: Any
    nothing: Any
    nested: Any


def tree(seed: int = 0) -> Kept:
    rng = np.random.default_rng(seed)
    return Kept(
        key=jax.random.split(jax.random.key(seed), 3),
        weights=jnp.float32(rng.normal(size=(2, 3))),
        flags=jnp.asarray(rng.random(5) < 0.5),
        small=jnp.int8(rng.integers(-128, 128, (2, 2))),
        words=jnp.uint32(rng.integers(0, 2**32, 4)),
        nothing=jnp.zeros((2, 0)),
        nested={"count": jnp.int32([seed]), "more": (jnp.int16([1]), jnp.float32([np.inf, np.nan, -0.0]))},
    )


def plain(leaf: Any) -> np.ndarray:
    is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def same(one: Any, other: Any) -> bool:
    assert jax.tree.structure(one) == jax.tree.structure(other)
    pairs = list(zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True))
    assert all(a.dtype == b.dtype and a.shape == b.shape for a, b in pairs)
    return all(plain(a).tobytes() == plain(b).tobytes() for a, b in pairs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkpoint."""
    write_checkpoint(tmp_path / "00000001", tree(), {"update": 1})
    return tmp_path / "00000001"


def refused(folder: Path, like: Any, reason: str) -> None:
    """In one line that names the folder and says why."""
    with pytest.raises(ValueError, match=reason) as caught:
        read_checkpoint(folder, like)
    assert str(caught.value).startswith(f"{folder}: ")
    assert "\n" not in str(caught.value)


# Round trips


def test_a_tree_comes_back_bit_for_bit(folder):
    assert same(read_checkpoint(folder, tree(seed=1)), tree())
    assert not same(read_checkpoint(folder, tree(seed=1)), tree(seed=1))


def test_shapes_are_enough_to_read_a_tree(folder):
    assert same(read_checkpoint(folder, jax.eval_shape(tree)), tree())


def test_random_numbers_go_on_as_they_would_have(folder):
    key = read_checkpoint(folder, tree()).key
    assert np.array_equal(jax.random.normal(key[2], 4), jax.random.normal(tree().key[2], 4))


@pytest.mark.parametrize("scalar", [jnp.float32(3), jnp.int32(4), jnp.bool_(True)], ids=["float", "int", "bool"])
def test_a_scalar_comes_back(tmp_path, scalar):
    write_checkpoint(tmp_path / "one", {"scalar": scalar}, {})
    assert same(read_checkpoint(tmp_path / "one", {"scalar": scalar}), {"scalar": scalar})


def test_the_page_comes_back(folder):
    page = read_page(folder)
    assert page["update"] == 1
    assert json.loads((folder / PAGE).read_text()) == page


def test_a_checkpoint_is_overwritten_as_a_whole(folder):
    write_checkpoint(folder, {"only": jnp.zeros(1)}, {"update": 2})
    assert same(read_checkpoint(folder, {"only": jnp.ones(1)}), {"only": jnp.zeros(1)})
    assert read_page(folder)["update"] == 2
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


# Writing that fails


@pytest.mark.parametrize("written", [0, 1])
@pytest.mark.parametrize("error", [OSError("no space left on device"), KeyboardInterrupt()], ids=["full", "stopped"])
def test_a_write_that_fails_leaves_the_old_checkpoint_and_nothing_else(folder, monkeypatch, written, error):
    synced = []

    def fail(number: int) -> None:
        synced.append(number)
        if len(synced) > written:
            raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(type(error)):
        write_checkpoint(folder, tree(seed=1), {})
    with pytest.raises(type(error)):
        write_checkpoint(folder.parent / "00000002", tree(seed=1), {})
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert same(read_checkpoint(folder, tree()), tree())


@pytest.mark.parametrize("fails", ["00000001", ".writing-"])
def test_a_rename_that_fails_leaves_the_old_checkpoint(folder, monkeypatch, fails):
    rename = Path.rename

    def fail(path: Path, target: Path) -> Path:
        if path.name.startswith(fails):
            raise OSError("no")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="no"):
        write_checkpoint(folder, tree(seed=1), {})
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert same(read_checkpoint(folder, tree()), tree())


def test_what_a_killed_write_left_aside_is_not_in_the_way(folder):
    shutil.copytree(folder, folder.with_name(f".old-{folder.name}"))
    write_checkpoint(folder, tree(seed=1), {})
    assert same(read_checkpoint(folder, tree()), tree(seed=1))


def test_what_a_killed_write_had_set_aside_is_put_back(folder):
    folder.rename(folder.with_name(f".old-{folder.name}"))
    folder.with_name(f".writing-{folder.name}").mkdir()
    tidy(folder)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert same(read_checkpoint(folder, tree()), tree())


@pytest.mark.parametrize("files", [[ARRAYS], [ARRAYS, PAGE]])
def test_what_a_killed_removal_left_is_removed(folder, monkeypatch, files):
    unlink = Path.unlink

    def kill(path: Path, missing_ok: bool = False) -> None:
        if path.name not in files:
            raise KeyboardInterrupt
        unlink(path, missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", kill)
        patch.setattr(Path, "rmdir", lambda path: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            remove_checkpoint(folder)
    assert not folder.exists()
    tidy(folder)
    assert not list(folder.parent.iterdir())


def test_a_checkpoint_to_which_somebody_added_a_file_is_neither_removed_nor_replaced(folder):
    (folder / "notes.txt").write_text("mine")
    remove_checkpoint(folder)
    with pytest.raises(ValueError, match="there is something else here, which is not overwritten"):
        write_checkpoint(folder, tree(seed=1), {})
    assert same(read_checkpoint(folder, tree()), tree())
    assert (folder / "notes.txt").read_text() == "mine"
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


# Damage


@pytest.mark.parametrize("left", [0, 4, 100, -1])
def test_a_truncated_file_is_refused(folder, left):
    data = (folder / ARRAYS).read_bytes()
    (folder / ARRAYS).write_bytes(data[:left])
    refused(folder, tree(), "damaged checkpoint")


def test_any_flipped_byte_is_refused(folder):
    data = (folder / ARRAYS).read_bytes()
    rng = np.random.default_rng(0)
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= int(rng.integers(1, 256))
        (folder / ARRAYS).write_bytes(flipped)
        refused(folder, tree(), "damaged checkpoint")


@pytest.mark.parametrize("name", [ARRAYS, PAGE])
def test_a_missing_file_is_refused(folder, name):
    (folder / name).unlink()
    refused(folder, tree(), f"not a checkpoint: .*{name} is missing")


def test_a_folder_that_does_not_exist_is_refused(tmp_path):
    refused(tmp_path / "nowhere", tree(), "not a checkpoint: .*is missing")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"{", "damaged checkpoint: page.json can't be read"),
        (b"\xff\xfe", "damaged checkpoint: page.json can't be read"),
        (b"[]", "not a checkpoint: page.json has no checksum"),
        (b'{"update": 1}', "not a checkpoint: page.json has no checksum"),
        (b'{"sha256": "0"}', "damaged checkpoint: the checksum of arrays.safetensors is wrong"),
    ],
)
def test_a_page_that_makes_no_sense_is_refused(folder, text, reason):
    (folder / PAGE).write_bytes(text)
    refused(folder, tree(), reason)


# Checkpoints of something else


def test_a_missing_leaf_is_refused(folder):
    more = tree()._replace(nested={**tree().nested, "extra": jnp.zeros(1)})
    refused(folder, more, r"a checkpoint of something else: nested\['extra'\] is missing")


def test_a_leaf_too_many_is_refused(folder):
    refused(folder, tree()._replace(flags=None), "a checkpoint of something else: flags is not expected")


@pytest.mark.parametrize(
    ("leaf", "reason"),
    [
        (jnp.zeros((3, 2)), r"weights is float32\[2, 3\], not float32\[3, 2\]"),
        (jnp.zeros((2, 3), jnp.bfloat16), r"weights is float32\[2, 3\], not bfloat16\[2, 3\]"),
        (jax.random.key(0), r"weights is float32\[2, 3\], not uint32\[2\]"),
    ],
)
def test_a_leaf_of_another_shape_or_type_is_refused(folder, leaf, reason):
    refused(folder, tree()._replace(weights=leaf), f"a checkpoint of something else: {reason}")
