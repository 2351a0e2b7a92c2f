"""Agents of one's own, and the contract they keep."""

import sys
from pathlib import Path
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import pytest

import cofca
from cofca.experiments import plugins
from cofca.experiments.agent_factory import agent_shapes
from cofca.experiments.presets import TUNED, preset
from cofca.runs.config import RunConfig
from cofca.testing import check_agent, check_environment
from cofca.utils.references import typed

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def mine() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
        from my_agent import MyAgent
    return MyAgent


@pytest.fixture(scope="module")
def corridor() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
        from corridor import Corridor
    return Corridor()


def test_the_example_is_short() -> None:
    assert len((EXAMPLES / "my_agent.py").read_text().splitlines()) <= 60
    assert len((EXAMPLES / "corridor.py").read_text().splitlines()) <= 300


def test_the_example_of_a_domain_keeps_the_contract(corridor: Any) -> None:
    check_environment(corridor)


def test_the_example_of_an_agent_keeps_the_contract(mine: Any, corridor: Any) -> None:
    check_agent(mine, corridor)


def broken(mine: Any, name: str, method: Any) -> Any:
    """The example with another method, which is handed what the right one answers."""
    right = getattr(mine, name)
    other = type("Broken", (mine,), {name: lambda self, *args: method(right(self, *args))})

    def make(key: Any, spec: Any) -> Any:
        agent = mine(key, spec)
        object.__setattr__(agent, "__class__", other)
        return agent

    return make


def elsewhere(movement: Any) -> Any:
    """To the last line that observations have room for."""
    last = jnp.arange(len(movement.columns)) == len(movement.columns) - 1
    return movement._replace(columns=jnp.where(last, 0.0, -1e9)[:, None])


BREAKS: list[tuple[str, str, Any]] = [
    ("hidden must have length", "initial_memory", lambda memory: memory._replace(hidden=jnp.zeros(3))),
    ("distribution over lines", "movement", lambda movement: movement._replace(columns=movement.columns + 1)),
    ("lines that do not exist", "movement", elsewhere),
    ("logits must be finite", "actor_critic", lambda both: (both[0] - jnp.inf, both[1])),
    ("memories of the same shape", "next_hidden", lambda hidden: jnp.zeros(2)),
]


@pytest.mark.parametrize(("reason", "name", "method"), BREAKS, ids=[reason for reason, *_ in BREAKS])
def test_promises_that_are_not_kept_are_named(mine: Any, corridor: Any, reason: str, name: str, method: Any) -> None:
    with pytest.raises(AssertionError, match=reason):
        check_agent(broken(mine, name, method), corridor)


def test_parameters_of_another_type_are_named(mine: Any, corridor: Any) -> None:
    def make(key: Any, spec: Any) -> Any:
        agent = mine(key, spec)
        return eqx.tree_at(lambda agent: agent.act.bias, agent, agent.act.bias.astype(jnp.int32))

    with pytest.raises(AssertionError, match="parameters must be float32 arrays, not float32, int32"):
        check_agent(make, corridor)


# Names


def test_an_agent_is_found_by_where_it_is() -> None:
    reference = typed(f"{EXAMPLES / 'my_agent.py'}:MyAgent")
    shapes = agent_shapes(RunConfig("minecraft-length", reference))
    assert type(shapes).__name__ == "MyAgent"
    assert preset(TUNED).agent("minecraft", reference).page()["origin"] == reference


def test_a_registered_agent_is_found_by_its_name(mine: Any) -> None:
    cofca.register_agent("registered-here", mine)
    assert type(agent_shapes(RunConfig("minecraft-length", "registered-here"))).__name__ == "MyAgent"
    assert plugins.own_agent("registered-here").origin == "registered from Python, my_agent"


def test_an_agent_that_cant_be_found_says_where_it_came_from() -> None:
    config = RunConfig("minecraft-length", "gone", origin="registered from Python, notebook")
    with pytest.raises(
        ValueError, match=r"unknown agent 'gone'; .*\(the agent's origin: registered from Python, notebook\)$"
    ):
        agent_shapes(config)


def test_an_agent_of_an_installed_package_is_found_by_its_entry_point(monkeypatch: Any, mine: Any) -> None:
    class Point:
        name, dist = "offered", None

        @staticmethod
        def load() -> Any:
            return mine

    monkeypatch.setattr(plugins, "entry_points", lambda group: [Point] if group == "cofca.agents" else [])
    assert plugins.own_agent("offered").make is mine


def test_what_is_no_agent_is_refused(mine: Any) -> None:
    cofca.register_agent("nothing", lambda key, spec: object())
    with pytest.raises(ValueError, match=r"made object, which is not a cofca\.Agent"):
        agent_shapes(RunConfig("minecraft-length", "nothing"))


# The public API


def test_what_is_public_is_there() -> None:
    assert set(cofca.__all__) <= set(dir(cofca))
    assert all(getattr(cofca, name) is not None for name in cofca.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = cofca.nothing


def test_old_paths_name_the_new_ones() -> None:
    for old, new in (("minecraft", "envs.minecraft"), ("training.ppo", "rl"), ("agents.pointer", "agents.base")):
        with pytest.raises(ImportError, match=f"cofca.{new}"):
            __import__(f"cofca.{old}")
