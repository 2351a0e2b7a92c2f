"""Claims: what makes each hold, fail or stay open."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from cofca.experiments.scores import Delays, Score
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper.claims import CLAIMS, PUBLISHED, Claim, judge
from cofca.paper.criteria import Experiments, loses_less
from cofca.paper.evidence import Verdict, compare, shown
from cofca.paper.plots.plot_style import bin_label
from cofca.paper.report import write_claims
from cofca.paper.results import Result
from cofca.paper.statistics import by_experiment, estimate
from paper.made_up import made_up, seeds_of

LENGTH = "minecraft-length"
ALL = [claim for claims in CLAIMS.values() for claim in claims]
TENS = {
    "cofca-s": [0.99, 0.95, 0.93, 0.91, 0.9],
    "cofca": [0.97, 0.80, 0.78, 0.75, 0.73],
    "unstructured": [0.4, 0.06, 0.05, 0.03, 0.015],
    "olsk": [0.45, 0.09, 0.07, 0.05, 0.03],
    "olsk-e": [0.3, 0.05, 0.03, 0.02, 0.01],
}
PAIRS = {"cofca-s": 0.97, "cofca": 0.83, "unstructured": 0.4, "olsk": 0.5, "olsk-e": 0.3}
BLOCKS = {
    "cofca-s": (0.99, 0.98),
    "cofca": (0.95, 0.3),
    "unstructured": (0.96, 0.95),
    "olsk": (0.9, 0.5),
    "olsk-e": (0.3, 0.28),
}
FIVES = {"cofca-s": 0.97, "cofca": 0.6, "unstructured": 0.4, "olsk": 0.8, "olsk-e": 0.5}
DEEPER = {"cofca-s": 0.95, "cofca": 0.4, "unstructured": 0.35, "olsk": 0.78, "olsk-e": 0.3}


@cache
def as_the_paper_says() -> list[Result]:
    found = []
    for agent in PUBLISHED:
        training, gate = (0.98, 0.3) if agent.startswith("cofca") else (0.5, 0.01)
        success = {
            "minecraft-length": TENS[agent],
            "minecraft-compound": [PAIRS[agent]] * 2,
            "minecraft-jump": [BLOCKS[agent][0]] * 4 + [BLOCKS[agent][1]] * 5,
            "starcraft-length": [FIVES[agent]] * 5,
            "starcraft-depth": [DEEPER[agent]] * 5,
            "starcraft-depth-hard": [DEEPER[agent]] * 5,
        }
        for name, shares in success.items():
            end = 0.9 if name == "starcraft-length" else training
            found += seeds_of(made_up(name, agent, shares, training=end, gate=gate), spread=0.001)
    return found


@cache
def agents_swapped() -> list[Result]:
    """Every agent has what the paper gives to the one at the other end."""
    swapped = dict(zip(PUBLISHED, reversed(PUBLISHED), strict=True))
    return [replace(result, agent=swapped[result.agent]) for result in as_the_paper_says()]


def by_distance(share: Callable[[float], float]) -> list[Result]:
    """All agents alike: how well they do depends only on how far from training it is."""
    return [
        replace(result, bins=[replace(score, sampled=share(score.lo / 50)) for score in result.bins])
        for result in agents_swapped()
    ]


def slow_where_fast() -> list[Result]:
    """Whoever should recover soon recovers late, and later on longer instructions."""

    def late(delays: Delays, score: Score) -> Delays:
        return delays if delays.mean is None else replace(delays, mean=20 - delays.mean + score.lo, never=0.0)

    def later(score: Score) -> Score:
        causes = score.recovery.get("sampled", {})
        own = {
            cause: replace(one, pointed=late(one.pointed, score), repaired=late(one.repaired, score))
            for cause, one in causes.items()
        }
        return replace(score, recovery={"sampled": own} if own else {})

    return [replace(result, bins=[later(score) for score in result.bins]) for result in as_the_paper_says()]


@cache
def opposites() -> list[Experiments]:
    worlds = agents_swapped(), by_distance(lambda far: far), by_distance(lambda far: 1 - far), slow_where_fast()
    return [by_experiment(results) for results in worlds]


def judged(claim: Claim, results: list[Result]) -> Verdict:
    return judge(claim, by_experiment(results)).verdict


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.says[:50])
def test_a_claim_holds_when_results_are_as_it_says(claim: Claim):
    assert judged(claim, as_the_paper_says()) is Verdict.HOLDS


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.says[:50])
def test_a_claim_fails_when_results_are_the_opposite(claim: Claim):
    assert Verdict.FAILS in [judge(claim, results).verdict for results in opposites()]


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.says[:50])
def test_a_claim_without_results_is_not_judged(claim: Claim):
    evidence = judge(claim, {})
    assert evidence.verdict is Verdict.MISSING
    assert "no results of" in evidence.measured


def test_results_that_know_nothing_of_setbacks_decide_nothing_about_them():
    old = [
        replace(result, bins=[replace(score, recovery={}) for score in result.bins]) for result in as_the_paper_says()
    ]
    about = [claim for claim in ALL if claim.of_recovery]
    assert len(about) == 3
    assert {judged(claim, old) for claim in about} == {Verdict.MISSING}
    assert {judged(claim, old) for claim in ALL if not claim.of_recovery} == {Verdict.HOLDS}


@pytest.mark.parametrize(("share", "verdict"), [(0.02, Verdict.FAILS), (0.2, Verdict.HOLDS)])
def test_who_is_quick_but_seldom_comes_to_an_end_is_slower(share: float, verdict: Verdict):
    claim = next(claim for claim in ALL if "Unstructured Memory has difficulty" in claim.says)

    def quick(score: Score) -> Score:
        own = score.recovery.get("sampled", {})
        delays = Delays(1.0, 0.01, 1, share)
        return replace(score, recovery={"sampled": {cause: replace(own[cause], repaired=delays) for cause in own}})

    results = [
        replace(result, bins=list(map(quick, result.bins))) if result.agent == "unstructured" else result
        for result in as_the_paper_says()
        if result.experiment == "starcraft-length"
    ]
    assert judged(claim, results) is verdict


def test_what_two_standard_errors_can_t_tell_apart_is_not_clear():
    near, far = estimate([0.9, 0.7, 0.8, 0.8], 1000), estimate([0.8, 0.76, 0.7, 0.74], 1000)
    assert compare(near, far) is Verdict.UNCLEAR
    assert compare(near, far, -0.3) is Verdict.HOLDS
    assert compare(near, far, 0.3) is Verdict.FAILS


def test_a_single_seed_has_the_error_of_its_episodes():
    assert estimate([0.5], 100).error == pytest.approx(0.05)


def test_seeds_that_agree_have_the_error_of_the_levels_they_share():
    assert estimate([0.5] * 4, 100).error == pytest.approx(0.05)
    assert estimate([0.4, 0.6], 100).error == pytest.approx(0.1)


def test_one_more_failure_in_a_thousand_decides_nothing():
    assert compare(estimate([1.0] * 4, 1000), estimate([0.9995] * 4, 1000)) is Verdict.UNCLEAR
    assert compare(estimate([1.0] * 4, 1000), estimate([0.99] * 4, 1000)) is Verdict.HOLDS


def test_who_has_nothing_to_lose_does_not_lose_less():
    results = by_experiment(as_the_paper_says())
    hopeless = [
        replace(one, bins=[replace(score, sampled=0.0) for score in one.bins]) for one in results[LENGTH]["olsk-e"]
    ]
    found = {LENGTH: {**results[LENGTH], "olsk-e": hopeless}}
    evidence = loses_less(LENGTH, ("cofca-s",), ("olsk", "olsk-e"), found)
    assert evidence.verdict is Verdict.HOLDS
    assert "OLSK-E has none to lose" in evidence.measured
    assert loses_less(LENGTH, ("cofca-s",), ("olsk-e",), found).verdict is Verdict.UNCLEAR


def test_without_episodes_a_single_seed_decides_nothing():
    assert compare(estimate([0.9]), estimate([0.1])) is Verdict.UNCLEAR
    assert shown(estimate([0.9])) == "0.900"
    assert shown(estimate([0.9, 0.7])) == "0.800 ± 0.100"


def test_the_page_names_every_claim_and_every_score(tmp_path: Path):
    text = write_claims(as_the_paper_says(), tmp_path).read_text()
    assert all(claim.says in text for claim in ALL)
    assert text.count("Verdict: **holds**") == len(ALL)
    assert "| CoFCA-S (tuned): 4 seeds, 70 M steps | 0.990 ± 0.003 | 0.950 ± 0.007 |" in text
    assert text.count("| one pass | 0.300 | 0.300 |") == 3


def test_the_page_says_where_agents_had_other_levels(tmp_path: Path):
    known, *others = as_the_paper_says()
    one, other = (replace(known, bins=[*known.bins[:-1], replace(known.bins[-1], levels=name)]) for name in "ab")

    def page(*results: Result) -> str:
        return write_claims([*results, *others], tmp_path).read_text()

    said = f"Not all of these results are of the same levels: {bin_label(known.bins[-1])}."
    assert "same levels" not in page(known, one)
    assert said in page(one, other)
    one, other = (replace(known, bins=[*known.bins[:-1], scripted(known.bins[-1], share)]) for share in (0.3, 0.4))
    assert "same levels" not in page(one, one)
    assert said in page(one, other)
    later = replace(known, bins=[*known.bins[:-1], scripted(known.bins[-1], 0.3, rounds=1.0)])
    assert "same levels" not in page(one, later)


def scripted(score: Score, share: float, **others: float) -> Score:
    return replace(score, levels=None, references={"one_pass": share, **others})


def test_claims_are_about_experiments_that_exist():
    found: Experiments = {name: {} for name in EXPERIMENTS}
    assert all(name in found for claim in ALL for name in claim.needs)
