"""Whether an instruction is like those that an agent has learned from."""

from cofca.envs.domain import Domain
from cofca.experiments.agent_factory import training_params
from cofca.experiments.specs import experiment
from cofca.runs.config import RunConfig


def unlike_training(config: RunConfig, domain: Domain, text: str) -> str:
    """What an instruction has that training did not, in one line; nothing where it has all been seen."""
    if domain.language.unlike is None:
        return ""
    params = training_params(experiment(config.experiment), config.levels)
    found = domain.language.unlike(domain.language.parse(text), params)
    return f"unlike training: {', '.join(found)}" if found else ""
