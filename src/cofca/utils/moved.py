"""Where things of version 0.1 are now. An old path raises an `ImportError` that names the new one."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "agents.agent": "agents.base",
    "agents.cells": "agents.encoders.starcraft",
    "agents.coins": "agents.modules.line_gru",
    "agents.columns": "agents.modules.line_gru",
    "agents.layers": "agents.modules.layers",
    "agents.lines": "agents.modules.line_gru",
    "agents.moves": "agents.modules.relative_moves",
    "agents.names": "agents.encoders.starcraft",
    "agents.pointer": "agents.base",
    "agents.recurrence": "agents.fused.recurrence",
    "agents.registry": "experiments.presets",
    "agents.relation": "agents.encoders",
    "agents.scan": "agents.modules.scan",
    "agents.sizes": "experiments.presets",
    "agents.spec": "envs.spec",
    "agents.torso": "agents.encoders",
    "agents.wander": "agents.modules.gate_phi",
    "autoreset": "envs.autoreset",
    "bench": "envs.bench",
    "check": "envs.check",
    "compilation": "utils.compilation",
    "demo": "viewer.demo",
    "domains": "envs.registry",
    "drawing": "utils.drawing",
    "draws": "utils.prng",
    "environment": "envs.base",
    "episode": "agents.trace",
    "errors": "utils.errors",
    "experiments.course": "experiments.eval_set",
    "experiments.library": "experiments.zoo",
    "experiments.table": "experiments.specs",
    "experiments.training": "experiments.train",
    "files": "utils.files",
    "follow": "viewer.narrate",
    "loops": "utils.loops",
    "minecraft": "envs.minecraft",
    "own": "envs.custom_level",
    "packing": "envs.packed",
    "pages": "utils.json",
    "parameters": "utils.parameters",
    "peers": "envs.peers",
    "play": "envs.play",
    "render": "envs.render",
    "reproduction": "paper",
    "reproduction.again": "paper.reevaluate",
    "reproduction.claims": "paper.claims",
    "reproduction.claims_page": "paper.report",
    "reproduction.cluster": "paper.launchers.ray",
    "reproduction.evidence": "paper.evidence",
    "reproduction.figures": "paper.plots.figures",
    "reproduction.grid": "paper.grid",
    "reproduction.judges": "paper.criteria",
    "reproduction.looks": "paper.plots.plot_style",
    "reproduction.pointer_figure": "paper.plots.pointer",
    "reproduction.processes": "paper.launchers.processes",
    "reproduction.recovery": "paper.recovery",
    "reproduction.recovery_figure": "paper.plots.recovery",
    "reproduction.recovery_judges": "paper.recovery_criteria",
    "reproduction.results": "paper.results",
    "reproduction.scales": "paper.scales",
    "reproduction.ship": "paper.ship",
    "reproduction.story": "paper.curves",
    "reproduction.summary": "paper.statistics",
    "reproduction.whereabouts": "paper.job_status",
    "rollout": "envs.rollout",
    "settings": "utils.settings",
    "spelling": "utils.spelling",
    "starcraft": "envs.starcraft",
    "training": "rl and cofca.runs",
    "training.bench": "rl.bench",
    "training.checkpoint": "runs.checkpoint",
    "training.config": "rl.config",
    "training.cost": "rl.cost",
    "training.devices": "rl.sharding",
    "training.failures": "rl.failure_buffer",
    "training.journal": "runs.journal",
    "training.layout": "runs.layout",
    "training.lock": "runs.lock",
    "training.log": "runs.loggers.base",
    "training.log_tensorboard": "runs.loggers.tensorboard",
    "training.log_wandb": "runs.loggers.wandb",
    "training.ppo": "rl.ppo",
    "training.preemption": "runs.preemption",
    "training.program": "rl.compile",
    "training.run": "runs.run",
    "training.run_config": "runs.config",
    "training.through_time": "rl.unroll",
}
"""Modules of `cofca`, by their old names."""


class Moved(MetaPathFinder):
    """Asked last, when nobody else has found a module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Nothing; where it has moved, say so."""
        del path, target
        package, _, name = fullname.partition(".")
        if package == "cofca" and name in MOVED:
            raise ModuleNotFoundError(f"{fullname} is cofca.{MOVED[name]} since version 0.2", name=fullname)
        return None


def announce() -> None:
    """Be asked from now on."""
    if not any(isinstance(finder, Moved) for finder in sys.meta_path):
        sys.meta_path.append(Moved())
