"""cofca follow."""

import sys
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import tyro

from cofca.cli.options import MaybeText, Seed, by_default
from cofca.cli.progress import PATIENCE, seen, status
from cofca.cli.show import print_json
from cofca.envs.domain import Domain
from cofca.envs.registry import domain


@dataclass(frozen=True)
class Follow:
    """Let a trained agent follow an instruction, and print every step."""

    instruction: Annotated[str, tyro.conf.arg(metavar="FILE-or-TEXT")]
    """A file, - for standard input, or the lines themselves, separated by ;"""
    agent: Annotated[MaybeText, by_default("minecraft-wide/cofca-r or starcraft-length/cofca-s")] = None
    """The name of weights in the package, or the folder of a run (its first seed) or of one seed's weights."""
    domain: Annotated[MaybeText, by_default("the agent's, or minecraft")] = None
    """The domain of the instruction: minecraft or starcraft."""
    map: Path | None = None
    """File with a drawn map; by default a random world in which the instruction can be followed."""
    worker: Annotated[MaybeText, by_default("as in training")] = None
    """What carries out commands in minecraft: planner, learned, or a folder with the weights of a worker."""
    greedy: bool = False
    """Take the likeliest choices in place of sampled ones."""
    seed: Seed = 0
    """Random seed of the world and of all choices."""
    gif: Path | None = None
    """Write an animation to this file."""
    html: Path | None = None
    """Write a page to this file that shows the episode step by step with all probabilities."""
    json: bool = False
    """Print one JSON object instead of text."""

    def run(self) -> int:
        """Play one episode; the exit code is 0 if the instruction was followed to its end, else 1."""
        for path in (self.gif, self.html):
            if path is not None and not path.parent.is_dir():
                raise ValueError(f"{path}: there is no folder {path.parent}")
        with status("loading", after=PATIENCE):
            import jax

            from cofca.agents.trace import trace
            from cofca.cli.own import find_text, own_level
            from cofca.experiments.familiar import unlike_training
            from cofca.experiments.zoo import config_of, load
            from cofca.viewer.narrate import line_of, told

            text, name = find_text(self.instruction)
            who, chosen = self._who()
            key = jax.random.key(self.seed)
        level, params = own_level(chosen, key, text, name, self.map)
        say = print if not self.json else lambda *words: None
        unlike = unlike_training(config_of(who), chosen, text)
        if not self.json:
            _introduce(chosen, level, params, unlike)
        steps = []
        telling = trace(key, load(who), chosen.environment(), level, params, self.greedy)
        with status("compiling", after=PATIENCE):
            first = next(telling)
        for step in chain([first], telling):
            steps.append(step)
            say(line_of(told(chosen, step, params)))
            sys.stdout.flush()
        end = chosen.display.scene(steps[-1].after, params)
        say(f"{end.status} after {end.time} time steps")
        self._write(chosen, who, level, params, steps)
        if self.json:
            records = [told(chosen, step, params)._asdict() for step in steps]
            about = {"success": end.status == "success", "agent": who, "unlike_training": unlike}
            print_json({**about, "steps": records})
        return 0 if end.status == "success" else 1

    def _who(self) -> tuple[str, Domain]:
        """The agent's name or folder, and its domain."""
        from cofca.experiments.domains import find_domain
        from cofca.experiments.specs import experiment
        from cofca.experiments.zoo import DEFAULTS, config_of

        who = self.agent or DEFAULTS.get(domain(self.domain or "minecraft").name)
        if who is None:
            raise ValueError(f"no trained agent of {self.domain} comes with the package: name yours with --agent")
        config = config_of(who)
        trained_in = experiment(config.experiment).domain
        if trained_in == "errands":
            raise ValueError(f"{who}: a {config.agent} follows no instructions")
        if self.domain not in (None, trained_in):
            domain(self.domain)
            raise ValueError(f"{who}: an agent of {trained_in}, not of {self.domain}")
        return who, find_domain(trained_in, self.worker or config.worker)

    def _write(self, chosen: Domain, who: str, level: Any, params: Any, steps: list[Any]) -> None:
        """The files that are asked for."""
        if self.gif is not None:
            first = chosen.display.scene(steps[0].state, params)._replace(pointer=0)
            chosen.display.save_gif([first, *(_scene_after(chosen, step, params) for step in steps)], self.gif)
        if self.html is not None:
            from cofca.viewer.export import write_page
            from cofca.viewer.record import record

            write_page(self.html, [record(chosen, who, level, params, steps)])


def _scene_after(chosen: Domain, step: Any, params: Any) -> Any:
    scene = chosen.display.scene(step.after, params, int(step.decision.action), step.response)
    return scene._replace(pointer=step.pointer_after)


def _introduce(chosen: Domain, level: Any, params: Any, unlike: str) -> None:
    """The instruction with numbered lines, what training had none of, and what has happened before the first step."""
    for number, line in enumerate(chosen.language.level_text(level).splitlines(), start=1):
        print(f"{number:>4}  {line}")
    print()
    if unlike:
        print(unlike)
    from cofca.agents.trace import begin

    for news in chosen.display.first_words(begin(level, chosen.environment(), params), params):
        print(f"      {news}")
    # Whoever reads it from a pipe need not wait for the first step.
    sys.stdout.flush()
    seen()
