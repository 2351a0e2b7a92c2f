"""A time step in words: which conditions are told, and how they turned out."""

from dataclasses import replace

import jax
import jax.numpy as jnp

from cofca.envs.minecraft import Minecraft, MinecraftParams, Primitive, own_level
from cofca.envs.minecraft.language.interpreter import control_lines
from cofca.envs.minecraft.language.text import parse
from cofca.envs.minecraft.levels.own import compile_program
from cofca.envs.minecraft.render.words import first_words, words
from cofca.envs.minecraft.symbols import Thing
from cofca.envs.render.words import Words

PROGRAM = """
if more gold than merchants
    mine gold
endif
while more iron than gold
    mine iron
endwhile
mine wood
"""
MAP = "@iw...\n" + "......\n" * 5
PARAMS = MinecraftParams(length=(1, 7))
MINE_IRON, SELL_IRON = 0, 3


def test_conditions_are_told_when_they_are_met():
    env = Minecraft()
    start = env.start(own_level(jax.random.key(0), PROGRAM, PARAMS, MAP), PARAMS)
    assert first_words(start, PARAMS) == [
        "line 1, if more gold than merchants: no",
        "line 4, while more iron than gold: yes",
    ]

    def after(state, primitive):
        return env.advance(jax.random.key(0), state, jnp.int32(MINE_IRON), jnp.int32(primitive), PARAMS)[0]

    there = after(start, Primitive.EAST)
    walked = words(start, there, MINE_IRON, int(Primitive.EAST), PARAMS)
    assert walked == Words("mine iron", "moves east", [])
    mined = words(there, after(there, Primitive.MINE), MINE_IRON, int(Primitive.MINE), PARAMS)
    assert mined == Words("mine iron", "mines", ["line 4, while more iron than gold: no"])


def test_an_else_is_passed_without_a_question():
    instruction = parse("if more iron than gold\nmine iron\nelse\nmine gold\nendif\nmine wood")
    counts = {Thing.IRON: 1, Thing.GOLD: 0, Thing.WOOD: 2, Thing.MERCHANT: 0}
    assert control_lines(instruction, 0, counts) == [0]
    assert control_lines(instruction, 2, counts) == [2]
    assert control_lines(instruction, 5, counts) == []


def ended(program: str, drawn: str, *acts: tuple[int, Primitive], steps_per_line: int = 30) -> list[str]:
    """Why an episode ended, after each of some commands and primitives."""
    env, params = Minecraft(), replace(PARAMS, steps_per_line=steps_per_line)
    state = env.start(own_level(jax.random.key(0), program, params, drawn), params)
    why = []
    for command, primitive in acts:
        after = env.advance(jax.random.key(0), state, jnp.int32(command), jnp.int32(primitive), params)[0]
        why.append(words(state, after, command, int(primitive), params).why)
        state = after
    return why


def test_why_an_episode_failed_is_told():
    east, mine, sell = (0, Primitive.EAST), (MINE_IRON, Primitive.MINE), (SELL_IRON, Primitive.SELL)
    mined = "mined iron, but line 1, inspect wood, was to be done"
    assert ended("inspect wood", MAP, east, mine) == ["", mined]
    sold = "sold iron, but line 2, mine wood, was to be done"
    assert ended("mine iron\nmine wood", "@imw..\n" + "......\n" * 5, east, mine, east, sell) == ["", "", "", sold]
    late = "out of time: line 1, inspect wood, was still to be done"
    assert ended("inspect wood", MAP, east, east, east, steps_per_line=3) == ["", "", late]
    assert ended("mine iron", MAP, east, mine) == ["", ""]


def test_a_program_that_never_comes_to_another_subtask_is_told():
    while_gold = "while more gold than iron\nif more gold than iron\nmine gold\nendif\nendwhile"
    env, params = Minecraft(), PARAMS
    level = own_level(jax.random.key(0), f"mine wood\n{while_gold}", params, "@wi...\n" + "......\n" * 5)
    # On such a map it would be refused.
    endless = parse(f"mine wood\n{while_gold.replace('gold than iron', 'iron than gold', 1)}")
    level = level._replace(program=compile_program(endless, PARAMS.lines))
    state = env.start(level, params)
    for primitive in (Primitive.EAST, Primitive.MINE):
        before, state = state, env.advance(jax.random.key(0), state, jnp.int32(2), jnp.int32(primitive), params)[0]
    told = words(before, state, 2, int(Primitive.MINE), params).why
    assert told == "the program goes round and never comes to another subtask"
