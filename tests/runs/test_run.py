"""Runs: a folder that can be left and taken up again at any time."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from experiments.tiny import POOLS, SEEDS, SETUP, agents_of
from tiny_preset import TINY_PPO

import cofca
from cofca.rl.ppo import Learner, Metrics
from cofca.runs import run
from cofca.runs.checkpoint import read_checkpoint
from cofca.runs.config import read_config
from cofca.runs.page import ARRAYS, PAGE, read_page
from cofca.runs.run import KEPT, Run, summary
from runs.small_runs import CONFIG, after, checkpoints, metrics_of, new
from runs.test_checkpoint import same

# Resuming


@pytest.mark.bits
def test_a_run_that_was_killed_and_resumed_is_the_run_that_was_not_bit_for_bit(whole, copy):
    resumed = new(copy, resume=True)
    assert resumed.update == 2 * TINY_PPO.updates_per_pool
    resumed.train()
    assert same(resumed.learners, whole.learners)
    assert metrics_of(copy) == metrics_of(whole.folder)
    for seed in range(SEEDS):
        name = Path("final") / f"seed{seed}" / ARRAYS
        assert (copy / name).read_bytes() == (whole.folder / name).read_bytes()


def test_a_resumed_run_measures_nothing_twice(copy):
    assert [line["update"] for line in metrics_of(copy)] == [2, 4, 6]
    new(copy, resume=True)
    assert [line["update"] for line in metrics_of(copy)] == [2, 4]


def test_what_is_resumed_is_what_was_saved(whole):
    assert same(new(whole.folder, resume=True).learners, whole.learners)


def test_seeds_differ(whole):
    weights = whole.learners.agent.critic.weight
    assert not np.allclose(weights[0], weights[1])
    start = agents_of("cofca-s").critic.weight
    assert not np.allclose(weights, start)


# Folders


def test_only_the_newest_checkpoints_are_kept(whole):
    assert POOLS > KEPT
    updates = [(pool + 1) * TINY_PPO.updates_per_pool for pool in range(POOLS)]
    assert checkpoints(whole.folder) == [f"{update:08}" for update in updates[-KEPT:]]


def test_a_run_leaves_its_configuration_metrics_and_weights(whole):
    page = json.loads((whole.folder / "config.json").read_text())
    assert {name: page[name] for name in CONFIG.page()} == CONFIG.page()
    assert {"jax", "numpy"} <= page["versions"].keys()
    assert page["versions"]["cofca"] == cofca.__version__
    assert read_config(whole.folder) == CONFIG
    found = metrics_of(whole.folder)
    assert [line["steps"] for line in found] == [TINY_PPO.batch * line["update"] for line in found]
    assert all(len(line[name]) == SEEDS for line in found for name in ("success", "loss", "kl", "gate", "entropy"))
    for seed in range(SEEDS):
        agent = jax.tree.map(lambda leaf, seed=seed: leaf[seed], whole.learners.agent)
        assert same(read_checkpoint(whole.folder / "final" / f"seed{seed}", agent), agent)
        assert read_page(whole.folder / "final" / f"seed{seed}")["seed"] == seed


def test_agents_are_hard_when_they_are_evaluated_and_stored_but_learners_stay_soft(whole, tmp_path, monkeypatch):
    """Hardening them here adds one to all weights."""
    seen = []

    def evaluate(agents, steps):
        seen.append(agents)
        return {}

    monkeypatch.setattr(run, "harden", lambda agents: jax.tree.map(lambda leaf: leaf + 1, agents))
    hardened = new(tmp_path / "run", config=replace(CONFIG, evaluate_every=1))
    hardened.train(evaluate=evaluate)
    assert same(hardened.learners, whole.learners)
    hard = jax.tree.map(lambda leaf: leaf + 1, hardened.learners.agent)
    assert same(seen[-1], hard)
    for seed in range(SEEDS):
        agent = jax.tree.map(lambda leaf, seed=seed: leaf[seed], hard)
        assert same(read_checkpoint(tmp_path / "run" / "final" / f"seed{seed}", agent), agent)


def test_a_second_run_in_the_same_folder_is_refused(left):
    before = metrics_of(left)
    with pytest.raises(ValueError, match="there is a run already; --resume continues it") as caught:
        new(left)
    assert str(left) in str(caught.value)
    assert metrics_of(left) == before


@pytest.mark.parametrize(
    ("other", "first"),
    [
        (replace(CONFIG, seed=1), "seed is 0, not 1"),
        (replace(CONFIG, agent="cofca", seed=1), "agent is cofca-s, not cofca"),
        (replace(CONFIG, ppo=replace(TINY_PPO, clip=0.1)), "ppo.clip is 0.2, not 0.1"),
    ],
)
def test_resuming_with_another_configuration_is_refused(left, other, first):
    before = metrics_of(left)
    with pytest.raises(ValueError, match=f"of a run with another configuration: {first}$") as caught:
        new(left, resume=True, config=other)
    assert str(left) in str(caught.value)
    assert metrics_of(left) == before


def test_resuming_where_there_is_no_checkpoint_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no checkpoint to resume from"):
        new(tmp_path, resume=True)


def test_a_run_that_was_killed_before_its_first_pool_was_saved_can_be_resumed(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        new(tmp_path / "run").train([after(1)])
    assert new(tmp_path / "run", resume=True).update == 0
    assert not metrics_of(tmp_path / "run")


@pytest.mark.parametrize("moment", ["save", "write_config"])
def test_a_run_that_was_killed_while_it_began_can_begin_again(moment, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        owner = Run if moment == "save" else run
        patch.setattr(owner, moment, lambda *rest: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            new(tmp_path / "run")
    # Either there is no run yet, or there is one to go on with.
    resume = (tmp_path / "run" / "config.json").exists()
    assert resume == (moment == "save")
    assert new(tmp_path / "run", resume=resume).update == 0
    assert new(tmp_path / "run", resume=True).update == 0


def refused(folder: Path, reason: str) -> None:
    """Resuming is, in one line, and nothing measured is lost."""
    paths = folder / "metrics.jsonl", folder / "evaluations.jsonl"
    before = [path.read_bytes() if path.exists() else None for path in paths]
    with pytest.raises(ValueError, match=reason) as caught:
        new(folder, resume=True)
    assert str(caught.value).startswith(str(folder))
    assert "\n" not in str(caught.value)
    assert [path.read_bytes() if path.exists() else None for path in paths] == before


@pytest.mark.parametrize("file", [ARRAYS, PAGE])
def test_a_checkpoint_that_lacks_a_file_is_refused(copy, file):
    for name in ("00000000", "00000002"):
        shutil.rmtree(copy / "checkpoints" / name)
    (copy / "checkpoints" / "00000004" / file).unlink()
    refused(copy, f"{file} is missing; there is no older one$")


@pytest.mark.parametrize("page", [{}, {"config": {}}, {"config": {**CONFIG.page(), "ppo": {"speed": 1}}}])
def test_a_checkpoint_of_something_that_is_no_run_is_refused(copy, page):
    path = copy / "checkpoints" / "00000004" / PAGE
    path.write_text(json.dumps({**page, "sha256": ""}))
    refused(copy, "00000004: not the configuration of a run of this version: ")


def test_metrics_that_are_missing_are_told(copy):
    (copy / "metrics.jsonl").unlink()
    refused(copy, r"metrics\.jsonl: is missing, but had \d+ bytes when the checkpoint was written$")


def test_metrics_that_are_cut_off_are_told(copy):
    path = copy / "metrics.jsonl"
    path.write_bytes(path.read_bytes()[:10])
    refused(copy, r"metrics\.jsonl: has 10 bytes, but had \d+ bytes when the checkpoint was written$")


# Kills while a checkpoint is written


def test_a_run_killed_between_the_two_renames_finds_its_checkpoint_again(copy):
    saved = copy / "checkpoints"
    (saved / "00000004").rename(saved / ".old-00000004")
    shutil.copytree(saved / "00000002", saved / ".writing-00000006")
    assert new(copy, resume=True).update == 4
    assert checkpoints(copy) == ["00000000", "00000002", "00000004"]


def test_the_next_save_clears_up_what_a_killed_process_left(copy):
    saved = copy / "checkpoints"
    run = new(copy, resume=True)
    shutil.copytree(saved / "00000002", saved / ".old-00000004")
    (saved / ".writing-00000004").mkdir()
    run.save()
    assert checkpoints(copy) == ["00000000", "00000002", "00000004"]
    assert read_page(saved / "00000004")["update"] == 4


def test_the_agent_of_other_sizes_is_refused(copy):
    agents = agents_of("cofca-s")
    with pytest.raises(ValueError, match="a checkpoint of something else: "):
        Run(copy, CONFIG, SETUP, jax.tree.map(lambda leaf: jnp.repeat(leaf, 2, axis=-1), agents), resume=True)


# Numbers that are none


def test_a_loss_that_is_not_finite_stops_the_run_and_keeps_the_last_checkpoint(copy):
    run = new(copy, resume=True)
    weight = run.learners.agent.critic.weight
    agent = jax.tree.map(lambda leaf: leaf.at[1, 0].set(jnp.nan) if leaf is weight else leaf, run.learners.agent)
    run.learners = run.learners._replace(agent=agent)
    kept, measured = checkpoints(copy), metrics_of(copy)
    with pytest.raises(ValueError, match="the loss is not finite after update 6; the last good checkpoint") as caught:
        run.train()
    assert str(copy) in str(caught.value)
    assert checkpoints(copy) == kept
    assert metrics_of(copy) == measured
    assert np.isfinite(new(copy, resume=True).learners.agent.critic.weight).all()


def test_weights_that_are_not_finite_are_never_saved_as_good(copy):
    run = new(copy, resume=True)
    sound = run.program.train

    def broken(learners: Learner) -> tuple[Learner, Metrics]:
        learners, metrics = sound(learners)
        return learners._replace(agent=jax.tree.map(lambda leaf: leaf * jnp.nan, learners.agent)), metrics

    run.program = run.program._replace(train=broken)
    with pytest.raises(ValueError, match="not finite"):
        run.train()
    assert np.isfinite(new(copy, resume=True).learners.agent.critic.weight).all()


def test_metrics_of_a_pool_are_shares_of_all_its_episodes():
    fresh = {"episodes": [[1], [3]], "successes": [[1], [1]]}
    counts = {**fresh, "replayed": [[0], [2]], "replayed_successes": [[0], [1]]}
    kinds = {"episodes_by_kind": [[[1, 0]], [[3, 0]]], "successes_by_kind": [[[1, 0]], [[2, 0]]]}
    found = summary({name: np.array(value) for name, value in {**counts, **kinds, "loss": [[1.0], [2.0]]}.items()})
    assert found["success"] == [0.5]
    assert found["success_by_kind"] == [[0.75, 0.0]]
    assert found["loss"] == [1.5]
    assert (found["episodes"], found["replayed"], found["replayed_successes"]) == ([4], [2], [1])


@pytest.mark.parametrize(("steps", "updates"), [(1, 2), (128, 2), (129, 4)])
def test_a_run_has_whole_pools_of_levels(steps, updates):
    assert replace(CONFIG, steps=steps).updates == updates
