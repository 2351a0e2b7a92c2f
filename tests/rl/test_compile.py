"""Compiled training: what is compiled, and how often."""

import jax
import numpy as np
from experiments.tiny import SEEDS, SETUP, agents_of

from cofca.rl.compile import compile_program
from cofca.rl.ppo import begin, refresh, train


def keys() -> jax.Array:
    return jax.random.split(jax.random.key(0), SEEDS)


def test_all_agents_share_the_program_that_makes_levels():
    one, other = (compile_program(keys(), agents_of(name), SETUP) for name in ("cofca-s", "olsk"))
    assert one.refresh.keywords["make"] is other.refresh.keywords["make"]
    assert one.train is not other.train


def test_nothing_is_compiled_twice():
    one, again = (compile_program(keys(), agents_of("cofca-s"), SETUP) for _ in range(2))
    assert one.train is again.train


def test_it_computes_what_the_functions_compute():
    program = compile_program(keys(), agents_of("cofca-s"), SETUP)
    learners, metrics = program.train(program.refresh(begin(keys(), agents_of("cofca-s"), SETUP)))
    same, expected = train(refresh(begin(keys(), agents_of("cofca-s"), SETUP), SETUP), SETUP)
    assert np.array_equal(metrics["loss"], expected["loss"])
    assert np.array_equal(metrics["waiting"][-1], learners.levels.failures.filled.sum(axis=1))
    for one, other in zip(jax.tree.leaves(learners.agent), jax.tree.leaves(same.agent), strict=True):
        assert np.array_equal(one, other)
