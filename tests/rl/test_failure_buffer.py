"""The failure buffer: what is put in, what is taken out, and how often."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.rl.failure_buffer import Failures, distinct, no_failures, put, take

SIZE = 4

put, take, distinct = jax.jit(put), jax.jit(take), jax.jit(distinct)


def keys(*numbers: int) -> jax.Array:
    return jnp.array([[number, number + 1000] for number in numbers], jnp.uint32).reshape(-1, 2)


def kept(failures: Failures) -> set[int]:
    found = np.asarray(failures.keys)[np.asarray(failures.filled)]
    assert (found[:, 1] == found[:, 0] + 1000).all()
    assert len(set(found[:, 0].tolist())) == len(found)
    return set(found[:, 0].tolist())


def filled_with(*numbers: int, size: int = SIZE) -> Failures:
    return put(no_failures(size), keys(*numbers), jnp.ones(len(numbers), bool))


def drawn(seed: int, failures: Failures, probability: float, number: int = 6) -> tuple[Failures, list[int], list[bool]]:
    """Fresh keys are 100, 101, ..."""
    fresh = keys(*range(100, 100 + number))
    failures, found, replayed = take(jax.random.key(seed), failures, fresh, jnp.float32(probability))
    return failures, found[:, 0].tolist(), replayed.tolist()


# Putting


def test_only_failed_episodes_are_kept():
    found = put(no_failures(SIZE), keys(1, 2, 3, 4, 5), jnp.array([True, False, True, False, False]))
    assert kept(found) == {1, 3}


def test_nothing_changes_when_nothing_failed():
    found = put(filled_with(1, 2), keys(3, 4), jnp.zeros(2, bool))
    assert kept(found) == {1, 2}
    assert kept(put(found, keys(5), jnp.ones(1, bool))) == {1, 2, 5}


def test_a_full_buffer_overwrites_the_oldest():
    failures = filled_with(1, 2, 3, 4)
    failures = put(failures, keys(5, 6), jnp.ones(2, bool))
    assert kept(failures) == {3, 4, 5, 6}
    assert kept(put(failures, keys(7, 8, 9), jnp.ones(3, bool))) == {6, 7, 8, 9}


def test_the_oldest_go_also_when_some_in_between_were_taken():
    failures = filled_with(1, 2, 3, 4)
    place = failures.keys[:, 0].tolist().index(2)
    failures = put(failures._replace(filled=failures.filled.at[place].set(False)), keys(5), jnp.ones(1, bool))
    assert kept(failures) == {1, 3, 4, 5}
    assert kept(put(failures, keys(6), jnp.ones(1, bool))) == {3, 4, 5, 6}


def test_of_more_than_fit_the_last_stay():
    failures = filled_with(1, 2, 3)
    assert kept(put(failures, keys(*range(10, 21)), jnp.ones(11, bool))) == {17, 18, 19, 20}


def test_nothing_is_overwritten_while_there_is_room():
    for seed in range(10):
        failures, found, replayed = drawn(seed, filled_with(1, 2, 3, 4), probability=1.0, number=1)
        assert replayed == [True]
        assert kept(put(failures, keys(5), jnp.ones(1, bool))) == ({1, 2, 3, 4} - set(found)) | {5}


# Taking


@pytest.mark.parametrize("seed", range(5))
def test_what_is_taken_is_replayed_once_and_removed(seed):
    failures, found, replayed = drawn(seed, filled_with(1, 2, 3, 4), probability=0.5)
    assert [key < 100 for key in found] == replayed
    taken = {key for key, again in zip(found, replayed, strict=True) if again}
    assert len(taken) == sum(replayed)
    assert kept(failures) == {1, 2, 3, 4} - taken


def test_what_is_not_replayed_stays_as_it_is():
    _, found, replayed = drawn(0, filled_with(1, 2, 3), probability=0.5)
    assert {True, False} == set(replayed)
    assert all(again or key == 100 + place for place, (key, again) in enumerate(zip(found, replayed, strict=True)))


def test_never_more_are_taken_than_there_are():
    failures, found, replayed = drawn(0, filled_with(1, 2), probability=1.0)
    assert sum(replayed) == 2
    assert sorted(found) == [1, 2, 102, 103, 104, 105]
    assert not kept(failures)
    assert not any(drawn(0, no_failures(SIZE), probability=1.0)[2])
    assert not any(drawn(1, failures, probability=1.0)[2])


def test_without_probability_nothing_is_taken():
    failures, found, replayed = drawn(0, filled_with(1, 2, 3, 4), probability=0.0)
    assert not any(replayed)
    assert found == list(range(100, 106))
    assert kept(failures) == {1, 2, 3, 4}


def test_what_was_taken_can_be_put_back():
    failures, found, _ = drawn(0, filled_with(1, 2, 3), probability=1.0, number=3)
    assert sorted(found) == [1, 2, 3]
    failures = put(failures, keys(*found), jnp.array([True, False, True]))
    assert kept(failures) == {found[0], found[2]}


def test_the_probability_is_respected_and_every_entry_has_the_same_chance():
    size, number, probability = 4000, 2000, 0.3
    failures = filled_with(*range(10_000, 10_000 + size), size=size)
    _, found, replayed = drawn(0, failures, probability, number)
    assert abs(np.mean(replayed) - probability) < 4.5 * np.sqrt(probability * (1 - probability) / number)
    places = np.array(found)[np.array(replayed)] - 10_000
    expected = len(places) / 8
    counts = np.bincount(places * 8 // size, minlength=8)
    assert ((counts - expected) ** 2 / expected).sum() < 7 + 4 * np.sqrt(2 * 7)


def test_replays_are_spread_over_the_levels():
    """Each fresh key has the same chance, as long as the buffer lasts."""
    failures, fresh = filled_with(*range(20), size=20), keys(*range(100, 110))
    many = jax.vmap(partial(take, failures=failures, fresh=fresh, probability=jnp.float32(0.3)))
    replayed = np.asarray(many(jax.random.split(jax.random.key(0), 3000))[2])
    assert (abs(replayed.mean(axis=0) - 0.3) < 5 * np.sqrt(0.3 * 0.7 / 3000)).all()


# What is failed more than once


def test_a_level_that_is_failed_again_and_again_is_kept_once():
    assert kept(distinct(filled_with(7, 5, 7, 7, 6, 5, size=8))) == {5, 6, 7}


def test_what_differs_stays_where_it_is():
    failures = filled_with(3, 1, 2)
    assert all(map(np.array_equal, distinct(failures), failures))


def test_a_place_that_is_free_hides_nobody():
    failures, _, replayed = drawn(0, filled_with(9, 8), 1.0)
    assert sum(replayed) == 2
    assert kept(distinct(put(failures, keys(9), jnp.array([True])))) == {9}
