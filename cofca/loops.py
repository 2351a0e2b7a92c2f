"""Loops with a fixed number of rounds, compiled as each kind of machine likes them.

None of them asks after a round whether to go on: on an accelerator the answer takes longer than the round.
"""

from collections.abc import Callable
from typing import TypeVar

import jax

Carry = TypeVar("Carry")
Item = TypeVar("Item")

FOLD_UNROLL = 10
"""Rounds of `fold` in one kernel of an accelerator. On a CPU unrolling it makes it slower."""
CPU_REPEAT_UNROLL = 4


def fold(body: Callable[[Carry, Item], Carry], carry: Carry, items: Item) -> Carry:
    """Fold `body` over the leading axis of `items`."""

    def scan(unroll: int) -> Callable[[Carry, Item], Carry]:
        def run(carry: Carry, items: Item) -> Carry:
            return jax.lax.scan(lambda now, item: (body(now, item), None), carry, items, unroll=unroll)[0]

        return run

    return jax.lax.platform_dependent(carry, items, cpu=scan(1), default=scan(FOLD_UNROLL))


def repeat(body: Callable[[Carry], Carry], carry: Carry, times: int) -> Carry:
    """Apply `body` so many times."""

    def loop(carry: Carry) -> Carry:
        return jax.lax.fori_loop(0, times, lambda _, now: body(now), carry, unroll=CPU_REPEAT_UNROLL)

    def kernels(carry: Carry) -> Carry:
        # One kernel a round. Without the barriers the compiler fuses rounds into each other and computes what they
        # share over and over: compilation then takes minutes instead of seconds.
        for _ in range(times):
            carry = jax.lax.optimization_barrier(body(carry))
        return carry

    return jax.lax.platform_dependent(carry, cpu=loop, default=kernels)
