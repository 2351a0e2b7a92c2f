"""Generated levels: pure functions of their keys, as long and as deep as asked for, drawn as the rules say."""

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import at, part, same

from cofca.envs.starcraft import Building, Level, StarCraftParams, Terrain, generate
from cofca.envs.starcraft.levels.demands import demands_of
from cofca.envs.starcraft.levels.forest import Forest, draw_forest
from cofca.envs.starcraft.levels.orders import draw_orders
from cofca.envs.starcraft.levels.spawn import Map, spawn
from cofca.envs.starcraft.symbols import FIRST_UNIT, NUM_BUILDINGS, NUM_UNITS

SHORT, LONG = StarCraftParams(length=(2, 5)), StarCraftParams(length=(2, 25))
CAPPED = StarCraftParams(length=(3, 5), max_depth=3, max_prerequisites=4)
NUMBER = 4000
KEYS = jax.random.split(jax.random.key(0), NUMBER)
CELLS, PLAIN_CELLS = 36, 33
"""All, and those that are plain and without the Nexus."""

make = generate
"""One program for all that has room for as many lines."""


@cache
def levels(params: StarCraftParams, number: int = NUMBER) -> Level:
    return make(KEYS[:number], params=params)


@cache
def forests(params: StarCraftParams = SHORT) -> Forest:
    return jax.device_get(jax.jit(jax.vmap(partial(draw_forest, demands=demands_of(params))))(KEYS))


BUILDING_LINES = 3


@cache
def maps() -> Map:
    one = partial(spawn, building_lines=jnp.int32(BUILDING_LINES), params=SHORT)
    return jax.device_get(jax.jit(jax.vmap(one))(KEYS))


def assert_uniform(items: np.ndarray, kinds: int) -> None:
    """Pearson's test at about four standard errors of the statistic."""
    number = np.bincount(items.reshape(-1), minlength=kinds)
    assert number.size == kinds
    expected = number.sum() / kinds
    assert ((number - expected) ** 2 / expected).sum() < kinds - 1 + 4 * np.sqrt(2 * (kinds - 1))


def assert_near(found: np.ndarray, expected: float | np.ndarray) -> None:
    """The mean over the first axis is as expected, up to four standard errors (five where there are many means)."""
    errors = found.std(axis=0) / np.sqrt(len(found))
    assert (abs(found.mean(axis=0) - expected) < (4 if errors.ndim == 0 else 5) * errors).all()


# Keys


def test_the_same_key_gives_the_same_level():
    assert same(levels(SHORT), make(KEYS, params=SHORT))


def test_a_level_made_alone_is_the_level_made_in_a_batch():
    for number in range(20):
        assert same(make(KEYS[number : number + 1], params=SHORT), at(levels(SHORT), np.array([number])))


def test_a_level_does_not_depend_on_its_place_in_the_batch():
    assert same(part(make(KEYS[::-1], params=SHORT), None, None, -1), levels(SHORT))


def test_a_level_remembers_its_key():
    assert (levels(SHORT).key == KEYS).all()


def test_every_key_has_another_level():
    leaves = [np.asarray(leaf).reshape(NUMBER, -1) for leaf in jax.tree.leaves(levels(SHORT)[1:])]
    assert len(np.unique(np.concatenate(leaves, axis=1), axis=0)) > 0.99 * NUMBER


# Instructions


@pytest.mark.parametrize(
    ("params", "lengths"),
    [(SHORT, range(2, 6)), (LONG, range(2, 26)), (CAPPED, range(3, 6))],
    ids=["short", "long", "capped"],
)
def test_lengths_are_those_asked_for_and_all_of_them_occur(params, lengths):
    program = jax.device_get(levels(params).program)
    assert set(program.length.tolist()) == set(lengths)
    assert ((program.lines > 0) == (np.arange(params.lines) < program.length[:, None])).all()


def test_without_prerequisites_every_length_is_even_and_1_is_asked_for_in_vain():
    made = make(KEYS[:100], params=StarCraftParams(length=(1, 5), max_depth=1))
    assert not made.prerequisites.any()
    assert set(made.program.length.tolist()) == {2, 4}


@pytest.mark.parametrize(("share", "expected"), [(0.0, 0.2), (0.5, 0.6), (1.0, 1.0)])
def test_more_levels_order_several_units_if_asked_for(share: float, expected: float):
    lines = np.asarray(make(KEYS, params=StarCraftParams(several_units=share)).program.lines)
    several = (lines >= FIRST_UNIT).sum(axis=1) > 1
    assert abs(several.mean() - expected) < 0.03


def test_the_other_levels_stay_what_they_are():
    few, more = (make(KEYS[:500], params=StarCraftParams(several_units=share)).program for share in (0.0, 0.5))
    same = (few.lines == more.lines).all(axis=1)
    # Half of all levels need not order several units, and some others did so from the start.
    assert 0.45 < float(same.mean()) < 0.75


def test_without_prerequisites_every_building_is_a_root():
    assert not forests(StarCraftParams(length=(2, 5), max_prerequisites=0)).prerequisites.any()


