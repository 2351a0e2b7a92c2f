"""Any integer at any stage: it narrows or commands where the rules allow it, and else does nothing."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import at

from cofca.envs.starcraft import StarCraftParams, State
from cofca.envs.starcraft.commands import interpret
from cofca.testing.environment import traced_once
from envs.starcraft.differential import ENV, HARSH
from envs.starcraft.episodes import level, levels, same

PAPER = StarCraftParams()
STRANGE = (-(2**31), -1, HARSH.num_choices, HARSH.num_choices + 1, 2**31 - 1)
CHOICES = np.array([*range(HARSH.num_choices), *STRANGE], np.int32)


@traced_once
def each_choice(key: jax.Array, state: State) -> tuple:
    """What comes of every choice, with the same chance."""

    def one(choice: jax.Array) -> tuple:
        response = ENV.respond(key, state, choice, HARSH)
        after, outcome = ENV.advance(key, state, choice, response, HARSH)
        return after._replace(level=None), response, outcome.info.valid

    return *jax.vmap(one)(CHOICES), ENV.allowed(state, HARSH)


start = jax.jit(partial(ENV.start, params=HARSH))


def prepared(number: int, narrowing: list[int]) -> State:
    return start(at(levels(), number))._replace(stage=jnp.array(narrowing, jnp.int8))


def expected_mask(stage: list[int], buildings: np.ndarray) -> list[bool]:
    """The table of the rules, row by row."""
    probe, building, cell = stage
    empty = not (probe or cell)
    cells = (buildings.reshape(-1) > 0).tolist() if empty else [probe > 0] * HARSH.cells
    return [True, *[empty] * 3, *[probe > 0 and not building] * 14, *cells, *[cell > 0] * 16]


@pytest.mark.parametrize("stage", ["empty", "probe", "probe and building", "cell"])
def test_any_integer_narrows_or_commands_where_allowed_and_else_does_what_nothing_does(stage: str) -> None:
    completed, refused = 0, 0
    for number in range(24):
        buildings = level(number).buildings
        standing = int(np.flatnonzero(buildings)[number % (buildings > 0).sum()])
        narrowing = {"probe": [2, 0, 0], "probe and building": [3, 1 + number % 14, 0], "cell": [0, 0, 1 + standing]}
        state = prepared(number, narrowing.get(stage, [0, 0, 0]))
        after, passed, valid, mask = jax.device_get(each_choice(jax.random.key(number), state))
        assert mask.tolist() == expected_mask(state.stage.tolist(), buildings)
        nothing = jax.tree.map(lambda leaf: leaf[0], after)
        assert passed[0]
        assert not valid[0]
        for place in range(len(CHOICES)):
            does_nothing = same(nothing, jax.tree.map(lambda leaf, at=place: leaf[at], after))
            allowed = place < len(mask) and mask[place]
            if not allowed or (passed[place] and not valid[place]):
                assert does_nothing
                assert (bool(passed[place]), bool(valid[place])) == (True, False)
            completed += int(valid[place])
            refused += bool(allowed and place and passed[place] and not valid[place])
        if stage == "empty":
            assert not passed[: len(mask)][mask][1:].any()
    assert (completed > 0) == (stage != "empty")
    assert (refused > 0) == (stage in ("probe and building", "cell"))


def test_there_are_1512_commands_to_build_108_to_go_and_576_to_train():
    """Every command once, with a building in every cell."""
    stages = [(probe, building, 0) for probe in range(4) for building in range(15) if probe or not building]
    stages += [(0, 0, cell) for cell in range(1, 37)]
    pairs = [(stage, choice) for stage in stages for choice in range(PAPER.num_choices)]
    stage, choice = (jnp.array(part) for part in zip(*pairs, strict=True))
    full = jnp.ones((6, 6), jnp.int8)
    found = jax.vmap(lambda choice, stage: interpret(choice, stage.astype(jnp.int8), full, PAPER))(choice, stage)
    assert [int(flag.sum()) for flag in (found.builds, found.goes, found.trains)] == [1512, 108, 576]
