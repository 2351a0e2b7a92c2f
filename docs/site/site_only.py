"""What pages say only on the site. It stands in comments, `<!-- site: … -->`: elsewhere its links lead nowhere."""

import re

from sphinx.application import Sphinx

ONLY_HERE = re.compile(r"<!-- site: (.+?) -->", re.DOTALL)


def uncomment(app: Sphinx, docname: str, source: list[str]) -> None:
    """In the source of a page."""
    source[0] = ONLY_HERE.sub(r"\1", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", uncomment)
    return {"parallel_read_safe": True}
