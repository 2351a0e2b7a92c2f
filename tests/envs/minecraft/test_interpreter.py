"""Which lines of an instruction run on given counts."""

import pytest
from hypothesis import given

from cofca.envs.minecraft.language.instruction import Instruction
from cofca.envs.minecraft.language.interpreter import Counts, InfeasibleError, Run, run
from cofca.envs.minecraft.language.text import parse
from cofca.envs.minecraft.symbols import RESOURCES, LineType, Thing, Verb
from envs.minecraft.strategies import counts, instructions
from envs.minecraft.test_language import FIGURE

IRON, GOLD, WOOD, MERCHANT = Thing.IRON, Thing.GOLD, Thing.WOOD, Thing.MERCHANT


def test_the_figure_of_the_paper() -> None:
    result = run(parse(FIGURE), {IRON: 3, GOLD: 1, WOOD: 4, MERCHANT: 2})
    assert result.subtasks == (1, 1, 4, 5)
    assert result.lines == (0, 1, 2, 0, 1, 2, 0, 3, 4, 5, 6)
    assert result.counts == {IRON: 1, GOLD: 0, WOOD: 4, MERCHANT: 2}
    assert result.inventory == {IRON: 2, GOLD: 0, WOOD: 0}


def test_a_false_if_goes_on_after_its_else() -> None:
    result = run(parse(FIGURE), {WOOD: 1})
    assert result.lines == (0, 3, 7, 8)
    assert result.subtasks == (7,)


def test_a_false_if_without_else_lands_behind_its_endif() -> None:
    result = run(parse("if more iron than gold\nmine iron\nendif\nmine wood"), {WOOD: 1})
    assert result.lines == (0, 3)


def test_selling_takes_from_the_inventory_first() -> None:
    result = run(parse("mine gold\nsell gold\nsell gold"), {GOLD: 3, MERCHANT: 1})
    assert result.counts == {IRON: 0, GOLD: 1, WOOD: 0, MERCHANT: 1}
    assert result.inventory == {IRON: 0, GOLD: 0, WOOD: 0}


def test_the_counts_given_are_left_alone() -> None:
    given_counts = {IRON: 1}
    run(parse("mine iron"), given_counts)
    assert given_counts == {IRON: 1}


@pytest.mark.parametrize(
    ("text", "there", "message"),
    [
        ("mine iron\nmine iron", {IRON: 1}, "line 2: mine iron needs iron on the map"),
        ("inspect gold", {IRON: 1}, "line 1: inspect gold needs gold on the map"),
        ("mine iron\nsell iron", {IRON: 1}, "line 2: sell iron needs a merchant"),
        ("sell wood", {MERCHANT: 1}, "line 1: sell wood needs wood on the map"),
        ("# not a line\n\nmine gold", {}, "line 1: mine gold needs gold on the map"),
    ],
)
def test_a_need_that_is_not_met(text: str, there: Counts, message: str) -> None:
    with pytest.raises(InfeasibleError) as caught:
        run(parse(text), there)
    assert str(caught.value) == message


@pytest.mark.parametrize("verb", ["mine", "sell", "inspect"])
def test_spare_wood_is_not_touched(verb: str) -> None:
    instruction = parse(f"{verb} wood")
    with pytest.raises(InfeasibleError, match=f"line 1: {verb} wood needs wood on the map besides the 1 to spare"):
        run(instruction, {WOOD: 1, MERCHANT: 1}, spare_wood=1)
    assert run(instruction, {WOOD: 2, MERCHANT: 1}, spare_wood=1).subtasks == (0,)


def test_conditions_count_spare_wood_and_wood_held_may_be_sold() -> None:
    assert run(parse("if more wood than gold\nmine iron\nendif"), {WOOD: 1, IRON: 1}, spare_wood=1).subtasks
    assert run(parse("mine wood\nsell wood"), {WOOD: 2, MERCHANT: 1}, spare_wood=1).subtasks == (0, 1)


