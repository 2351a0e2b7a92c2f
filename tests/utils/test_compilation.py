"""Where compiled functions are kept."""

from collections.abc import Iterator
from pathlib import Path

import jax
import pytest

from cofca.utils.compilation import MOST_PARAMS, QUICK, cache_compilation, jit_for_params, quick_jit, quick_options

FOLDER, SECONDS = "jax_compilation_cache_dir", "jax_persistent_cache_min_compile_time_secs"


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """What the tests themselves have told JAX holds again afterwards."""
    before = {name: jax.config.values[name] for name in (FOLDER, SECONDS)}
    yield
    for name, value in before.items():
        jax.config.update(name, value)


def test_they_are_kept_in_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    jax.config.update(FOLDER, None)
    cache_compilation()
    assert jax.config.values[FOLDER] == str(tmp_path / "cofca" / "compiled")
    assert jax.config.values[SECONDS] == 0.1


@pytest.mark.parametrize("named", [None, "", "cache", "./cache"])
def test_without_a_cache_folder_it_is_that_of_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if named is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setenv("HOME", str(tmp_path))
    jax.config.update(FOLDER, None)
    cache_compilation()
    assert jax.config.values[FOLDER] == str(tmp_path / ".cache" / "cofca" / "compiled")


def test_where_jax_has_been_told_already_it_stays(tmp_path: Path) -> None:
    jax.config.update(FOLDER, str(tmp_path))
    cache_compilation()
    assert jax.config.values[FOLDER] == str(tmp_path)


def test_on_a_cpu_small_jobs_are_compiled_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_options.cache_clear()
    assert quick_options() == QUICK
    assert quick_jit(lambda x, times: x * times, static_argnums=1)(jax.numpy.arange(3), 2).tolist() == [0, 2, 4]
    quick_options.cache_clear()
    monkeypatch.setitem(QUICK, "xla_no_such_option", 1)
    assert quick_options() is None
    quick_options.cache_clear()


def test_in_memory_only_those_for_the_latest_parameters_are_kept() -> None:
    traced = []

    @jit_for_params
    def add(x: jax.Array, params: int) -> jax.Array:
        traced.append(params)
        return x + params

    every = list(range(MOST_PARAMS + 1))
    for params in (*every, every[-1], every[1]):
        assert add(1, params) == 1 + params
    assert traced == every
    add(1, every[0])
    assert traced == [*every, every[0]]
