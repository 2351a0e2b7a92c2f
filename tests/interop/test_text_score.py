"""Scores of text: the levels, chances and ceilings are those of every other evaluation."""

from functools import cache

import numpy as np
import pytest
from experiments.small import SMALL

from cofca.experiments.eval_set import EvalSet, eval_sets, play_policy
from cofca.experiments.scores import standard_error
from cofca.experiments.specs import EXPERIMENTS, Bin, Experiment
from cofca.interop.text import ORACLE, RANDOM, Scripted, score
from cofca.interop.text.scoring import play

EPISODES = 12
MINECRAFT = Experiment(
    "minecraft-length",
    "minecraft",
    {"length": (1, 3)},
    tuple(Bin(low, high, {"length": (low, high), "steps_per_line": 8}) for low, high in ((1, 2), (3, 4))),
)
SPECS = {spec.domain: spec for spec in (MINECRAFT, SMALL)}
WITH_MEMORY = "plus_minus_one"
"""A scripted player that remembers where its pointer is."""


@cache
def sets(name: str) -> list[EvalSet]:
    return eval_sets(SPECS[name], EPISODES, 0)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The official experiments are small."""
    for spec in SPECS.values():
        monkeypatch.setitem(EXPERIMENTS, spec.name, spec)


@pytest.mark.parametrize("name", SPECS)
def test_scripted_players_have_in_words_the_episodes_that_they_have_in_arrays(name: str) -> None:
    for levels in sets(name):
        players = [(ORACLE, levels.oracle), (RANDOM, levels.random)]
        if policy := levels.domain.references.get(WITH_MEMORY):
            setting = levels.env, levels.params.playing, levels.watcher
            expected = play_policy(levels.keys, levels.levels, policy, *setting)
            players.append((Scripted(lambda env: env.domain.references[WITH_MEMORY]), expected))
        for player, expected in players:
            played = list(play(player, levels, 1))
            assert [episode.reward for episode in played] == expected.returns.tolist()
            assert [episode.choices for episode in played] == expected.steps.tolist()
            assert not any(episode.refused for episode in played)
        assert levels.oracle.returns.any()
        assert not levels.random.returns.all()


@pytest.mark.parametrize("name", SPECS)
def test_a_score_has_the_keys_levels_and_neighbours_of_an_evaluation(name: str) -> None:
    heard: list[dict] = []
    report = score(ORACLE, SPECS[name].name, episodes=EPISODES, progress=heard.append)
    assert report == {"experiment": SPECS[name].name, "level_seed": 0, "bins": heard}
    assert len(heard) == 2
    for row, levels in zip(heard, sets(name), strict=True):
        assert row == {
            "id": levels.bin.id,
            "lo": levels.bin.low,
            "hi": levels.bin.high,
            "episodes": EPISODES,
            "sampled": row["oracle"],
            "sampled_se": standard_error([row["oracle"]], EPISODES),
            "refused": 0,
            "oracle": np.mean(levels.oracle.returns > 0),
            "random": np.mean(levels.random.returns > 0),
            "levels": levels.fingerprint,
        }


def test_whoever_answers_is_given_the_rules_and_the_whole_episode() -> None:
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return "I can't." if len(prompts) % 2 else "So it be:\nmine iron"

    report = score(answer, "minecraft-length", episodes=EPISODES, bins=["3-4"])
    assert [row["id"] for row in report["bins"]] == ["3-4"]
    assert len(prompts) >= 2 * EPISODES
    assert all(prompt.startswith("A worker on a map of 6 by 6 cells") for prompt in prompts)
    second = prompts[1].partition("# Since then\n")[2]
    assert second.startswith("> i can't\nunknown command \"i can't\"; expected mine")
    starts = [prompt for prompt in prompts if "# Since then" not in prompt]
    assert len(starts) == EPISODES
    assert report["bins"][0]["refused"] == pytest.approx(len(prompts) / 2 / EPISODES, abs=0.5)


def test_who_never_answers_sense_has_no_success() -> None:
    row = score(lambda prompt: "", "minecraft-length", episodes=EPISODES, bins=["1-2"], max_unreadable=4)["bins"][0]
    assert (row["sampled"], row["refused"]) == (0, 4)
    assert row["sampled_se"] > 0


def test_an_unknown_bin_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^minecraft-length has no bin '5-6'; it has 1-2, 3-4$"):
        score(ORACLE, "minecraft-length", episodes=EPISODES, bins=["5-6"])
