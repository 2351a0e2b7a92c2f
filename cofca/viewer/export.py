"""An episode as one HTML file that works by itself, offline."""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

PAGE = files("cofca.viewer") / "page"


def page_of(records: Sequence[dict[str, Any]]) -> str:
    """The file's text: one episode, or two side by side."""
    # Inside a script element "</" would end it, whatever it stands in.
    data = json.dumps(list(records)).replace("<", "\\u003c")
    parts = {name: (PAGE / name).read_text(encoding="utf-8") for name in ("export.html", "style.css", "player.js")}
    title = escape(" and ".join(record["agent"] for record in records))
    fill = {"title": title, "style": parts["style.css"], "player": parts["player.js"], "data": data}
    return Template(parts["export.html"]).substitute(fill)


def write_page(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write the file."""
    path.write_text(page_of(records), encoding="utf-8")
