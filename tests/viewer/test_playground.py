"""The playground's scripts do what Python does, step by step."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import jax
import pytest
from envs.minecraft.test_language import WRONG_BLOCKS, WRONG_WORDS

from cofca.agents.trace import trace
from cofca.envs.custom_level import custom_level
from cofca.envs.minecraft import CONDITIONS, InstructionError, Minecraft, MinecraftParams, parse
from cofca.envs.registry import domain
from cofca.experiments.familiar import unlike_training
from cofca.experiments.zoo import config_of, load
from cofca.utils.trees import pick
from cofca.viewer.levels import made
from cofca.viewer.playground_page import AGENT, site
from cofca.viewer.record import record
from viewer.greedy import Played, err, last_words, play, read_levels
from viewer.javascript import NODE, needs_javascript, parsed, played, recorded, replayed, unlike

LEVELS = site()["levels"]
HANDFUL = LEVELS[2::6]
TWENTY = [level for level in LEVELS if level["kind"] == "20 lines"]
CORPUS = Path(__file__).parents[1] / "reliability" / "corpus" / "minecraft-instructions.jsonl"
CLOSE = 1e-3
"""A lead that single and double precision may see differently."""
KINDS = [
    MinecraftParams(length=(1, 10), max_lines=100),
    MinecraftParams(length=(11, 50), max_lines=100, max_depth=2, conditions=CONDITIONS),
    MinecraftParams(length=(51, 100), max_lines=100, max_depth=3, conditions=CONDITIONS),
    MinecraftParams(length=(20, 50), max_lines=100, max_depth=5, executed_depth=5, conditions=CONDITIONS),
]
EACH = 250

pytestmark = needs_javascript


def test_every_mistake_is_told_alike() -> None:
    texts = [text for text, *_ in WRONG_WORDS + WRONG_BLOCKS]
    texts += [json.loads(row) for row in CORPUS.read_text().splitlines()]
    texts += salad(random.Random(0), 300)
    for text, told in zip(texts, parsed(texts), strict=True):
        assert told == _told(text), text


def salad(rng: random.Random, number: int) -> list[str]:
    """Lines of known words in any order, some of which are misspelt."""
    words = ["if", "while", "else", "endif", "endwhile", "more", "than", "mine", "sell", "iron", "gold", "merchants"]

    def word() -> str:
        letters = list(rng.choice(words))
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            letters[rng.randrange(len(letters))] = rng.choice("aeinorst'\"\\é\u2003\U0001f600")
        return "".join(letters)

    return ["\n".join(" ".join(word() for _ in range(rng.randint(1, 6))) for _ in range(2)) for _ in range(number)]


def test_every_level_is_read_alike() -> None:
    texts = [level["instruction"] for level in LEVELS]
    assert parsed(texts) == [_told(text) for text in texts]


def test_what_is_unlike_training_is_said_alike() -> None:
    texts = [level["instruction"] for level in LEVELS]
    said = [unlike_training(config_of(AGENT), domain("minecraft"), text) for text in texts]
    assert len(set(said)) > 2
    assert unlike(texts) == said


def _told(text: str) -> dict[str, Any]:
    try:
        return {"lines": [list(map(int, line)) for line in parse(text)]}
    except InstructionError as error:
        return {"error": error.message, "line": error.line, "column": error.column}


def test_a_handful_of_episodes_is_the_same_step_by_step() -> None:
    figures = compare(play(read_levels(HANDFUL)), played(HANDFUL))
    assert figures == {"episodes": len(HANDFUL), "equal": len(HANDFUL)}


def test_an_episode_is_shown_alike() -> None:
    chosen, key = domain("minecraft"), jax.random.key(0)
    for level, theirs in zip(TWENTY, recorded(TWENTY), strict=True):
        made_level, params = custom_level(chosen, key, level["instruction"], level["map"])
        steps = trace(key, load(AGENT), chosen.environment(), made_level, params, greedy=True)
        ours = record(chosen, "", made_level, params, steps)
        assert theirs["depths"] == ours["depths"]
        for one, other in zip(ours["frames"], theirs["frames"], strict=True):
            shown, numbers = _apart_from_numbers(one)
            assert _apart_from_numbers(other) == (shown, pytest.approx(numbers, abs=1e-3))


def _apart_from_numbers(frame: dict[str, Any]) -> tuple[dict[str, Any], list[float]]:
    """What is shown but for pictures and shares, and the larger shares."""
    shares = {"picture", "place", "actions", "gate", "columns", "weights", "targets", "value"}
    rows = [frame.get("actions", [])[:1], frame.get("targets", []), *frame.get("columns", [])]
    numbers = [share for row in rows for _, share in row if share > 0.01]
    numbers += [*frame["place"], *frame.get("weights", []), frame.get("gate", 0.0), frame.get("value", 0.0)]
    return {name: value for name, value in frame.items() if name not in shares}, numbers


def test_whoever_errs_errs_alike() -> None:
    episodes = err(read_levels(LEVELS))
    assert {episode[-1]["status"] for episode in episodes} == {"success", "failed"}
    theirs = again(LEVELS, episodes)
    assert [[step["step"] for step in steps] for steps in theirs] == episodes
    assert Counter(tuple(steps[-1]["words"]) for steps in theirs) == last_words(read_levels(LEVELS))


def again(levels: list[dict[str, str]], episodes: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The same commands in the playground."""
    return replayed(levels, [[step["command"] for step in episode] for episode in episodes])


