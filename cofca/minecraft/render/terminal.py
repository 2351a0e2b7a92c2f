"""A scene as text for a terminal."""

from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cofca.minecraft.language.instruction import depths
from cofca.minecraft.language.text import INDENT, words
from cofca.minecraft.render.canvas import STATUS
from cofca.minecraft.render.scene import (
    DEEPEST,
    Scene,
    command_text,
    hidden_text,
    primitive_text,
    role,
    window,
)
from cofca.minecraft.symbols import RESOURCES, Thing

ROWS, COLUMN, BAR = 22, 36, 12
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
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(min_width=COLUMN)
    table.add_row(_world_text(scene), _program_text(scene))
    console = Console(
        file=StringIO(),
        width=2 * scene.cells.shape[1] + 120,
        color_system="truecolor" if color else None,
        force_terminal=color,
        no_color=not color,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(table)
    end = "\x1b[0m" if color else ""
    return "\n".join(line.rstrip() + end for line in capture.get().splitlines())


def _world_text(scene: Scene) -> Text:
    """Status, grid and facts. A cell is two columns wide: the worker if it is there, and the thing."""
    text = Text.assemble((f" {scene.status.upper()} ", f"bold #FFFFFF on {STATUS[scene.status]}"), "\n\n")
    for row, codes in enumerate(scene.cells):
        for column, code in enumerate(codes):
            letter, style = LETTERS[Thing(code)]
            here = scene.worker == (row, column)
            text.append("@" if here else " ", "bold #FFFFFF on #7C3AED" if here else style)
            text.append(letter, style)
        text.append("\n")
    held = zip(RESOURCES, scene.inventory, strict=True)
    text.append("\ninventory  " + "  ".join(f"{thing.name.lower()} {count}" for thing, count in held))
    left = scene.time_limit - scene.time
    bar = round(BAR * left / max(scene.time_limit, 1))
    text.append("\ntime left  ").append("█" * bar, "green").append("░" * (BAR - bar), "dim")
    text.append(f" {left} of {scene.time_limit}")
    text.append(f"\ncommand    {command_text(scene.command)}\nworker     {primitive_text(scene.primitive)}")
    return text


def _program_text(scene: Scene) -> Text:
    """The instruction with its current line marked."""
    indents, count, rows = depths(scene.lines), len(scene.lines), []
    shown = window(count, scene.current, ROWS)
    for index in shown:
        marked = index == scene.current
        row = Text.assemble("▶ " if marked else "  ", (f"{index + 1:3}  ", "dim"))
        row.append(INDENT * min(indents[index], DEEPEST))
        styled = [Text(text, WORDS.get(role(text), "")) for text in words(scene.lines[index])]
        row.append_text(Text(" ").join(styled))
        if marked:
            row.append(" ").stylize("bold black on #FFE066")
        note = hidden_text(shown, index, count)
        rows.append(Text(f"       {note}", "dim") if note else row)
    return Text("\n").join(rows)
