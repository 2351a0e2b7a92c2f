"""The experiments beyond the paper in this domain: their levels exist, and can be won."""

import jax
import numpy as np
import pytest

from cofca.experiments.eval_set import EvalSet, eval_sets
from cofca.experiments.specs import experiment
from cofca.paper.grid import paper_experiments, plan
from cofca.paper.scales import QUICK

BEYOND = ("starcraft-longer", "starcraft-hostile", "starcraft-deadline")
LEVELS = 60


def longest(name: str) -> EvalSet:
    return eval_sets(experiment(name), LEVELS, 0)[-1]


@pytest.mark.parametrize("name", BEYOND)
def test_the_oracle_wins_the_longest_levels(name: str) -> None:
    assert (longest(name).oracle.returns == 1).all()


def test_levels_of_46_to_50_lines_leave_room_for_every_kind_of_building() -> None:
    found = longest("starcraft-longer").levels
    lengths = np.asarray(found.program.length)
    assert lengths.min() >= 46
    assert lengths.max() == 50
    lines, plain = np.asarray(found.program.lines), np.asarray((found.buildings == 0) & (found.terrain == 0))
    orders = ((lines > 0) & (lines < 15)).sum(axis=1)
    assert (orders > 33).any()
    # All plain cells but the Nexus's are free when there are not enough for all lines.
    assert (plain.sum(axis=(1, 2)) >= np.minimum(orders, 33)).all()


def test_hostile_levels_are_the_paper_s_with_more_enemies() -> None:
    one, other = longest("starcraft-length"), longest("starcraft-hostile")
    jax.tree.map(np.testing.assert_array_equal, *(jax.tree.leaves(course.levels)[1:] for course in (one, other)))
    assert (one.params.ambush_probability, other.params.ambush_probability) == (0.1, 0.2)
    assert (one.params.attack_probability, other.params.attack_probability) == (0.1, 0.2)
    assert other.oracle.info.transitions[:, 3:].mean() > 1.2 * one.oracle.info.transitions[:, 3:].mean()


def test_the_deadline_leaves_two_time_steps_a_line_in_training_and_evaluation() -> None:
    spec = experiment("starcraft-deadline")
    found = eval_sets(spec, LEVELS, 0)
    assert {levels.params.steps_per_line for levels in found} == {2} == {spec.train["steps_per_line"]}
    assert [levels.bin.id for levels in found][1::8] == ["6-10", "46-50"]
    longest = found[-1]
    assert (longest.domain.clock(longest.oracle) <= 2 * np.asarray(longest.levels.program.length)).all()
    # Many choices fall into one time step.
    assert (longest.domain.clock(longest.oracle) * 2 < longest.oracle.steps).all()


def test_they_evaluate_the_agents_of_the_paper_s_experiment_when_asked_for() -> None:
    assert not set(BEYOND) & set(paper_experiments())
    (job,) = plan(["starcraft-length", *BEYOND[:2]], ["cofca-s"], 4, QUICK, "learned")
    assert job.config.experiment == "starcraft-length"
    assert [found.name for found in job.evaluated] == ["starcraft-length", *BEYOND[:2]]
