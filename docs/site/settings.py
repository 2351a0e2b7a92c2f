"""The directive `settings`: every field of a dataclass as a table, from the code itself."""

import dataclasses
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective


class Settings(SphinxDirective):
    """Its argument is the class, such as `cofca.rl.config.PPOConfig`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The table."""
        module, _, name = self.arguments[0].rpartition(".")
        found = getattr(import_module(module), name)
        self.env.note_dependency(import_module(module).__file__)
        return self.parse_text_to_nodes("\n".join(table(found)))


def table(found: type) -> list[str]:
    """Name, type, default and meaning of each field, as Markdown."""
    documented = ModuleAnalyzer.for_module(found.__module__).find_attr_docs()
    rows = ["| name | type | default | |", "|---|---|---|---|"]
    for field in dataclasses.fields(found):
        meaning = " ".join(documented.get((found.__name__, field.name), []))
        cells = (f"`{field.name}`", f"`{typed(field.type)}`", default(field), meaning.strip())
        rows.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return rows


def typed(annotation: Any) -> str:
    """A type as it is written."""
    return annotation.__name__ if isinstance(annotation, type) and "[" not in str(annotation) else str(annotation)


def default(field: dataclasses.Field) -> str:
    """What a field is if nobody sets it."""
    if field.default_factory is not dataclasses.MISSING:
        return f"`{field.default_factory.__name__}()`"
    return "required" if field.default is dataclasses.MISSING else f"`{field.default!r}`"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("settings", Settings)
    return {"parallel_read_safe": True}
