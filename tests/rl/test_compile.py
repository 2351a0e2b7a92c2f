"""Compiled training: what is compiled, and how often."""

import subprocess
import sys

import jax
import numpy as np
import pytest
from experiments.tiny import SEEDS, SETUP, agents_of

from cofca.rl import compile
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


FORGOTTEN = """
import jax
from cofca.rl import compile

traced = []
double = jax.jit(lambda number: traced.append(number) or 2 * number)
for most in (10**6, 0):
    double(1.0)
    compile.MOST_MAPS = most
    compile.forget_if_many()
    double(1.0)
    print(len(traced))
"""


@pytest.mark.skipif(not compile.MAPS.exists(), reason="other systems have no such limit")
def test_programs_are_forgotten_when_there_are_very_many():
    run = subprocess.run([sys.executable, "-c", FORGOTTEN], check=True, capture_output=True, text=True)
    assert run.stdout.split() == ["1", "2"]
