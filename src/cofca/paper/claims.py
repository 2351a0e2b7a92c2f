"""The paper's claims, as data. None is left out because it fails."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from cofca.paper.criteria import (
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
    suffers_less,
    trains_better,
    weaker,
)
from cofca.paper.evidence import Evidence, Verdict
from cofca.paper.recovery import knows_recovery
from cofca.paper.recovery_criteria import recovers_alike, recovers_slower

BASELINES = ("unstructured", "olsk", "olsk-e")
POINTERS = ("cofca-s", "cofca")
PUBLISHED = (*POINTERS, *BASELINES)


@dataclass(frozen=True)
class Claim:
    """Something the paper says about one or more experiments."""

    says: str
    needs: dict[str, tuple[str, ...]]
    """The experiments and agents whose results it is about."""
    judge: Callable[[Experiments], Evidence]
    note: str = ""
    """Where the authors' program differed from the paper, and ours does not."""
    of_recovery: bool = False
    """Whether it is about what becomes of setbacks."""


def judge(claim: Claim, experiments: Experiments) -> Evidence:
    """The verdict, unless results are missing."""
    missing = [
        f"{name}/{agent}"
        for name, agents in claim.needs.items()
        for agent in agents
        if agent not in experiments.get(name, {})
        or (claim.of_recovery and not knows_recovery(experiments[name][agent]))
    ]
    if missing:
        return Evidence(Verdict.MISSING, f"no results of {', '.join(missing)}")
    return claim.judge(experiments)


UNTRAINED = (
    "In the authors' program moves longer than any in training kept their random initial weights; here they start with "
    "next to no probability."
)
RETURNS = "In the authors' program a closed gate sent OLSK-E's pointer back to the first line; here it stays."
NARROW = "In the authors' program this baseline's recurrent cell saw less than the paper says; here it sees all of it."

CONJECTURE = "The paper conjectures this; it measured success only."
THREE = "The paper's text restricts the depth of trees; in the authors' program only three buildings had prerequisites."

LENGTH, COMPOUND, JUMP = "minecraft-length", "minecraft-compound", "minecraft-jump"
ORDERS, DEPTH, HARD = "starcraft-length", "starcraft-depth", "starcraft-depth-hard"


def _deeper(name: str, levels: str, note: str) -> tuple[Claim, ...]:
    """What the paper says of trees that are deeper than in training."""
    best = partial(best_everywhere, name, ("cofca-s",), PUBLISHED[1:])
    second = partial(best_everywhere, name, ("olsk",), ("cofca", "unstructured", "olsk-e"))
    return (
        Claim(f"CoFCA-S is best on {levels}.", {name: PUBLISHED}, best, note),
        Claim(f"OLSK is second on {levels}.", {name: PUBLISHED}, second, note),
    )


CLAIMS = {
    "Minecraft: longer instructions": (
        Claim(
            "CoFCA-S and CoFCA outperform Unstructured Memory, OLSK and OLSK-E on longer instructions.",
            {LENGTH: PUBLISHED},
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
            "Every agent gets worse as instructions get longer.",
            {LENGTH: PUBLISHED},
            partial(degrades, LENGTH, PUBLISHED),
        ),
        Claim(
            "From the shortest new lengths to the longest, CoFCA-S and CoFCA lose much less than the baselines.",
            {LENGTH: PUBLISHED},
            partial(loses_less, LENGTH, POINTERS, BASELINES),
        ),
        Claim(
            "OLSK-E gives up on moving its pointer and ignores the instruction.",
            {LENGTH: ("olsk-e",)},
            partial(ignores_instruction, LENGTH, "olsk-e"),
            RETURNS,
        ),
    ),
    "Minecraft: new compositions": (
        Claim(
            "All agents do better on new compositions than on longer instructions.",
            {LENGTH: PUBLISHED, COMPOUND: PUBLISHED},
            partial(easier, COMPOUND, LENGTH, PUBLISHED),
        ),
        Claim(
            "CoFCA-S is best on new compositions.",
            {COMPOUND: PUBLISHED},
            partial(best_everywhere, COMPOUND, ("cofca-s",), PUBLISHED[1:]),
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
    "StarCraft: longer instructions": (
        Claim(
            "CoFCA-S is best at every length.",
            {ORDERS: PUBLISHED},
            partial(best_everywhere, ORDERS, ("cofca-s",), PUBLISHED[1:]),
            UNTRAINED,
        ),
        Claim(
            "OLSK has difficulty with large moves in single steps (here: after a setback its pointer takes longer than "
            "CoFCA-S's to the line to do).",
            {ORDERS: ("olsk", "cofca-s")},
            partial(recovers_slower, ORDERS, "olsk", "cofca-s", "pointed"),
            CONJECTURE,
            of_recovery=True,
        ),
        Claim(
            "Unstructured Memory has difficulty tracking its place (here: it takes longer than CoFCA-S to repair what "
            "a setback undid).",
            {ORDERS: ("unstructured", "cofca-s")},
            partial(recovers_slower, ORDERS, "unstructured", "cofca-s", "repaired"),
            f"{CONJECTURE} {NARROW}",
            of_recovery=True,
        ),
        Claim(
            "CoFCA-S moves its pointer by a logic that does not depend on the size of the move (here: after a setback "
            "it takes less than one time step more on the longest instructions than on the shortest new ones).",
            {ORDERS: ("cofca-s",)},
            partial(recovers_alike, ORDERS, "cofca-s", "pointed"),
            CONJECTURE,
            of_recovery=True,
        ),
        Claim(
            "The baselines' training success is higher here than in the Minecraft-inspired domain.",
            {ORDERS: BASELINES, LENGTH: BASELINES},
            partial(trains_better, ORDERS, LENGTH, BASELINES),
        ),
    ),
    "StarCraft: deeper build trees": (
        *_deeper(DEPTH, "deeper build trees", UNTRAINED),
        Claim(
            "OLSK, which makes no jumps, suffers less from shallow trees in training than CoFCA and OLSK-E.",
            {ORDERS: ("olsk", "cofca", "olsk-e"), DEPTH: ("olsk", "cofca", "olsk-e")},
            partial(suffers_less, DEPTH, ORDERS, "olsk", ("cofca", "olsk-e")),
            UNTRAINED,
        ),
    ),
    "StarCraft: deeper build trees, trained as the authors' program did": _deeper(
        HARD, "deeper build trees after training with three prerequisites", THREE
    ),
}
