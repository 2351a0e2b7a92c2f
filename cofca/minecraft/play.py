"""A person plays a level in the terminal: type commands, watch the worker carry them out."""

import sys
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import PRNGKeyArray

from cofca.minecraft.env import Minecraft
from cofca.minecraft.levels.level import Level
from cofca.minecraft.oracle import play as play_oracle
from cofca.minecraft.params import MinecraftParams
from cofca.minecraft.render.scene import command_text
from cofca.minecraft.render.show import scene_of
from cofca.minecraft.render.terminal import ansi
from cofca.minecraft.symbols import WAIT
from cofca.minecraft.world import State, Status

HELP = "Type a command or its number; Enter repeats the last one, u takes it back, q quits."


class Moment(NamedTuple):
    """A state and what led to it."""

    state: State
    command: int | None = None
    primitive: int | None = None


def play(key: PRNGKeyArray, level: Level, params: MinecraftParams) -> bool:
    """Play until the episode ends or the person quits; whether it was a success."""
    env = Minecraft()
    step = jax.jit(partial(_step, env, params=params))
    history = [Moment(env.start(level, params))]
    color = sys.stdout.isatty()
    names = [command_text(number) for number in range(params.num_commands)]
    print(HELP, "  ".join(f"{number} {name}" for number, name in enumerate(names)), sep="\n")
    while history[-1].state.status == Status.RUNNING:
        _show(history[-1], params, color)
        word = _ask(names, history[-1].command)
        if word is None:
            print("stopped")
            return False
        if word == "u":
            history = history[:-1] or history
            continue
        command = int(word)
        state, primitive = step(key, history[-1].state, jnp.int32(command))
        history.append(Moment(state, command, int(primitive)))
    _show(history[-1], params, color)
    best = int(play_oracle(level, params).time)
    success = bool(history[-1].state.status == Status.SUCCEEDED)
    print(f"{'Success' if success else 'No success'} after {len(history) - 1} steps; the oracle needs {best}.")
    return success


def _step(
    env: Minecraft, key: PRNGKeyArray, state: State, command: jax.Array, params: MinecraftParams
) -> tuple[State, jax.Array]:
    primitive = env.respond(key, state, command, params)
    return env.advance(key, state, command, primitive, params)[0], primitive


def _show(moment: Moment, params: MinecraftParams, color: bool) -> None:
    print("\n" + ansi(scene_of(moment.state, params, moment.command, moment.primitive), color=color))


def _ask(names: list[str], last: int | None) -> str | None:
    """A command's number, `u`, or None to stop. Asks again until the answer is one of them."""
    while True:
        try:
            answer = " ".join(input("> ").lower().split())
        except (EOFError, KeyboardInterrupt):
            return None
        if answer in ("q", "quit"):
            return None
        if answer in ("u", "undo"):
            return "u"
        if answer == "" and last is not None:
            return str(last)
        if answer in names:
            return str(names.index(answer))
        if answer.isdecimal() and int(answer) < len(names):
            return answer
        wait = f", {command_text(WAIT)}" if len(names) > WAIT else ""
        print(f"unknown command {answer!r}; expected mine, sell or inspect and iron, gold or wood{wait}")
