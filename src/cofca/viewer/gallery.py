"""The gallery: the recorded examples as pages that need no server."""

from html import escape
from pathlib import Path
from string import Template

from cofca.viewer.examples import EXAMPLES, Example, episodes, stored
from cofca.viewer.export import page_of, text_of

INDEX, FOLDER = "gallery.html", "gallery"
LINES = 5
"""So many lines of an instruction are shown on its card."""
LOOK = {
    "fifty-lines": "CoFCA-R's blue pointer stays with the yellow line through all fifty lines. Unstructured Memory, "
    "which has no pointer, mines the wrong thing at line 15.",
    "in-order": "No condition, no loop: the gate opens when a line is done, and the pointer goes to the next.",
    "if": "The condition is false: the pointer jumps from line 2 over the block to line 6.",
    "if-else": "The condition is false: the pointer jumps from line 1 into the else branch, to line 4.",
    "while": "While the condition holds, the pointer goes back to line 2. When it is false, it jumps to line 5.",
    "nested": "From a finished branch the pointer jumps over the else block to line 11, and from the end of the loop "
    "back to line 1.",
    "figure-4": "On a drawn map the loop runs twice. Then its condition is false, and the pointer jumps to line 4.",
    "ambush": "An ambush kills units of lines that were done. The pointer goes back to line 4, and the agent repairs "
    "what was lost.",
    "attack": "The enemy destroys two buildings. The pointer goes back, to line 5 and later to line 1, before "
    "the agent finishes.",
    "famous-failure": "CoFCA-R goes back to line 16, where the loop begins. CoFCA-S jumps to line 1, starts over, and "
    "mines gold that is not due.",
    "failure-cofca-d": "The condition of line 2 is false. CoFCA-R jumps to line 11, CoFCA-D to line 7, into the block.",
    "failure-cofca-r": "The condition of line 4 is true, so line 5 is due. CoFCA-R that never saw blocks in blocks "
    "jumps to line 7.",
    "failure-cofca": "The condition of line 2 is true, so line 3 is due. CoFCA jumps over the block to line 10.",
    "failure-olsk": "The condition of line 2 is true, so line 3 is due. OLSK mines iron, as line 10 says.",
    "failure-olsk-e": "The condition is false: CoFCA-R jumps from line 2 to line 10. OLSK-E mines gold all the same.",
    "failure-cofca-s-paper": "The paper's CoFCA-S jumps from line 1 to line 4, into the branch that is not due. "
    "CoFCA-R takes the other branch, and repeats its loop from line 11.",
}
"""What to look at."""


def write_gallery(folder: Path) -> Path:
    """Write the pages into a folder; their links are relative."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    for number, example in enumerate(EXAMPLES):
        following = EXAMPLES[(number + 1) % len(EXAMPLES)]
        page = page_of(stored(example.name), example.title, _head(example, following))
        (folder / FOLDER / f"{example.name}.html").write_text(page, encoding="utf-8")
    fill = {"style": text_of("style.css") + text_of("gallery.css"), "cards": "".join(map(_card, EXAMPLES))}
    path = folder / INDEX
    path.write_text(Template(text_of(INDEX)).substitute(fill), encoding="utf-8")
    return path


def _head(example: Example, following: Example) -> str:
    """What stands above the episode."""
    links = f'<a href="../{INDEX}">All examples</a> <a href="{following.name}.html">Next: {escape(following.title)}</a>'
    return f"<header><h1>{escape(example.title)}</h1><p>{escape(LOOK[example.name])}</p><nav>{links}</nav></header>\n"


def _card(example: Example) -> str:
    """A picture from the middle of the episode, what to look at, and how the instruction begins."""
    record = episodes(example.name)[0]
    frame = record["frames"][len(record["frames"]) // 2]
    lines = example.instruction.splitlines()
    first = "\n".join([*lines[:LINES], *["…"] * (len(lines) > LINES)])
    picture = f'<img src="{record["pictures"][frame["picture"]]}" alt="The map at step {frame["time"]}">'
    title = f'<h2><a href="{FOLDER}/{example.name}.html">{escape(example.title)}</a></h2>'
    return f"<li>{picture}<div>{title}<p>{escape(LOOK[example.name])}</p><pre>{escape(first)}</pre></div></li>\n"
