"""The example of the paper's figure 3, played by hand in a world without enemies."""

from functools import cache, partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from cofca.envs.starcraft import (
    Building,
    Implied,
    StarCraft,
    StarCraftParams,
    State,
    Status,
    Transition,
    Unit,
    implied,
    own_level,
    parse,
)
from cofca.envs.starcraft.play import read_command

FIGURE = "Build Nexus\nTrain Adept\nBuild Assimilator\nBuild Gateway\nTrain Colossus"
MAP = """\
@g....
m.....
......
......
......
......"""
PEACE = StarCraftParams(ambush_probability=0, attack_probability=0)
ENV = StarCraft()

step = jax.jit(partial(ENV.step, params=PEACE))

COMMANDS = [
    "train adept 1 1",
    "probe 1 build gateway 3 3",  # before the Assimilator it needs
    "probe 1 build assimilator 1 2",
    "probe 2 build gateway 3 3",
    "nothing",
    "train colossus 1 1",  # in the Nexus, which trains other units
    "train colossus 3 3",
]


class Moment(NamedTuple):
    """A command and what came of it."""

    frames: int
    before: State
    after: State
    valid: bool
    reward: float
    terminated: bool


@cache
def episode(seed: int = 0) -> list[Moment]:
    """The commands, one after another; each choice but a command's last one takes no time."""
    state = ENV.start(own_level(jax.random.key(0), FIGURE, PEACE, MAP), PEACE)
    moments = []
    for command in COMMANDS:
        before, choices = state, read_command(command, PEACE)
        for number, choice in enumerate(choices, start=1):
            key = jax.random.fold_in(jax.random.key(seed), number)
            _, state, reward, terminated, _, info = step(key, state, jnp.int32(choice))
            assert bool(info.passed) == (number == len(choices))
        moments.append(Moment(len(choices), before, state, bool(info.valid), float(reward), bool(terminated)))
    return moments


def test_what_the_text_implies():
    assert implied(parse(FIGURE)) == Implied(
        {Building.NEXUS: None, Building.ASSIMILATOR: None, Building.GATEWAY: Building.ASSIMILATOR},
        {Unit.ADEPT: Building.NEXUS, Unit.COLOSSUS: Building.GATEWAY},
    )


def test_the_level_has_just_this_forest():
    level = episode()[0].before.level
    assert level.prerequisites.tolist() == [Building.ASSIMILATOR * (kind == Building.GATEWAY) for kind in Building]
    assert level.trainers[Unit.ADEPT - 1] == Building.NEXUS
    assert level.trainers[Unit.COLOSSUS - 1] == Building.GATEWAY


def test_the_first_line_is_done_at_the_start_as_the_nexus_stands():
    assert episode()[0].before.line == 1


def test_which_commands_are_valid():
    assert [moment.valid for moment in episode()] == [True, False, True, True, False, False, True]


def test_a_gateway_before_the_assimilator_is_a_no_op_that_costs_one_time_step():
    _, moment, *_ = episode()
    assert moment.frames == 3
    assert moment.after.time == moment.before.time + 1
    # All else but the kinds of transition of the latest time step, of which there are none.
    assert not moment.after.latest.any()
    before = moment.before._replace(time=moment.after.time, latest=moment.after.latest, level=None)
    assert jax.tree.all(jax.tree.map(np.array_equal, before, moment.after._replace(level=None)))


def test_a_building_stands_when_its_probe_has_arrived():
    _, _, assimilator, sent, walked, *_ = episode()
    assert assimilator.after.buildings[0, 1] == Building.ASSIMILATOR  # next to the Probe
    assert sent.after.buildings[2, 2] == 0
    assert sent.after.probes.places.tolist() == [[0, 1], [1, 1], [0, 0]]
    assert sent.after.probes.tasks.tolist() == [0, Building.GATEWAY, 0]
    assert walked.after.buildings[2, 2] == Building.GATEWAY
    assert walked.after.probes.places.tolist() == [[0, 1], [2, 2], [0, 0]]
    assert not walked.after.probes.tasks.any()


def test_the_line_to_do_and_the_time():
    assert [int(moment.after.line) for moment in episode()] == [2, 2, 3, 3, 4, 4, 5]
    assert [int(moment.after.time) for moment in episode()] == [1, 2, 3, 4, 5, 6, 7]


def test_it_succeeds_with_reward_1_at_the_last_command_only():
    *earlier, last = episode()
    assert last.after.status == Status.SUCCEEDED
    assert (last.reward, last.terminated) == (1, True)
    assert not any(moment.reward or moment.terminated for moment in earlier)
    assert {unit for unit in Unit if last.after.units[unit - 1]} == {Unit.ADEPT, Unit.COLOSSUS}
    assert {kind: int(last.after.transitions[kind]) for kind in Transition if last.after.transitions[kind]} == {
        Transition.NEXT_LINE: 4
    }


def test_without_enemies_chance_plays_no_part():
    for one, other in zip(episode(0), episode(1), strict=True):
        states = one.after._replace(level=None), other.after._replace(level=None)
        assert jax.tree.all(jax.tree.map(np.array_equal, *states))
