"""Generated levels: pure functions of their keys, as long and as hard as asked for, and always solvable."""

import hashlib
from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import at, fast, part, same
from hypothesis import given, settings

from cofca.envs.minecraft import (
    CONDITIONS,
    DEFAULT_CONDITIONS,
    Condition,
    InfeasibleError,
    Instruction,
    Level,
    LineType,
    MinecraftParams,
    State,
    Status,
    Thing,
    Transition,
    from_symbols,
    generate,
    run,
    unparse,
)
from cofca.envs.minecraft.language.instruction import depths
from cofca.envs.minecraft.levels import generator
from cofca.envs.minecraft.levels.few import few_levels
from cofca.envs.minecraft.levels.own import compile_program
from cofca.envs.minecraft.levels.population import execute
from cofca.envs.minecraft.oracle import play
from cofca.envs.minecraft.symbols import COUNTED
from envs.minecraft.strategies import counts, instructions
from envs.reference.minecraft.validity import problems

SHORT = MinecraftParams(length=(1, 10))
SETTINGS = {
    "short": SHORT,
    "long": MinecraftParams(length=(41, 50)),
    "eleven lines or more": MinecraftParams(length=(11, 50)),
    "nested": MinecraftParams(
        length=(8, 20), max_depth=3, conditions=CONDITIONS, control_flow_kinds=(2, 3), max_lines=50
    ),
    "at most one kind": MinecraftParams(length=(6, 10), control_flow_kinds=(0, 1), max_lines=50),
    "blocks in blocks": MinecraftParams(length=(5, 20), max_depth=2, min_depth=2, max_lines=50),
    "failing block": MinecraftParams(failing_block=(1, 40), max_lines=50),
    "false whiles accepted": MinecraftParams(length=(1, 10), false_while_rejection=0),
}
"""Room for 10 lines or for 50, so that two compiled functions play them all."""
every_setting = pytest.mark.parametrize("name", SETTINGS)
BATCH, BATCHES = 64, 8
KEYS = jax.random.split(jax.random.key(0), BATCH * BATCHES)

make_long = fast(generate, static_argnames="params")
"""Long instructions for which there is a level are found after many tries."""
play_out = jax.jit(jax.vmap(partial(play, params=MinecraftParams(length=(1, 50)))))
execute_12 = jax.jit(partial(execute, params=MinecraftParams(length=(1, 12))))


concatenated = jax.jit(lambda parts: jax.tree.map(lambda *leaves: jnp.concatenate(leaves), *parts))


def join(parts: list[Level]) -> Level:
    return concatenated(parts)


@cache
def levels(name: str) -> Level:
    """The levels of `KEYS`, made batch by batch: small batches compile much faster."""
    maker = make_long if name == "long" else generate
    return join([maker(keys, params=SETTINGS[name]) for keys in KEYS.reshape(BATCHES, BATCH)])


@cache
def endings(name: str) -> State:
    """How they end when the oracle plays them."""
    return play_out(levels(name))


@cache
def texts(name: str) -> list[str]:
    return [unparse(instruction) for instruction in programs(levels(name))]


def programs(levels: Level) -> list[Instruction]:
    return [from_symbols(lines) for lines in np.asarray(levels.program.lines)]


def things(levels: Level) -> list[dict[Thing, int]]:
    cells = np.asarray(levels.cells)
    return [{thing: int((grid == thing).sum()) for thing in COUNTED} for grid in cells]


@every_setting
def test_every_level_is_solvable(name):
    assert (endings(name).status == Status.SUCCEEDED).all()


@every_setting
def test_lengths_are_those_asked_for_and_padding_is_zero(name):
    params, program = SETTINGS[name], jax.device_get(levels(name).program)
    assert set(program.length.tolist()) <= set(range(params.shortest, params.longest + 1))
    is_padding = np.arange(params.lines) >= program.length[:, None]
    assert ((program.lines[:, :, 0] == LineType.PADDING) == is_padding).all()
    assert not program.lines[is_padding].any()
    assert not program.conditions[is_padding].any()
    assert not program.lines[..., 1:][program.lines[..., 0] > LineType.WHILE].any()


