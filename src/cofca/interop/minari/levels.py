"""The levels that are recorded: such as an experiment trains on, or those of one of its bins."""

from cofca.envs.domain import PLANNER
from cofca.experiments.build import domain_of
from cofca.experiments.eval_set import EvalSet, eval_sets
from cofca.experiments.specs import Bin, Experiment
from cofca.interop.ids import IDS
from cofca.utils.settings import made_with

TRAIN = "train"


def levels_to_record(spec: Experiment, name: str, number: int, level_seed: int, worker: str = PLANNER) -> EvalSet:
    """So many levels like those of training, or of the bin of this id. No training has seen them, and with the level
    seed of `cofca evaluate` those of a bin are the same as there."""
    if spec.domain not in IDS.values():
        raise ValueError(f"{spec.name} is an experiment in {spec.domain}; recorded are {' and '.join(IDS.values())}")
    sets = {one.bin.id: one for one in eval_sets(spec, number, level_seed, worker)}
    domain = domain_of(spec, worker)
    low, high = made_with(domain.params, spec.train).length
    sets[TRAIN] = EvalSet(domain, Bin(low, high, spec.train, id=TRAIN), number, level_seed)
    if name not in sets:
        raise ValueError(f"{spec.name} has no levels {name!r}; it has {', '.join(sets)}")
    return sets[name]
