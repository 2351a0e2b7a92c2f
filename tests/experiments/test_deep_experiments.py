"""The experiments whose levels go deep: what they train on, and which bins they have."""

import pytest

from cofca.envs.minecraft import CONDITIONS, MinecraftParams
from cofca.experiments.specs import EXPERIMENTS, Bin, Experiment, experiment, is_familiar, read_experiment
from cofca.paper.grid import paper_experiments
from cofca.utils.settings import made_with

NAMES = ("minecraft-nested-deep", "minecraft-depth", "minecraft-wide")
LENGTHS = {(11, 20), (41, 50), (101, 200)}


def params_of(bin: Bin) -> MinecraftParams:
    return made_with(MinecraftParams, bin.changes)


def deep(spec: Experiment) -> list[Bin]:
    return [bin for bin in spec.bins if bin.depth is not None and bin.condition is None]


@pytest.mark.parametrize("name", NAMES)
def test_a_bin_is_what_it_says(name):
    spec = experiment(name)
    for bin in spec.bins:
        params = params_of(bin)
        assert params.executed_depth == (bin.depth or 0)
        assert bin.low <= params.shortest <= params.longest == bin.high
        assert bin.condition is None or list(map(str, params.conditions)) == [bin.condition]
    assert spec.beyond
    assert name not in paper_experiments()


@pytest.mark.parametrize(
    ("name", "depths"),
    [("minecraft-nested-deep", (2, 3, 4, 5)), ("minecraft-depth", (3, 4, 5, 6)), ("minecraft-wide", range(1, 7))],
)
def test_every_depth_comes_in_every_length(name, depths):
    found = {(bin.low, bin.high, bin.depth) for bin in deep(experiment(name))}
    assert found == {(*length, depth) for length in LENGTHS for depth in depths}


def test_training_knows_blocks_in_blocks_or_none():
    assert EXPERIMENTS["minecraft-nested-deep"].trained_as == "minecraft-length"
    trained = {name: made_with(MinecraftParams, experiment(name).train) for name in NAMES}
    assert [params.max_depth for params in trained.values()] == [1, 2, 2]
    assert all(params.length == (1, 10) for params in trained.values())
    assert trained["minecraft-wide"].conditions == CONDITIONS
    for name in NAMES[1:]:
        spec = experiment(name)
        familiar = [bin for bin in spec.bins if is_familiar(spec, bin.id)]
        assert [params_of(bin) for bin in familiar] == [trained[name]]


def test_every_condition_has_a_bin_of_its_own():
    spec = experiment("minecraft-wide")
    assert [bin.condition for bin in spec.bins if bin.condition] == list(map(str, CONDITIONS))
    assert len(spec.bins) == 1 + 3 * 6 + 12


def test_the_same_levels_are_asked_of_agents_with_and_without_nesting_in_training():
    zero_shot = {bin.id: bin for bin in deep(experiment("minecraft-nested-deep"))}
    both = [bin for bin in deep(experiment("minecraft-depth")) if bin.id in zero_shot]
    assert len(both) == 9
    assert all(bin == zero_shot[bin.id] for bin in both)


def test_a_bin_of_a_file_may_have_a_depth_and_a_condition(tmp_path):
    path = tmp_path / "mine.toml"
    about = 'low = 9\nhigh = 20\nid = "mine"\ndepth = 2\ncondition = "iron>gold"\nexecuted_depth = 2\nlength = [9, 20]'
    path.write_text(f'name = "mine"\ndomain = "minecraft"\n[train]\nlength = [1, 10]\n[[bins]]\n{about}\n')
    (bin,) = read_experiment(path).bins
    assert (bin.depth, bin.condition, bin.changes) == (2, "iron>gold", {"executed_depth": 2, "length": (9, 20)})
