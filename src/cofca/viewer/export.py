"""An episode as one HTML file that works by itself, offline."""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

PAGE = files("cofca.viewer") / "page"
PLAYER = ("listing.js", "depths.js", "scene.js", "player.js")
"""The scripts that show an episode."""


def page_of(records: Sequence[dict[str, Any]], title: str = "", head: str = "") -> str:
    """The file's text: one episode, or two side by side, below the HTML of a head."""
    title = escape(title or " and ".join(record["agent"] for record in records))
    fill = {"title": title, "head": head, "style": text_of("style.css"), "player": script_of(records)}
    return Template(text_of("export.html")).substitute(fill)


def script_of(records: Sequence[dict[str, Any]]) -> str:
    """What shows episodes in a page's element called "stage"; they may be packed."""
    # Inside a script element "</" would end it, whatever it stands in.
    data = json.dumps(list(records), allow_nan=False).replace("<", "\\u003c")
    read = 'JSON.parse(document.getElementById("data").textContent).map(unpack)'
    show = f'Promise.all({read}).then((all) => showEpisodes(document.getElementById("stage"), all));'
    scripts = "\n".join(map(text_of, (*PLAYER, "unpack.js")))
    return f'<script id="data" type="application/json">{data}</script>\n<script>{scripts}\n{show}</script>'


def write_page(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write the file."""
    path.write_text(page_of(records), encoding="utf-8")


def text_of(name: str) -> str:
    """A file of the page."""
    return (PAGE / name).read_text(encoding="utf-8")
