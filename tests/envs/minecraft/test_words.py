"""A time step in words: which conditions are told, and how they turned out."""

import jax
import jax.numpy as jnp

from cofca.envs.minecraft import Minecraft, MinecraftParams, Primitive, own_level
from cofca.envs.minecraft.language.interpreter import control_lines
from cofca.envs.minecraft.language.text import parse
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
MINE_IRON = 0


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
