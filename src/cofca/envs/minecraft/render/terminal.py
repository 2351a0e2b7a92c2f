"""A scene as text for a terminal."""

from rich.text import Text

from cofca.envs.minecraft.language.instruction import depths
from cofca.envs.minecraft.language.text import INDENT, words
from cofca.envs.minecraft.render.scene import DEEPEST, Scene, command_text, primitive_text, role
from cofca.envs.minecraft.symbols import RESOURCES, Thing
from cofca.envs.render.terminal import beside, listing_text, status_text, time_text

WORDS = {"keyword": "bold magenta", "verb": "cyan"}
LETTERS = {
    Thing.NOTHING: (".", "#A9C48A on #E0EECB"),
    Thing.IRON: ("i", "bold #1F2937 on #B8C4D2"),
    Thing.GOLD: ("g", "bold #5C3D00 on #FFD43B"),
    Thing.WOOD: ("w", "bold #FFFFFF on #8A5A33"),
    Thing.MERCHANT: ("m", "bold #FFFFFF on #E5484D"),
    Thing.WATER: ("~", "bold #FFFFFF on #4FA3DF"),
    Thing.WALL: ("#", "bold #E8D5CC on #6E5148"),
}


def ansi(scene: Scene, color: bool = True) -> str:
    """The scene as text for a terminal; without colour it has no escape codes at all."""
    return beside([_world_text(scene), _program_text(scene)], 2 * scene.cells.shape[1] + 120, color)


def _world_text(scene: Scene) -> Text:
    """Status, grid and facts. A cell is two columns wide: the worker if it is there, and the thing."""
    text = status_text(scene).append("\n\n")
    for row, codes in enumerate(scene.cells):
        for column, code in enumerate(codes):
            letter, style = LETTERS[Thing(code)]
            here = scene.worker == (row, column)
            text.append("@" if here else " ", "bold #FFFFFF on #7C3AED" if here else style)
            text.append(letter, style)
        text.append("\n")
    held = zip(RESOURCES, scene.inventory, strict=True)
    text.append("\ninventory  " + "  ".join(f"{thing.name.lower()} {count}" for thing, count in held) + "\n")
    text.append_text(time_text(scene))
    text.append(f"\ncommand    {command_text(scene.command)}\nworker     {primitive_text(scene.primitive)}")
    return text


def _program_text(scene: Scene) -> Text:
    """The instruction with its current line marked."""
    indents = depths(scene.lines)

    def line(index: int) -> Text:
        styled = [Text(text, WORDS.get(role(text), "")) for text in words(scene.lines[index])]
        return Text(INDENT * min(indents[index], DEEPEST)).append_text(Text(" ").join(styled))

    return listing_text(scene, line)
