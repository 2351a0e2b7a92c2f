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
UNPICKLING = {"load", "hub", "package", "serialization"}
"""Of PyTorch."""
TENSORS = {"interop/policies/torch.py", "interop/gymnasium/arrays.py"}
"""They make tensors for modules that somebody else has loaded, and may import what makes these."""


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
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "torch" and node.attr in UNPICKLING:
            yield f"torch.{node.attr}"


def test_the_package_has_no_way_to_run_what_it_reads():
    package = Path(cofca.__file__).parent
    known = {str(path.relative_to(package)): path.read_text() for path in package.rglob("*.py")}
    assert len(known) > 100
    allowed = dict.fromkeys(TENSORS, frozenset({"torch"}))
    found = {path: set(problems(ast.parse(text))) - allowed.get(path, frozenset()) for path, text in known.items()}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "code",
    [
        *("import pickle", "import torch.nn", "from yaml import load", "eval('1')", "run = exec", "import os, dill"),
        "np.load(path, allow_pickle=True)",
        "torch.load(path)",
    ],
)
def test_ways_to_run_what_is_read_are_found(code: str):
    assert list(problems(ast.parse(code)))
