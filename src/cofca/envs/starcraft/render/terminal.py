"""A scene as text for a terminal."""

from rich.text import Text

from cofca.envs.render.canvas import STATUS
from cofca.envs.render.terminal import beside, listing_text, status_text, time_text
from cofca.envs.starcraft.language.instruction import words
from cofca.envs.starcraft.render.scene import (
    Scene,
    choice_text,
    news_texts,
    order_text,
    passed_text,
    stage_text,
    units_text,
)
from cofca.envs.starcraft.render.tiles import PROBES
from cofca.envs.starcraft.render.tree import Node, node_count, nodes
from cofca.envs.starcraft.symbols import FIRST_UNIT, NUM_PROBES, Building, Terrain, name, symbol

WIDTH, COLUMN, UNITS_ROOM = 160, 52, 40
"""Of the whole at most, of the first column (its longest line, so that nothing jumps), of the units in it."""
CODES = {
    Building.ASSIMILATOR: ("As", "#FFFFFF on #2F9E44"),
    Building.CYBERNETICS_CORE: ("CC", "#FFFFFF on #0B7285"),
    Building.DARK_SHRINE: ("DS", "#FFFFFF on #54207C"),
    Building.FLEET_BEACON: ("FB", "#FFFFFF on #D6336C"),
    Building.FORGE: ("Fo", "#FFFFFF on #C2410C"),
    Building.GATEWAY: ("Ga", "#FFFFFF on #1C4FD8"),
    Building.NEXUS: ("Nx", "#1F2937 on #FFD43B"),
    Building.PHOTON_CANNON: ("PC", "#1F2937 on #63E6BE"),
    Building.PYLON: ("Py", "#1F2937 on #74C0FC"),
    Building.ROBOTICS_BAY: ("RB", "#FFFFFF on #5C5F66"),
    Building.ROBOTICS_FACILITY: ("RF", "#1F2937 on #E3B23C"),
    Building.STAR_GATE: ("SG", "#FFE066 on #2B1B66"),
    Building.TEMPLAR_ARCHIVES: ("TA", "#1F2937 on #D0E3FF"),
    Building.TWILIGHT_COUNCIL: ("TC", "#1F2937 on #FFA94D"),
}
GROUND = {
    Terrain.PLAIN: (" .", "#5C6B94 on #2C3653"),
    Terrain.MINERALS: ("^^", "bold #D3F1FF on #245E8F"),
    Terrain.GAS: ("~~", "bold #B2F2BB on #2A7048"),
}
DESTROYED = "**", "bold #FFE066 on #C92A2A"
CHOSEN = "bold #1F2937 on #FFD43B"
VERBS = {"Build": "cyan", "Train": "bold magenta"}


def ansi(scene: Scene, color: bool = True) -> str:
    """The scene as text for a terminal; without colour it has no escape codes at all."""
    width = WIDTH + (3 + NUM_PROBES) * scene.buildings.shape[1]
    instruction = listing_text(scene, lambda index: _line_text(scene, index))
    return beside([_world_text(scene), instruction, _tree_text(scene)], width, color, COLUMN)


def _world_text(scene: Scene) -> Text:
    """Status, grid and facts."""
    height, width = scene.buildings.shape
    text = status_text(scene).append("\n\n   ")
    text.append("".join(f"{column + 1:^{3 + NUM_PROBES}}" for column in range(width)) + "\n", "dim")
    for row in range(height):
        text.append(f"{row + 1:2} ", "dim")
        for column in range(width):
            _append_cell(text, scene, row, column)
        text.append("\n")
    text.append("\n").append_text(time_text(scene))
    text.append(f"\nunits      {units_text(scene, lambda units: len(units) <= UNITS_ROOM)}")
    text.append(f"\ncommand    {stage_text(scene.stage, width)}")
    text.append(f"\nchoice     {choice_text(scene.choice, width)}  ").append(passed_text(scene), "dim")
    news = ", ".join(news_texts(scene))
    text.append("\nenemy      ").append(news or "-", f"bold #FFFFFF on {STATUS['failed']}" if news else "")
    for i, color in enumerate(PROBES):
        text.append("\n").append(f"Probe {i + 1}", f"bold {color}").append(f"    {order_text(scene, i)}")
    return text


def _append_cell(text: Text, scene: Scene, row: int, column: int) -> None:
    """What stands on a cell, and the numbers of the Probes there."""
    building, ground = int(scene.buildings[row, column]), GROUND[Terrain(int(scene.terrain[row, column]))]
    code, style = CODES[Building(building)] if building else ground
    if scene.destroyed[row, column]:
        code, style = DESTROYED
    chosen = scene.stage.cell == row * scene.buildings.shape[1] + column + 1
    text.append(f"{code} ", CHOSEN if chosen else style)
    here = [i for i, spot in enumerate(scene.probes) if spot == (row, column)]
    for i in here:
        text.append(str(i + 1), CHOSEN if scene.stage.probe == i + 1 else f"bold #10182B on {PROBES[i]}")
    text.append(" " * (NUM_PROBES - len(here)), ground[1])


def _line_text(scene: Scene, index: int) -> Text:
    """A line with its tick."""
    verb, noun = words(scene.lines[index])
    done = scene.satisfied[index]
    return Text.assemble(("✓ " if done else "· ", "green" if done else "dim"), (verb, VERBS[verb]), f" {noun}")


def _tree_text(scene: Scene) -> Text:
    """The build tree, and below it the other buildings that there are, so that every code is explained."""
    told = nodes(scene.lines)
    others = [Node(building, 0, 0) for building in Building if building not in {node.line for node in told}]
    tree, rest = ([_node_text(scene, node) for node in group] for group in (told, others))
    return Text("\n").join([Text("build tree", "dim"), *tree, Text("not in it", "dim"), *rest])


def _node_text(scene: Scene, node: Node) -> Text:
    there, enough, count = node_count(scene, node)
    text = Text("  " * node.depth)
    if node.line < FIRST_UNIT:
        code, style = CODES[Building(node.line)]
        text.append(code, style if there else "dim").append(" ")
    return text.append(f"{name(symbol(node.line))} {'✓ ' if enough else ''}{count}", "" if enough else "dim")
