"""Instructions and populations are drawn with the probabilities of the paper's appendix."""

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.envs.minecraft import LineType, MinecraftParams, Thing
from cofca.envs.minecraft.levels.grammar import generate
from cofca.envs.minecraft.levels.population import Draws, draw, populate
from cofca.envs.minecraft.levels.spawn import draw_water, spawn
from cofca.envs.minecraft.symbols import COUNTED, Verb

NUMBER, LENGTH = 6000, 12
PARAMS = MinecraftParams(length=(1, LENGTH))
KEYS = jax.random.split(jax.random.key(0), NUMBER)
FREE = {LineType.SUBTASK, LineType.IF, LineType.WHILE}


def assert_uniform(items: np.ndarray, kinds: int) -> None:
    """Pearson's test at about four standard errors of the statistic."""
    number = np.bincount(items.reshape(-1), minlength=kinds)
    assert number.size == kinds
    expected = number.sum() / kinds
    degrees = kinds - 1
    assert ((number - expected) ** 2 / expected).sum() <= degrees + 4.5 * np.sqrt(2 * degrees)


@cache
def lines() -> np.ndarray:
    """Of instructions of `LENGTH` lines, [instructions, lines, symbols]."""
    one = partial(generate, length=jnp.int32(LENGTH), params=PARAMS)
    return np.asarray(jax.jit(jax.vmap(one))(KEYS).lines)


@cache
def worlds() -> Draws:
    return jax.device_get(jax.jit(jax.vmap(partial(draw, params=PARAMS)))(KEYS))


def legal(before: list[int]) -> set[int]:
    """The types that may follow, far from the end: closers only after a subtask, and no block in a block."""
    block = None
    for type_ in before:
        if type_ in (LineType.IF, LineType.WHILE, LineType.ELSE):
            block = type_
        elif type_ in (LineType.ENDIF, LineType.ENDWHILE):
            block = None
    if block is None:
        return FREE
    closers = {
        LineType.IF: {LineType.ELSE, LineType.ENDIF},
        LineType.ELSE: {LineType.ENDIF},
        LineType.WHILE: {LineType.ENDWHILE},
    }[block]
    return {LineType.SUBTASK} | (closers if before[-1] == LineType.SUBTASK else set())


def test_line_types_are_uniform_among_those_that_may_follow() -> None:
    types = lines()[:, :, 0]
    drawn: dict[frozenset[int], list[int]] = {}
    for row in types.tolist():
        # Farther on the end is near, and blocks must be closed.
        for place in range(LENGTH - 4):
            may = frozenset(legal(row[:place]))
            assert row[place] in may
            drawn.setdefault(may, []).append(row[place])
    assert len(drawn) == 5
    for may, found in drawn.items():
        order = sorted(may)
        assert_uniform(np.array([order.index(type_) for type_ in found]), len(order))


def test_verbs_nouns_and_conditions_are_uniform() -> None:
    all_lines = lines().reshape(-1, 3)
    subtasks = all_lines[all_lines[:, 0] == LineType.SUBTASK]
    assert_uniform(subtasks[:, 1] - 1, len(Verb))
    assert_uniform(subtasks[:, 2] - 1, 3)
    asked = all_lines[np.isin(all_lines[:, 0], (LineType.IF, LineType.WHILE))]
    codes = [condition.code for condition in PARAMS.conditions]
    assert_uniform(np.searchsorted(codes, asked[:, 2]), len(codes))


def test_there_are_0_to_35_objects_and_kinds_are_uniform() -> None:
    found = jax.vmap(populate)(worlds())
    assert_uniform(np.asarray(found.number), 36)
    assert_uniform(np.asarray(found.kinds) - 1, len(COUNTED))


def test_water_is_any_row_or_column() -> None:
    found = np.asarray(jax.vmap(partial(draw_water, size=6))(worlds().water))
    rows, columns = found.all(axis=2), found.all(axis=1)
    assert ((rows.sum(axis=1) + columns.sum(axis=1)) == 1).all()
    assert (found.sum(axis=(1, 2)) == 6).all()
    assert_uniform(np.concatenate([rows, columns], axis=1).argmax(axis=1), 12)


@pytest.fixture(scope="module")
def maps() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells, workers and numbers of objects."""
    cells, worker = jax.jit(jax.vmap(partial(spawn, params=PARAMS)))(worlds())
    return np.asarray(cells), np.asarray(worker), np.asarray(jax.vmap(populate)(worlds()).number)


def test_objects_and_worker_are_each_in_a_cell_of_their_own(maps: tuple[np.ndarray, ...]) -> None:
    cells, worker, number = maps
    objects = np.isin(cells, COUNTED)
    assert np.array_equal(objects.sum(axis=(1, 2)), number)
    places = worker[:, 0] * 6 + worker[:, 1]
    assert (cells.reshape(NUMBER, -1)[np.arange(NUMBER), places] == Thing.NOTHING).all()
    # Water, where it is removed again, keeps nobody away from the edges: with many objects there is none.
    crowded = number > 29
    assert_uniform(places[crowded], 36)


def test_there_is_no_water_where_it_does_not_fit_and_else_where_wood_can_be_reached(
    maps: tuple[np.ndarray, ...],
) -> None:
    cells, _, number = maps
    wet = (cells == Thing.WATER).any(axis=(1, 2))
    assert not wet[number > 29].any()
    assert wet[number == 29].mean() > 0.5
    assert not wet[number == 0].any()
    assert not wet[~(cells == Thing.WOOD).any(axis=(1, 2))].any()


def test_every_open_cell_of_even_indices_is_a_wall(maps: tuple[np.ndarray, ...]) -> None:
    cells, worker, _ = maps
    rows, columns = np.indices((6, 6))
    even = (rows % 2 == 0) & (columns % 2 == 0)
    here = (rows == worker[:, :1, None]) & (columns == worker[:, 1:, None])
    assert not (cells == Thing.WALL)[:, ~even].any()
    assert not ((cells == Thing.NOTHING) & even & ~here).any()
