"""`cofca reproduce` on a small experiment: finished, skipped, interrupted, failed."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cli.command import Capture, cofca
from experiments.small import EPISODES, SMALL, small_experiment
from experiments.tiny import SEEDS
from runs.small_runs import STEPS, after

from cofca.agents.olsk import Olsk
from cofca.envs.starcraft import REFERENCES
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper import grid
from cofca.paper.reevaluate import reevaluate
from cofca.paper.results import read_results
from cofca.paper.scales import SCALES, Scale
from cofca.paper.timing import read_timings
from cofca.rl.config import PPOConfig
from cofca.runs import run
from cofca.runs.run import Run

OTHER = replace(SMALL, name="starcraft-depth", trained_as=SMALL.name)
TINY = Scale("tiny", {"starcraft": STEPS}, evaluations=2, watched=EPISODES, episodes=EPISODES)


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Small experiments, agents and budgets."""
    with pytest.MonkeyPatch.context() as patch:
        small_experiment(patch)
        patch.setitem(EXPERIMENTS, OTHER.name, OTHER)
        patch.setitem(SCALES, TINY.name, TINY)
        yield


def reproduce(folder: Path, *agents: str) -> int:
    """Without figures, which take longer than all else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cofca.cli.reproduce.draw", lambda results: None)
        return reproduce_and_draw(folder, *agents)


def reproduce_and_draw(folder: Path, *agents: str) -> int:
    where = ["--runs", str(folder / "runs"), "--results", str(folder / "results")]
    return cofca(
        "reproduce", SMALL.name, OTHER.name, "--agents", *agents, "--seeds", str(SEEDS), "--scale", "tiny", *where
    )


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid from its beginning to its end."""
    folder = tmp_path_factory.mktemp("grid")
    assert reproduce_and_draw(folder, "cofca-s") == 0
    return folder


def test_every_seed_has_a_result_in_every_experiment(done: Path):
    found = read_results(done / "results")
    assert [str(result.path) for result in found] == [
        f"tuned/{name}/cofca-s-seed{seed}.json" for name in (OTHER.name, SMALL.name) for seed in range(SEEDS)
    ]
    for result in found:
        assert result.trained_on == SMALL.name
        assert [(score.lo, score.episodes) for score in result.bins] == [(2, EPISODES), (3, EPISODES)]
        assert result.training.steps[-1] == result.evaluations[0].steps[-1] == result.steps
        assert len(result.evaluations) == len(SMALL.bins)
        assert all(score.references.keys() == REFERENCES.keys() for score in result.bins)
        assert all(score.recovery.keys() == {"sampled", "oracle", *REFERENCES} for score in result.bins)
    assert found[0].bins != found[1].bins or found[0].training != found[1].training


def test_the_time_that_a_job_took_is_written_down(done: Path):
    (timing,) = read_timings(done / "results")
    assert (timing.preset, timing.experiment, timing.agent, timing.scale) == ("tuned", SMALL.name, "cofca-s", "tiny")
    assert (timing.seeds, timing.steps) == (SEEDS, read_results(done / "results")[0].steps)
    assert sorted(timing.evaluated) == sorted([SMALL.name, OTHER.name])
    parts = timing.compiling, timing.training, timing.watching, timing.evaluating
    assert min(parts) > 0
    assert timing.seconds >= 0.99 * sum(parts)


def test_replays_of_training_are_part_of_a_result(done: Path):
    for result in read_results(done / "results"):
        assert result.with_replays is not None
        assert result.with_replays.steps == result.training.steps


def test_weights_that_are_evaluated_again_score_the_same(done: Path):
    found = reevaluate(done / "runs" / SMALL.name / "cofca-s", [OTHER.name, SMALL.name], done / "results", TINY)
    assert list(found) == read_results(done / "results")


def test_weights_are_evaluated_only_in_experiments_that_they_were_trained_for(done: Path):
    with pytest.raises(ValueError, match="which minecraft-length does not evaluate"):
        list(reevaluate(done / "runs" / SMALL.name / "cofca-s", ["minecraft-length"], done / "results", TINY))


def test_figures_and_claims_lie_beside_results(done: Path):
    assert (done / "results" / "CLAIMS.md").exists()
    figures = {path.name for path in (done / "results" / "tuned" / "figures").iterdir()}
    own = {f"{SMALL.name}-{what}.svg" for what in ("success", "learning", "training", "recovery")}
    assert figures == own | {f"{OTHER.name}-{what}.svg" for what in ("success", "recovery")}


