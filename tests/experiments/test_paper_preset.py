"""The preset `paper` is the paper's: every cell of its two tables, and how it trains and evaluates."""

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from tiny_preset import TINY_PAPER

from cofca.cli.reproduce import Reproduce
from cofca.envs.registry import domain
from cofca.envs.spec import spec_of
from cofca.experiments import protocol
from cofca.experiments.presets import PRESETS, preset
from cofca.experiments.presets.paper import MINECRAFT_LEVELS
from cofca.experiments.protocol import PROTOCOLS, PaperEvaluation
from cofca.experiments.specs import experiment
from cofca.experiments.train import describe
from cofca.experiments.typed import new_config
from cofca.paper.scales import FULL, run_config
from cofca.runs.config import PAPER
from cofca.utils.trees import stack

FIDELITY = Path(__file__).parents[2] / "docs" / "fidelity.toml"
TABLES: dict[str, dict[str, list[Any]]] = tomllib.loads(FIDELITY.read_text())["tables"]
AGENTS = "cofca-s", "cofca", "unstructured", "olsk", "olsk-e"
DOMAINS = {"minecraft": "minecraft-length", "starcraft": "starcraft-length"}
CELLS = [
    pytest.param(chosen, row, agent, cell, id=f"{chosen}-{row}-{agent}")
    for chosen, rows in TABLES.items()
    for row, cells in rows.items()
    for agent, cell in zip(AGENTS, cells, strict=True)
]
each_domain = pytest.mark.parametrize("chosen", DOMAINS)


@cache
def printed(chosen: str, agent: str, name: str = "paper") -> dict[str, Any]:
    """What `cofca train EXPERIMENT --agent AGENT --preset paper --print-config` prints."""
    return describe(new_config(DOMAINS[chosen], {"agent": agent, "preset": name}))


def convolution(page: dict[str, Any], number: str) -> Any:
    encoder = page["architecture"]["encoder"]
    return encoder.get("inner", encoder)[number]


# The two tables


def cell_of(page: dict[str, Any], row: str) -> Any:
    """A cell, as a configuration has it."""
    ppo, agent = page["ppo"], page["architecture"]
    match row:
        case "convolution hidden sizes":
            return convolution(page, "channels")
        case "convolution kernel sizes":
            return convolution(page, "kernels")
        case "convolution strides":
            return convolution(page, "strides")
        case "φ hidden size":
            return agent["hidden"]
        case "embedding size":
            return agent["embedding"]
        case "entropy coefficient":
            assert ppo["final_entropy"] is None
            return ppo["entropy"]
        case "learning rate":
            assert ppo["final_learning_rate"] is None
            return ppo["learning_rate"]
        case "n_e":
            return agent.get("columns", "NA")
        case "time steps per gradient update":
            return ppo["steps"]
        case "gradient steps per update":
            return ppo["epochs"] * ppo["minibatches"]
    raise AssertionError(f"no such row: {row}")


def test_the_tables_have_a_hundred_cells() -> None:
    assert len(CELLS) == 100


@pytest.mark.parametrize(("chosen", "row", "agent", "cell"), CELLS)
def test_a_cell_of_the_tables_is_what_is_printed(chosen: str, row: str, agent: str, cell: Any) -> None:
    found = cell_of(printed(chosen, agent), row)
    if isinstance(found, tuple | list):
        found = list(found) if len(found) > 1 else found[0]
    # The table is cut off here.
    assert found == (4e-5 if cell == "4e-" else cell)


@pytest.mark.parametrize("agent", AGENTS)
@each_domain
def test_agents_are_as_large_as_the_tables_say(chosen: str, agent: str) -> None:
    """The numbers are those of the layers, too."""
    found = domain(chosen)
    spec = spec_of(found.environment(), found.params())
    shapes: Any = jax.eval_shape(lambda key: PRESETS["paper"].agents[chosen][agent](key, spec), jax.random.key(0))
    table = {row: cells[AGENTS.index(agent)] for row, cells in TABLES[chosen].items()}
    embed = shapes.embed if hasattr(shapes, "embed") else shapes.lines.embed
    assert embed.table.shape == (sum(spec.symbols) + len(spec.symbols), table["embedding size"])
    assert shapes.critic.weight.shape == (table["φ hidden size"], 1)
    encoder = shapes.encoder
    while not hasattr(encoder, "convolutions" if chosen == "minecraft" else "convolution"):
        encoder = getattr(encoder, "inner", None) or encoder.encoder
    layers = encoder.convolutions if chosen == "minecraft" else (encoder.convolution,)
    sizes = table["convolution hidden sizes"]
    sizes = sizes if isinstance(sizes, list) else [sizes]
    inputs = [spec.planes, *sizes[:-1]]
    assert [layer.weight.shape for layer in layers] == [(4 * i, o) for i, o in zip(inputs, sizes, strict=True)]
    if table["n_e"] != "NA":
        assert shapes.gate_phi.phi.bias.shape == (table["n_e"],)
    if agent == "cofca-s":
        assert shapes.coins.forward.bias.shape == shapes.coins.backward.bias.shape == (table["n_e"],)