@pytest.mark.parametrize("name", ["short", "long", "eleven lines or more", "nested"])
def test_levels_are_valid_by_the_reference(name):
    params, made = SETTINGS[name], jax.device_get(levels(name)._replace(key=levels(name).worker))
    low, high = params.length
    for number in range(len(KEYS)):
        length = int(made.program.length[number])
        lines = [tuple(line) for line in made.program.lines[number, :length].tolist()]
        cells, worker = made.cells[number].tolist(), tuple(made.worker[number].tolist())
        limits = {"max_depth": params.max_depth, "min_length": low, "max_length": high}
        assert problems(lines, cells, worker, **limits) == []


@every_setting
def test_every_key_has_another_level(name):
    drawings = {(text, grid.tobytes()) for text, grid in zip(texts(name), np.asarray(levels(name).cells), strict=True)}
    assert len(drawings) > 0.95 * len(KEYS)


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("short", "812ce12da75f0067"),
        ("nested", "f50badc192ad8391"),
        ("blocks in blocks", "bba8b0ca745713c8"),
        ("failing block", "f80379fc67cfbc40"),
    ],
)
def test_the_levels_of_these_keys_have_always_been_the_same(name, digest):
    made = jax.device_get(levels(name)._replace(key=jax.random.key_data(KEYS)))
    whole = b"".join(leaf.tobytes() for leaf in jax.tree.leaves(made))
    assert hashlib.sha256(whole).hexdigest().startswith(digest)


def test_the_same_key_gives_the_same_level():
    assert same(levels("short"), join([generate(keys, params=SHORT) for keys in KEYS.reshape(BATCHES, BATCH)]))


def test_a_level_made_alone_is_the_level_made_in_a_batch():
    for number in range(20):
        alone = generate(KEYS[number : number + 1], params=SHORT)
        assert same(alone, at(levels("short"), np.array([number])))


def test_a_level_does_not_depend_on_its_place_in_the_batch():
    backwards = generate(KEYS[:BATCH][::-1], params=SHORT)
    assert same(part(backwards, None, None, -1), part(levels("short"), 0, BATCH))


def test_a_few_levels_made_from_python_are_the_same():
    assert same(few_levels(KEYS[:BATCH], SHORT), part(levels("short"), 0, BATCH))


@cache
def many(total: int) -> Level:
    """So many levels in one call, those of `KEYS` among them."""
    keys = jnp.concatenate([KEYS, jax.random.split(jax.random.key(1), total - len(KEYS))])
    return generate(keys, params=SHORT)


many_or_more = pytest.mark.parametrize("total", [2_000, pytest.param(20_000, marks=pytest.mark.soak)])


@many_or_more
def test_a_level_made_among_many_is_the_level_made_among_64(total):
    assert same(part(many(total), 0, len(KEYS)), levels("short"))


@many_or_more
def test_lengths_are_uniform(total):
    number = np.bincount(many(total).program.length, minlength=11)
    expected = total / 10
    assert number[0] == 0
    assert ((number[1:] - expected) ** 2 / expected).sum() < 40  # chi-square with 9 degrees of freedom


@pytest.mark.parametrize(
    ("name", "vocabulary"), [("short", DEFAULT_CONDITIONS), ("long", DEFAULT_CONDITIONS), ("nested", CONDITIONS)]
)
def test_conditions_are_those_of_the_vocabulary_and_all_of_them_occur(name, vocabulary):
    asked = {
        line.condition
        for instruction in programs(levels(name))
        for line in instruction
        if line.type in (LineType.IF, LineType.WHILE)
    }
    assert asked == set(vocabulary)


def depth(text: str) -> int:
    return max(len(row) - len(row.lstrip()) for row in text.splitlines()) // 4


@pytest.mark.parametrize(("name", "deepest"), [("short", 1), ("long", 1), ("nested", 3)])
def test_blocks_are_nested_as_deep_as_allowed(name, deepest):
    assert {depth(text) for text in texts(name)} >= {1, deepest}
    assert max(depth(text) for text in texts(name)) == deepest


