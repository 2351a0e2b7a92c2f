"""What a person types to play: the commands in words or by number."""

from cofca.minecraft.params import MinecraftParams
from cofca.minecraft.render.scene import command_text
from cofca.minecraft.symbols import WAIT


def play_help(params: MinecraftParams) -> str:
    """How to command the worker."""
    names = (f"{number} {command_text(number)}" for number in range(params.num_commands))
    return "Type a command or its number.\n" + "  ".join(names)


def read_command(answer: str, params: MinecraftParams) -> list[int]:
    """The action of a command, such as `mine iron` or `0`."""
    names = [command_text(number) for number in range(params.num_commands)]
    if answer in names:
        return [names.index(answer)]
    if answer.isdecimal() and int(answer) < len(names):
        return [int(answer)]
    wait = f", {command_text(WAIT)}" if len(names) > WAIT else ""
    raise ValueError(f"unknown command {answer!r}; expected mine, sell or inspect and iron, gold or wood{wait}")
