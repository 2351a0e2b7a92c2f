"""Types of arrays as the code writes them: `Array`, not the module that happens to hold it."""

from docutils import nodes
from sphinx.addnodes import desc_signature
from sphinx.application import Sphinx


def shorten(app: Sphinx, doctree: nodes.document) -> None:
    """In every signature."""
    for text in [text for signature in doctree.findall(desc_signature) for text in signature.findall(nodes.Text)]:
        short = text.astext().replace("jaxlib._jax.Array", "Array").replace("jax.Array", "Array")
        if short != text.astext():
            text.parent.replace(text, nodes.Text(short))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", shorten)
    return {"parallel_read_safe": True}
