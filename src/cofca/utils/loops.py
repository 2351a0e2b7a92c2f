"""Loops, compiled as the machine at hand likes them. What they compute is the same everywhere.

On an accelerator it takes longer to ask after a round whether to go on than to do another round. So loops have a
fixed number of rounds where there is a good bound, and otherwise do several rounds between two questions.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Shaped

ROUNDS_PER_KERNEL = 4
"""On an accelerator. With more of them compilation gets slow."""

Carry = TypeVar("Carry")
Item = TypeVar("Item")


def blank(shapes: Any) -> Any:
    """Zeros of these shapes, to begin a loop with; random keys of zeros."""

    def one(leaf: Any) -> Array:
        if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return jax.random.wrap_key_data(jnp.zeros((*leaf.shape, 2), jnp.uint32))
        return jnp.zeros(leaf.shape, leaf.dtype)

    return jax.tree.map(one, shapes)


def on_cpu() -> bool:
    """Whether compiled functions run on a CPU, where unrolled loops are slower and take long to compile."""
    return jax.default_backend() == "cpu"


def fold(body: Callable[[Carry, Item], Carry], carry: Carry, items: Item) -> Carry:
    """Fold `body` over the leading axis of `items`."""
    unroll = 1 if on_cpu() else 10
    return jax.lax.scan(lambda now, item: (body(now, item), None), carry, items, unroll=unroll)[0]


def repeat(body: Callable[[Carry], Carry], carry: Carry, times: int) -> Carry:
    """Apply `body` so many times."""
    if on_cpu():
        return jax.lax.fori_loop(0, times, lambda _, now: body(now), carry, unroll=4)
    # One kernel for a few rounds. Without the barriers the compiler fuses all rounds into each other and computes what
    # they share over and over: compilation then takes minutes instead of seconds.
    for done in range(1, times + 1):
        carry = body(carry)
        if done % ROUNDS_PER_KERNEL == 0:
            carry = jax.lax.optimization_barrier(carry)
    return carry


def advance_while(running: Callable[[Carry], Bool[Array, ""]], body: Callable[[Carry], Carry], carry: Carry) -> Carry:
    """Apply `body` as long as `running` holds."""

    def several(carry: Carry) -> Carry:
        for _ in range(4):
            carry = jax.tree.map(partial(jnp.where, running(carry)), body(carry), carry)
        return carry

    return jax.lax.while_loop(running, body if on_cpu() else several, carry)


def repeat_up_to(
    most: int, times: Int[Array, ""], body: Callable[[Int[Array, ""], Carry], Carry], carry: Carry
) -> Carry:
    """Apply `body` so many times, known only when the program runs. Whoever counts its cost finds `most` rounds."""

    def round_(carry: Carry, number: Array) -> tuple[Carry, None]:
        def once(state: tuple[Array, Carry]) -> tuple[Array, Carry]:
            return jnp.bool_(False), body(number, state[1])

        # Unlike a condition, a loop changes large arrays where they are.
        return jax.lax.while_loop(lambda state: state[0], once, (number < times, carry))[1], None

    return jax.lax.scan(round_, carry, jnp.arange(most))[0]


def compute_where(
    needed: Bool[Array, "steps envs"], function: Callable[..., Array], things: tuple, known: Shaped[Array, "steps envs"]
) -> Shaped[Array, "steps envs"]:
    """The function of things [steps, envs] where it is needed, and what is known elsewhere. A CPU computes no more than
    that, as many at a time as there are environments; an accelerator computes all of them at once."""
    if not on_cpu():
        return jnp.where(needed, jax.vmap(jax.vmap(function))(*things), known)
    steps, envs = needed.shape
    rows = jax.tree.map(lambda leaf: leaf.reshape(steps * envs, *leaf.shape[2:]), things)
    chosen = jnp.nonzero(needed.reshape(-1), size=steps * envs, fill_value=steps * envs)[0].reshape(steps, envs)

    def compute(number: Array, found: Array) -> Array:
        some = chosen[number]
        new = jax.vmap(function)(*jax.tree.map(lambda leaf: leaf[some], rows))
        return found.at[some].set(new, mode="drop")

    times = largest(-(-needed.sum() // envs))
    return repeat_up_to(steps, times, compute, known.reshape(-1)).reshape(steps, envs)


@jax.custom_batching.custom_vmap
def largest(number: Int[Array, "*shape"]) -> Int[Array, "*shape"]:
    """The same number; under `jax.vmap` the largest of all, so that they make a loop of so many rounds together."""
    return number


@largest.def_vmap
def _largest(size: int, batched: list[bool], numbers: Array) -> tuple[Array, bool]:
    del size, batched
    return largest(numbers.max(axis=0)), False
