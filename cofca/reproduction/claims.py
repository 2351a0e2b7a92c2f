"""The paper's claims, as data. None is left out because it fails."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from cofca.reproduction.evidence import Evidence, Verdict
from cofca.reproduction.judges import (
    Experiments,
    best_everywhere,
    comparable,
    degrades,
    easier,
    falls_beyond_training,
    flat_and_poor,
    holds_beyond_training,
    ignores_instruction,
    loses_less,
    no_generalisation,
    trains_worse,
    weaker,
)

BASELINES = ("unstructured", "olsk", "olsk-e")
POINTERS = ("cofca-s", "cofca")
PAPERS = (*POINTERS, *BASELINES)


@dataclass(frozen=True)
class Claim:
    """Something the paper says about one or more experiments."""

    says: str
    needs: dict[str, tuple[str, ...]]
    """The experiments and agents whose results it is about."""
    judge: Callable[[Experiments], Evidence]
    note: str = ""
    """Where the authors' program differed from the paper, and ours does not."""


def judge(claim: Claim, found: Experiments) -> Evidence:
    """The verdict, unless results are missing."""
    missing = [
        f"{name}/{agent}"
        for name, agents in claim.needs.items()
        for agent in agents
        if agent not in found.get(name, {})
    ]
    if missing:
        return Evidence(Verdict.MISSING, f"no results of {', '.join(missing)}")
    return claim.judge(found)


UNTRAINED = (
    "In the authors' program moves longer than any in training kept their random initial weights; here they start with "
    "next to no probability."
)
RETURNS = "In the authors' program a closed gate sent OLSK-E's pointer back to the first line; here it stays."
NARROW = "In the authors' program this baseline's recurrent cell saw less than the paper says; here it sees all of it."

LENGTH, COMPOUND, JUMP = "minecraft-length", "minecraft-compound", "minecraft-jump"
CLAIMS = {
    "Minecraft: longer instructions": (
        Claim(
            "CoFCA-S and CoFCA outperform Unstructured Memory, OLSK and OLSK-E on longer instructions.",
            {LENGTH: PAPERS},
            partial(best_everywhere, LENGTH, POINTERS, BASELINES),
            f"{RETURNS} {NARROW}",
        ),
        Claim(
            "Unstructured Memory, OLSK and OLSK-E fail to generalise entirely.",
            {LENGTH: BASELINES},
            partial(no_generalisation, LENGTH, BASELINES),
            f"{RETURNS} {NARROW}",
        ),
        Claim(
            "CoFCA-S generalises better than CoFCA; the gap is smaller but significant.",
            {LENGTH: POINTERS},
            partial(best_everywhere, LENGTH, ("cofca-s",), ("cofca",)),
            UNTRAINED,
        ),
        Claim(
            "Every agent gets worse as instructions get longer.", {LENGTH: PAPERS}, partial(degrades, LENGTH, PAPERS)
        ),
        Claim(
            "From the shortest new lengths to the longest, CoFCA-S and CoFCA lose much less than the baselines.",
            {LENGTH: PAPERS},
            partial(loses_less, LENGTH, POINTERS, BASELINES),
        ),
        Claim(
            "OLSK-E gives up on moving its pointer and ignores the instruction.",
            {LENGTH: ("olsk-e",)},
            partial(ignores_instruction, LENGTH, "olsk-e"),
            RETURNS,
        ),
        Claim(
            "The baselines' training success is lower in this domain.",
            {LENGTH: PAPERS},
            partial(trains_worse, LENGTH, BASELINES, "cofca-s"),
        ),
    ),
    "Minecraft: new compositions": (
        Claim(
            "All agents do better on new compositions than on longer instructions.",
            {LENGTH: PAPERS, COMPOUND: PAPERS},
            partial(easier, COMPOUND, LENGTH, PAPERS),
        ),
        Claim(
            "CoFCA-S is best on new compositions.",
            {COMPOUND: PAPERS},
            partial(best_everywhere, COMPOUND, ("cofca-s",), PAPERS[1:]),
        ),
        Claim(
            "CoFCA is weak on new compositions (here: more than 0.1 behind CoFCA-S).",
            {COMPOUND: POINTERS},
            partial(weaker, COMPOUND, "cofca", "cofca-s", 0.1),
        ),
    ),
    "Minecraft: long jumps": (
        Claim(
            "CoFCA's success drops as soon as a jump is longer than any in training.",
            {JUMP: ("cofca",)},
            partial(falls_beyond_training, JUMP, "cofca"),
            UNTRAINED,
        ),
        Claim(
            "CoFCA-S, moving its pointer by the Scan mechanism, makes jumps longer than any in training.",
            {JUMP: ("cofca-s",)},
            partial(holds_beyond_training, JUMP, "cofca-s"),
        ),
        Claim(
            "Unstructured Memory is about as good as CoFCA-S at long jumps.",
            {JUMP: ("unstructured", "cofca-s")},
            partial(comparable, JUMP, "unstructured", "cofca-s"),
            NARROW,
        ),
        Claim(
            "OLSK-E is poor whatever the size of the block.",
            {JUMP: ("olsk-e", "cofca-s")},
            partial(flat_and_poor, JUMP, "olsk-e", "cofca-s"),
            RETURNS,
        ),
    ),
    "StarCraft": (
        Claim(
            "CoFCA-S is best at every length.",
            {"starcraft-length": PAPERS},
            partial(best_everywhere, "starcraft-length", ("cofca-s",), PAPERS[1:]),
        ),
        Claim(
            "CoFCA-S is best on deeper build trees.",
            {"starcraft-depth": PAPERS},
            partial(best_everywhere, "starcraft-depth", ("cofca-s",), PAPERS[1:]),
        ),
        Claim(
            "OLSK is second on deeper build trees.",
            {"starcraft-depth": PAPERS},
            partial(best_everywhere, "starcraft-depth", ("olsk",), ("cofca", "unstructured", "olsk-e")),
        ),
    ),
}
