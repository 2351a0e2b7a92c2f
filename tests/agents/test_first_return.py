"""First return: against plain Python that counts line by line, and against the blocks of very many programs."""

from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agents.samples import answers, made, moments, quickly, small_agent
from cofca.agents.cofca_r import CofcaR
from cofca.agents.harden import harden
from cofca.agents.modules.first_return import depths, first_return
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.envs.minecraft.language.instruction import Line, block_matches
from cofca.envs.minecraft.levels.grammar import generate
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.symbols import CONDITIONS, LineType
from cofca.experiments.precision import halved, restored
from cofca.utils.trees import pick, stack

LINES, RETURNS = 6, 2
PLACES = [(p, length) for length in range(1, LINES + 1) for p in range(length)]
"""Every pointer in an instruction of every length."""
log_p = quickly(first_return)


def given(seed: int, lines: int = LINES) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """a, b and K."""
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, lines, RETURNS)).astype(np.float32)
    return a, b, rng.uniform(1, 12, RETURNS).astype(np.float32)


def counted(a: np.ndarray, b: np.ndarray, sharpness: float, p: int, length: int, step: int) -> np.ndarray:
    """Where a single return lands, one line after another. Going back, what a line opens is what it closes."""
    landed, left = np.zeros(len(a)), 1.0
    closes, opens = (a, b) if step > 0 else (b, a)
    depth = opens[p]
    # Ahead, the own line comes first and lands on the next one.
    stops = [(p, p + 1)] if step > 0 else []
    stops += [(k, k + 1) if step > 0 else (k, k) for k in (range(p + 1, length) if step > 0 else range(p - 1, -1, -1))]
    stops = [(k, target) for k, target in stops if target < length]
    for number, (k, target) in enumerate(stops):
        if k != p:
            depth -= closes[k]
        heads = 1 / (1 + np.exp(-float(sharpness) * (0.5 - float(depth))))
        landed[target] = left if number == len(stops) - 1 else left * heads
        left -= landed[target]
        if k != p:
            depth += opens[k]
    landed[p] += left
    return landed


@pytest.mark.parametrize(("p", "length"), PLACES)
def test_a_return_is_the_enumeration_of_its_stops(p, length):
    for seed in range(4):
        a, b, sharpness = given(seed)
        found = np.exp(np.asarray(log_p(a, b, sharpness, jnp.int32(p), jnp.int32(length)), np.float64))
        for column in range(2 * RETURNS):
            number, step = column % RETURNS, 1 if column < RETURNS else -1
            expected = counted(a[:, number], b[:, number], sharpness[number], p, length, step)
            assert np.allclose(found[:, column], expected, atol=1e-5)


def test_depths_are_counted_after_closing_and_before_opening():
    # if, subtask, else, while, subtask, endwhile, endif
    a, b = jnp.array([[0.0, 0, 1, 0, 0, 1, 1], [1, 0, 1, 1, 0, 0, 0]])[..., None]
    assert depths(a, b)[:, 0].tolist() == [0, 1, 0, 1, 2, 1, 0]


def test_padding_does_not_matter():
    a, b, sharpness = given(0)
    other = a.copy()
    other[4:] = 1 - a[4:]
    one, two = (np.asarray(log_p(each, b, sharpness, jnp.int32(2), jnp.int32(4))) for each in (a, other))
    assert np.array_equal(one, two)
    assert (one[4:] <= IMPOSSIBLE / 2).all()


@quickly
@partial(jax.grad, argnums=(0, 1, 2))
def gradient(a: jax.Array, b: jax.Array, sharpness: jax.Array, p: jax.Array, length: jax.Array) -> jax.Array:
    found = first_return(a, b, sharpness, p, length)
    return jnp.where(found > IMPOSSIBLE / 2, found, 0.0).sum() + jnp.exp(found).sum()


@pytest.mark.parametrize("sharp", [1.0, 50.0, 1e4])
@pytest.mark.parametrize(("p", "length"), [(0, 1), (0, 6), (3, 5), (5, 6)])
def test_gradients_are_finite_and_reach_all_that_is_counted(p, length, sharp):
    a, b, _ = given(1)
    found = gradient(a, b, np.full(RETURNS, sharp, np.float32), jnp.int32(p), jnp.int32(length))
    assert all(np.isfinite(part).all() for part in found)
    if (p, length, sharp) == (3, 5, 1.0):
        # Behind, line 0 takes what is left, and ahead there is one line only.
        assert (np.asarray(found[0])[:, 0] != 0).tolist() == [False, False, True, True, False, False]
        assert (np.asarray(found[1])[:, 0] != 0).tolist() == [False, True, True, False, False, False]


# By hand, it finds all blocks


DEEP = 6


@quickly
@partial(jax.vmap, in_axes=(None, 0, 0))
def jumps(agent: CofcaR, lines: jax.Array, length: jax.Array) -> jax.Array:
    """The log-probabilities of all targets in the returns ahead and behind, from every line."""
    a, b, sharpness = agent.brackets(lines)
    found = jax.vmap(lambda p: first_return(a, b, sharpness, p, length))(jnp.arange(lines.shape[0]))
    returns = sharpness.size
    return jnp.stack([found[..., 0], found[..., returns]], axis=-1)


