"""An episode told step by step, and the picture of one step."""

import itertools
from functools import cache, partial
from pathlib import Path

import jax
import numpy as np
import pytest
from compiled import at
from envs.first_try import FirstTry

from agents.samples import LINES, small_agent, spec
from cofca.agents.trace import Step, trace
from cofca.envs.base import Status
from cofca.envs.registry import NAMES, domain
from cofca.paper.plots.figures import save
from cofca.paper.plots.pointer import pointer_figure

CASES = [("cofca-s", "minecraft"), ("unstructured", "minecraft"), ("cofca-d", "starcraft")]
each = pytest.mark.parametrize(("name", "chosen"), CASES)


@cache
def told(name: str, chosen: str, greedy: bool = False) -> list[Step]:
    found = domain(chosen)
    params = found.params(length=(2, LINES))
    env = FirstTry() if chosen == "minecraft" else found.environment()
    level = at(jax.jit(partial(env.levels, params=params))(jax.random.split(jax.random.key(4), 1)), 0)
    return list(trace(jax.random.key(1), small_agent(name, chosen), env, level, params, greedy))


def test_cases_are_of_all_domains():
    assert {chosen for _, chosen in CASES} == set(NAMES)


@each
def test_each_step_goes_on_where_the_one_before_it_ended(name, chosen):
    steps = told(name, chosen)
    assert steps[0].pointer == 0
    for one, following in itertools.pairwise(steps):
        assert not one.ended
        assert following.state is one.after
        assert following.pointer == (one.decision.target if one.decision.gate else one.pointer)
    assert steps[-1].ended
    assert steps[-1].after.status != Status.RUNNING


@each
def test_reasons_are_probabilities_and_the_columns_make_the_targets(name, chosen):
    for step in told(name, chosen):
        why = step.reasons
        for shares in (why.actions, why.weights, why.targets, *why.columns.T):
            assert np.isclose(shares.sum(), 1, atol=1e-5)
            assert (shares >= 0).all()
        assert np.allclose(why.columns @ why.weights, why.targets, atol=1e-5)
        assert why.actions[step.decision.action] > 0
        assert why.targets[step.decision.target] > 0
        assert why.actions.size == spec(chosen).actions


def test_greedy_takes_the_likeliest():
    for step in told("cofca-s", "minecraft", greedy=True):
        assert step.decision.action == step.reasons.actions.argmax()
        assert step.decision.gate == (step.reasons.gate > 0.5)
        assert step.decision.target == step.reasons.targets.argmax()


@pytest.mark.parametrize("gate", [True, False])
def test_a_picture_shows_lines_columns_gate_and_move(tmp_path: Path, gate: bool):
    step = told("cofca-s", "minecraft")[0]
    step = step._replace(decision=step.decision._replace(gate=np.bool_(gate), target=np.int32(1)))
    path = tmp_path / "pointer.svg"
    save(pointer_figure(step, ["mine iron", "sell <gold>"], "mine iron", "moved"), path)
    text = path.read_text()
    assert "sell &lt;gold&gt;" in text
    assert ("opens to line 2" in text) == gate
    assert ("stays shut" in text) != gate
