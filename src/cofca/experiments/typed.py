"""Names as a person types them: code of one's own that is named here may be run from now on, on this machine."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cofca.experiments.build import canonical
from cofca.experiments.plugins import own_agent
from cofca.experiments.presets import TUNED, Preset, preset
from cofca.experiments.protocol import PROTOCOLS
from cofca.experiments.specs import TOML, Experiment, experiment
from cofca.rl.config import settled
from cofca.runs.config import OFFICIAL, RunConfig
from cofca.utils.references import find, is_reference, typed
from cofca.utils.settings import changed


def typed_agent(name: str) -> str:
    """The name of an agent as it is kept."""
    return typed(name) if ":" in name else name


def typed_policy(name: str) -> Any:
    """The object that a reference leads to, which is run. Its file may import its neighbours, as a script may."""
    place = name.rpartition(":")[0]
    if place.endswith(".py"):
        sys.path.append(str(Path(place).resolve().parent))
    return find(typed(name))


def typed_name(name: str) -> str:
    """The name of an experiment as it is kept: of a file, where it lies."""
    return str(Path(name).resolve()) if name.endswith(TOML) else name


def typed_experiment(name: str) -> Experiment:
    """An experiment; where its file names a domain of one's own, that may be run, too."""
    spec = experiment(name)
    if is_reference(spec.domain):
        typed(spec.domain)
    return spec


def new_config(name: str, given: dict[str, Any], settings: Sequence[str] = (), levels: Sequence[str] = ()) -> RunConfig:
    """The configuration of a new run, of what is given and what the experiment and the preset say."""
    spec = typed_experiment(name)
    if spec.trained_as:
        raise ValueError(f"{spec.name} evaluates agents of {spec.trained_as}: train {spec.trained_as}")
    given = {"preset": TUNED, **given}
    chosen = preset(given["preset"])
    usual = {"agent": spec.agent, "steps": spec.steps, "worker": chosen.worker(spec.domain)}
    given = {**usual, **evaluation(chosen, spec), **given}
    given |= {"experiment": typed_name(name), "agent": typed_agent(given["agent"])}
    chosen.agent(spec.domain, given["agent"])
    ppo = settled(changed(chosen.ppo_of(spec.domain, given["agent"]), settings))
    levels = canonical(spec, (*chosen.levels.get(spec.domain, ()), *levels))
    return RunConfig(**given, ppo=ppo, levels=levels, origin=origin_of(given["agent"]))


def evaluation(chosen: Preset, spec: Experiment) -> dict[str, Any]:
    """How agents are evaluated while they train, where a preset has a protocol of its own."""
    if chosen.protocol == OFFICIAL or spec.name not in PROTOCOLS:
        return {}
    return {"protocol": chosen.protocol, "evaluate_every": PROTOCOLS[spec.name].every}


def origin_of(agent: str) -> str:
    """Where an agent of one's own is from; nothing for the package's."""
    own = own_agent(agent)
    return own.origin if own else ""
