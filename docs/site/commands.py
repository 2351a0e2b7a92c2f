"""The directive `commands`: what `cofca SUBCOMMAND --help` prints, for every subcommand."""

import contextlib
import io
from typing import get_args
from unittest.mock import patch

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from cofca.cli.entry import Verb, parsed

WIDTH = "80"


class Commands(SphinxDirective):
    """A section for each subcommand."""

    def run(self) -> list[nodes.Node]:
        """The sections; a page that is made of code in many files is always made again."""
        self.env.note_reread()
        parts = []
        for verb in map(verb_of, get_args(Verb)):
            shown = nodes.literal_block(text := help_of(verb), text, language="text")
            title = nodes.title(text=f"cofca {verb}")
            parts.append(nodes.section("", title, shown, ids=[f"cofca-{verb}"]))
        return parts


def verb_of(annotated: type) -> str:
    """Its name on the command line."""
    return next(extra.name for extra in annotated.__metadata__)


def help_of(verb: str) -> str:
    """What it prints about itself."""
    printed, narrow = contextlib.redirect_stdout(io.StringIO()), patch.dict("os.environ", COLUMNS=WIDTH)
    with narrow, printed as text, contextlib.suppress(SystemExit):
        parsed([verb, "--help"])
    return "\n".join(line.rstrip() for line in text.getvalue().strip().splitlines())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
