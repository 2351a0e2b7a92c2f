"""Each fused module computes what its plain one does, on a CPU and as on an accelerator, and so is what is learned
through it; and so do whole agents."""

from collections.abc import Callable
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

from agents.samples import (
    EACH,
    LINES,
    WORKER,
    Moments,
    made,
    moments,
    new,
    on_device,
    remembers,
    small_agent,
    with_history,
)
from cofca.agents import fused
from cofca.agents.base import Agent
from cofca.agents.fused import by_need, coins, encode_all, fuse, line_gru, read_all_lines, recurrence
from cofca.agents.fused.coins import FusedCoins
from cofca.agents.fused.layers import EVEN
from cofca.agents.fused.line_gru import FusedLineBiGRU
from cofca.agents.fused.recurrence import by_line, in_one_product
from cofca.agents.fused.starcraft import FusedStarCraftEncoder
from cofca.agents.fused.worker import Board, Convolution, squares
from cofca.agents.modules.layers import GRU
from cofca.agents.modules.line_gru import Coins, LineBiGRU
from cofca.utils.trees import stack


def pretend_to_be_an_accelerator(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on all is fused as for one."""
    for room in (fused, coins, line_gru, recurrence):
        monkeypatch.setattr(room, "on_cpu", lambda: False)


def normal(*shape: int) -> jax.Array:
    """Random numbers that nothing is compiled for."""
    return jnp.asarray(np.random.default_rng(shape).normal(size=shape), jnp.float32)


def score(outputs: Any) -> jax.Array:
    """A number that depends on every output in another way."""
    leaves = [leaf for leaf in jax.tree.leaves(outputs) if jnp.issubdtype(leaf.dtype, jnp.floating)]
    return sum((leaf * jnp.cos(jnp.arange(leaf.size)).reshape(leaf.shape)).sum() for leaf in leaves)


def learned(function: Callable[..., Any], *given: Any) -> list[np.ndarray]:
    """What a function computes, and the gradients of its score with respect to all that it is given."""

    def scored(given: Any) -> tuple[jax.Array, Any]:
        outputs = function(*given)
        return score(outputs), outputs

    (_, outputs), gradients = jax.jit(jax.value_and_grad(scored, has_aux=True))(given)
    return [np.asarray(leaf) for leaf in jax.tree.leaves((outputs, gradients))]


def assert_same(one: Any, other: Any) -> None:
    """But for rounding in sums of numbers as large as the largest."""
    for expected, actual in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        size = max(1.0, float(np.abs(expected).max(initial=0)))
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5 * size)


def in_steps(found: Moments) -> tuple[Any, Any]:
    """Observations and memory, [steps, envs]."""
    return on_device(jax.tree.map(lambda leaf: leaf.reshape(4, 5, *leaf.shape[1:]), (found.obs, found.memory)))


# The GRU over lines: it is the one that takes a step at each line, and so is its gradient


SEEDS, STEPS, ENVS, SIZE = 2, 3, 7, 5
Over = Callable[[jax.Array, jax.Array], jax.Array]


def plain(recurrent: jax.Array, projected: jax.Array) -> jax.Array:
    gru = eqx.tree_at(lambda gru: gru.recurrent, GRU(jax.random.key(0), 1, SIZE), recurrent)

    def step(hidden: jax.Array, line: jax.Array) -> tuple[jax.Array, jax.Array]:
        hidden = gru.step(hidden, line)
        return hidden, hidden

    return jax.lax.scan(step, jnp.zeros(SIZE), projected)[1]


@pytest.mark.bits
@pytest.mark.parametrize("lines", [1, 2, 6])
@pytest.mark.parametrize("gru", [by_line, in_one_product])
def test_it_computes_the_same_forwards_and_backwards(gru: Over, lines: int) -> None:
    """With weights for each seed, and rows of several time steps and environments, as in training."""
    recurrent = normal(SEEDS, SIZE, 3 * SIZE)
    projected = normal(SEEDS, STEPS, ENVS, lines, 3 * SIZE)

    def all_rows(gru: Over) -> Any:
        return jax.vmap(jax.vmap(jax.vmap(gru, (None, 0)), (None, 0)))

    assert_same(*(learned(all_rows(each), recurrent, projected) for each in (plain, gru)))


@pytest.mark.bits
@pytest.mark.parametrize("gru", [by_line, in_one_product])
def test_its_gradient_is_that_of_small_changes(gru: Over) -> None:
    inputs = normal(SIZE, 3 * SIZE), normal(4, 3 * SIZE)
    check_grads(jax.jit(lambda *given: gru(*given)), inputs, order=1, atol=1e-2, rtol=1e-2)


# Modules


@pytest.mark.parametrize(("name", "asked"), [("cofca-s", 0), ("cofca-s", 3), ("cofca-d", 3)])
def test_both_grus_as_one_or_apart_are_the_plain_ones(name: str, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """CoFCA-D's are near-sighted."""
    agent, found = made("minecraft", name, answers=asked), on_device(moments(name, "minecraft", number=20))
    lines, p, x = found.obs.lines, found.memory.pointer, normal(20, agent.encoder.size)
    length = found.obs.mask.sum(axis=1, dtype=np.int32)
    steps, size = np.arange(LINES)[:, None, None], agent.lines.grus.recurrent.shape[1]
    exist = np.repeat(steps < np.stack([length - p, p], axis=-1), size, axis=-1)

    def one_by_one(make: Callable[[LineBiGRU], Any]) -> list[np.ndarray]:
        return learned(read(lambda plain: jax.vmap(make(plain), out_axes=1)), agent.lines, x)

    def read(make: Callable[[LineBiGRU], Any]) -> Callable[..., Any]:
        return lambda plain, x: jnp.where(exist, make(plain)(lines, p, x, length), 0)

    expected = one_by_one(_same)
    assert len(FusedLineBiGRU(agent.lines).strands) == 2
    assert_same(expected, one_by_one(FusedLineBiGRU))
    # Blocks of seven, and a place that is left over.
    monkeypatch.setattr(by_need, "BLOCK", 7)
    assert_same(expected, learned(read(FusedLineBiGRU), agent.lines, x))
    pretend_to_be_an_accelerator(monkeypatch)
    assert len(FusedLineBiGRU(agent.lines).strands) == 1
    assert_same(expected, learned(read(FusedLineBiGRU), agent.lines, x))


def _same(plain: Any) -> Any:
    return plain


@pytest.mark.bits
@pytest.mark.parametrize("name", ["cofca-s", "cofca-d"])
def test_coins_of_both_directions_in_one_product_are_the_plain_ones(name: str) -> None:
    plain: Any = small_agent(name, "starcraft").coins
    # Ahead and behind there may be as many columns as one likes.
    for each in (plain, Coins(jax.random.key(1), SIZE, ahead=2, behind=1)):
        outputs = normal(LINES, 4, 3, 2 * SIZE)
        assert_same(
            *(learned(lambda plain, x, make=make: make(plain)(x), each, outputs) for make in (_same, FusedCoins))
        )


@pytest.mark.bits
@pytest.mark.parametrize("name", ["cofca-s", "unstructured"])
def test_more_channels_and_a_bias_among_the_weights_change_nothing(name: str) -> None:
    encoder, found = starcraft_encoder(small_agent(name, "starcraft")), moments(name, "starcraft", number=20)
    wider = FusedStarCraftEncoder(encoder)
    assert encoder.flat.bias.size % EVEN != 0, "nothing would be added"
    assert all(side % EVEN == 0 for side in wider.convolution.weight.shape)
    assert wider.weight.shape == (49 * wider.convolution.weight.shape[1], wider.bias.size)
    one, other = (
        learned(lambda plain, make=make: jax.vmap(make(plain))(found.obs), encoder)
        for make in (_same, FusedStarCraftEncoder)
    )
    assert one[0].shape == (20, encoder.size)
    assert_same(one, other)


def test_an_even_number_of_channels_is_left_alone() -> None:
    wide = made("starcraft", "unstructured").encoder
    wide = eqx.tree_at(lambda encoder: encoder.convolution.weight, wide, jnp.zeros((80, EVEN)))
    flat = jnp.zeros((49 * EVEN, EVEN)), jnp.zeros(EVEN)
    wide = eqx.tree_at(lambda encoder: (encoder.flat.weight, encoder.flat.bias), wide, flat)
    wide = eqx.tree_at(lambda encoder: encoder.convolution.bias, wide, jnp.zeros(EVEN))
    assert FusedStarCraftEncoder(wide).weight.shape == wide.flat.weight.shape


def starcraft_encoder(agent: Any) -> Any:
    return agent.encoder.encoder if agent.has_pointer else agent.encoder


@pytest.mark.bits
@pytest.mark.parametrize("fused", [partial(Board, side=6), Convolution])
def test_the_worker_spreads_alike(fused: Any) -> None:
    worker: Any = small_agent(*WORKER)
    state = normal(6, 6, worker.enter.bias.size)
    # The worker adds the bias itself.
    one, other = (
        learned(lambda plain, state, make=make: (make(plain)(state), make(plain).bias), worker.spread, state)
        for make in (_same, fused)
    )
    assert_same(one, other)


def test_a_cell_lies_at_one_place_of_the_squares_around_it() -> None:
    found = squares(3, 4)
    assert found.shape == (12, 12, 9)
    assert found.sum(axis=2).max() == 1
    # A corner is in four squares, a cell in the middle in nine.
    assert found.sum(axis=(1, 2)).tolist() == [4, 6, 6, 4, 6, 9, 9, 6, 4, 6, 6, 4]


# Agents


@jax.jit
@partial(jax.vmap, in_axes=(None, 0))
def decided(agent: Agent, found: Moments) -> list[Any]:
    """All that an agent says: logits, value, gate, targets and the next recurrent state."""
    obs, memory, (action, _, _), response = found
    features = agent.forward(obs, memory)
    movement = agent.movement(features, action, response)
    hidden = agent.next_hidden(features, action, response)
    return [*agent.actor_critic(features), movement.gate, movement.targets, hidden]


def compiled(name: str, chosen: str) -> Any:
    """The paper's agent and the worker as users compile them; of the others that would take minutes."""
    return pytest.param(name, chosen, marks=[pytest.mark.bits] * (name in ("cofca-s", "worker")))


@pytest.mark.parametrize(("name", "chosen"), [compiled(*pair) for pair in (*EACH, WORKER)])
def test_a_fused_agent_is_the_plain_one(name: str, chosen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    agent, found = small_agent(name, chosen), moments(name, chosen)
    expected = decided(agent, found)
    assert_same(expected, decided(fuse(agent), found))
    # Only lines are read in another way on an accelerator.
    if name.startswith("cofca"):
        pretend_to_be_an_accelerator(monkeypatch)
        assert_same(expected, decided(fuse(agent), found))


@pytest.mark.parametrize(("name", "chosen"), [*EACH, WORKER])
def test_what_is_fused_stays_as_it_is(name: str, chosen: str) -> None:
    once = fuse(small_agent(name, chosen))
    twice = fuse(once)
    assert jax.tree.structure(once) == jax.tree.structure(twice)
    assert all(one is other for one, other in zip(jax.tree.leaves(once), jax.tree.leaves(twice), strict=True))
    if name == "unstructured" and chosen == "minecraft":
        assert eqx.tree_equal(*jax.device_get((once, small_agent(name, chosen)))), "there is nothing to fuse"


@pytest.mark.parametrize("name", ["cofca-s", "unstructured", "remembers"])
def test_encoding_step_by_step_is_the_same_and_so_is_what_is_learned(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "remembers":
        agent, found = new(remembers("cofca-s"), "starcraft"), moments("cofca-s", "starcraft", number=20)
        found = with_history(found)
    else:
        agent, found = small_agent(name, "starcraft"), moments(name, "starcraft", number=20)
    obs, memory = in_steps(found)
    one = learned(lambda agent: jax.vmap(jax.vmap(agent.encode))(obs, memory), agent)
    assert_same(one, learned(lambda agent: encode_all(fuse(agent), obs, memory), agent))
    pretend_to_be_an_accelerator(monkeypatch)
    assert_same(one, learned(lambda agent: encode_all(fuse(agent), obs, memory), agent))


def read(agent: Any, obs: Any, memory: Any) -> Any:
    """As a loss does it: where the pointer would go, for beyond the instruction what is read means nothing."""
    features = jax.vmap(jax.vmap(agent.core))(encode_all(agent, obs, memory), memory.hidden)
    nothing = jnp.zeros_like(memory.pointer)
    return jnp.exp(jax.vmap(jax.vmap(agent.movement))(read_all_lines(agent, features), nothing, nothing).columns)


@pytest.mark.parametrize(
    ("name", "chosen"), [("cofca-s", "starcraft"), ("cofca", "starcraft"), ("cofca-d", "minecraft")]
)
def test_read_as_one_batch_or_each_by_itself_the_lines_and_their_gradients_are_the_same(
    name: str, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, (obs, memory) = small_agent(name, chosen), in_steps(moments(name, chosen, number=20))
    architecture: Any = type(agent)
    batched, read_lines = list[bool](), architecture.read_lines

    def watched(agent: Any, features: Any) -> Any:
        batched.append(features.p.ndim == 2)
        return read_lines(agent, features)

    monkeypatch.setattr(architecture, "read_lines", watched)
    # A plain agent reads one by one.
    expected = learned(lambda agent: read(agent, obs, memory), agent)
    assert set(batched) == {False}
    batched.clear()
    assert_same(expected, learned(lambda agent: read(fuse(agent), obs, memory), agent))
    pretend_to_be_an_accelerator(monkeypatch)
    assert_same(expected, learned(lambda agent: read(fuse(agent), obs, memory), agent))
    assert set(batched) == {True}
    # So do several devices.
    batched.clear()
    monkeypatch.setattr(jax, "device_count", lambda: 8)
    jax.eval_shape(lambda agent: read(fuse(agent), obs, memory), agent)
    assert set(batched) == {False}


def test_seeds_side_by_side_read_as_far_as_the_one_with_most_lines() -> None:
    found = [in_steps(moments("cofca-s", "minecraft", number=20, seed=seed)) for seed in range(2)]
    agents = [small_agent("cofca-s", "minecraft", seed) for seed in range(2)]
    # The first seed has short instructions only.
    short = found[0][0]._replace(mask=jnp.zeros_like(found[0][0].mask).at[..., 0].set(1))
    found[0] = short, found[0][1]._replace(pointer=jnp.zeros_like(found[0][1].pointer))
    one_by_one = [
        learned(lambda agent, each=each: read(agent, *each), agent) for agent, each in zip(agents, found, strict=True)
    ]
    together = learned(
        lambda agents: jax.vmap(lambda agent, each: read(fuse(agent), *each))(agents, stack(found)), stack(agents)
    )
    assert_same(np.stack([each[0] for each in one_by_one]), together[0])
