"""The package has no way to run what it reads."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import cofca

FORBIDDEN_MODULES = {
    "pickle",
    "cPickle",
    "_pickle",
    "dill",
    "cloudpickle",
    "joblib",
    "shelve",
    "marshal",
    "yaml",
    "torch",
}
FORBIDDEN_CALLS = {"eval", "exec", "compile"}


def problems(tree: ast.AST) -> Iterator[str]:
    """Whatever in a module could run what it reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in FORBIDDEN_MODULES)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in FORBIDDEN_MODULES:
            yield str(node.module)
        if isinstance(node, ast.Name) and node.id in FORBIDDEN_CALLS:
            yield node.id
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            yield "allow_pickle"


def test_the_package_has_no_way_to_run_what_it_reads():
    paths = sorted(Path(cofca.__file__).parent.rglob("*.py"))
    assert len(paths) > 100
    assert {str(path): found for path in paths if (found := list(problems(ast.parse(path.read_text()))))} == {}


@pytest.mark.parametrize(
    "code",
    [
        *("import pickle", "import torch.nn", "from yaml import load", "eval('1')", "run = exec", "import os, dill"),
        "np.load(path, allow_pickle=True)",
    ],
)
def test_ways_to_run_what_is_read_are_found(code: str):
    assert list(problems(ast.parse(code)))