def kinds(text: str) -> set[str]:
    found, opened = set(), []
    for row in text.splitlines():
        word = row.split()[0]
        if word in ("if", "while"):
            opened.append(word)
        elif word == "else":
            opened[-1] = "if-else"
        elif word in ("endif", "endwhile"):
            found.add(opened.pop())
    return found


@pytest.mark.parametrize(("name", "least", "most"), [("short", 0, 1), ("nested", 1, 3), ("blocks in blocks", 2, 2)])
def test_blocks_are_nested_as_deep_as_asked_for(name, least, most):
    # A line is indented by as many blocks as it stands in.
    found = {max(depths(instruction)) for instruction in programs(levels(name))}
    assert found == set(range(least, most + 1))


@pytest.mark.parametrize(
    ("name", "numbers"), [("short", {0, 1, 2}), ("at most one kind", {0, 1}), ("nested", {2, 3}), ("long", {1, 2, 3})]
)
def test_kinds_of_control_flow(name, numbers):
    """Three kinds that are not nested need eleven lines."""
    assert {len(kinds(text)) for text in texts(name)} == numbers
    assert set.union(*map(kinds, texts(name))) == {"if", "if-else", "while"}


def test_a_failing_block_is_skipped_and_only_the_last_line_performed():
    made = levels("failing block")
    openers = set()
    for instruction, there in zip(programs(made), things(made), strict=True):
        openers.add(instruction[0].type)
        assert instruction[-2].type in (LineType.ENDIF, LineType.ENDWHILE)
        assert run(instruction, there).subtasks == (len(instruction) - 1,)
    assert openers == {LineType.IF, LineType.WHILE}


def test_in_a_failing_block_level_the_oracle_jumps_once():
    transitions = np.asarray(endings("failing block").transitions)
    skipped = transitions[:, Transition.IF_SKIPPED] + transitions[:, Transition.WHILE_SKIPPED]
    assert (skipped == 1).all()
    assert (transitions.sum(axis=1) == 1).all()


def first_while(instruction: Instruction, there: dict[Thing, int]) -> bool | None:
    """Whether the first while met is true; None if none is met."""
    lines = run(instruction, there).lines
    whiles = [at for at, line in enumerate(lines) if instruction[line].type == LineType.WHILE]
    return lines[whiles[0] + 1 :][:1] == (lines[whiles[0]] + 1,) if whiles else None


def test_half_of_the_levels_whose_first_while_is_false_are_replaced_and_no_others():
    accepted, rejected = levels("false whiles accepted"), levels("short")
    truths = [first_while(*level) for level in zip(programs(accepted), things(accepted), strict=True)]
    kept = np.asarray((accepted.cells == rejected.cells).all(axis=(1, 2)))
    is_false = np.array([truth is False for truth in truths])
    assert kept[~is_false].all()
    assert 0.35 < kept[is_false].mean() < 0.65


def test_rejecting_false_whiles_makes_more_levels_loop():
    entered = {
        name: endings(name).transitions[:, Transition.WHILE_ENTERED] > 0 for name in ("short", "false whiles accepted")
    }
    assert entered["short"].sum() > entered["false whiles accepted"].sum()


def test_a_level_of_50_lines_takes_at_most_1000_bytes():
    level = levels("long")
    leaves = jax.tree.leaves(level._replace(key=jax.random.key_data(level.key)))
    assert sum(leaf.nbytes for leaf in leaves) / len(KEYS) <= 1000


