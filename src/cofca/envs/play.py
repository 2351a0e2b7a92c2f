"""A person plays a level in the terminal: type commands, watch what comes of them."""

import sys
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, PRNGKeyArray

from cofca.envs.base import Environment, Status
from cofca.envs.domain import Controls, Domain

HELP = "Enter repeats the last command, u takes it back, ? shows this again, q quits."


class Moment(NamedTuple):
    """A state and what led to it."""

    state: Any
    command: str | None = None
    action: int | None = None
    response: int | None = None
    why: str = ""
    """Why it is the end, without success."""


def play(domain: Domain, key: PRNGKeyArray, level: Any, params: Any) -> bool:
    """Play until the episode ends or the person quits; whether it was a success."""
    env = domain.environment()
    step = jax.jit(partial(_step, env, params=params))
    history = [Moment(env.start(level, params))]
    color = sys.stdout.isatty()
    print(_help(domain, params))
    while history[-1].state.status == Status.RUNNING:
        _show(domain, history[-1], params, color)
        print(f"now: {controls_of(domain).choices(history[-1].state, params)}")
        command = _ask(domain, history[-1].command, params)
        if command is None:
            print("stopped")
            return False
        if command == "u":
            history = history[:-1] or history
            continue
        now = history[-1]
        for action in controls_of(domain).read_command(command, params):
            if not env.allowed(now.state, params)[action]:
                print(f"{domain.display.action_text(action, params)}: not now")
                now = history[-1]
                break
            # The time is part of the key, so that whoever takes a step back meets the same chance again.
            chance = jax.random.fold_in(key, now.state.time)
            state, response = step(chance, now.state, jnp.int32(action))
            passed = state.time != now.state.time
            words = domain.display.words(now.state, state, action, int(response), params)
            if words.in_vain:
                print(f"{command}: that could not be done, and a time step has passed")
            now = Moment(state, command, action, int(response), words.why)
            # A choice that was refused has used the time step: the rest of the command is moot.
            if passed:
                break
        if now is not history[-1]:
            history.append(now)
    _show(domain, history[-1], params, color)
    success = bool(history[-1].state.status == Status.SUCCEEDED)
    if history[-1].why:
        print(history[-1].why)
    ending = f"{'Success' if success else 'No success'} after {int(history[-1].state.time)} steps"
    print(f"{ending}; {oracle_ending(domain, key, level, params)}.")
    return success


def oracle_ending(domain: Domain, key: PRNGKeyArray, level: Any, params: Any) -> str:
    """What the oracle does with a level, with the chances that a person met."""
    env = domain.environment()

    def step(state: Any) -> Any:
        return _step(env, jax.random.fold_in(key, state.time), state, domain.oracle(state), params)[0]

    begin = env.start(level, params)
    running = jax.jit(partial(jax.lax.while_loop, lambda state: state.status == Status.RUNNING, step))
    end = running(begin)
    words = "the oracle needs" if end.status == Status.SUCCEEDED else "the oracle has no success after"
    return f"{words} {int(end.time)}"


def _step(
    env: Environment, key: PRNGKeyArray, state: Any, action: Int[Array, ""], params: Any
) -> tuple[Any, Int[Array, ""]]:
    response = env.respond(key, state, action, params)
    return env.advance(key, state, action, response, params)[0], response


def _show(domain: Domain, moment: Moment, params: Any, color: bool) -> None:
    scene = domain.display.scene(moment.state, params, moment.action, moment.response)
    print("\n" + domain.display.ansi(scene, color=color))


def _help(domain: Domain, params: Any) -> str:
    return f"{controls_of(domain).help(params)}\n{HELP}"


def _ask(domain: Domain, last: str | None, params: Any) -> str | None:
    """A command, `u`, or None to stop. Asks again until the answer is one of them."""
    while True:
        try:
            answer = " ".join(input("> ").lower().split())
        except (EOFError, KeyboardInterrupt):
            return None
        if answer in ("q", "quit"):
            return None
        if answer in ("?", "help"):
            print(_help(domain, params))
            continue
        if answer in ("u", "undo"):
            return "u"
        if answer == "" and last is not None:
            return last
        try:
            controls_of(domain).read_command(answer, params)
        except ValueError as error:
            print(error)
        else:
            return answer


def controls_of(domain: Domain) -> Controls:
    """How a person plays, where that is possible."""
    if domain.controls is None:
        raise ValueError(f"{domain.name} can't be played by hand")
    return domain.controls
