"""What a person types to play: the commands in words or by number."""

from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.render.scene import command_text
from cofca.envs.minecraft.symbols import WAIT
from cofca.envs.minecraft.world import State


def play_help(params: MinecraftParams) -> str:
    """What is on the map, and how to command the worker."""
    del params
    return (
        "On the map: i iron, g gold, w wood, m merchant, ~ water, # wall, @ the worker. Type a command or its number;\n"
        "the worker takes a step towards it, so repeat it until it is done."
    )


def choices(state: State, params: MinecraftParams) -> str:
    """The commands, which are always the same."""
    del state
    return "  ".join(f"{number} {command_text(number)}" for number in range(params.num_commands))


def read_command(answer: str, params: MinecraftParams) -> list[int]:
    """The action of a command, such as `mine iron` or `0`."""
    names = [command_text(number) for number in range(params.num_commands)]
    if answer in names:
        return [names.index(answer)]
    if answer.isdecimal() and int(answer) < len(names):
        return [int(answer)]
    wait = f", {command_text(WAIT)}" if len(names) > WAIT else ""
    raise ValueError(f"unknown command {answer!r}; expected mine, sell or inspect and iron, gold or wood{wait}")