@settings(deadline=None, max_examples=500)
@given(instructions(max_depth=3, max_lines=12), counts())
def test_execution_on_the_counts_agrees_with_the_interpreter(instruction, there):
    program = compile_program(instruction, 12)
    end = jax.device_get(execute_12(program, jnp.array([there[thing] for thing in COUNTED], jnp.int8)))
    try:
        result = run(instruction, there, spare_wood=1)
    except InfeasibleError:
        assert not end.feasible
        return
    assert end.feasible
    assert end.performed == bool(result.subtasks)
    assert end.counts.tolist() == [result.counts[thing] for thing in COUNTED]
    assert end.inventory.tolist() == list(result.inventory.values())


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"length": (0, 10)}, "length must be a range from 1 upwards, not 0-10"),
        ({"length": (5, 4)}, "length must be a range from 1 upwards, not 5-4"),
        ({"max_lines": 9}, "max_lines is 9, but instructions have up to 10 lines"),
        ({"failing_block": (1, 8), "max_lines": 10}, "max_lines is 10, but instructions have up to 11 lines"),
        ({"max_depth": -1}, "max_depth must not be negative, not -1"),
        ({"min_depth": 2}, "min_depth must lie between 0 and max_depth, not 2"),
        ({"min_depth": -1}, "min_depth must lie between 0 and max_depth, not -1"),
        ({"min_depth": 2, "max_depth": 2, "length": (4, 9)}, "nesting 2 deep needs at least 5 lines, but length"),
        ({"min_depth": 1, "failing_block": (1, 4)}, "a failing_block has no min_depth"),
        ({"conditions": ()}, "conditions must be some of cofca.envs.minecraft.CONDITIONS"),
        (
            {"conditions": (Condition(Thing.IRON, Thing.WALL),)},
            "conditions must be some of cofca.envs.minecraft.CONDITIONS",
        ),
        ({"control_flow_kinds": (0, 4)}, "control_flow_kinds must lie between 0 and 3, not 0-4"),
        ({"control_flow_kinds": (2, 1)}, "control_flow_kinds must lie between 0 and 3, not 2-1"),
        ({"control_flow_kinds": (2, 3)}, "2 kinds of control flow need at least 6 lines, but length starts at 1"),
        ({"control_flow_kinds": (3, 3), "length": (8, 9), "max_depth": 2}, "need at least 9 lines"),
        ({"control_flow_kinds": (1, 3), "length": (5, 9), "max_depth": 0}, "needs a max_depth of at least 1"),
        ({"failing_block": (0, 4)}, r"failing_block must be a range from 1, not \(0, 4\)"),
        ({"size": 1}, "size must lie between 2 and 10, not 1"),
        ({"size": 11}, "size must lie between 2 and 10, not 11"),
        ({"populations_per_instruction": 0}, "populations_per_instruction must be at least 1"),
        ({"max_loops": 0}, "max_loops must lie between 1 and 100, not 0"),
        ({"false_while_rejection": 1.0}, "false_while_rejection must be at least 0 and under 1"),
        ({"steps_per_line": 0}, "steps_per_line must be at least 1, not 0"),
        ({"length": (1, 401)}, "an instruction may have at most 400 lines, not 401"),
        ({"steps_per_line": 4000}, "the time limit must stay under 32768 steps"),
    ],
)
def test_parameters_that_make_no_sense_are_refused_in_one_line(bad, message):
    with pytest.raises(ValueError, match=message) as caught:
        MinecraftParams(**bad)
    assert "\n" not in str(caught.value)


# Programs that serve several parameters


def test_levels_of_other_lengths_need_no_other_program():
    levels("short")
    compiled = generator._generate._cache_size()
    short, long = (MinecraftParams(length=length, max_lines=10) for length in ((1, 4), (9, 10)))
    made = {params: np.asarray(generate(KEYS[:BATCH], params).program.length) for params in (short, long)}
    assert generator._generate._cache_size() == compiled
    assert (made[short] <= 4).all()
    assert (made[long] >= 9).all()


def test_what_matters_while_a_level_is_played_does_not_tell_which_levels_there_are():
    one = MinecraftParams(length=(6, 8), max_lines=12, control_flow_kinds=(2, 3), steps_per_line=20)
    other = MinecraftParams(failing_block=(2, 2), max_lines=12, steps_per_line=20)
    assert one.playing == other.playing
    assert (one.playing.lines, one.playing.steps_per_line) == (12, 20)
    assert one.playing != MinecraftParams(length=(6, 8), max_lines=12).playing