@pytest.mark.soak
def test_a_thousand_episodes_are_the_same_step_by_step() -> None:
    texts: list[dict[str, str]] = []
    episodes: list[list[Played]] = []
    erring: list[list[dict[str, Any]]] = []
    language = domain("minecraft").language
    for place, params in enumerate(KINDS):
        made_levels = Minecraft().levels(jax.random.split(jax.random.key(place), EACH), params)
        levels = [pick(made_levels, at) for at in range(EACH)]
        texts += [{"instruction": language.level_text(level), "map": language.map_text(level)} for level in levels]
        episodes += play(made_levels, params.playing)
        erring += err(made_levels, params.playing)
    theirs = played(texts)
    figures = compare(episodes, theirs)
    pairs = [pair for both in zip(episodes, theirs, strict=True) for pair in zip(*both, strict=False)]
    figures |= {
        "steps": len(pairs),
        "won": sum(episode[-1].step["status"] == "success" for episode in episodes),
        "least_lead": min(ours.lead for ours, _ in pairs),
        "most_apart": max(_apart(ours.step["numbers"], other["numbers"]) for ours, other in pairs),
        "erring_steps": sum(map(len, erring)),
    }
    print(json.dumps(figures))
    assert figures["equal"] == len(KINDS) * EACH
    assert [[step["step"] for step in steps] for steps in again(texts, erring)] == erring


def _apart(ours: list[float], theirs: list[float]) -> float:
    return max(abs(one - other) for one, other in zip(ours, theirs, strict=True))


def compare(ours: list[list[Played]], theirs: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """How many episodes are equal. One may part from its twin only where two choices were as good as equal."""
    equal = sum(same(*pair) for pair in zip(ours, theirs, strict=True))
    return {"episodes": len(ours), "equal": equal}


def same(ours: list[Played], theirs: list[dict[str, Any]]) -> bool:
    """Whether all steps are equal, and the numbers behind them nearly."""
    for (step, lead), other in zip(ours, theirs, strict=False):
        if _choices(step) != _choices(other):
            assert lead < CLOSE, (step, other)
            return False
        assert step["numbers"] == pytest.approx(other["numbers"], rel=1e-3, abs=1e-3)
    assert len(ours) == len(theirs)
    return True


def _choices(step: dict[str, Any]) -> dict[str, Any]:
    """Where the pointer would go through a closed gate does not matter."""
    return {name: value for name, value in step.items() if name != "numbers" and (name != "target" or step["opens"])}


@pytest.mark.soak
def test_node_and_chromium_agree() -> None:
    if not NODE:
        pytest.skip("there is no Node here")
    assert played(HANDFUL) == played(HANDFUL, node=None)


@pytest.mark.soak
def test_the_levels_can_be_made_anew() -> None:
    assert made() == LEVELS
