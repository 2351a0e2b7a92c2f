"""Claims: what makes each hold, fail or stay open."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cofca.experiments.scores import Delays, Score
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper.bootstrap import Sample, holm, improvement
from cofca.paper.claims import CLAIMS, PUBLISHED, Claim, judge
from cofca.paper.criteria import Experiments, degrades, loses_less
from cofca.paper.evidence import Comparison, Line, Verdict, decided, number, weigh
from cofca.paper.plots.plot_style import bin_label
from cofca.paper.recovery import knows_recovery
from cofca.paper.report import write_claims
from cofca.paper.results import Result, read_results
from cofca.paper.samples import knows_replays
from cofca.paper.statistics import by_experiment, estimate, shown
from paper.made_up import made_up, seeds_of

ROOT = Path(__file__).parents[2]
LENGTH = "minecraft-length"
ALL = [claim for claims in CLAIMS.values() for claim in claims]
TENS = {
    "cofca-s": [0.99, 0.95, 0.935, 0.92, 0.9],
    "cofca": [0.97, 0.80, 0.75, 0.68, 0.6],
    "unstructured": [0.4, 0.12, 0.06, 0.03, 0.005],
    "olsk": [0.45, 0.13, 0.05, 0.03, 0.01],
    "olsk-e": [0.3, 0.11, 0.04, 0.02, 0.005],
}
PAIRS = {"cofca-s": 0.97, "cofca": 0.83, "unstructured": 0.4, "olsk": 0.5, "olsk-e": 0.3}
BLOCKS = {
    "cofca-s": (0.99, 0.98),
    "cofca": (0.95, 0.3),
    "unstructured": (0.96, 0.95),
    "olsk": (0.9, 0.5),
    "olsk-e": (0.3, 0.28),
}
FIVES = {
    "cofca-s": [0.99, 0.99, 0.98, 0.96, 0.95],
    "cofca": [0.8, 0.8, 0.7, 0.5, 0.4],
    "unstructured": [0.7, 0.6, 0.5, 0.3, 0.2],
    "olsk": [0.95, 0.9, 0.85, 0.75, 0.7],
    "olsk-e": [0.8, 0.7, 0.6, 0.4, 0.3],
}
DEEPER = {"cofca-s": 0.95, "cofca": 0.4, "unstructured": 0.35, "olsk": 0.78, "olsk-e": 0.3}


@cache
def as_the_paper_says() -> list[Result]:
    found = []
    for agent in PUBLISHED:
        training, gate = (0.98, 0.3) if agent.startswith("cofca") else (0.5, 0.01)
        success = {
            "minecraft-length": TENS[agent],
            "minecraft-compound": [PAIRS[agent]] * 2,
            "minecraft-jump": [BLOCKS[agent][0]] * 3 + [BLOCKS[agent][1]] * 6,
            "starcraft-length": FIVES[agent],
            "starcraft-depth": [DEEPER[agent]] * 5,
            "starcraft-depth-hard": [DEEPER[agent]] * 5,
        }
        for name, shares in success.items():
            end = 0.9 if name == "starcraft-length" else training
            found += seeds_of(made_up(name, agent, shares, training=end, gate=gate, replays=0.9), spread=0.001)
    return found


@cache
def agents_swapped() -> list[Result]:
    """Every agent has what the paper gives to the one at the other end."""
    swapped = dict(zip(PUBLISHED, reversed(PUBLISHED), strict=True))
    return [replace(result, agent=swapped[result.agent]) for result in as_the_paper_says()]


def by_distance(share: Callable[[float], float]) -> list[Result]:
    """All agents alike: how well they do depends only on how far from training it is. They succeed at all replays."""
    return [
        replace(
            result,
            bins=[replace(score, sampled=share(score.lo / 50)) for score in result.bins],
            with_replays=replace(result.training, success=[1.0] * len(result.training.steps)),
        )
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
    assert all(f"{name}/{agent}" in evidence.missing for name, agents in claim.needs.items() for agent in agents)


def test_results_that_know_nothing_of_setbacks_or_replays_decide_nothing_about_them():
    old = [
        replace(result, bins=[replace(score, recovery={}) for score in result.bins], with_replays=None)
        for result in as_the_paper_says()
    ]
    about = [claim for claim in ALL if claim.suffice in (knows_recovery, knows_replays)]
    assert len(about) == 5
    assert {judged(claim, old) for claim in about} == {Verdict.MISSING}
    assert {judged(claim, old) for claim in ALL if claim not in about} == {Verdict.HOLDS}


def test_who_is_quick_but_seldom_comes_to_an_end_is_not_simply_slower():
    claim = next(claim for claim in ALL if "Unstructured Memory has difficulty" in claim.says)

    def quick(score: Score) -> Score:
        own = score.recovery.get("sampled", {})
        delays = Delays(1.0, 0.01, 1, 0.2)
        return replace(score, recovery={"sampled": {cause: replace(own[cause], repaired=delays) for cause in own}})

    results = [
        replace(result, bins=list(map(quick, result.bins))) if result.agent == "unstructured" else result
        for result in as_the_paper_says()
        if result.experiment == "starcraft-length"
    ]
    evidence = judge(claim, by_experiment(results))
    assert evidence.verdict is Verdict.FAILS
    verdicts = {line.about: verdict for line, verdict in evidence.lines}
    assert [verdict for about, verdict in verdicts.items() if "time steps" in about] == [Verdict.FAILS] * 2
    assert [verdict for about, verdict in verdicts.items() if "never" in about] == [Verdict.HOLDS] * 2


def sample(*values: float, levels: float = 0.0) -> Sample:
    return Sample(dict(enumerate(values)), levels)


def line(one: Sample, other: Sample, margin: float = 0.0, below: bool = False) -> Line:
    return Line("", (Comparison((one, -other), margin, below),), "")


def test_a_verdict_needs_more_than_four_seeds_may_differ_by_chance():
    near, far = sample(0.9, 0.7, 0.8, 0.8), sample(0.8, 0.76, 0.7, 0.74)
    assert decided([line(near, far)]) == [Verdict.UNCLEAR]
    assert decided([line(near, far, -0.3)]) == [Verdict.HOLDS]
    assert decided([line(near, far, 0.3)]) == [Verdict.FAILS]
    assert decided([line(near, far, 0.3, below=True)]) == [Verdict.HOLDS]
    low, high = Comparison((near, -far)).interval
    assert low < 0 < near.mean - far.mean < high


def test_seeds_on_other_levels_are_paired():
    first, last = sample(0.99, 0.9, 0.8, 0.7), sample(0.94, 0.86, 0.74, 0.65)
    assert decided([line(first, last)]) == [Verdict.UNCLEAR]
    assert decided([Line("", (Comparison((first - last,)),), "")]) == [Verdict.HOLDS]
    assert (first - Sample({3: 0.2, 9: 0.1})).seeds == pytest.approx({3: 0.5})


def test_every_agent_gets_worse_if_every_seed_does_however_much():
    """As four seeds of CoFCA-S did, of which one lost most of what it had."""
    pairs = [(0.995, 0.979), (0.995, 0.979), (0.987, 0.817), (0.916, 0.348)]
    results = [
        made_up(LENGTH, "cofca-s", [1.0, first, 0.9, 0.9, last], seed=seed) for seed, (first, last) in enumerate(pairs)
    ]
    evidence = weigh(degrades(LENGTH, ["cofca-s"], {LENGTH: {"cofca-s": results}}))
    assert evidence.verdict is Verdict.HOLDS
    assert sample(*(first - last for first, last in pairs)).error > 0.1


def test_many_lines_need_clearer_evidence_each():
    one, other = sample(0.92, 0.88, 0.9, 0.9), sample(0.86, 0.84, 0.83, 0.87)
    close = line(one, other)
    assert 0.01 < close.p < 0.05
    assert decided([close]) == [Verdict.HOLDS]
    same = line(one, one)
    assert decided([close, *[same] * 9]) == [Verdict.UNCLEAR] * 10
    assert holm(np.array([0.01, 0.04, 0.03])).tolist() == pytest.approx([0.03, 0.06, 0.06])


def test_a_line_of_several_comparisons_holds_if_all_do_and_fails_if_one_does():
    up, down = Comparison((sample(0.5, 0.51, 0.52, 0.53),)), Comparison((sample(-0.5, -0.51, -0.52, -0.53),))
    assert decided([Line("", (up, up), "")]) == [Verdict.HOLDS]
    assert decided([Line("", (up, down), "")]) == [Verdict.FAILS]
    assert Line("", (up, down), "").decisive is down
    assert decided([Line("", (), "")]) == [Verdict.UNCLEAR]


def test_one_line_that_fails_makes_a_claim_fail_and_the_others_keep_their_verdicts():
    good, bad = sample(0.9, 0.91, 0.92, 0.93), sample(0.1, 0.11, 0.12, 0.13)
    evidence = weigh([line(good, bad), line(bad, good), line(good, good)])
    assert evidence.verdict is Verdict.FAILS
    assert [verdict for _, verdict in evidence.lines] == [Verdict.HOLDS, Verdict.FAILS, Verdict.UNCLEAR]
    assert weigh([line(good, bad), line(good, good)]).verdict is Verdict.UNCLEAR


def test_the_levels_that_seeds_share_are_part_of_the_error():
    one, other = [0.9] * 4, [0.88] * 4
    assert decided([line(sample(*one, levels=1e-6), sample(*other, levels=1e-6))]) == [Verdict.HOLDS]
    assert decided([line(sample(*one, levels=1e-4), sample(*other, levels=1e-4))]) == [Verdict.UNCLEAR]


def test_a_single_seed_decides_nothing():
    assert decided([line(sample(0.9), sample(0.1, 0.11))]) == [Verdict.UNCLEAR]
    assert decided([line(Sample({}), sample(0.1, 0.11))]) == [Verdict.UNCLEAR]


def test_the_probability_of_improvement_counts_pairs_of_seeds():
    share, low, high = improvement(sample(0.1, 0.5, 0.6, 0.7), sample(0.2, 0.3, 0.4, 0.5))
    assert share == (0 + 3.5 + 4 + 4) / 16
    assert 0 <= low < share < high <= 1
    assert improvement(sample(0.9, 0.8), sample(0.1, 0.2)) == (1.0, 1.0, 1.0)


def test_numbers_are_shown_as_people_read_them():
    assert [number(value) for value in (0.12345, -0.0001, 12.34)] == ["0.123", "0.000", "12.3"]


def test_a_single_seed_has_the_error_of_its_episodes():
    assert estimate([0.5], 100).error == pytest.approx(0.05)


def test_seeds_that_agree_have_the_error_of_the_levels_they_share():
    assert estimate([0.5] * 4, 100).error == pytest.approx(0.05)
    assert estimate([0.4, 0.6], 100).error == pytest.approx(0.1)


def test_one_more_failure_in_a_thousand_decides_nothing():
    claim = next(claim for claim in ALL if claim.says == "CoFCA-S is best on new compositions.")

    def verdict(share: float) -> Verdict:
        shares = {**dict.fromkeys(PUBLISHED, 0.5), "cofca-s": 1.0, "cofca": share}
        made = (made_up("minecraft-compound", agent, [own, own]) for agent, own in shares.items())
        return judged(claim, [result for one in made for result in seeds_of(one, 0.0)])

    assert verdict(0.999) is Verdict.UNCLEAR
    assert verdict(0.98) is Verdict.HOLDS


def test_who_has_nothing_to_lose_does_not_lose_less():
    results = by_experiment(as_the_paper_says())
    hopeless = [
        replace(one, bins=[replace(score, sampled=0.0) for score in one.bins]) for one in results[LENGTH]["olsk-e"]
    ]
    lines = loses_less(LENGTH, ("cofca-s",), ("olsk", "olsk-e"), {LENGTH: {**results[LENGTH], "olsk-e": hopeless}})
    assert decided(lines) == [Verdict.HOLDS, Verdict.UNCLEAR]
    assert "not above chance" in lines[1].figures


def test_means_are_shown_with_their_errors():
    assert shown(estimate([0.9])) == "0.900"
    assert shown(estimate([0.9, 0.7])) == "0.800 ± 0.100"


def test_the_page_names_every_claim_once_and_every_score(tmp_path: Path):
    text = write_claims(as_the_paper_says(), tmp_path).read_text()
    assert all(text.count(f"**{says}**") == count for says, count in Counter(claim.says for claim in ALL).items())
    assert text.count("| the claim | **not measured** | **holds** |") == len(ALL)
    assert f"| `tuned` | {len(ALL)} | 0 | 0 | 0 |" in text
    assert "| CoFCA-S (tuned): 4 seeds, 70 M steps | 0.990 ± 0.003 | 0.950 ± 0.007 |" in text
    assert text.count("| one pass | 0.300 | 0.300 |") == 3


def test_the_page_has_a_column_for_each_preset_that_is_judged(tmp_path: Path):
    theirs = [replace(result, preset="paper") for result in as_the_paper_says()]
    ours = [replace(result, agent=agent_of(result)) for result in theirs]
    ours = [replace(result, preset="tuned") for result in ours]
    text = write_claims([*theirs, *ours], tmp_path).read_text()
    assert text.count("| the claim | **holds** |") == len(ALL)
    claim = text.split("CoFCA-S generalises better than CoFCA")[1]
    assert "|  | `paper` | `tuned` |" in claim.splitlines()[2]
    row = next(row for row in claim.splitlines() if row.startswith("| CoFCA-S against CoFCA |"))
    _, _, paper, tuned, _ = row.split("|")
    assert paper.startswith(
        " holds*: 0.926 against 0.708, higher with probability 1.00 [1.00, 1.00]; difference 0.219 ["
    )
    assert tuned.startswith(" does not hold*: 0.708 against 0.926")
    assert "## Scores of the preset `paper`" in text
    assert "## Scores of the preset `tuned`" in text


def agent_of(result: Result) -> str:
    """CoFCA-S and CoFCA have changed places."""
    return {"cofca-s": "cofca", "cofca": "cofca-s"}.get(result.agent, result.agent)


def test_the_page_in_this_project_is_what_its_results_make(tmp_path: Path):
    assert (
        write_claims(read_results(ROOT / "results"), tmp_path).read_bytes() == (ROOT / "results/CLAIMS.md").read_bytes()
    )


def test_the_page_says_where_agents_had_other_levels(tmp_path: Path):
    known, *others = as_the_paper_says()
    one, other = (replace(known, bins=[*known.bins[:-1], replace(known.bins[-1], levels=name)]) for name in "ab")

    def page(*results: Result) -> str:
        return write_claims([*results, *others], tmp_path).read_text()

    said = f"In these bins not all agents were evaluated on the same levels: {bin_label(known.bins[-1])}."
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
