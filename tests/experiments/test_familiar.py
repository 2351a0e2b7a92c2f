"""Agents say where an instruction is unlike those they have learned from."""

import pytest

from cofca.envs.registry import domain
from cofca.experiments.familiar import unlike_training
from cofca.runs.config import RunConfig

NESTED = "while more wood than gold\nif more iron than gold\nmine iron\nendif\nendwhile"
LONG = "\n".join(["mine iron"] * 11)


@pytest.mark.parametrize(
    ("trained_on", "levels", "text", "said"),
    [
        ("minecraft-length", (), "if more iron than gold\nmine iron\nendif", ""),
        ("minecraft-length", (), "mine iron", ""),
        ("minecraft-length", (), LONG, "unlike training: 11 lines (at most 10 there)"),
        ("minecraft-length", ("length=1-20",), LONG, ""),
        ("minecraft-length", (), NESTED, "unlike training: blocks 2 deep (at most 1 there), more wood than gold"),
        ("minecraft-wide", (), NESTED, ""),
        (
            "minecraft-wide",
            (),
            "if more iron than wood\n" * 3 + "sell iron\n" + "endif\n" * 3,
            "unlike training: blocks 3 deep (at most 2 there)",
        ),
    ],
)
def test_what_training_had_none_of_is_said_in_one_line(trained_on: str, levels: tuple[str, ...], text: str, said: str):
    assert unlike_training(RunConfig(trained_on, levels=levels), domain("minecraft"), text) == said


def test_orders_can_be_longer_than_in_training():
    config = RunConfig("starcraft-length")
    orders = "Build Nexus\nTrain Adept\nBuild Forge\nTrain Zealot\nBuild Gateway\nTrain Colossus"
    assert unlike_training(config, domain("starcraft"), orders) == "unlike training: 6 lines (at most 5 there)"
    assert unlike_training(config, domain("starcraft"), "Build Nexus\nTrain Adept") == ""


def test_a_condition_is_said_once():
    text = "if more gold than wood\nmine iron\nendif\n" * 2
    said = unlike_training(RunConfig("minecraft-length"), domain("minecraft"), text)
    assert said == "unlike training: more gold than wood"
