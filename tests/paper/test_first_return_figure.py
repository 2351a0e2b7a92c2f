"""The figures of CoFCA-R's returns: what they show of the weights in the package, computed in other ways."""

from functools import cache

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agents.samples import small_agent

from cofca.agents.cofca_r import CofcaR
from cofca.agents.encoders.blocks import CLOSES, OPENS
from cofca.agents.harden import harden
from cofca.envs.minecraft.language.instruction import block_matches, depths
from cofca.envs.minecraft.language.text import parse, unparse
from cofca.envs.minecraft.symbols import LineType
from cofca.experiments.zoo import load
from cofca.paper.plots.brackets_figure import KINDS, bracket_logits, brackets_figure
from cofca.paper.plots.first_return_figure import PROGRAM, first_return_figure, returned, used_return

WEIGHTS = "minecraft-wide/cofca-r"
LINES = parse(PROGRAM)


@cache
def shipped(seed: int | None = None) -> tuple[CofcaR, int]:
    """Weights of the package, and the number of the return that they use."""
    agent = load(WEIGHTS if seed is None else f"{WEIGHTS}/seed{seed}")
    assert isinstance(agent, CofcaR)
    return agent, used_return(agent)


@pytest.mark.parametrize("seed", range(4))
def test_every_seed_has_found_the_blocks(seed: int):
    found = bracket_logits(*shipped(seed))
    assert {kind: len(logits) for kind, logits in found.items()} == dict(zip(KINDS, (12, 1, 1, 12, 1, 9), strict=True))
    for kind, logits in found.items():
        for which, kinds in enumerate((CLOSES, OPENS)):
            assert ((logits[:, which] > 0) == (LineType[kind.upper()] in kinds)).all()


def test_logits_keep_their_proportions_when_they_are_hardened():
    agent = small_agent("cofca-r", "minecraft")
    table = jax.random.normal(jax.random.key(0), agent.brackets.symbols.table.shape)
    agent = eqx.tree_at(lambda agent: agent.brackets.symbols.table, agent, table)
    soft, hard = (bracket_logits(each, 0) for each in (agent, harden(agent)))
    returns = agent.brackets.log_sharpness.size
    scale = np.asarray(abs(table).max(axis=0))[[0, returns]]
    for kind, line in (("else", (LineType.ELSE, 0, 0)), ("endwhile", (LineType.ENDWHILE, 0, 0))):
        learned = np.asarray(agent.brackets.symbols(jnp.array(line)))[[0, returns]]
        assert np.array_equal(soft[kind], hard[kind])
        np.testing.assert_allclose(hard[kind][0] * scale, learned, atol=5e-3)


def test_the_program_is_three_blocks_deep_and_depths_are_its_indentation():
    assert unparse(LINES) == PROGRAM.rstrip()
    assert max(depths(LINES)) == 3
    assert returned(shipped()[0], LINES, shipped()[1], 0).L.tolist() == depths(LINES)


def test_returns_land_where_the_interpreter_goes():
    matches = block_matches(LINES)
    for pointer, line in enumerate(LINES):
        found = returned(shipped()[0], LINES, shipped()[1], pointer)
        assert set(found.ahead.tolist()) | set(found.behind.tolist()) == {0.0, 1.0}
        if line.type in OPENS:
            assert found.ahead.argmax() == matches[pointer] + 1
        if line.type == LineType.ENDWHILE:
            assert found.behind.argmax() == matches[pointer]
        if line.type in (LineType.SUBTASK, LineType.ENDIF, LineType.ENDWHILE):
            assert found.ahead.argmax() == min(pointer + 1, len(LINES) - 1)


def test_the_return_in_use_is_the_one_that_phi_chooses():
    agent, number = shipped()
    order = np.array([0, 2, 1, 4, 3])
    phi = agent.gate_phi.phi
    swapped = eqx.tree_at(lambda phi: (phi.weight, phi.bias), phi, (phi.weight[:, order], phi.bias[order]))
    other = eqx.tree_at(lambda agent: agent.gate_phi.phi, agent, swapped)
    assert used_return(other) == 1 - number


def test_the_figures_say_what_was_computed():
    _, *panels = first_return_figure(*shipped(), WEIGHTS).axes
    said = [{text.get_text() for text in axes.texts} for axes in panels]
    assert said == [{"ahead: line 15", "behind: line 1"}, {"ahead: line 13", "behind: line 4"}]
    panels = brackets_figure(*shipped(), WEIGHTS).axes
    hard = [[text.get_text() for text in axes.texts[: len(KINDS)]] for axes in panels]
    assert hard == [["0", "1", "1", "0", "1", "0"], ["1", "1", "0", "1", "0", "0"]]
