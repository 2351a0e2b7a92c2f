"""The build tree as far as an instruction tells it, and its panel in a picture."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cofca.envs.render.brush import Box
from cofca.envs.render.canvas import CARD, INK, MUTED, TRACK, Canvas, font
from cofca.envs.render.listing import PADDING
from cofca.envs.starcraft.render.emblems import emblem
from cofca.envs.starcraft.render.scene import Scene
from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL, name, symbol

ROWS = (26, 20, 15)
"""Heights of a row; the largest that fits is taken."""
TITLE = 26
"""Height of the panel's title."""
INDENT, ICON, TEXT, COUNT = 0.8, 1.3, 0.66, 1.9
"""Of a row, in row heights: the step to a child, room for the emblem, the font's size, room for the count."""
DEEPEST = 10
"""Deeper nodes are indented no further, or the text would leave the panel."""
STANDING, FAINT = "#D3F0DA", 0.3
"""The plate behind what stands or is covered, and the strength of what is not."""


class Node(NamedTuple):
    """A building or unit of the tree."""

    line: int
    """Its symbol in a line."""
    depth: int
    wanted: int
    """How many lines order it, for a unit."""


@lru_cache(maxsize=64)
def nodes(lines: tuple[int, ...]) -> tuple[Node, ...]:
    """The tree from the roots down, siblings in the order in which the instruction names them.

    A building or unit hangs from the building right before it, a building after a unit from nothing.
    """
    parents = {after: before if before < FIRST_UNIT else 0 for before, after in pairwise((FIRST_UNIT, *lines))}
    wanted = Counter(lines)

    def below(parent: int, depth: int) -> Iterator[Node]:
        for line in (child for child, of in parents.items() if of == parent):
            yield Node(line, depth, wanted[line])
            yield from below(line, depth + 1)

    return tuple(below(0, 0))


def node_count(scene: Scene, node: Node) -> tuple[int, bool, str]:
    """How many stand or are alive, whether that is enough, and both in words."""
    if node.line < FIRST_UNIT:
        there = int(np.count_nonzero(scene.buildings == node.line))
        return there, there > 0, f"x{there}" if there > 1 else ""
    there = scene.units[node.line - FIRST_UNIT]
    return there, there >= node.wanted, f"{there}/{node.wanted}"


def row_height(lines: tuple[int, ...], room: float) -> int:
    """The height of a row, so that the whole tree fits into the room."""
    return next((row for row in ROWS if len(nodes(lines)) * row <= room), ROWS[-1])


def tree_width(lines: tuple[int, ...], room: float) -> int:
    """What the panel takes: enough for the longest name there is, at the greatest depth."""
    row = row_height(lines, room - TITLE - 2 * PADDING)
    depth = min(max((node.depth for node in nodes(lines)), default=0), DEEPEST)
    return round((INDENT * depth + ICON + COUNT + 0.8) * row + _longest_name(TEXT * row)) + 2 * PADDING


@cache
def _longest_name(size: float) -> float:
    return max(font(size).getlength(name(symbol(line))) for line in range(1, LAST_SYMBOL + 1))


def draw_tree(canvas: Canvas, scene: Scene, box: Box) -> None:
    """Draw the tree into a box, with what stands or is covered standing out."""
    left, top, right, bottom = box
    canvas.plate(box, CARD, 12)
    canvas.text(left + PADDING, top + PADDING + 8, "build tree", 15, MUTED)
    top += PADDING + TITLE
    row = row_height(scene.lines, bottom - top - PADDING)
    for place, node in enumerate(nodes(scene.lines)):
        _draw_node(canvas, scene, node, (left + PADDING, top + place * row, right - PADDING, top + (place + 1) * row))


def _draw_node(canvas: Canvas, scene: Scene, node: Node, box: Box) -> None:
    left, top, right, bottom = box
    row, middle = bottom - top, (top + bottom) / 2
    depth = min(node.depth, DEEPEST)
    for level in range(depth):
        guide = left + (INDENT * level + 0.4) * row
        canvas.plate((guide, top, guide + 1, bottom), TRACK)
    x = left + INDENT * depth * row
    there, enough, count = node_count(scene, node)
    if enough:
        canvas.plate((x, top + 1, right, bottom - 1), STANDING, 6)
    side = 0.84 * row
    picture = emblem(node.line, canvas.pixels(side), 1.0 if enough or there else FAINT)
    canvas.paste(picture, x + 0.25 * row, middle - side / 2)
    color = INK if enough else MUTED
    canvas.text(x + ICON * row, middle, name(symbol(node.line)), TEXT * row, color, bold=enough)
    canvas.text(right - 0.3 * row, middle, count, TEXT * row, color, "rm", bold=enough)