def test_a_while_may_be_found_true_ten_times() -> None:
    instruction = parse("while more iron than gold\nmine iron\nendwhile")
    assert len(run(instruction, {IRON: 10}).subtasks) == 10
    assert len(run(instruction, {IRON: 11}, max_loops=11).subtasks) == 11
    with pytest.raises(InfeasibleError, match="line 1: while found true more than 10 times"):
        run(instruction, {IRON: 11})


def test_loops_are_counted_over_the_whole_run() -> None:
    inner = "while more iron than gold\nmine iron\nendwhile"
    instruction = parse(f"while more wood than merchants\n{inner}\nmine wood\nendwhile")
    assert run(instruction, {IRON: 4, WOOD: 3}, max_loops=4).subtasks == (2, 2, 2, 2, 4, 4, 4)
    with pytest.raises(InfeasibleError, match="line 2: while found true more than 3 times"):
        run(instruction, {IRON: 4, WOOD: 3}, max_loops=3)


@pytest.mark.parametrize(("first", "line"), [("", 1), ("mine iron\n", 2)])
def test_a_walk_that_never_ends(first: str, line: int) -> None:
    text = first + "while more wood than gold\nif more gold than wood\nmine iron\nendif\nendwhile"
    with pytest.raises(InfeasibleError, match=f"line {line}: met again before any subtask, so this never ends"):
        run(parse(text), {WOOD: 1, IRON: 1})


class Slow:
    """The same by recursion over blocks, without jumps."""

    def __init__(self, instruction: Instruction, there: Counts, spare_wood: int) -> None:
        self.instruction, self.spare_wood = instruction, spare_wood
        self.counts, self.held = dict(there), dict.fromkeys(RESOURCES, 0)
        self.subtasks: list[int] = []
        self.loops = [0] * len(instruction)
        self.body(0, True)

    def body(self, index: int, real: bool) -> int:
        """Run, or only pass over, the lines of a body; the index of the line that ends it."""
        while index < len(self.instruction):
            kind = self.instruction[index].type
            if kind in (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE):
                break
            if kind == LineType.SUBTASK and real:
                self.subtask(index)
            elif kind == LineType.IF:
                index = self.branch(index, real)
            elif kind == LineType.WHILE:
                index = self.loop(index, real)
            index += 1
        return index

    def true(self, index: int) -> bool:
        more, than = self.instruction[index].condition
        return self.counts[more] > self.counts[than]

    def branch(self, index: int, real: bool) -> int:
        chosen = self.true(index)
        end = self.body(index + 1, real and chosen)
        if self.instruction[end].type == LineType.ELSE:
            end = self.body(end + 1, real and not chosen)
        return end

    def loop(self, index: int, real: bool) -> int:
        while real and self.true(index):
            self.loops[index] += 1
            if self.loops[index] > 10:
                raise InfeasibleError
            self.body(index + 1, True)
        return self.body(index + 1, False)

    def subtask(self, index: int) -> None:
        _, verb, noun = self.instruction[index]
        thing = Thing(noun)
        on_map = self.counts[thing] - (self.spare_wood if thing == WOOD else 0) > 0
        from_hand = verb == Verb.SELL and self.held[thing] > 0
        if (verb == Verb.SELL and self.counts[MERCHANT] == 0) or not (on_map or from_hand):
            raise InfeasibleError
        self.subtasks.append(index)
        self.held[thing] += (verb == Verb.MINE) - from_hand
        self.counts[thing] -= verb != Verb.INSPECT and not from_hand


@given(instructions(max_depth=3, max_lines=12), counts())
def test_recursion_agrees(instruction: Instruction, there: Counts) -> None:
    for spare_wood in (0, 1):
        try:
            slow = Slow(instruction, there, spare_wood)
        except InfeasibleError:
            with pytest.raises(InfeasibleError):
                run(instruction, there, spare_wood=spare_wood)
            continue
        result = run(instruction, there, spare_wood=spare_wood)
        assert result == Run(result.lines, tuple(slow.subtasks), slow.counts, slow.held)
        types = [instruction[line].type for line in result.lines]
        assert result.subtasks == tuple(
            line for line, kind in zip(result.lines, types, strict=True) if kind == LineType.SUBTASK
        )
