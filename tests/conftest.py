"""Shapes and types in signatures are checked while the tests run; what is compiled is kept for the next run."""

import os
import sys

# Tests compile much and compute little: unoptimised programs are there in two thirds of the time. Not so `make soak`.
if "soak" not in sys.argv:
    unoptimised = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {unoptimised}"

import pytest
from jaxtyping import install_import_hook

install_import_hook("cofca", "typecheck.checked")
pytest.register_assert_rewrite("differential", "languages", "pictures")

from cofca.compilation import cache_compilation  # noqa: E402

cache_compilation()
