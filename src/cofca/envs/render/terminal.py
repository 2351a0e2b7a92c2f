"""The parts of a scene's terminal text that all domains share."""

from collections.abc import Callable, Sequence
from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cofca.envs.render.canvas import STATUS
from cofca.envs.render.moment import Moment, hidden_text, window

ROWS, COLUMN, BAR = 22, 36, 12


def beside(texts: Sequence[Text], width: int, color: bool, column: int = COLUMN) -> str:
    """Texts side by side, the first at least a column wide; without colour there are no escape codes at all."""
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(min_width=column)
    table.add_row(*texts)
    console = Console(
        file=StringIO(),
        width=width,
        color_system="truecolor" if color else None,
        force_terminal=color,
        no_color=not color,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(table)
    end = "\x1b[0m" if color else ""
    return "\n".join(line.rstrip() + end for line in capture.get().splitlines())


def status_text(moment: Moment) -> Text:
    """The status, in its colour."""
    return Text.assemble((f" {moment.status.upper()} ", f"bold #FFFFFF on {STATUS[moment.status]}"))


def time_text(moment: Moment) -> Text:
    """The time left, as a bar and in numbers."""
    left = moment.time_limit - moment.time
    bar = round(BAR * left / max(moment.time_limit, 1))
    return Text.assemble(
        "time left  ", ("█" * bar, "green"), ("░" * (BAR - bar), "dim"), f" {left} of {moment.time_limit}"
    )


def listing_text(moment: Moment, line: Callable[[int], Text], rows: int = ROWS) -> Text:
    """The instruction with the line to do marked. `line` writes the line of an index."""
    count, texts = len(moment.lines), []
    shown = window(count, moment.current, rows)
    for index in shown:
        marked = index == moment.current
        row = Text.assemble("▶ " if marked else "  ", (f"{index + 1:3}  ", "dim")).append_text(line(index))
        if marked:
            row.append(" ").stylize("bold black on #FFE066")
        note = hidden_text(shown, index, count)
        texts.append(Text(f"       {note}", "dim") if note else row)
    return Text("\n").join(texts)
