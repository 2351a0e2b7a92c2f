"""Loops with a fixed number of rounds, compiled as each kind of machine likes them.

An accelerator wants them unrolled into one kernel; on a CPU that costs minutes of compilation and runs slower.
Neither asks after a round whether to go on: on an accelerator the answer takes longer than the round.
"""

from collections.abc import Callable
from typing import TypeVar

import jax

Carry = TypeVar("Carry")
Item = TypeVar("Item")

UNROLL = 16
"""Rounds in one kernel; a longer loop becomes several."""
CPU_UNROLL = 1


def fold(body: Callable[[Carry, Item], Carry], carry: Carry, items: Item) -> Carry:
    """Fold `body` over the leading axis of `items`."""

    def unrolled(times: int) -> Callable[[Carry, Item], Carry]:
        return lambda carry, items: jax.lax.scan(lambda now, item: (body(now, item), None), carry, items, unroll=times)[
            0
        ]

    return jax.lax.platform_dependent(carry, items, cpu=unrolled(CPU_UNROLL), default=unrolled(UNROLL))


def repeat(body: Callable[[Carry], Carry], carry: Carry, times: int, cpu_unroll: int = CPU_UNROLL) -> Carry:
    """Apply `body` so many times."""

    def unrolled(unroll: int) -> Callable[[Carry], Carry]:
        return lambda carry: jax.lax.fori_loop(0, times, lambda _, now: body(now), carry, unroll=unroll)

    return jax.lax.platform_dependent(carry, cpu=unrolled(cpu_unroll), default=unrolled(UNROLL))