def check_jumps(number: int, lines: int, batch: int = 256) -> int:
    """Compare so many jumps of random programs nested up to six deep with the interpreter's blocks; how many."""
    params = MinecraftParams(length=(1, lines), max_depth=DEEP, conditions=CONDITIONS)
    make = quickly(jax.vmap(partial(generate, params=params)))
    agent, done, seed = small_agent("cofca-r-given", "minecraft"), 0, 0
    while done < number:
        key = jax.random.fold_in(jax.random.key(8), seed)
        programs = make(jax.random.split(key, batch), jax.random.randint(key, (batch,), 1, lines + 1))
        landed = np.asarray(jumps(agent, programs.lines, programs.length))
        done, seed = done + agree(np.asarray(programs.lines), np.asarray(programs.length), landed), seed + 1
    return done


def agree(programs: np.ndarray, lengths: np.ndarray, landed: np.ndarray) -> int:
    """Whether all jumps land where the interpreter goes, with certainty; how many there are."""
    expected = []
    for number, (lines, length) in enumerate(zip(programs.tolist(), lengths.tolist(), strict=True)):
        matches = block_matches(tuple(Line(LineType(type_), *rest) for type_, *rest in lines[:length]))
        for p, (type_, *_) in enumerate(lines[:length]):
            if type_ == LineType.ENDWHILE:
                expected.append((number, p, matches[p], 1))
            elif type_ in (LineType.IF, LineType.ELSE, LineType.WHILE):
                # There is nothing behind the last line: an instruction that ends there is done.
                expected.append((number, p, min(matches[p] + 1, length - 1), 0))
            elif type_ == LineType.SUBTASK or type_ == LineType.ENDIF:
                # Whoever opens nothing returns to the next line.
                expected.append((number, p, min(p + 1, length - 1), 0))
    assert (landed[tuple(np.array(expected).T)] == 0).all()
    return len(expected)


def test_with_blocks_given_every_jump_is_the_interpreters():
    assert check_jumps(20_000, lines=50) >= 20_000


@pytest.mark.soak
def test_with_blocks_given_a_million_jumps_are_the_interpreters():
    assert check_jumps(1_000_000, lines=100) >= 1_000_000


# Soft, then hard


def brackets(agent: Any) -> list[np.ndarray]:
    return [np.asarray(part) for part in agent.brackets(jnp.asarray(moments("cofca-r", "minecraft").obs.lines))]


def decided(seed: int = 0) -> Any:
    """An agent to which some lines open and close much, others little."""
    agent = made("minecraft", "cofca-r", seed)
    table = jax.random.normal(jax.random.key(seed), agent.brackets.symbols.table.shape)
    return eqx.tree_at(lambda agent: agent.brackets.symbols.table, agent, table)


def test_hardened_every_line_opens_and_closes_whole_blocks_and_every_coin_is_certain():
    agent = decided()
    soft, hard = brackets(agent), brackets(harden(agent))
    for one, other in zip(soft[:2], hard[:2], strict=True):
        clear = abs(one - 0.5) > 0.02
        assert clear.mean() > 0.9
        assert np.array_equal(np.round(one[clear]), other[clear])
        assert 0 < other[clear].mean() < 1
    assert (hard[2] > 1000).all()
    columns = np.exp(np.asarray(answers(harden(agent), moments("cofca-r", "minecraft")).movement.columns))
    assert ((columns < 1e-6) | (columns > 1 - 1e-6)).mean() > 0.9


def test_hardening_twice_side_by_side_or_in_half_precision_is_hardening():
    agents = [decided(seed) for seed in range(2)]
    once = harden(agents[1])
    beside = pick(harden(stack(agents)), 1)
    for other in (harden(once), beside, restored(halved(once))):
        assert all(np.array_equal(*pair) for pair in zip(brackets(once)[:2], brackets(other)[:2], strict=True))
    table = np.asarray(once.brackets.symbols.table)
    assert np.array_equal(table, np.round(table))


def test_hardening_leaves_everything_else_alone():
    agent = made("minecraft", "cofca-r")
    one, other = map(jax.tree_util.tree_leaves_with_path, jax.device_get((agent, harden(agent))))
    changed = [
        jax.tree_util.keystr(path) for (path, old), (_, new) in zip(one, other, strict=True) if (old != new).any()
    ]
    assert changed == [".brackets.symbols.table", ".brackets.log_sharpness"]
    rival = small_agent("cofca-d", "minecraft")
    assert all(old is new for old, new in zip(*map(jax.tree.leaves, (rival, harden(rival))), strict=True))


def test_blocks_that_are_given_stay_as_they_are():
    """Training does not change them: nothing is gained by it."""
    agent, found = made("minecraft", "cofca-r-given"), moments("cofca-r", "minecraft")

    @quickly
    @jax.grad
    def learned(agent: CofcaR) -> jax.Array:
        def one(moment: Any) -> jax.Array:
            features = agent.forward(moment.obs, moment.memory)
            movement = agent.movement(features, moment.decision.action, moment.response)
            targets = movement.targets
            return jnp.where(targets > -100, targets, 0.0).sum()

        return jax.vmap(one)(found).sum()

    parts = learned(agent)
    assert all((np.asarray(leaf) == 0).all() for leaf in jax.tree.leaves(parts.brackets))
    assert (np.asarray(parts.gate_phi.phi.weight) != 0).any()
