"""cofca evaluate."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from tyro.conf import Positional

from cofca.cli.options import MaybeText, Number, Seed, by_default
from cofca.cli.progress import PATIENCE, episodes_bar, progress_bar, status
from cofca.cli.show import print_bins, print_json, print_paper_bins, print_scores
from cofca.utils.references import names_code


@dataclass(frozen=True)
class Evaluate:
    """Let trained agents, or any policy, play levels they have never seen."""

    weights: Positional[Annotated[str, tyro.conf.arg(metavar="RUN, WEIGHTS or FILE.py:POLICY")]]
    """The folder of a run or of one seed's weights, the name of weights that come with the package, or where a policy
    of your own is."""
    experiment: str | None = None
    """The experiment whose levels are played. By default the one that the agent was trained for."""
    episodes: Number = 1000
    """Number of levels in each bin."""
    worker: Annotated[MaybeText, by_default("as in training")] = None
    """Who carries out commands in minecraft: planner, learned, or a folder of a worker's weights."""
    level_seed: Seed = 0
    """Seed of the levels."""
    protocol: str = "official"
    """official: the experiment's bins, played to the end; paper: the paper's own levels, as many and as long as it
    played them."""
    out: Path | None = None
    """Write a result that `cofca submit` takes."""
    about: Path | None = None
    """TOML file with what a result says of the agent: agent, by, preset, trained_on, steps, parameters, seconds,
    device, url."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Play and report."""
        self._require_files()
        if names_code(self.weights):
            return self._score()
        with status("loading", after=PATIENCE):
            import jax

            from cofca.experiments.eval_set import eval_sets
            from cofca.experiments.evaluate import evaluate
            from cofca.experiments.protocol import evaluate_as_published
            from cofca.experiments.specs import experiment
            from cofca.experiments.zoo import load_trained
            from cofca.runs.config import OFFICIAL, PAPER
            from cofca.utils.trees import pick

            agents, config = load_trained(self.weights)
        if self.protocol not in (OFFICIAL, PAPER):
            raise ValueError(f"unknown protocol {self.protocol!r}; expected {OFFICIAL} or {PAPER}")
        trained_on = experiment(config.experiment)
        evaluated = experiment(self.experiment) if self.experiment else trained_on
        if evaluated.domain != trained_on.domain:
            raise ValueError(
                f"{evaluated.name} is an experiment in {evaluated.domain}, but the agent is of another domain"
            )
        worker = self.worker or config.worker
        about = {
            "agent": config.agent,
            "preset": config.preset,
            "trained_on": trained_on.name,
            "experiment": evaluated.name,
        }
        steps = config.updates * config.ppo.batch
        if self.protocol == PAPER:
            if self.out is not None:
                raise ValueError("--out is of the official protocol")
            with status("evaluating"):
                report = {**about, **evaluate_as_published(agents, config.ppo, evaluated, worker, steps)}
            print_json(report) if self.json else print_paper_bins(report)
            return 0
        sets = eval_sets(evaluated, self.episodes, self.level_seed, worker)
        with progress_bar("bins evaluated", len(evaluated.bins)) as update:
            report = {**about, **evaluate(agents, config.ppo, sets, update)}
        numbers = sum(leaf.size for leaf in jax.tree.leaves(pick(agents, 0)))
        facts = {name: about[name] for name in ("agent", "preset", "trained_on")}
        self._write({**report, "worker": worker}, {**facts, "steps": steps, "parameters": numbers})
        print_json(report) if self.json else print_bins(report)
        return 0

    def _score(self) -> int:
        """The same for a policy."""
        if self.experiment is None:
            raise ValueError(f"score {self.weights} on which levels? --experiment names them")
        with status("loading", after=PATIENCE):
            from cofca.envs.domain import PLANNER
            from cofca.experiments.plugins import label
            from cofca.experiments.scoring import score
            from cofca.experiments.typed import typed_experiment, typed_policy
            from cofca.runs.config import OFFICIAL

            if self.protocol != OFFICIAL:
                raise ValueError(f"the protocol {self.protocol!r} is not for policies, which have {OFFICIAL}")
            spec, policy = typed_experiment(self.experiment), typed_policy(self.weights)
        with episodes_bar() as update:
            found = score(policy, spec, self.episodes, self.level_seed, self.worker or PLANNER, update)
        report = {"policy": self.weights, **found}
        self._write(report, {"agent": label(self.weights)})
        print_json(report) if self.json else print_scores(report)
        return 0

    def _require_files(self) -> None:
        """What is wrong with them is said before anybody plays."""
        if self.about is not None:
            if self.out is None:
                raise ValueError("--about is told in a result: --out names its file")
            from cofca.paper.submission import read_about

            read_about(self.about, {})
        if self.out is not None and not self.out.parent.is_dir():
            raise ValueError(f"{self.out}: there is no folder {self.out.parent}")

    def _write(self, report: dict[str, Any], known: dict[str, Any]) -> None:
        """The result; what its TOML file says comes before what is known."""
        if self.out is None:
            return
        from cofca.paper.submission import read_about, submission_of, write_submission
        from cofca.runs.config import versions

        write_submission(self.out, submission_of(report, read_about(self.about, known), versions()))
