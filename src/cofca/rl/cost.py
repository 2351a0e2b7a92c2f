"""What a compiled function costs on paper: the operations and the bytes of its matrix products and convolutions.

All else is fused into them, or small. Loops whose length is not known before they run count as one round: here
these only move environments, which multiply nothing. Lines that a CPU leaves out count as well.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
from jax.extend.core import Jaxpr


class Cost(NamedTuple):
    """Of one call."""

    operations: int
    """Multiplications and additions."""
    bytes: int
    """Operands and results, each once: what memory moves if caches keep nothing from one product to the next."""

    def __add__(self, other: "Cost") -> "Cost":  # type: ignore[override]
        return Cost(self.operations + other.operations, self.bytes + other.bytes)

    def __mul__(self, times: int) -> "Cost":  # type: ignore[override]
        return Cost(self.operations * times, self.bytes * times)


NOTHING = Cost(0, 0)


def cost_of(function: Callable[..., Any], *args: Any) -> Cost:
    """Of a function that is called with these arguments, or with arrays of their shapes."""
    return _total(jax.make_jaxpr(function)(*args).jaxpr)


def _total(jaxpr: Jaxpr) -> Cost:
    total = NOTHING
    for equation in jaxpr.eqns:
        total += _product(equation)
        times = equation.params["length"] if equation.primitive.name == "scan" else 1
        for inner in _inner(equation.params):
            total += _total(inner) * times
    return total


def _inner(params: dict[str, Any]) -> Iterator[Jaxpr]:
    """The programs that an equation calls."""
    for value in params.values():
        for part in value if isinstance(value, tuple | list) else (value,):
            found = getattr(part, "jaxpr", part)
            if isinstance(found, Jaxpr):
                yield found


def _product(equation: Any) -> Cost:
    """Of an equation that is a matrix product or a convolution."""
    name = equation.primitive.name
    if name == "dot_general":
        (contracted, _), _ = equation.params["dimension_numbers"]
        terms = math.prod(equation.invars[0].aval.shape[axis] for axis in contracted)
    elif name == "conv_general_dilated":
        kernel, numbers = equation.invars[1].aval, equation.params["dimension_numbers"]
        # Each output is a sum over the kernel without its output channels.
        terms = kernel.size // kernel.shape[numbers.rhs_spec[0]]
    else:
        return NOTHING
    result = equation.outvars[0].aval
    arrays = [*(operand.aval for operand in equation.invars), result]
    return Cost(2 * result.size * terms, sum(array.size * array.dtype.itemsize for array in arrays))
