"""Domains by name, with their worker. Whoever only plays levels imports nothing of agents and their training."""

from cofca.envs.domain import PLANNER, Domain
from cofca.envs.registry import domain


def find_domain(name: str, worker: str = PLANNER) -> Domain:
    """A domain by name. The worker of Minecraft is the planner, the learned one, or a folder of trained weights."""
    found = domain(name)
    if worker == PLANNER:
        return found
    if found.with_worker is None:
        raise ValueError(f"{name} has no worker to choose: {worker!r} is one of minecraft")
    from cofca.experiments.workers import find_worker

    return found.with_worker(find_worker(worker))