# Agents


@pytest.mark.parametrize("name", ["paper", "paper-strict"])
@each_domain
def test_there_are_the_five_agents_of_the_paper_and_others_are_refused(chosen: str, name: str) -> None:
    assert tuple(PRESETS[name].agents[chosen]) == AGENTS
    with pytest.raises(ValueError, match="unknown agent 'cofca-d'; expected one of cofca-s, cofca, ") as caught:
        preset(name).agent(chosen, "cofca-d")
    assert "\n" not in str(caught.value)


@each_domain
def test_moves_reach_as_far_as_the_longest_instruction_that_is_evaluated(chosen: str) -> None:
    longest = max(high for _, high in PROTOCOLS[DOMAINS[chosen]].bins)
    agents = {agent: printed(chosen, agent)["architecture"].get("farthest", 1) for agent in ("cofca", "olsk", "olsk-e")}
    assert agents == {"cofca": longest, "olsk": 1, "olsk-e": longest}


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_with_a_pointer_has_a_gru_over_its_actions_in_starcraft(agent: str) -> None:
    found = printed("starcraft", agent)["architecture"]
    has_one = found["encoder"]["name"] == "ActionGRUEncoder"
    assert has_one == (agent != "unstructured")
    if has_one:
        assert found["encoder"]["gru"] == found["hidden"]
    assert "ActionGRUEncoder" not in str(printed("minecraft", agent)["architecture"])


@pytest.mark.parametrize("agent", AGENTS)
@each_domain
def test_strict_differs_in_nothing_but_what_is_answered(chosen: str, agent: str) -> None:
    one, other = printed(chosen, agent), printed(chosen, agent, "paper-strict")
    same = one["architecture"] | {"architecture": "Unanswered"}
    assert one["architecture"]["architecture"] != "Unanswered"
    assert {**one, "preset": "paper-strict", "architecture": same} == other | {
        "architecture": other["architecture"] | {"architecture": "Unanswered"}
    }
    assert PRESETS["paper-strict"].agents[chosen][agent].numbers["architecture"] is (
        PRESETS["paper"].agents[chosen][agent].architecture
    )


# Training


@pytest.mark.parametrize("agent", AGENTS)
@each_domain
def test_what_all_agents_share_is_as_in_the_authors_program(chosen: str, agent: str) -> None:
    ppo = printed(chosen, agent)["ppo"]
    epsilon = {"minecraft": 1e-5, "starcraft": 1e-8}[chosen]
    expected = {
        "envs": 150, "minibatches": 1, "discount": 0.99, "gae": 1.0, "clip": 0.2, "value": 0.25, "gradient_norm": 0.5,
        "adam_epsilon": epsilon, "failure_probability": 0.3, "product": True, "bfloat16": False,
    }  # fmt: skip
    assert {name: ppo[name] for name in expected} == expected
    assert 0 < ppo["replays"] < ppo["levels"]


@pytest.mark.parametrize("name", ["minecraft-length", "minecraft-compound"])
def test_populations_are_rejected_for_one_reason_only(name: str) -> None:
    page = describe(new_config(name, {"preset": "paper"}))
    levels = page["training_levels"]
    assert (levels["false_while_rejection"], levels["reject_idle"], levels["max_loops"]) == (0, False, 100)
    # A loop that changes nothing never ends; so none has more rounds than there are objects.
    assert levels["max_loops"] > levels["size"] ** 2
    kinds = {"minecraft-length": [0, 3], "minecraft-compound": [0, 1]}[name]
    assert (levels["length"], levels["control_flow_kinds"], page["worker"]) == ([1, 10], kinds, "learned")
    assert (levels["max_depth"], levels["populations_per_instruction"], levels["steps_per_line"]) == (1, 50, 30)


@pytest.mark.parametrize(("name", "deepest"), [("starcraft-length", None), ("starcraft-depth", 3)])
def test_starcraft_trains_on_up_to_five_lines(name: str, deepest: int | None) -> None:
    levels = describe(new_config(name, {"preset": "paper"}))["training_levels"]
    assert (levels["length"], levels["max_depth"], levels["several_units"]) == ([1, 5], deepest, 0)
    assert (levels["ambush_probability"], levels["attack_probability"], levels["steps_per_line"]) == (0.1, 0.1, 30)


@pytest.mark.parametrize(("name", "steps"), [("minecraft-length", 70_000_000), ("starcraft-length", 40_000_000)])
def test_the_grid_trains_as_long_as_the_paper_says_or_longer_than_ours(name: str, steps: int) -> None:
    config = run_config(experiment(name), "cofca", 4, FULL, "learned", preset_name="paper")
    assert config.steps == steps
    printed_ppo = describe(new_config(name, {"agent": "cofca", "preset": "paper"}))["ppo"]
    assert config.page()["ppo"] == printed_ppo


