"""Notebooks as pages: their cells are run, and what they print and draw is shown below them.

Git has notebooks without outputs. Nothing here needs Jupyter, or Sphinx: tests run the cells with `run`.
"""

import ast
import base64
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Cell(NamedTuple):
    """A cell, and what came of it."""

    kind: str
    text: str
    printed: str = ""
    figures: tuple[bytes, ...] = ()
    """As PNG."""


def cells(path: Path) -> list[Cell]:
    """Those of a notebook."""
    page = json.loads(path.read_text(encoding="utf-8"))
    return [Cell(cell["cell_type"], "".join(cell["source"])) for cell in page["cells"]]


def run(path: Path) -> Iterator[Cell]:
    """One cell after the other, in a namespace of their own."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells(path):
        if cell.kind == "code":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                execute(cell.text, namespace)
            cell = cell._replace(printed=printed.getvalue(), figures=tuple(drawn()))
        yield cell


def execute(code: str, namespace: dict[str, Any]) -> None:
    """A cell; a value on its last line is printed, as Jupyter does."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    if last and (value := eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)) is not None:
        print(value)


def drawn() -> Iterator[bytes]:
    """The figures that are open; they are closed."""
    from matplotlib import pyplot

    for number in pyplot.get_fignums():
        pyplot.figure(number).savefig(file := io.BytesIO(), format="png", dpi=120, bbox_inches="tight")
        yield file.getvalue()
    pyplot.close("all")


def as_markdown(path: Path) -> str:
    """A notebook that has been run."""
    parts = []
    for cell in run(path):
        parts.append(cell.text if cell.kind == "markdown" else f"```python\n{cell.text}\n```")
        if cell.printed:
            parts.append(f"```text\n{cell.printed.rstrip()}\n```")
        parts += [f"![](data:image/png;base64,{base64.b64encode(png).decode()})" for png in cell.figures]
    return "\n\n".join(parts)


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""

    def read(app: Any, docname: str, source: list[str]) -> None:
        path = Path(app.env.doc2path(docname))
        if path.suffix == ".ipynb":
            source[0] = as_markdown(path)

    app.connect("source-read", read)
    return {"parallel_read_safe": True}
