"""Navigation: a section's first page lists its pages, and so does the menu.

A page that no section lists is a warning, and warnings are errors.
"""

import re
from pathlib import PurePosixPath
from posixpath import normpath

from sphinx.application import Sphinx

SECTIONS = {
    "Tutorial": "docs/tutorial/index",
    "How to": "docs/how-to/index",
    "Reference": "docs/reference/index",
    "Explanation": "docs/explanation/index",
    "Results": "docs/results/index",
    "Notebook": "docs/notebook/README",
}
LISTS = {*SECTIONS.values(), "docs/reference/models"}
"""Pages whose lists are menus."""
LISTED = re.compile(r"^(?:- |\| )\[[^]]+\]\(([^)#]+)\.(?:md|ipynb)\)", re.MULTILINE)
"""A line of a list or a table that begins with a link to a page."""


def add_menu(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put what a section lists into its menu; the first page of all has the sections."""
    if docname == app.config.root_doc:
        entries = [f"{title} </{page}>" for title, page in SECTIONS.items()]
    elif docname in LISTS:
        folder = PurePosixPath(docname).parent
        entries = [f"/{normpath(folder / page)}" for page in LISTED.findall(source[0])]
    else:
        return
    source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(dict.fromkeys(entries)) + "\n```\n"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", add_menu)
    return {"parallel_read_safe": True}