# Evaluation


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", ["minecraft-length", "minecraft-compound"])
def test_minecraft_is_evaluated_every_100_gradient_steps_for_500_time_steps(name: str, agent: str) -> None:
    config = new_config(name, {"agent": agent, "preset": "paper"})
    gradient_steps = config.ppo.epochs * config.ppo.minibatches
    assert config.evaluate_every == 100 // gradient_steps * config.ppo.batch == 187_500
    # It is at the end of a pool of levels that runs are evaluated.
    assert config.ppo.batch * config.ppo.updates_per_pool == config.evaluate_every
    assert (config.protocol, PROTOCOLS[name].time_steps, protocol.ENVS) == (PAPER, 500, 150)
    assert PROTOCOLS[name].settings == MINECRAFT_LEVELS


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", ["starcraft-length", "starcraft-depth"])
def test_starcraft_is_evaluated_every_million_frames_on_150_complete_episodes(name: str, agent: str) -> None:
    config = new_config(name, {"agent": agent, "preset": "paper"})
    assert config.evaluate_every == 1_000_000
    # At the end of the pool of levels in which a million is full: less than a fifth of a million later.
    assert config.ppo.batch * config.ppo.updates_per_pool < 200_000
    assert (config.protocol, PROTOCOLS[name].time_steps, protocol.ENVS) == (PAPER, None, 150)


def test_levels_of_the_evaluation_are_as_long_as_the_paper_says() -> None:
    expected: dict[str, dict[str, Any]] = {
        "minecraft-length": {"length": (11, 50)},
        "minecraft-compound": {"length": (6, 10), "control_flow_kinds": (2, 3)},
        "starcraft-length": {"length": (6, 25)},
        "starcraft-depth": {"length": (6, 25)},
    }
    for name, levels in expected.items():
        found = PROTOCOLS[name]
        assert found.levels == levels
        low, high = levels["length"]
        lines = [line for first, last in found.bins for line in range(first, last + 1)]
        assert lines == list(range(low, high + 1))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few short levels, played for a short time."""
    monkeypatch.setattr(protocol, "ENVS", 4)
    monkeypatch.setattr(protocol, "LEVELS", 8)
    for name, time_steps in (("minecraft-length", 40), ("starcraft-length", None)):
        short = replace(PROTOCOLS[name], levels={"length": (3, 5)}, bins=((3, 4), (5, 5)), time_steps=time_steps)
        monkeypatch.setitem(PROTOCOLS, name, short)


def evaluated(name: str) -> tuple[dict[str, Any], Any, Any]:
    """What agents that have learned nothing are said to do; the evaluation, and the agents."""
    found = PaperEvaluation(experiment(name))
    chosen = experiment(name).domain
    agent = TINY_PAPER.agents[chosen]["cofca-s"](jax.random.key(0), spec_of(found.env, found.params))
    agents = stack([agent, agent])
    return found(agents, TINY_PAPER.ppo[chosen], 1000), found, agents


def test_environments_play_on_for_so_many_time_steps(few: None) -> None:
    page, found, agents = evaluated("minecraft-length")
    assert page["protocol"] == PAPER
    assert [row["id"] for row in page["bins"]] == ["3-4", "5-5"]
    ppo, playing = TINY_PAPER.ppo["minecraft"], found.params.playing
    ended = protocol.play_for(jax.random.key(1), agents, found.levels, found.env, playing, ppo, 40)
    assert ended.done.shape == (2, 40, 4)
    lengths = np.asarray(found.levels.program.length)
    assert ended.length[0, 0].tolist() == lengths[:4].tolist()
    # Whoever has ended goes on with the level that comes four later.
    done = np.asarray(ended.done[0])
    for env in range(4):
        following = np.asarray(ended.length[0])[1:][done[:-1, env], env]
        assert following[:1].tolist() == lengths[4 + env : 5 + env].tolist()[: following.size]
    assert done.sum() > 4
    assert not np.asarray(ended.won & ~ended.done).any()


def test_complete_episodes_are_played_to_their_end_once_each(few: None) -> None:
    page, found, _ = evaluated("starcraft-length")
    episodes = np.array([row["episodes"] for row in page["bins"]])
    successes = np.array([row["successes"] for row in page["bins"]])
    assert episodes.sum(axis=0).tolist() == [4, 4]
    assert (successes <= episodes).all()
    assert set(np.asarray(found.levels.program.length).tolist()) <= {3, 4, 5}


def test_the_grid_has_four_seeds() -> None:
    assert Reproduce().seeds == 4


def test_there_are_nine_commands() -> None:
    params = domain("minecraft").params()
    assert params.num_commands == domain("minecraft").environment().num_actions(params) == 9
    assert not printed("minecraft", "cofca-s")["training_levels"]["wait"]


def test_strict_is_trained_and_evaluated_like_the_other() -> None:
    strict = PRESETS["paper-strict"]
    assert replace(strict, name="paper", agents=PRESETS["paper"].agents) == PRESETS["paper"]
