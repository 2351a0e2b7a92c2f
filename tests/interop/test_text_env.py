"""What the text environment says, and what it makes of answers."""

from dataclasses import replace
from functools import partial

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jaxtyping import config

from cofca.envs.registry import domain
from cofca.interop.text import ORACLE, TextEnv
from cofca.interop.text.env import command_of
from interop.samples import IRON_THEN_GOLD, MAP
from interop.told import SETTINGS

BASE = "@g....\nm.....\n" + 4 * "......\n"
ADEPT = {"instruction": "Build Nexus\nTrain Adept\nBuild Nexus\nTrain Adept", "map": BASE}
OWN = {"minecraft": IRON_THEN_GOLD, "starcraft": ADEPT}


def env_of(name: str, max_unreadable: int = 3) -> TextEnv:
    """At the start of a level of its own, which saves compiling the generator again."""
    env = TextEnv(name, max_unreadable=max_unreadable, **SETTINGS[name])
    env.reset(**OWN[name])
    return env


def test_a_minecraft_episode_reads_like_this() -> None:
    env = env_of("minecraft")
    first = f"""\
Map:
{MAP.rstrip()}
Under the worker: nothing
Inventory: iron 0, gold 0, wood 0
Instruction:
mine iron
mine gold"""
    assert env.view == env.reset(**IRON_THEN_GOLD) == first
    assert env.prompt == f"{env.rules}\n\n{first}"
    text, *outcome, info = env.step("mine iron")
    assert text.startswith("the worker moves east\n\nMap:\n.@....\n")
    assert "Under the worker: iron\n" in text
    assert (outcome, info["choices"], info["error"], int(info["primitive"])) == ([0, False, False], [0], None, 2)
    env.step("mine iron")
    env.step("MINE  Gold")
    text, *outcome, _ = env.step("mine gold")
    assert text.startswith("the worker mines\nThe episode is over: success.\n\nMap:\n")
    assert outcome == [1, True, False]
    said = (
        "> mine iron\nthe worker moves east\n> mine iron\nthe worker mines\n> mine gold\nthe worker moves south-west\n"
    )
    assert f"# At the start\n{first}\n\n# Since then\n{said}" in env.prompt
    assert env.prompt.endswith(f"# Now\n{env.view}")


def test_a_starcraft_command_is_given_whole_or_in_pieces() -> None:
    env = env_of("starcraft")
    assert env.view == (
        "Each place is a row and a column.\nBuildings: Nexus 1 1\nMinerals: 2 1\nGas: 1 2\n"
        "Probes: 1 at 1 1, 2 at 1 1, 3 at 1 1\nEnemy in the last time step: -\nCommand so far: -\n"
        "You can choose: probe 1 to 3; where a building stands, to train there: 1 1; or nothing\n"
        f"Instruction:\n{ADEPT['instruction']}"
    )
    text, *_, info = env.step("probe 1 build pylon 2 2")
    assert text.startswith("time passed")
    assert "Buildings: Nexus 1 1, Pylon 2 2\n" in text
    assert len(info["choices"]) == 3
    assert env.step("probe 2")[0].startswith("no time passed\n\n")
    assert "Command so far: Probe 2 …\n" in env.view
    assert env.step("build forge")[0].startswith("no time passed\n\n")
    assert "You can choose: a row and a column; or nothing\n" in env.view
    assert env.step("3 3")[0].startswith("time passed")
    assert "Command so far: -\n" in env.view


@pytest.mark.parametrize(
    ("name", "answer", "error"),
    [
        ("minecraft", "", "unknown command ''; expected mine, sell or inspect and iron, gold or wood, wait"),
        ("minecraft", "mine iron\n# then?", "unknown command '# then?'; expected"),
        ("minecraft", "mine \x1b[31miron", "unknown command 'mine \\x1b[31miron'; expected"),
        ("starcraft", "dance", "unknown command 'dance'; expected something like probe 1 build pylon 2 3"),
        ("starcraft", "probe 1 build adept 2 2", "unknown building 'adept'; expected one of assimilator"),
        ("starcraft", "probe 1 go 9 9", "no cell in row 9, column 9; expected numbers from 1 to 6"),
        ("starcraft", "train adept 5 5", "row 5 column 5: not now"),
        ("starcraft", "build pylon", "Pylon: not now"),
        ("starcraft", "train adept 1 1 2 2", "unknown command"),
        ("starcraft", "1 1 train adept 2 2", "unknown command"),
    ],
)
def test_a_wrong_answer_is_refused_in_words_and_changes_nothing(name: str, answer: str, error: str) -> None:
    env = env_of(name)
    before = env.view, env.choices
    text, *outcome, info = env.step(answer)
    assert text.startswith(error)
    assert text == f"{info['error']}\n\n{env.view}"
    assert (outcome, (env.view, env.choices), info["choices"]) == ([0, False, False], before, [])


def test_a_refused_piece_of_a_command_undoes_the_pieces_before_it() -> None:
    env = env_of("starcraft")
    env.step("probe 1")
    before = env.view
    # The Probe could go there; but then there would be nothing to train.
    assert env.step("train adept 1 1")[0].startswith("Adept: not now\n\n")
    assert env.view == before
    assert env.step("go 2 2")[0].startswith("time passed")


def test_too_many_wrong_answers_in_a_row_are_the_end() -> None:
    env = env_of("minecraft")
    answers = ["?", "?", "mine iron", "?", "?", "?"]
    truncated = [env.step(answer)[3] for answer in answers]
    assert truncated == [False, False, False, False, False, True]
    assert "\nThe episode is over: it was cut off.\n" in env.prompt
    with pytest.raises(RuntimeError, match=r"^the episode is over: this needs a reset first$"):
        env.step("mine iron")
    assert env.reset(**IRON_THEN_GOLD) == env.view
    assert env.step("?")[3] is False


