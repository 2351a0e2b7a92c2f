"""The tree: rooms in layers, no circles, nothing in the root. `lint-imports` keeps the layers themselves."""

import ast
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cofca"


def test_no_module_is_in_the_root() -> None:
    loose = sorted(path.name for path in PACKAGE.iterdir() if path.is_file())
    assert loose == ["__init__.py", "__main__.py", "py.typed"]


def test_no_imports_go_in_circles() -> None:
    graph = grimp.build_graph("cofca", exclude_type_checking_imports=True, cache_dir=None)
    # A package that gathers names of its own modules is no circle.
    packages = {module for module in graph.modules if graph.find_children(module)}
    knows = {module: graph.find_modules_directly_imported_by(module) - packages for module in graph.modules}
    done: set[str] = set()
    for start in sorted(knows):
        _descend(start, knows, done, [])


def _descend(module: str, knows: dict[str, set[str]], done: set[str], way: list[str]) -> None:
    assert module not in way, f"a circle: {' -> '.join([*way[way.index(module) :], module])}"
    if module in done:
        return
    for other in sorted(knows[module]):
        _descend(other, knows, done, [*way, module])
    done.add(module)


def test_nobody_asks_an_observation_what_it_has() -> None:
    asking = [path.name for path in PACKAGE.rglob("*.py") if "hasattr(obs" in path.read_text()]
    assert not asking


def test_names_of_the_rooms_are_what_the_architecture_says() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    rooms = [path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()]
    assert not [room for room in rooms if f"{room}/" not in page]


def test_every_file_can_be_read_by_itself() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := len(path.read_text().splitlines())) > 400
    }
    assert not long
    assert all(ast.get_docstring(ast.parse(path.read_text())) for path in PACKAGE.rglob("*.py"))
