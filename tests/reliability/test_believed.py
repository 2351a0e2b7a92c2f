"""What files say is compared before it is believed."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest
from experiments.small import small_agents
from paper.made_up import made_up
from runs.small_runs import CONFIG

from cofca.cli.show import print_json
from cofca.experiments import train
from cofca.experiments.agent_factory import agent_shapes
from cofca.experiments.train import open_run
from cofca.experiments.weights import load_weights
from cofca.paper.results import FORMAT, Curve, read_results, write_result
from cofca.runs.checkpoint import write_checkpoint
from cofca.runs.config import CONFIG as CONFIG_FILE
from cofca.runs.config import RunConfig, changed_versions, versions, write_config
from cofca.runs.journal import Journal
from cofca.runs.layout import checkpoint_path
from cofca.viewer.export import page_of

RESULT = made_up("minecraft-length", "olsk", [0.9, 0.5, 0.4, 0.3, 0.2], seed=0)


# Configurations


def test_nothing_is_made_as_large_as_a_changed_configuration_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_agents(monkeypatch)
    monkeypatch.setattr(train, "make_agents", None)
    monkeypatch.setattr(train, "make_setup", None)
    write_checkpoint(checkpoint_path(tmp_path, 2), {"x": jnp.zeros(1)}, {"config": CONFIG.page(), "update": 2})
    with pytest.raises(ValueError, match=r"00000002: .* another configuration: seeds is 2, not 10000$"):
        open_run(tmp_path, replace(CONFIG, seeds=10_000), resume=True)


def test_other_versions_than_at_the_beginning_are_named(tmp_path: Path) -> None:
    write_config(tmp_path, CONFIG)
    assert changed_versions(tmp_path) == ""
    page = json.loads((tmp_path / CONFIG_FILE).read_text())
    page["versions"] |= {"jax": "0.0.1", "numpy": "\x1b[31m", "gone": "1"}
    (tmp_path / CONFIG_FILE).write_text(json.dumps(page))
    now = versions()
    told = f"jax 0.0.1, which is {now['jax']} now, numpy '\\x1b[31m', which is {now['numpy']} now"
    assert changed_versions(tmp_path) == told
    (tmp_path / CONFIG_FILE).write_text(json.dumps({**page, "versions": ["jax"]}))
    assert changed_versions(tmp_path) == ""


# Metrics


@pytest.mark.parametrize("damage", [b"\x9b\xe4\x97V\xbf\x10\xaeH", b"7", b"[" * 100_000, b""])
def test_a_damaged_line_is_named_where_it_counts(tmp_path: Path, damage: bytes) -> None:
    journal = Journal(tmp_path / "metrics.jsonl")
    journal.path.write_bytes(b'{"update": 1, "kl": NaN}\n' + damage + b'\n{"update": 3}\n')
    with pytest.raises(ValueError, match=rf"^{journal.path}: line 2 is damaged: mend it, or put a copy"):
        journal.require(journal.size)
    # What was written after the checkpoint is measured again.
    journal.require(25)
    with pytest.raises(ValueError, match=r": line 1 is damaged"):
        journal.require(24)


# Weights


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: float) -> None:
    small_agents(monkeypatch)
    config = RunConfig("starcraft-length", seeds=1)
    agent = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), agent_shapes(config))
    agent = eqx.tree_at(lambda agent: agent.critic.weight, agent, replace_fn=lambda leaf: leaf.at[0].set(wrong))
    write_checkpoint(tmp_path / "seed0", agent, {"config": config.page(), "seed": 0, "update": 1})
    with pytest.raises(ValueError, match=r"seed0: not an agent that can play: critic\.weight is not finite$"):
        load_weights(tmp_path / "seed0")


def test_what_is_no_json_is_not_written_as_json() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"success": float("nan")})
    with pytest.raises(ValueError, match="not JSON compliant"):
        page_of([{"agent": "a", "value": float("inf")}])


# Results


def test_a_result_under_another_name_is_refused(tmp_path: Path) -> None:
    write_result(tmp_path, RESULT)
    there = tmp_path / RESULT.path
    for name in ("olsk-seed1.json", "cofca-seed0.json", "../minecraft-compound/olsk-seed0.json", "olsk-seed00.json"):
        other = there.parent / name
        other.parent.mkdir(exist_ok=True)
        other.write_bytes(there.read_bytes())
        with pytest.raises(
            ValueError, match=r": not a result: it says that it is tuned/minecraft-length/olsk-seed0\.json$"
        ):
            read_results(tmp_path)
        other.unlink()
    assert read_results(tmp_path) == [RESULT]


def test_one_training_is_one_seed(tmp_path: Path) -> None:
    curve = Curve(list(range(100)), [number / 100 for number in range(100)])
    write_result(tmp_path, replace(RESULT, training=curve))
    page = {"format": FORMAT, **asdict(replace(RESULT, training=curve, seed=4))}
    path = (tmp_path / RESULT.path).with_name("olsk-seed4.json")
    path.write_text(json.dumps(page))
    with pytest.raises(ValueError, match=r"olsk-seed4\.json: the same training as olsk-seed0\.json, so it is no other"):
        read_results(tmp_path)
    # Agents that learn nothing may well do the same.
    for seed in (0, 4):
        write_result(tmp_path, replace(RESULT, training=Curve(list(range(100)), 100 * [0.0]), seed=seed))
    assert len(read_results(tmp_path)) == 2