def test_what_is_finished_is_not_done_again(done: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture):
    monkeypatch.setattr(grid, "train", None)
    monkeypatch.setattr(grid, "evaluate", None)
    assert reproduce(done, "cofca-s") == 0
    assert f"1/1 {SMALL.name}/cofca-s skipped" in capsys.readouterr().err


def test_an_interrupted_grid_goes_on_and_ends_with_the_same_results(done: Path, tmp_path: Path):
    train = Run.train
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "train", lambda self, listeners, evaluate: train(self, [*listeners, after(2)], evaluate))
        assert reproduce(tmp_path, "cofca-s") == 130
    assert not (tmp_path / "results").exists()
    assert reproduce(tmp_path, "cofca-s") == 0
    assert read_results(tmp_path / "results") == read_results(done / "results")


def test_a_run_that_was_stopped_before_its_first_checkpoint_begins_again(done: Path, tmp_path: Path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "save", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        assert reproduce(tmp_path, "cofca-s") == 130
    assert reproduce(tmp_path, "cofca-s") == 0
    assert read_results(tmp_path / "results") == read_results(done / "results")


def test_one_that_fails_is_reported_and_the_rest_goes_on(tmp_path: Path, capsys: Capture):
    train, compile_program = Run.train, run.compile_program

    def broken(self: Run, *rest: object) -> None:
        if self.config.agent == "olsk":
            raise ValueError("the loss is\nnot finite")
        train(self, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "train", broken)
        # Nothing is compiled for who fails before anything is computed.
        patch.setattr(
            run,
            "compile_program",
            lambda keys, agents, *rest: None if isinstance(agents, Olsk) else compile_program(keys, agents, *rest),
        )
        assert reproduce(tmp_path, "olsk", "cofca-s") == 1
    said = capsys.readouterr().err
    assert f"1/2 {SMALL.name}/olsk failed: the loss is not finite\n" in said
    assert f"2/2 {SMALL.name}/cofca-s finished" in said
    assert {result.agent for result in read_results(tmp_path / "results")} == {"cofca-s"}


def test_compiled_programs_are_forgotten_between_jobs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    seen: list[str] = []

    def do(job: grid.Job, *_: object) -> grid.Outcome:
        seen.append(job.config.agent)
        return grid.Outcome(job, "finished")

    monkeypatch.setattr(grid, "do_job", do)
    monkeypatch.setattr(grid, "forget_if_many", lambda: seen.append("forgotten"))
    jobs = grid.plan(["minecraft-length"], ["cofca-s", "olsk"], 1, SCALES["quick"], "planner")
    assert [outcome.job for outcome in grid.carry_out(jobs, tmp_path, tmp_path, lambda _: ())] == jobs
    assert seen == ["cofca-s", "forgotten", "olsk", "forgotten"]


def test_results_of_another_configuration_are_not_overwritten(done: Path, capsys: Capture):
    before = [path.read_bytes() for path in sorted((done / "results").rglob("*-seed*.json"))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SCALES, TINY.name, Scale("tiny", {"starcraft": 2 * STEPS}, 2, EPISODES, EPISODES))
        assert reproduce(done, "cofca-s") == 1
        assert "another configuration" in capsys.readouterr().err
        # Nor where one of them is missing.
        missing = sorted((done / "results").rglob("*-seed*.json"))[0]
        kept = missing.rename(missing.with_suffix(".kept"))
        assert reproduce(done, "cofca-s") == 1
        kept.rename(missing)
    assert "another configuration" in capsys.readouterr().err
    assert [path.read_bytes() for path in sorted((done / "results").rglob("*-seed*.json"))] == before


def test_results_from_before_a_setting_existed_are_as_by_default(done: Path, tmp_path: Path, capsys: Capture):
    shutil.copytree(done / "results", tmp_path / "results")
    for path in (tmp_path / "results").rglob("*-seed*.json"):
        page = json.loads(path.read_text())
        assert page["config"].pop("preset") == "tuned"
        assert page["config"]["ppo"].pop("success_smoothing") == PPOConfig().success_smoothing
        path.write_text(json.dumps(page))
    assert reproduce(tmp_path, "cofca-s") == 0
    assert f"{SMALL.name}/cofca-s skipped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["nowhere"], "unknown experiment 'nowhere'"),
        (["--agents", "clippy"], "unknown agent 'clippy'"),
        (["--agents"], "no agent is named"),
        (["worker", "--scale", "quick"], "worker is no experiment of the grid: cofca train worker"),
        (["--scale", "huge"], "unknown scale 'huge'"),
    ],
)
def test_mistakes_are_one_line(words: list[str], wrong: str, capsys: Capture):
    assert cofca("reproduce", *words) == 2
    said = capsys.readouterr().err
    assert wrong in said
    assert said.count("\n") == 1
