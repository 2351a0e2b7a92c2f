"""What there is to read before an agent is understood, and how its classes are made."""

import ast
from functools import cache
from pathlib import Path

import cofca.agents

ROOM = Path(cofca.agents.__file__).parent
ROOTS = ("cofca.agents.cofca_s", "cofca.agents.encoders.minecraft")
MOST_FILES, MOST_LINES = 9, 650
FILES = sorted(ROOM.rglob("*.py"))
MAY_BE_SUBCLASSED = {"eqx.Module", "NamedTuple", "Agent"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def path_of(module: str) -> Path | None:
    """Where a module of this package is; None for all others."""
    parts = module.split(".")
    if parts[:2] != ["cofca", "agents"]:
        return None
    place = ROOM.joinpath(*parts[2:])
    file = place.with_suffix(".py")
    return file if file.exists() else place / "__init__.py"


def imported(path: Path) -> set[Path]:
    """The files of this package that a file imports from. Of a package that is the file of the module, where a module
    is what is imported."""
    found = set[Path | None]()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {path_of(name.name) for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports are not followed"
            for name in node.names:
                module = path_of(f"{node.module}.{name.name}")
                found.add(module if module and module.exists() else path_of(node.module or ""))
    return {file for file in found if file is not None}


def only_says_what_it_is(path: Path) -> bool:
    body = parsed(path).body
    return path.name == "__init__.py" and all(isinstance(node, ast.Expr) for node in body)


def to_be_read() -> set[Path]:
    """All that CoFCA-S needs in Minecraft."""
    found, new = set[Path](), {path_of(root) for root in ROOTS}
    while new:
        path = new.pop()
        assert path is not None
        found.add(path)
        new |= imported(path) - found
    return {path for path in found if not only_says_what_it_is(path)}


def classes() -> list[ast.ClassDef]:
    return [node for path in FILES for node in ast.walk(parsed(path)) if isinstance(node, ast.ClassDef)]


def test_cofca_s_is_read_in_a_few_short_files() -> None:
    found = to_be_read()
    names = sorted(str(path.relative_to(ROOM)) for path in found)
    assert {"cofca_s.py", "base.py", "modules/scan.py", "encoders/minecraft.py"} <= set(names)
    assert not any(name.startswith("fused") for name in names)
    lines = sum(len(path.read_text().splitlines()) for path in found)
    assert len(names) <= MOST_FILES, names
    assert lines <= MOST_LINES, (lines, names)


def test_classes_are_abstract_or_final() -> None:
    bases = {node.name: {ast.unparse(base) for base in node.bases} for node in classes()}
    assert len(bases) > 20
    deep = {name: found for name, found in bases.items() if not found <= MAY_BE_SUBCLASSED}
    assert not deep
    assert bases["Agent"] == {"eqx.Module"}
    assert {name for name, found in bases.items() if "Agent" in found} == {
        "Cofca",
        "CofcaD",
        "CofcaM",
        "CofcaR",
        "CofcaS",
        "Olsk",
        "PublishedCofca",
        "PublishedCofcaS",
        "PublishedOlsk",
        "Unanswered",
        "Unstructured",
        "Worker",
    }


def test_what_all_agents_share_is_overridden_by_none_and_the_rest_is_made_by_all() -> None:
    (abstract,) = [node for node in classes() if node.name == "Agent"]
    methods = {node for node in abstract.body if isinstance(node, ast.FunctionDef)}
    shared = {method.name for method in methods if not method.decorator_list}
    assert shared == {"forward", "initial_memory"}
    for node in classes():
        if "Agent" in map(ast.unparse, node.bases):
            own = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            assert not own & shared, node.name
            assert {method.name for method in methods} - shared <= own, node.name


def test_nobody_asks_what_others_have() -> None:
    assert not [str(path) for path in FILES if "hasattr(" in path.read_text()]
