"""Evaluation: what is counted, and what is done once only."""

from dataclasses import replace
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import part
from tiny_preset import TINY_PPO

from cofca.agents.base import Agent
from cofca.envs.registry import domain
from cofca.envs.rollout import Policy
from cofca.envs.starcraft import REFERENCES
from cofca.experiments import eval_set as eval_set_module
from cofca.experiments.eval_set import EvalSet, agent_policy, play_agents, played_together
from cofca.experiments.evaluate import PLAYERS, evaluate, standard_error, watch
from experiments.small import EPISODES, small_sets
from experiments.tiny import SEEDS, agents_of


@cache
def played() -> list[EvalSet]:
    return small_sets()


@jax.jit
def times(number: int, agents: Agent) -> Agent:
    return jax.tree.map(lambda leaf: number * leaf, agents)


@cache
def report() -> dict[str, Any]:
    return evaluate(agents_of("cofca-s"), TINY_PPO, played())


def test_a_report_has_every_player_in_every_bin():
    found = report()
    assert [(row["lo"], row["hi"], row["episodes"]) for row in found["bins"]] == [(2, 3, EPISODES), (3, 3, EPISODES)]
    for row in found["bins"]:
        assert all(0 <= row[player] <= 1 for player in PLAYERS)
        assert len(row["seeds"]) == SEEDS
        assert row["sampled"] == pytest.approx(np.mean(row["seeds"]))
        assert row["sampled_se"] == standard_error(row["seeds"], EPISODES)
    assert found["bins"][0]["oracle"] > 0.5
    assert found["bins"][0]["references"].keys() == REFERENCES.keys()
    for row in found["bins"]:
        assert row["random"] < row["references"]["plus_minus_one_idle"] <= row["oracle"]


def test_a_report_says_what_became_of_setbacks_seed_by_seed():
    for row, levels in zip(report()["bins"], played(), strict=True):
        recovery = row["recovery"]
        assert recovery.keys() == {"sampled", "oracle", *REFERENCES}
        assert len(recovery["sampled"]) == SEEDS
        assert recovery["oracle"] == levels.domain.watcher.report(levels.oracle.notes)
        own = levels.played(agents_of("cofca-s"), TINY_PPO).notes.setbacks.sum(axis=1)
        said = [[seed[cause]["setbacks"] for cause in ("ambush", "attack")] for seed in recovery["sampled"]]
        assert said == own.tolist()
        assert own.any()


def test_a_report_says_how_long_success_takes_beside_the_oracle_on_the_levels_that_both_win():
    for row, levels in zip(report()["bins"], played(), strict=True):
        oracle, idle = levels.oracle, levels.references["plus_minus_one_idle"]
        both = [place for place in range(EPISODES) if oracle.returns[place] > 0 < idle.returns[place]]
        assert len(both) > 0
        taken, needed = (sum(int(who.notes.time[place]) for place in both) for who in (idle, oracle))
        assert row["relative_time"]["plus_minus_one_idle"] == pytest.approx(taken / needed, abs=1e-4)
        # Who never succeeds has no time.
        assert ("greedy" in row["relative_time"]) == (row["greedy"] > 0)


def test_where_nobody_watches_nothing_is_said(monkeypatch):
    found = replace(played()[0], domain=domain("starcraft")._replace(watcher=None))
    found.__dict__.update(oracle=played()[0].oracle, random=played()[0].random, references={})
    own = staged(played()[0], SEEDS)
    monkeypatch.setattr("cofca.experiments.evaluate.played_together", lambda found, agents, ppo, greedy=False: [own])
    assert evaluate(agents_of("cofca-s"), TINY_PPO, [found])["bins"][0]["recovery"] == {}


def test_levels_and_those_who_did_not_learn_are_the_same_for_all_agents(monkeypatch):
    report()
    monkeypatch.setattr(eval_set_module, "play", None)
    traced = play_agents._cache_size()
    again = evaluate(times(2, agents_of("cofca-s")), TINY_PPO, played())
    assert play_agents._cache_size() == traced
    assert [row["oracle"] for row in again["bins"]] == [row["oracle"] for row in report()["bins"]]


@pytest.mark.bits
def test_levels_are_known_by_their_fingerprint_which_is_the_same_everywhere():
    found = played()[0]
    assert found.fingerprint == "ce968ca1576a3812"
    assert replace(found).fingerprint == found.fingerprint
    assert len({found.fingerprint, played()[1].fingerprint, replace(found, level_seed=7).fingerprint}) == 3


def test_a_report_tells_the_fingerprints_of_its_levels():
    assert [row["levels"] for row in report()["bins"]] == [levels.fingerprint for levels in played()]


