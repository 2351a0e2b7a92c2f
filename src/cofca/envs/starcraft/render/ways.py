"""The Probes' orders in a picture: a dashed line along each way, and a mark on its goal."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

import numpy as np

from cofca.envs.render.brush import UNITS, Brush, Point

Spot = tuple[int, int]
"""Row and column of a cell."""
DASH, SPACE, WIDTH = 7.0, 5.0, 2.6
"""Of dashed lines."""
RING, EDGE, HEAD = 8.0, 26.0, 10.0
"""Where the line ends before the middle of its goal, to go or to build there, and the length of the arrow's head."""
APART = 5.0
"""Between the ways of different Probes, so that they do not cover each other."""


def paint_way(brush: Brush, number: int, start: Point, spot: Spot, goal: Spot, build: bool, color: str) -> None:
    """The order of the Probe with this number, from its place in the picture to its goal."""
    shift = APART * (number - 2)
    if build:
        inset = 2 + 3 * number - WIDTH
        left, top = UNITS * goal[1] + inset, UNITS * goal[0] + inset
        right, bottom = left + UNITS - 2 * inset, top + UNITS - 2 * inset
        _paint_dashes(brush, [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], color)
    else:
        for radius, shade in ((RING, color), (0.62 * RING, "#1C2438"), (0.3 * RING, color)):
            brush.disc(_center(goal, shift), radius, shade)
    if spot == goal:
        return
    way = [start, *(_center(corner, shift) for corner in corners(spot, goal))]
    (x, y), (end_x, end_y) = way[-2:]
    length = hypot(end_x - x, end_y - y)
    ahead_x, ahead_y = (end_x - x) / length, (end_y - y) / length
    rest = min(EDGE if build else RING, length - HEAD)
    tip_x, tip_y = end_x - rest * ahead_x, end_y - rest * ahead_y
    back_x, back_y = tip_x - HEAD * ahead_x, tip_y - HEAD * ahead_y
    _paint_dashes(brush, [*way[:-1], (back_x, back_y)], color)
    side_x, side_y = HEAD / 2 * ahead_y, -HEAD / 2 * ahead_x
    brush.polygon([(tip_x, tip_y), (back_x + side_x, back_y + side_y), (back_x - side_x, back_y - side_y)], color)


def corners(spot: Spot, goal: Spot) -> list[Spot]:
    """Where the way turns and ends: Probes go diagonally first and then straight."""
    rows, columns = goal[0] - spot[0], goal[1] - spot[1]
    slant = min(abs(rows), abs(columns))
    turn = spot[0] + slant * int(np.sign(rows)), spot[1] + slant * int(np.sign(columns))
    return [goal] if turn in (spot, goal) else [turn, goal]


def _center(spot: Spot, shift: float) -> Point:
    return UNITS * (spot[1] + 0.5) + shift, UNITS * (spot[0] + 0.5) + shift


def _paint_dashes(brush: Brush, way: Sequence[Point], color: str) -> None:
    for dash in _dashes(way):
        brush.line(dash, color, WIDTH)


def _dashes(way: Sequence[Point]) -> Iterator[list[Point]]:
    for (x, y), (end_x, end_y) in pairwise(way):
        length = hypot(end_x - x, end_y - y)
        for start in np.arange(0, length, DASH + SPACE):
            shares = start / length, min(start + DASH, length) / length
            yield [(x + share * (end_x - x), y + share * (end_y - y)) for share in shares]