@cache
def orders(target: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Instructions of one forest, their lengths, and how many lines an order of each unit takes."""
    forest = jax.tree.map(lambda leaf: jnp.asarray(leaf[9]), forests())
    draw = jax.jit(jax.vmap(partial(draw_orders, lines=LONG.lines), in_axes=(0, None, None)))
    lines, length = jax.device_get(draw(KEYS, forest, jnp.int32(target)))
    return lines, length, np.asarray(forest.depths)[np.asarray(forest.trainers) - 1] + 1


@pytest.mark.parametrize("target", [2, 3, 12])
def test_orders_are_appended_until_none_fits(target):
    _, length, sizes = orders(target)
    assert (length <= target).all()
    assert (target - length < sizes.min()).all()


def test_the_first_unit_is_uniform_among_those_that_fit():
    lines, _, sizes = orders(3)
    fits = np.flatnonzero(sizes <= 3)
    assert 1 < len(fits) < NUM_UNITS
    first = lines[np.arange(NUMBER), (lines >= FIRST_UNIT).argmax(axis=1)] - FIRST_UNIT
    assert set(first) == set(fits)
    assert_uniform(np.searchsorted(fits, first), len(fits))


def test_occurrences_and_requirements_count_the_orders():
    program = jax.device_get(levels(LONG).program)
    for lines, occurrences, required in zip(program.lines, program.occurrences, program.required, strict=True):
        counted = np.zeros(NUM_UNITS, int)
        for line, occurrence in zip(lines, occurrences, strict=True):
            if line >= FIRST_UNIT:
                counted[line - FIRST_UNIT] += 1
            assert occurrence == (counted[line - FIRST_UNIT] if line >= FIRST_UNIT else 0)
        assert np.array_equal(counted, required)
    assert (program.required > 1).any()


# Forest


def test_the_share_of_roots():
    """A building with r before it in the shuffle is a root with probability 1 / (r + 1)."""
    roots = (forests().prerequisites == 0).mean(axis=1)
    assert_near(roots, np.mean([1 / rank for rank in range(1, NUM_BUILDINGS + 1)]))


def test_the_mean_depth():
    """With r before it a building's depth is on average the harmonic number of r + 1."""
    harmonic = np.cumsum([1 / rank for rank in range(1, NUM_BUILDINGS + 1)])
    assert_near(forests().depths.mean(axis=1), harmonic.mean())


def test_the_shuffle_is_unbiased():
    needed = forests().prerequisites[:, :, None] == np.arange(1, NUM_BUILDINGS + 1)
    pairs = needed.reshape(NUMBER, -1)[:, ~np.eye(NUM_BUILDINGS, dtype=bool).reshape(-1)]
    assert_near(pairs, pairs.mean())
    assert not needed[:, np.eye(NUM_BUILDINGS, dtype=bool)].any()


def test_trainers_are_uniform():
    assert_uniform(forests().trainers - 1, NUM_BUILDINGS)
    assert_near(forests().trainers, (NUM_BUILDINGS + 1) / 2)


def chain(building: int, prerequisites: np.ndarray) -> list[int]:
    found = [building]
    while above := int(prerequisites[found[0] - 1]):
        found.insert(0, above)
    return found


def test_chains_run_from_the_root_to_the_building():
    for prerequisites, depths, chains, _ in zip(*(leaf[:200] for leaf in forests()), strict=True):
        for building in range(1, NUM_BUILDINGS + 1):
            expected = chain(building, prerequisites)
            assert depths[building - 1] == len(expected)
            assert chains[building - 1].tolist() == expected + [0] * (NUM_BUILDINGS - len(expected))


def test_without_caps_forests_are_deep():
    assert forests().depths.max() > 6


def test_the_caps_hold_and_are_reached():
    capped = forests(CAPPED)
    assert capped.depths.max(axis=1).max() == 3
    having = (capped.prerequisites > 0).sum(axis=1)
    assert having.max() == 4
    assert ((levels(CAPPED).prerequisites > 0).sum(axis=1) <= 4).all()


# Map


def test_the_nexus_is_anywhere_and_minerals_and_gas_are_beside_it():
    assert_uniform(maps().nexus[:, 0] * 6 + maps().nexus[:, 1], CELLS)
    inside = ((maps().nexus > 0) & (maps().nexus < 5)).all(axis=1)
    for ground in (Terrain.MINERALS, Terrain.GAS):
        place = np.argwhere(maps().terrain == ground)
        assert np.array_equal(place[:, 0], np.arange(NUMBER))
        step = place[:, 1:] - maps().nexus
        assert (abs(step).max(axis=1) == 1).all()
        direction = 3 * (step[:, 0] + 1) + step[:, 1] + 1
        assert_uniform(np.where(direction > 4, direction - 1, direction)[inside], 8)


def endowment() -> np.ndarray:
    """Kinds of the further buildings, [maps, cells], 0 for none."""
    buildings = maps().buildings.reshape(NUMBER, -1).copy()
    nexus = maps().nexus[:, 0] * 6 + maps().nexus[:, 1]
    assert (buildings[np.arange(NUMBER), nexus] == Building.NEXUS).all()
    buildings[np.arange(NUMBER), nexus] = 0
    return buildings


def test_the_number_of_further_buildings_is_uniform_and_leaves_room_for_every_building_line():
    assert_uniform((endowment() > 0).sum(axis=1), PLAIN_CELLS - BUILDING_LINES + 1)


def test_further_buildings_stand_on_uniformly_random_plain_cells():
    there = endowment() > 0
    assert not there[maps().terrain.reshape(NUMBER, -1) != Terrain.PLAIN].any()
    # Among plain cells, in the order of their numbers, no place is preferred.
    plain = maps().terrain.reshape(NUMBER, -1) == Terrain.PLAIN
    plain[np.arange(NUMBER), maps().nexus[:, 0] * 6 + maps().nexus[:, 1]] = False
    places = there[plain].reshape(NUMBER, PLAIN_CELLS)
    assert_near(places, places.mean())


def test_kinds_of_further_buildings_are_uniform():
    kinds = endowment()
    assert_uniform(kinds[kinds > 0] - 1, NUM_BUILDINGS)


def test_on_a_crowded_map_there_is_nothing_but_the_nexus():
    crowded = jax.jit(jax.vmap(partial(spawn, params=SHORT), in_axes=(0, None)))(KEYS[:50], jnp.int32(PLAIN_CELLS + 1))
    assert ((crowded.buildings > 0).sum(axis=(1, 2)) == 1).all()


def test_the_share_of_building_lines_satisfied_at_the_start():
    """A little over 60 %: there are 0 to n further buildings of 14 kinds, and a Nexus anyway."""
    made = jax.device_get(levels(SHORT)._replace(key=jnp.zeros(NUMBER)))
    lines, buildings = made.program.lines, made.buildings.reshape(NUMBER, -1)
    is_building = (lines > 0) & (lines < FIRST_UNIT)
    stands = (lines[:, :, None] == buildings[:, None, :]).any(axis=2) & is_building
    sizes = PLAIN_CELLS + 1 - is_building.sum(axis=1, keepdims=True)
    missing = NUM_BUILDINGS * (1 - (1 - 1 / NUM_BUILDINGS) ** sizes) / sizes
    expected = np.where(lines == Building.NEXUS, 1, 1 - missing) * is_building
    assert_near((stands - expected).sum(axis=1), 0)
    assert 0.58 < stands.sum() / is_building.sum() < 0.66


def test_a_level_of_25_lines_takes_at_most_1000_bytes():
    made = levels(LONG)
    leaves = jax.tree.leaves(made._replace(key=jax.random.key_data(made.key)))
    assert sum(leaf.nbytes for leaf in leaves) / NUMBER <= 1000


# Parameters


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"length": (0, 5)}, "length must be a range from 1 upwards, not 0-5"),
        ({"length": (5, 4)}, "length must be a range from 1 upwards, not 5-4"),
        ({"length": (1, 1)}, "no instruction is shorter than 2 lines, but length ends at 1"),
        ({"max_lines": 4}, "max_lines is 4, but instructions have up to 5 lines"),
        ({"max_depth": 0}, "max_depth must be at least 1, not 0"),
        ({"max_prerequisites": -1}, "max_prerequisites must not be negative, not -1"),
        ({"length": (2, 3), "several_units": 0.1}, "no instruction of fewer than 4 lines orders several units"),
        ({"several_units": 1.1}, "several_units must lie between 0 and 1, not 1.1"),
        ({"length": (3, 3), "max_depth": 1}, "without prerequisites every instruction has an even number of lines"),
        ({"length": (5, 5), "max_prerequisites": 0}, "an even number of lines, but length starts at 5"),
        ({"length": (3, 5), "max_depth": 1}, "without prerequisites"),  # a target of 3 lines could never be met
        ({"size": 2}, "size must lie between 4 and 10, not 2"),
        ({"size": 11}, "size must lie between 4 and 10, not 11"),
        ({"ambush_probability": 1.5}, "ambush_probability must lie between 0 and 1, not 1.5"),
        ({"attack_probability": -0.1}, "attack_probability must lie between 0 and 1, not -0.1"),
        ({"attack_probability": float("nan")}, "attack_probability must lie between 0 and 1, not nan"),
        ({"steps_per_line": 0}, "steps_per_line must be at least 1, not 0"),
        ({"length": (1, 401)}, "an instruction may have at most 400 lines, not 401"),
        ({"max_lines": 401}, "an instruction may have at most 400 lines, not 401"),
        ({"steps_per_line": 7000}, "the time limit must stay under 32768 steps"),
    ],
)
def test_parameters_that_make_no_sense_are_refused_in_one_line(bad, message):
    with pytest.raises(ValueError, match=message) as caught:
        StarCraftParams(**bad)
    assert "\n" not in str(caught.value)