def test_no_seed_depends_on_another():
    found = played()[0]
    # Before training all agents choose nearly alike.
    bold = times(10, agents_of("cofca-s"))
    one = found.played(bold, TINY_PPO)
    other = found.played(part(bold, None, None, -1), TINY_PPO)
    assert np.array_equal(one.returns, other.returns[::-1])
    assert np.array_equal(one.steps, other.steps[::-1])
    assert not np.array_equal(one.steps[0], one.steps[1])


def test_sets_that_are_played_together_are_those_that_are_played_one_by_one():
    bold = times(10, agents_of("cofca-s"))
    together = played_together(played(), bold, TINY_PPO)
    for levels, one in zip(played(), together, strict=True):
        jax.tree.map(np.testing.assert_array_equal, one, levels.played(bold, TINY_PPO))
    assert not np.array_equal(together[0].steps, together[1].steps)


def test_a_look_while_training_is_what_a_report_says_of_each_seed():
    found = watch(agents_of("cofca-s"), TINY_PPO, played())
    assert [row["sampled"] for row in found["bins"]] == [row["seeds"] for row in report()["bins"]]
    for kind, counts in found["transitions"].items():
        assert sum(counts["episodes"]) == report()["transitions"][kind]["episodes"]


def test_other_level_seeds_have_other_levels():
    one, other = (jax.random.key_data(small_sets(seed)[0].levels.key).tolist() for seed in (0, 1))
    assert not {tuple(key) for key in one} & {tuple(key) for key in other}


@pytest.mark.parametrize(("ppo", "precision"), [(replace(TINY_PPO, bfloat16=True), "bfloat16"), (TINY_PPO, "float32")])
def test_agents_are_evaluated_in_the_precision_they_were_trained_in(monkeypatch, ppo, precision):
    seen = []

    def policy(agent: Agent, *rest: Any) -> Policy:
        seen.append({str(leaf.dtype) for leaf in jax.tree.leaves(agent)})
        return agent_policy(agent, *rest)

    monkeypatch.setattr(eval_set_module, "agent_policy", policy)
    found = played()[0]
    # An agent that was never traced before.
    play = partial(play_agents, env=found.env, params=found.params, ppo=replace(ppo, clip=0.3))
    shapes = jax.eval_shape(play, found.keys, agents_of("cofca-s"), found.levels, jnp.bool_(False))
    assert shapes.returns.shape == (SEEDS, EPISODES)
    assert seen == [{precision}]


def staged(levels: EvalSet, seeds: int) -> Any:
    """The oracle's episodes as those of so many agents."""
    return jax.tree.map(lambda leaf: np.stack([leaf] * seeds), levels.oracle)


# Kinds of transition


def counted(one_path: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two agents whose episodes show the first kind of transition only, in the first episode of the first agent, who
    wins; the oracle's show the second kind, in all."""
    found = replace(played()[0], domain=domain("starcraft")._replace(one_path=one_path))
    own = jax.tree.map(np.zeros_like, staged(played()[0], 2))
    own.info.transitions[0, 0, 0] = 3
    own.returns[0, 0] = 1.0
    oracle = jax.tree.map(np.zeros_like, played()[0].oracle)
    oracle.info.transitions[:, 1] = 1
    found.__dict__.update(oracle=oracle, random=oracle, references={})
    monkeypatch.setattr("cofca.experiments.evaluate.played_together", lambda found, agents, ppo, greedy=False: [own])
    kinds = watch(agents_of("cofca-s"), TINY_PPO, [found])["transitions"]
    return kinds, evaluate(agents_of("cofca-s"), TINY_PPO, [found])["transitions"]


def test_where_every_level_has_one_path_success_is_of_the_levels_that_require_a_kind(monkeypatch):
    by_seed, together = counted(True, monkeypatch)
    assert by_seed["next_line"] == {"episodes": [0, 0], "success": [None, None]}
    assert by_seed["skip"] == {"episodes": [EPISODES, EPISODES], "success": [1 / EPISODES, 0.0]}
    assert together["next_line"] == {"episodes": 0, "success": None}
    assert together["skip"] == {"episodes": 2 * EPISODES, "success": 0.5 / EPISODES}


def test_elsewhere_success_is_of_the_agents_own_episodes_in_which_a_kind_occurred(monkeypatch):
    by_seed, together = counted(False, monkeypatch)
    assert by_seed["next_line"] == {"episodes": [1, 0], "success": [1.0, None]}
    assert by_seed["skip"] == {"episodes": [0, 0], "success": [None, None]}
    assert together["next_line"] == {"episodes": 1, "success": 1.0}
    assert together["skip"] == {"episodes": 0, "success": None}


def test_which_domain_has_one_path():
    assert domain("minecraft").one_path
    assert not domain("starcraft").one_path
