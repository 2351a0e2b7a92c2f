"""A step as a sentence: worker, gate and reason, in both domains."""

from typing import Any

import jax.numpy as jnp
import pytest

from cofca.agents.distribution import Decision
from cofca.agents.trace import Reasons, Step
from cofca.envs.registry import domain
from cofca.viewer.examples import episodes
from cofca.viewer.narrate import Told, sentence


def sentences(name: str, player: int = 0) -> list[str]:
    return [frame["say"] for frame in episodes(name)[player]["frames"]]


def frames(name: str, player: int) -> list[dict[str, Any]]:
    return episodes(name)[player]["frames"]


@pytest.mark.parametrize(
    "expected",
    [
        "The worker moves west to mine wood; the pointer waits at line 1: the wood is not mined yet.",
        "The worker mines wood; the wood is mined → the pointer goes on to line 2, 100 % sure.",
        "The worker moves north to inspect iron; the condition is false → the pointer jumps to line 10, 100 % sure.",
        "The worker moves north to inspect iron; the pointer goes back to line 14, 100 % sure.",
        "The worker mines wood, and the episode ends.",
        "Success: the whole instruction is carried out after 50 time steps.",
    ],
)
def test_a_step_is_told(expected: str):
    assert expected in sentences("fifty-lines")


def test_a_failure_says_what_was_done_and_what_was_due():
    assert sentences("famous-failure", 1)[-1].startswith("Failed: ")
    for name in ("famous-failure", "fifty-lines"):
        *_, last = frames(name, 1)
        assert last["say"] == f"Failed: {last['news'][-1]}."
        assert "was to be done" in last["say"]


def test_who_has_no_pointer_does_not_wait():
    assert all("has no pointer" in text for text in sentences("fifty-lines", 1)[:-2])
    assert not any("has no pointer" in text for text in sentences("fifty-lines"))


def test_a_pointer_that_goes_astray_is_told_so():
    assert any(text.endswith("is to be done.") for text in sentences("famous-failure", 1))
    assert not any("is to be done" in text for text in sentences("fifty-lines"))


def test_an_ambush_and_its_repair_are_told():
    ambushed = [text for text in sentences("ambush") if "an ambush killed the Adept of line 7" in text]
    assert any("the pointer goes back to line 4" in text for text in ambushed)
    assert sentences("ambush")[-1].startswith("Success")


def test_a_domain_without_clauses_is_told_plainly():
    chosen = domain("minecraft")
    plain = chosen._replace(display=chosen.display._replace(clauses=None))
    decision = Decision(jnp.int32(0), jnp.bool_(True), jnp.int32(2))
    shares = jnp.array([0.0, 0.25, 0.75])
    reasons = Reasons(jnp.ones(1), jnp.float32(0.9), shares[:, None], jnp.ones(1), shares, jnp.float32(0))
    step = Step(None, 0, decision, 0, reasons, None, False, 0.0)
    words = Told(1, 0, 0, "left", "", 0.9, 2, [])
    assert sentence(plain, step, words, None) == "The agent chooses left; the pointer jumps to line 3, 75 % sure."
