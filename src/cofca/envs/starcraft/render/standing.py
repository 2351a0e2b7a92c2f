"""Ticks, build tree and emblems as plain data, for pages that draw them themselves."""

from typing import Any

from PIL import Image

from cofca.envs.starcraft.render.emblems import emblem
from cofca.envs.starcraft.render.scene import Scene
from cofca.envs.starcraft.render.tree import node_count, nodes
from cofca.envs.starcraft.symbols import name, symbol


def standing(scene: Scene) -> dict[str, Any]:
    """Of each line whether it is done; and the rows of the tree: name, depth, how many, and whether these suffice."""
    tree = []
    for node in nodes(scene.lines):
        _, enough, count = node_count(scene, node)
        tree.append([name(symbol(node.line)), node.depth, count, enough])
    return {"done": list(scene.satisfied), "tree": tree}


def icons(scene: Scene, size: int) -> dict[str, Image.Image]:
    """The emblem of everything that the instruction names."""
    return {name(symbol(line)): emblem(line, size) for line in dict.fromkeys(scene.lines)}
