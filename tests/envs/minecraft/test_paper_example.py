"""The example of the paper's figure 4, played by oracle and planner in the compiled world."""

from functools import cache, partial
from typing import NamedTuple

import jax

from cofca.envs.minecraft import (
    Minecraft,
    MinecraftParams,
    Primitive,
    State,
    Status,
    Thing,
    Transition,
    oracle,
    own_level,
)
from envs.minecraft.test_language import FIGURE
from envs.reference.minecraft.test_reference import FIGURE_4_MAP

PARAMS = MinecraftParams()


class Moment(NamedTuple):
    """A step of the episode: the line it was made for, and what the worker did."""

    line: int
    primitive: Primitive
    before: State
    after: State
    reward: float
    terminated: bool


@cache
def episode() -> list[Moment]:
    env, key = Minecraft(), jax.random.key(0)
    step = jax.jit(partial(env.step, params=PARAMS))
    state = env.start(own_level(key, FIGURE, PARAMS, FIGURE_4_MAP), PARAMS)
    moments = []
    while state.status == Status.RUNNING:
        _, after, reward, terminated, _, info = step(key, state, oracle(state))
        primitive = Primitive(int(info.primitive))
        moments.append(Moment(int(state.line), primitive, state, after, float(reward), bool(terminated)))
        state = after
    return moments


def happened(moment: Moment) -> str | None:
    """A step in words; nothing for a move over dry land."""
    row, column = moment.after.worker
    thing = Thing(int(moment.before.cells[row, column]))
    if moment.primitive < Primitive.STAY:
        return "bridge" if thing == Thing.WATER else None
    if moment.primitive == Primitive.SELL:
        sold = moment.before.inventory - moment.after.inventory
        thing = Thing(int(sold.argmax()) + 1)
    return f"{moment.primitive.name.lower()} {thing.name.lower()}"


def story() -> list[tuple[int, str]]:
    events = [(moment.line, happened(moment)) for moment in episode()]
    return [(line, event) for line, event in events if event is not None]


def test_it_plays_as_the_caption_says():
    assert story() == [
        (1, "mine iron"),
        (1, "mine wood"),
        (1, "bridge"),
        (1, "mine iron"),
        (4, "inspect iron"),
        (5, "mine gold"),
        (5, "sell gold"),
    ]


def test_it_succeeds_with_reward_1_in_the_last_step_only():
    *earlier, last = episode()
    assert last.after.status == Status.SUCCEEDED
    assert (last.reward, last.terminated) == (1, True)
    assert not any(moment.reward or moment.terminated for moment in earlier)


def test_the_else_branch_is_never_executed():
    assert {moment.line for moment in episode()} == {1, 4, 5}


def test_what_is_left_and_what_is_held_at_the_end():
    end = episode()[-1].after
    left = {thing: int((end.cells == thing).sum()) for thing in (Thing.IRON, Thing.GOLD, Thing.WOOD, Thing.WATER)}
    assert left == {Thing.IRON: 1, Thing.GOLD: 0, Thing.WOOD: 3, Thing.WATER: 5}
    assert end.inventory.tolist() == [2, 0, 0]


def test_its_transitions():
    end = episode()[-1].after
    counted = {kind: int(end.transitions[kind]) for kind in Transition if end.transitions[kind]}
    assert counted == {
        Transition.WHILE_ENTERED: 2,
        Transition.LOOP_BACK: 2,
        Transition.WHILE_SKIPPED: 1,
        Transition.IF_ENTERED: 1,
        Transition.NEXT_LINE: 1,
        Transition.ELSE_SKIPPED: 1,
        Transition.CHAIN: 1,
    }
    assert [kind for kind in Transition if end.latest[kind]] == [Transition.ELSE_SKIPPED]


def test_nothing_that_is_seen_tells_how_far_one_has_got():
    """Only the program counter, the time and what was counted differ between the two."""
    env = Minecraft()
    start, later = episode()[0].before, episode()[-1].before
    told = start._replace(line=later.line, time=later.time, transitions=later.transitions, latest=later.latest)
    assert int(told.line) != int(start.line)
    pairs = zip(env.observe(start, PARAMS), env.observe(told, PARAMS), strict=True)
    assert all(bool((one == other).all()) for one, other in pairs)