def test_failure_and_the_time_limit_are_told() -> None:
    env = env_of("minecraft")
    for _ in range(2):
        text, *outcome, _ = env.step("mine gold")
    assert (outcome, "The episode is over: failure." in text) == ([0, True, False], True)
    env.reset(**IRON_THEN_GOLD)
    for _ in range(24):
        text, *outcome, _ = env.step("wait")
    assert (outcome, "The episode is over: it was cut off." in text) == ([0, False, True], True)


def test_a_command_may_stand_at_the_end_of_what_was_thought() -> None:
    assert command_of("Iron is in the east.\n\n**Mine  Iron**.\n\n") == "mine iron"
    assert command_of("> `train Adept 2 3`") == "train adept 2 3"
    assert command_of(" \n\n") == ""
    assert len(command_of("mine iron " * 50)) == 80


@settings(max_examples=100, deadline=None)
@given(st.text() | st.text("probe build train go row column 0123456789 \n", max_size=40))
def test_no_answer_raises(answer: str) -> None:
    for name in OWN:
        env = playing[name]
        if env.over:
            env.reset(**OWN[name])
        text, *_, info = env.step(answer)
        assert text.endswith(env.view)
        assert isinstance(info["error"], str) or info["choices"]


playing = {name: TextEnv(name, **SETTINGS[name]) for name in OWN}


@pytest.fixture(autouse=True, scope="module")
def _started() -> None:
    for name, env in playing.items():
        env.reset(**OWN[name])


@pytest.mark.parametrize("name", OWN)
def test_the_words_in_which_choices_are_shown_can_be_typed(name: str) -> None:
    env = playing[name]
    for choice in range(env.env.num_actions(env.params)):
        shown = env.domain.display.action_text(choice, env.params)
        assert env.controls.read_command(command_of(shown), env.params) == [choice]


@pytest.mark.parametrize("name", OWN)
def test_the_text_is_the_observations_and_responses_only(name: str) -> None:
    """Whatever else the state holds is another, and nothing of it is told."""
    env = env_of(name)
    text = env.view
    state = env.now.state
    hidden = {field: getattr(state, field) + 1 for field in ("line", "time", "units") if field in state._fields}
    changed = state._replace(**hidden, latest=~state.latest, transitions=state.transitions + 1)
    obs = jax.device_get(jax.jit(partial(env.env.observe, params=env.params))(changed))
    assert env.prose.observation(obs, env.params) == text
    assert len(hidden) == (3 if name == "starcraft" else 2)


def test_the_rules_are_those_of_the_parameters() -> None:
    env = playing["minecraft"]
    for said in ("6 by 6", "inspect wood, wait.", "- wait: ", "12 steps for each line", "after 10 such answers"):
        assert said in env.rules
    without = env.prose.rules(replace(env.params, wait=False, steps_per_line=30, size=8))
    assert "wait" not in without
    assert "8 by 8" in without
    assert "30 steps for each line" in without
    starcraft = playing["starcraft"].rules
    for said in (
        "Rows and columns go from 1 to 6.",
        "probability 0.4 one",
        "probability 0.1 some",
        "limit is 6 time steps",
    ):
        assert said in starcraft


def test_levels_come_from_seeds_and_keys() -> None:
    env, again = (TextEnv("starcraft", seed=5, **SETTINGS["starcraft"]) for _ in range(2))
    first, second = env.reset(), env.reset()
    assert first != second
    key = env.level_key
    assert [again.reset(), again.reset()] == [first, second]
    assert env.reset(seed=9) != second
    assert env.reset(level_key=key.tolist()) == second
    assert np.array_equal(env.level_key, key)
    env.reset(**ADEPT)
    assert env.level_key is None


def test_mistakes_of_whoever_sets_it_up_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "jaxtyping_disable", True)
    env = TextEnv("minecraft", **SETTINGS["minecraft"])
    with pytest.raises(RuntimeError, match=r"^this needs a reset first$"):
        env.step("mine iron")
    env.reset(**IRON_THEN_GOLD)
    view = env.view
    for wrong, message in (
        ({"map": MAP}, "the map needs an instruction to go with it"),
        ({"level_key": [1, 2], "instruction": "mine iron"}, "give either level_key or instruction, not both"),
        ({"level_key": [1, -2]}, "level_key must be the two whole numbers"),
        ({"level_key": "12"}, "level_key must be the two whole numbers"),
        ({"instruction": "mine irn"}, "unknown word"),
    ):
        with pytest.raises(ValueError, match=message):
            env.reset(**wrong)
        assert env.view == view
    with pytest.raises(TypeError, match=r"^an answer must be text, not NoneType$"):
        env.step(None)
    with pytest.raises(ValueError, match=r"^max_unreadable must be at least 1, not 0$"):
        TextEnv("minecraft", max_unreadable=0)
    with pytest.raises(ValueError, match=r"^errands can't be played in words$"):
        TextEnv("errands")


def test_environments_with_the_same_parameters_share_what_is_compiled() -> None:
    one, other = (TextEnv("minecraft", **SETTINGS["minecraft"]) for _ in range(2))
    assert one._compiled is other._compiled


def test_the_learned_worker_carries_out_commands() -> None:
    env = TextEnv("minecraft", worker="learned", **SETTINGS["minecraft"])
    env.reset(**IRON_THEN_GOLD)
    answer = ORACLE.playing(env)
    while not env.over:
        last = env.step(answer(env.prompt))
    assert last[1:4] == (1.0, True, False)
    assert domain("minecraft").environment() != env.env
