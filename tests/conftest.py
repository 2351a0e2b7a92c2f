"""Shapes and types in signatures are checked while the tests run; what is compiled is kept for the next run."""

import pytest
from jaxtyping import install_import_hook

install_import_hook("cofca", "typecheck.checked")
pytest.register_assert_rewrite("differential", "languages", "pictures")

from cofca.compilation import cache_compilation  # noqa: E402

cache_compilation()
