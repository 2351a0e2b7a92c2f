"""The build tree in the picture."""

import pytest

from cofca.envs.render.listing import PADDING
from cofca.envs.starcraft.render.picture import layout, picture
from cofca.envs.starcraft.render.tree import TITLE, Node, nodes, row_height
from cofca.envs.starcraft.symbols import FIRST_UNIT, NUM_UNITS
from envs.starcraft.scenes import CORE, GATEWAY, LINES, NEXUS, PYLON, SCENE, STALKER, ZEALOT


@pytest.mark.parametrize("depth", [1, 5, 14])
def test_the_whole_tree_fits_at_any_depth(depth: int) -> None:
    chains = [range(1, 1 + min(depth, 1 + number % 14)) for number in range(NUM_UNITS)]
    lines = tuple(line for number, chain in enumerate(chains) for line in (*chain, FIRST_UNIT + number))
    scene = SCENE._replace(lines=lines, satisfied=(False,) * len(lines), current=0)
    left, top, right, bottom = map(round, layout(scene).tree)
    drawn = (picture(scene)[top:bottom, left:right] != 255).any(axis=2)
    tree = nodes(lines)
    assert len(tree) == depth + NUM_UNITS
    height = row_height(lines, bottom - top - TITLE - 2 * PADDING)
    used = PADDING + TITLE + len(tree) * height
    assert drawn[used - height : used].any()
    assert used <= bottom - top - PADDING
    edge = 2 * PADDING // 3
    assert not drawn[edge:-edge, -edge:-2].any()
    assert not drawn[used:-edge, edge:-edge].any()


def test_tree_of_an_instruction() -> None:
    assert nodes(LINES) == (
        *(Node(PYLON, 0, 3), Node(GATEWAY, 1, 3), Node(ZEALOT, 2, 2)),
        *(Node(CORE, 2, 1), Node(STALKER, 3, 1)),
    )
    assert nodes((NEXUS, ZEALOT, *LINES[3:7]))[:2] == (Node(NEXUS, 0, 1), Node(ZEALOT, 1, 1))
    assert nodes(()) == ()
