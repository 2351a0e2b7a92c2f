"""From runs and results to shipped weights: the right seed, and a card that says what was measured."""

import json
from collections.abc import Iterator
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from experiments.small import small_agents
from experiments.tiny import agents_of

from cofca.envs.spec import spec_of
from cofca.envs.starcraft import StarCraft, StarCraftParams
from cofca.experiments.precision import halved
from cofca.experiments.presets import PRESETS, TUNED
from cofca.experiments.weights import load_weights
from cofca.experiments.zoo import CARD, SHIPPED, card_of, names
from cofca.paper.model_card import TEXT, text_of
from cofca.paper.results import write_result
from cofca.paper.ship import ship
from cofca.runs.checkpoint import write_checkpoint
from cofca.runs.config import RunConfig
from cofca.runs.page import ARRAYS, PAGE
from paper.made_up import made_up

NAME = "minecraft-length/cofca-d"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for seed, share in enumerate((0.7, 0.9, 0.8)):
        write_result(tmp_path / "results", made_up("minecraft-length", "cofca-d", [1.0] + 4 * [share], seed))
        final = tmp_path / "runs" / NAME / "final" / f"seed{seed}"
        final.mkdir(parents=True)
        (final / PAGE).write_text(str(seed))
        (final / ARRAYS).touch()
    return tmp_path


@pytest.mark.parametrize(("all_seeds", "shipped"), [(False, ["seed2"]), (True, ["seed0", "seed1", "seed2"])])
def test_the_median_seed_or_all_are_shipped_with_a_card(runs: Path, all_seeds: bool, shipped: list[str]):
    stale = runs / "shipped" / NAME / "seed9"
    stale.mkdir(parents=True)
    folder = ship(runs / "runs", runs / "results", NAME, all_seeds, runs / "shipped")
    assert sorted(path.name for path in folder.glob("seed*")) == shipped
    assert (folder / "seed2" / "page.json").read_text() == "2"
    card = card_of(folder)
    assert (card["seed"], card["steps"], card["worker"]) == (2, 70_000_000, "learned")
    assert card["success"]["41-50"] == {"levels": 1000, "level_seed": 0, "by_seed": [0.7, 0.9, 0.8]}
    text = (folder / "README.md").read_text()
    assert "| levels | seed 0 | seed 1 | seed 2 (loaded by default) |" in text
    assert "| 41-50 lines | 0.700 | 0.900 | 0.800 |" in text
    assert text.startswith("---\nlicense: apache-2.0\n")
    assert (
        'name: "minecraft-length, 41-50 lines"}\n    metrics: [{type: success_rate, name: sampled success, value: 0.8}]'
        in text
    )


@pytest.mark.parametrize("name", names())
def test_cards_in_the_package_say_what_was_measured(name: str):
    """`python -m cofca.paper.model_card` makes them again."""
    card = json.loads((SHIPPED / name / CARD).read_text())
    assert (SHIPPED / name / TEXT).read_text() == text_of(name, card)


def test_without_results_nothing_is_shipped(runs: Path):
    with pytest.raises(ValueError, match="no results of minecraft-length/cofca"):
        ship(runs / "runs", runs / "results", "minecraft-length/cofca", all_seeds=True, to=runs / "shipped")
    assert not (runs / "shipped").exists()


# Half precision


ORDERS = "starcraft-length/cofca-s"


@pytest.fixture
def trained(tmp_path: Path) -> Iterator[Path]:
    """Runs of a small agent, and results of it."""
    write_result(tmp_path / "results", made_up("starcraft-length", "cofca-s", [1.0] + 4 * [0.9]))
    one = jax.tree.map(lambda leaf: leaf[0], agents_of("cofca-s"))
    config = RunConfig("starcraft-length", "cofca-s", seeds=1, steps=100)
    write_checkpoint(tmp_path / "runs" / ORDERS / "final" / "seed0", one, {"config": config.page(), "seed": 0})
    with pytest.MonkeyPatch.context() as patch:
        small_agents(patch)
        yield tmp_path


def test_halves_are_read_as_float32_and_lose_less_than_a_thousandth(trained: Path):
    folder = ship(trained / "runs", trained / "results", ORDERS, False, trained / "shipped", half=True)
    folders = trained / "runs" / ORDERS / "final" / "seed0", folder
    full, half = (jax.device_get(load_weights(path).agents) for path in folders)
    for one, other in zip(*map(jax.tree.leaves, (full, half)), strict=True):
        assert other.dtype == np.float32
        np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-6)
    assert not all((one == other).all() for one, other in zip(*map(jax.tree.leaves, (full, half)), strict=True))


def test_halves_are_half_as_large_and_the_card_says_so(trained: Path):
    sizes, cards = [], []
    for half in (False, True):
        folder = ship(trained / "runs", trained / "results", ORDERS, False, trained / "shipped", half=half)
        sizes.append((folder / "seed0" / ARRAYS).stat().st_size)
        cards.append((card_of(folder)["precision"], "half precision (float16)" in (folder / "README.md").read_text()))
    assert sizes[1] < 0.6 * sizes[0]
    assert cards == [("float32", False), ("float16", True)]


def test_another_precision_than_the_page_says_is_refused(trained: Path):
    folder = ship(trained / "runs", trained / "results", ORDERS, False, trained / "shipped", half=True) / "seed0"
    page = (folder / PAGE).read_text()
    unsealed = "\n".join(line for line in page.splitlines() if '"seal"' not in line).replace('",\n}', '"\n}')
    for said, wrong in (("float32", "is float16"), ("int4", "the precision is 'int4'")):
        (folder / PAGE).write_text(unsealed.replace('"precision": "float16"', f'"precision": "{said}"'))
        with pytest.raises(ValueError, match=wrong):
            load_weights(folder)


def test_weights_too_large_for_halves_are_not_shipped():
    with pytest.raises(ValueError, match="too large for half precision"):
        halved({"fine": jnp.ones(3), "large": jnp.array([1.0, 1e5])})


def test_the_paper_s_agent_takes_less_than_12_megabytes():
    spec = spec_of(StarCraft(), StarCraftParams())
    make = PRESETS[TUNED].agent("starcraft", "cofca-s")
    agent = jax.eval_shape(lambda key: make(key, spec), jax.random.key(0))
    numbers = sum(leaf.size for leaf in jax.tree.leaves(agent))
    assert 4 * numbers > 12e6 > 2 * numbers


def test_a_domain_without_workers_has_none_on_its_card(trained: Path, runs: Path):
    texts = [
        (ship(runs / "runs", runs / "results", name, False, runs / "shipped") / "README.md").read_text()
        for name in (NAME, ORDERS)
    ]
    assert ["Worker: learned." in text for text in texts] == [True, False]
