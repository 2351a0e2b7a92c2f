"""The domain keeps the environment contract, and compiles once for levels of any origin."""

from functools import partial

import jax
from compiled import at

from cofca.envs.starcraft import oracle, own_level
from cofca.testing.environment import check_environment, traced_once
from envs.starcraft.differential import ENV, PAPER, generated


def test_starcraft_keeps_the_contract() -> None:
    check_environment(ENV)


def test_levels_of_ones_own_and_generated_ones_are_traced_once() -> None:
    start = traced_once(partial(ENV.start, params=PAPER))
    step = traced_once(lambda key, state: ENV.step(key, state, oracle(state), PAPER)[1])
    key = jax.random.key(0)
    made = at(generated(key, 1, PAPER), 0)
    drawn = own_level(key, "Build Pylon\nTrain Adept", PAPER, "@gm...\n" + 5 * "......\n")
    for one in (made, drawn, own_level(key, "Build Nexus\nTrain Oracle", PAPER)):
        state = start(one)
        for _ in range(3):
            state = step(key, state)
