"""Compiled functions of the tests that compute longer than they take to compile."""

from functools import partial

import jax

fast = partial(jax.jit, compiler_options={"xla_backend_optimization_level": 1})
"""Somewhat optimised, where nearly everything else is not at all."""
