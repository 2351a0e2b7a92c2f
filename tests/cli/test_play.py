"""A person plays."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import pytest

from cli.command import Capture, cofca
from cofca.envs.play import oracle_ending
from cofca.envs.registry import domain


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Answer the game's questions with these lines; an answer more than these is the end of the input."""

    def type_in(*lines: str) -> None:
        answers = iter(lines)

        def answer(prompt: str) -> str:
            if (line := next(answers, None)) is None:
                raise EOFError
            return line

        monkeypatch.setattr("builtins.input", answer)

    return type_in


PLAY = ("play", "minecraft", "--instruction", "iron.txt", "--map", "map.txt")


@pytest.mark.usefixtures("files")
def test_playing_to_success(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("  Mine  IRON ", "")  # Enter repeats
    assert cofca(*PLAY) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")
    for shown in ("0 mine iron", "8 inspect wood", "30 of 30", "moves east", "28 of 30", "mines"):
        assert shown in printed
    assert "\x1b" not in printed  # no colours where there is no terminal


@pytest.mark.usefixtures("files")
def test_playing_to_failure(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("mine gold", "1")
    assert cofca(*PLAY) == 1
    why = "mined gold, but line 1, mine iron, was to be done"
    assert capsys.readouterr().out.endswith(f"{why}\nNo success after 2 steps; the oracle needs 2.\n")


@pytest.mark.usefixtures("files")
def test_a_step_can_be_taken_back(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("u", "inspect gold", "7", "undo", "u", "u", "0", "0")
    assert cofca(*PLAY) == 0
    printed = capsys.readouterr().out
    left = [line.split("of")[0].split()[-1] for line in printed.splitlines() if line.startswith("time left")]
    assert left == ["30", "30", "29", "28", "29", "30", "30", "29", "28"]
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("lines", [["q"], ["0", "QUIT"], ["0"], []])
def test_quitting(capsys: Capture, type_in: Callable[..., None], lines: list[str]) -> None:
    type_in(*lines)
    assert cofca(*PLAY) == 1
    assert capsys.readouterr().out.endswith("stopped\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("words", [PLAY, ("play", "starcraft", "--instruction", "adept.txt", "--map", "base.txt")])
def test_help_is_shown_whenever_it_is_asked_for(
    capsys: Capture, type_in: Callable[..., None], words: tuple[str, ...]
) -> None:
    type_in("?", "Help")
    assert cofca(*words) == 1
    printed = capsys.readouterr().out
    assert printed.count("u takes it back, ? shows this again, q quits.") == 3
    assert printed.count("Type a command") == 3
    assert printed.count("now: ") == 1


@pytest.mark.usefixtures("files")
def test_an_unknown_command_is_asked_again(capsys: Capture, type_in: Callable[..., None]) -> None:
    wrong = ("", "dig iron", "mine", "mine iron now", "9", "-1", "1.5", "²")
    type_in(*wrong, "0", "0")
    assert cofca(*PLAY) == 0
    printed = capsys.readouterr().out
    for line in wrong:
        assert f"unknown command {line!r}; expected mine, sell or inspect and iron, gold or wood\n" in printed
    assert "Success after 2 steps" in printed


PLAY_STARCRAFT = ("play", "starcraft", "--instruction", "adept.txt", "--map", "base.txt")


@pytest.mark.usefixtures("files")
def test_playing_starcraft_to_success(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("probe 1 go 6 6", "u", "  Probe 1  BUILD pylon 2 2", "train adept 2 2")
    assert cofca(*PLAY_STARCRAFT) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")
    for shown in (
        "Rows and columns go from 1 to 6.",
        "Type a command such as probe 1 build pylon 2 3",
        "u takes it back",
    ):
        assert shown in printed
    left = [line.split("of")[0].split()[-1] for line in printed.splitlines() if line.startswith("time left")]
    assert left == ["60", "59", "60", "59", "58"]


@pytest.mark.usefixtures("files")
def test_a_starcraft_command_can_come_in_pieces_and_be_taken_back(
    capsys: Capture, type_in: Callable[..., None]
) -> None:
    type_in("probe 2", "u", "probe 1", "build pylon", "2 2", "2 2", "train adept")
    assert cofca(*PLAY_STARCRAFT) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")
    now = [line for line in printed.splitlines() if line.startswith("now: ")]
    assert [line.split()[1] for line in now] == ["probe", "build", "probe", "build", "a", "probe", "train"]
    assert "to train there: 1 1, 2 2;" in now[5]


@pytest.mark.usefixtures("files")
def test_what_can_not_be_done_costs_a_time_step_and_is_said(capsys: Capture, type_in: Callable[..., None]) -> None:
    # The Nexus stands there; to do nothing is not in vain.
    type_in("probe 1 build pylon 1 1", "nothing", "probe 1 build pylon 2 2", "train adept 2 2")
    assert cofca(*PLAY_STARCRAFT) == 0
    printed = capsys.readouterr().out
    assert printed.count("could not be done") == 1
    assert "probe 1 build pylon 1 1: that could not be done, and a time step has passed\n" in printed
    assert printed.endswith("Success after 4 steps; the oracle needs 2.\n")


@pytest.mark.usefixtures("files")
def test_what_can_not_be_chosen_now_costs_nothing(capsys: Capture, type_in: Callable[..., None]) -> None:
    type_in("train adept 5 5", "build pylon", "train adept", "probe 1 build pylon 2 2", "train adept 2 2")
    assert cofca(*PLAY_STARCRAFT) == 0
    printed = capsys.readouterr().out
    for refused in ("row 5 column 5: not now", "Pylon: not now", "Adept: not now"):
        assert refused in printed
    assert printed.endswith("Success after 2 steps; the oracle needs 2.\n")


def test_where_the_oracle_has_no_success_it_is_said() -> None:
    starcraft = domain("starcraft")
    idle = starcraft._replace(oracle=lambda state: jnp.int32(0))
    level = starcraft.language.custom_level(
        jax.random.key(0), "Build Pylon\nTrain Adept", params := starcraft.params(), None
    )
    assert oracle_ending(idle, jax.random.key(0), level, params) == "the oracle has no success after 60"


@pytest.mark.usefixtures("files")
def test_an_unknown_starcraft_command_is_asked_again(capsys: Capture, type_in: Callable[..., None]) -> None:
    wrong = {
        "": "unknown command ''; expected something like probe 1 build pylon 2 3",
        "probe 4 go 1 1": "unknown command 'probe 4 go 1 1'; expected something like probe 1",
        "probe 1 pylon": "unknown command 'probe 1 pylon'; expected something like",
        "probe 1 build adept 1 1": "unknown building 'adept'; expected one of assimilator, cyberneticscore,",
        "train nexus 1 1": "unknown unit 'nexus'; expected one of adept, carrier,",
        "train adept 0 1": "no cell in row 0, column 1; expected numbers from 1 to 6",
        "probe 1 go 1 7": "no cell in row 1, column 7; expected numbers from 1 to 6",
    }
    type_in(*wrong)
    assert cofca(*PLAY_STARCRAFT) == 1
    printed = capsys.readouterr().out
    for message in wrong.values():
        assert message in printed
    assert printed.endswith("stopped\n")
    assert printed.count("time left") == 1  # none of them did anything
