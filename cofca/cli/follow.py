"""cofca follow."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import jax
import tyro

from cofca.cli.options import MaybeText, Seed, by_default
from cofca.cli.own import find_text, own_level
from cofca.cli.show import print_json
from cofca.domains import NAMES, Domain, domain


@dataclass(frozen=True)
class Follow:
    """Let a trained agent follow an instruction, and see what it does."""

    instruction: Annotated[str, tyro.conf.arg(metavar="FILE-or-TEXT")]
    """A file, - for standard input, or the lines themselves with ; between them."""
    agent: Annotated[Path, tyro.conf.arg(metavar="RUN-or-WEIGHTS")]
    """Who follows it: the folder of a run (its first seed), or of one seed's weights."""
    domain: Annotated[MaybeText, by_default("the agent's")] = None
    """The domain the instruction is of: minecraft or starcraft."""
    map: Path | None = None
    """File with a drawn map; by default a random world in which the instruction can be followed."""
    worker: Annotated[MaybeText, by_default("as in training")] = None
    """Who carries out commands in minecraft: planner, learned, or a folder of a worker's weights."""
    greedy: bool = False
    """Take the likeliest choices instead of sampling."""
    seed: Seed = 0
    """Seed of the world and of all chances."""
    gif: Path | None = None
    """Write an animation here."""
    json: bool = False
    """Print one JSON object instead of text."""

    def run(self) -> int:
        """Play one episode; the exit code is 0 if the instruction was followed to its end, else 1."""
        from cofca.episode import tell
        from cofca.experiments.table import experiment
        from cofca.experiments.weights import load_weights
        from cofca.follow import line_of, told

        text, name = find_text(self.instruction)
        agents, config = load_weights(self.agent)
        trained_in = experiment(config.experiment).domain
        if trained_in not in NAMES:
            raise ValueError(f"{self.agent}: a {config.agent} follows no instructions")
        if self.domain not in (None, trained_in):
            domain(self.domain)
            raise ValueError(f"{self.agent}: an agent of {trained_in}, not of {self.domain}")
        chosen = domain(trained_in, self.worker or config.worker)
        key = jax.random.key(self.seed)
        level, params = own_level(chosen, key, text, name, self.map)
        agent = jax.tree.map(lambda leaf: leaf[0], agents)
        steps, scenes = [], [chosen.scene(chosen.environment().start(level, params), params)]
        say = print if not self.json else lambda *words: None
        _introduce(chosen, level, params, say)
        for step in tell(key, agent, chosen.environment(), level, params, self.greedy):
            steps.append(told(chosen, step, params))
            say(line_of(steps[-1]))
            sys.stdout.flush()
            scenes.append(chosen.scene(step.after, params, int(step.decision.action), step.response))
        success = scenes[-1].status == "success"
        if self.gif is not None:
            chosen.save_gif(scenes, self.gif)
        say(f"{scenes[-1].status} after {scenes[-1].time} time steps")
        if self.json:
            print_json({"success": success, "agent": config.agent, "steps": [step._asdict() for step in steps]})
        return 0 if success else 1


def _introduce(chosen: Domain, level: Any, params: Any, say: Any) -> None:
    """The instruction with numbered lines, and what has happened before the first step."""
    for number, line in enumerate(chosen.level_text(level).splitlines(), start=1):
        say(f"{number:>4}  {line}")
    say("")
    for news in chosen.first_words(chosen.environment().start(level, params), params):
        say(f"      {news}")
