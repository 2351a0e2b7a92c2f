"""Experiments in TOML files, and registered ones."""

from pathlib import Path

import pytest

from cofca.experiments.agent_factory import training_params
from cofca.experiments.specs import Bin, Experiment, experiment, read_experiment, register_experiment
from cofca.paper.grid import plan
from cofca.paper.scales import find_scale

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = """
name = "short"
domain = "minecraft"
steps = 1000
[train]
length = [1, 3]
conditions = "iron>gold,gold>merchant"
[[bins]]
low = 4
high = 6
length = [4, 6]
[[bins]]
low = 4
high = 6
id = "deep"
length = [5, 6]
max_depth = 2
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_a_file_describes_training_and_bins(tmp_path: Path) -> None:
    spec = experiment(str(written(tmp_path, SHORT)))
    assert (spec.name, spec.domain, spec.steps) == ("short", "minecraft", 1000)
    assert [bin.id for bin in spec.bins] == ["4-6", "deep"]
    assert spec.bins[0].fold != spec.bins[1].fold
    params = training_params(spec, ())
    assert params.length == (1, 3)
    assert len(params.conditions) == 2


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('name = "short"', "", "name"),
        ('name = "short"', 'name = "../out"', "is no name"),
        ("[train]", "[trian]", "missing required field train"),
        ("low = 4", "lo = 4", "low"),
        ('id = "deep"', "", "two bins have the same id"),
        ("steps = 1000", "steps = ", "Invalid value"),
        ("steps = 1000", "speed = 1", "unknown field 'speed'"),
        ("steps = 1000", 'steps = "1000"', "Expected int, got str - at \\$.steps"),
        ("steps = 1000", f"steps = 1{'0' * 30}", "a number is too large"),
        ('domain = "minecraft"', "domain = 5", "Expected str, got int - at \\$.domain"),
        ('domain = "minecraft"', 'domain = "nowhere.py:there"', "there is no file"),
        ("length = [1, 3]", "length = [[1, 3]]", "length must be a number, a text"),
        ("length = [1, 3]", "length = 1979-05-27", "length must be a number, a text"),
        ("length = [1, 3]", f"length = {'[' * 2000}", "nested more than"),
        (SHORT[SHORT.index("[train]") :], "bins = [5]\ntrain = {}", r"Expected object, got int - at \$.bins\[0\]"),
        (SHORT[SHORT.index("[train]") :], 'bins = "x"\ntrain = {}', r"Expected array, got str - at \$.bins"),
        (SHORT[SHORT.index("[train]") :], "bins = []\ntrain = 5", r"Expected object, got int - at \$.train"),
    ],
)
def test_mistakes_name_the_file_in_one_line(tmp_path: Path, old: str, new: str, reason: str) -> None:
    path = written(tmp_path, SHORT.replace(old, new, 1))
    with pytest.raises(ValueError, match=reason) as caught:
        read_experiment(path)
    assert str(caught.value).startswith(f"{path}: not an experiment: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match=r"nowhere\.toml: not an experiment: .*No such file"):
        experiment("nowhere.toml")


def test_a_domain_is_looked_for_beside_the_file() -> None:
    assert read_experiment(EXAMPLES / "corridor.toml").domain == f"{EXAMPLES / 'corridor.py'}:corridor"


def test_a_registered_experiment_is_known_by_its_name() -> None:
    spec = Experiment("registered-here", "minecraft", {"length": (1, 2)}, (Bin(3, 4, {"length": (3, 4)}),))
    register_experiment(spec)
    assert experiment("registered-here") is spec
    with pytest.raises(ValueError, match="there is an experiment called 'minecraft-length' already"):
        register_experiment(Experiment("minecraft-length", "minecraft", {}, ()))


def test_a_grid_takes_agents_and_experiments_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    mine = f"{EXAMPLES / 'my_agent.py'}:MyAgent"
    (job,) = plan([str(EXAMPLES / "corridor.toml")], [mine], seeds=1, scale=find_scale("quick"), worker="learned")
    assert job.name == "corridor-length/my-agent"
    assert (job.config.experiment, job.config.agent) == (str(EXAMPLES / "corridor.toml"), mine)
    assert job.config.worker == "planner"
