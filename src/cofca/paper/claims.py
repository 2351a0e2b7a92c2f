"""The paper's claims, as data. None is left out because it fails."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from cofca.experiments.presets import TUNED
from cofca.paper.criteria import (
    Experiments,
    better,
    better_everywhere,
    degrades,
    easier,
    inconsistent,
    lead_grows,
    loses_less,
    no_generalisation,
    suffers_less,
    weaker,
)
from cofca.paper.evidence import Evidence, Line, Verdict, weigh
from cofca.paper.jump_criteria import (
    comparable,
    falls_beyond_training,
    flat_and_poor,
    holds_beyond_training,
    several_flows,
)
from cofca.paper.recovery import knows_recovery
from cofca.paper.recovery_criteria import recovers_alike, recovers_slower
from cofca.paper.results import Result
from cofca.paper.samples import knows_replays
from cofca.paper.training_criteria import ignores_instruction, replays_depress, trains_better

BASELINES = ("unstructured", "olsk", "olsk-e")
POINTERS = ("cofca-s", "cofca")
PUBLISHED = (*POINTERS, *BASELINES)
JUDGED = ("paper", TUNED)
"""The presets whose agents every claim is judged on."""


@dataclass(frozen=True)
class Claim:
    """Something the paper says about one or more experiments."""

    says: str
    needs: dict[str, tuple[str, ...]]
    """The experiments and agents whose results it is about."""
    lines: Callable[[Experiments], list[Line]]
    """What it says, line by line."""
    note: str = ""
    """What a reader should know beside it, such as where the authors' code differs from the paper."""
    suffice: Callable[[Sequence[Result]], bool] = bool
    """Whether results tell what it is about."""


def judge(claim: Claim, experiments: Experiments) -> Evidence:
    """The verdict, unless results are missing."""
    missing = [
        f"{name}/{agent}"
        for name, agents in claim.needs.items()
        for agent in agents
        if not (there := experiments.get(name, {}).get(agent)) or not claim.suffice(there)
    ]
    if missing:
        return Evidence(Verdict.MISSING, missing=", ".join(missing))
    return weigh(claim.lines(experiments))


UNTRAINED = (
    "In the authors' code, and in the preset `paper`, the output weights for moves longer than any in training stay "
    "at their random initial values. In `tuned` such moves have a probability near 0 at the start of training."
)
RETURNS = (
    "In the authors' code a closed gate sends the pointer of OLSK-E back to the first line. In this library the "
    "pointer stays."
)
NARROW = (
    "In the authors' code the recurrent cell of Unstructured Memory gets less input than the paper says. In this "
    "library it gets all of it."
)

CONJECTURE = (
    "The paper states this as a conjecture. It measured only success. Definitions: [setback, pointed at, "
    "repaired](../docs/starcraft-rules.md#setbacks-and-what-becomes-of-them)."
)
THREE = (
    "The text of the paper limits the depth of build trees. In the authors' code at most three buildings have a "
    "prerequisite."
)

LENGTH, COMPOUND, JUMP = "minecraft-length", "minecraft-compound", "minecraft-jump"
ORDERS, DEPTH, HARD = "starcraft-length", "starcraft-depth", "starcraft-depth-hard"


def _deeper(name: str, levels: str, note: str) -> tuple[Claim, ...]:
    """What the paper says of trees that are deeper than in training."""
    best = partial(better, name, ("cofca-s",), PUBLISHED[1:])
    second = partial(better, name, ("olsk",), ("cofca", "unstructured", "olsk-e"))
    return (
        Claim(f"CoFCA-S is best on {levels}.", {name: PUBLISHED}, best, note),
        Claim(f"OLSK is second on {levels} (here: better than all but CoFCA-S).", {name: PUBLISHED}, second, note),
    )


CLAIMS = {
    f"Minecraft: longer instructions (`{LENGTH}`)": (
        Claim(
            "CoFCA-S and CoFCA outperform Unstructured Memory, OLSK and OLSK-E on longer instructions.",
            {LENGTH: PUBLISHED},
            partial(better, LENGTH, POINTERS, BASELINES),
            f"{RETURNS} {NARROW}",
        ),
        Claim(
            "Unstructured Memory, OLSK and OLSK-E fail to generalise entirely (here: they are less than 0.05 above "
            "random choices).",
            {LENGTH: BASELINES},
            partial(no_generalisation, LENGTH, BASELINES),
            f"{RETURNS} {NARROW}",
        ),
        Claim(
            "CoFCA-S generalises better than CoFCA. The gap is smaller than the gap to the baselines, but significant "
            "(here: CoFCA-S is better).",
            {LENGTH: POINTERS},
            partial(better, LENGTH, ("cofca-s",), ("cofca",)),
            UNTRAINED,
        ),
        Claim(
            "Every agent gets worse as instructions get longer.",
            {LENGTH: PUBLISHED},
            partial(degrades, LENGTH, PUBLISHED),
        ),
        Claim(
            "From the shortest new lengths to the longest, CoFCA-S and CoFCA lose much less than the baselines (here: "
            "the share of its success that each of the two loses is less than half of the share that each baseline "
            "loses).",
            {LENGTH: PUBLISHED},
            partial(loses_less, LENGTH, POINTERS, BASELINES),
        ),
        Claim(
            "OLSK-E gives up on moving its pointer and ignores the instruction (here: its gate is open in less than "
            "2 % of steps, and it fails on more than half of the familiar levels).",
            {LENGTH: ("olsk-e",)},
            partial(ignores_instruction, LENGTH, "olsk-e"),
            RETURNS,
        ),
        Claim(
            "CoFCA-S outperforms the others especially as instructions get longer (here: its lead is larger on the "
            "longest instructions than on the shortest new ones).",
            {LENGTH: PUBLISHED},
            partial(lead_grows, LENGTH, "cofca-s", PUBLISHED[1:]),
        ),
        Claim(
            "None of the baselines learned to consistently sequence subtasks for longer instructions (here: they "
            "succeed on less than half of these).",
            {LENGTH: BASELINES},
            partial(inconsistent, LENGTH, BASELINES),
            f"{RETURNS} {NARROW}",
        ),
        Claim(
            "The failure buffer depresses the success of training (here: over the whole of training, success "
            "including replays is lower than on fresh levels alone).",
            {LENGTH: PUBLISHED},
            partial(replays_depress, LENGTH, PUBLISHED),
            suffice=knows_replays,
        ),
    ),
    f"Minecraft: new compositions (`{COMPOUND}`)": (
        Claim(
            "All agents do better on new compositions than on longer instructions.",
            {LENGTH: PUBLISHED, COMPOUND: PUBLISHED},
            partial(easier, COMPOUND, LENGTH, PUBLISHED),
        ),
        Claim(
            "CoFCA-S is best on new compositions.",
            {COMPOUND: PUBLISHED},
            partial(better, COMPOUND, ("cofca-s",), PUBLISHED[1:]),
        ),
        Claim(
            "CoFCA is weak on new compositions (here: more than 0.1 behind CoFCA-S).",
            {COMPOUND: POINTERS},
            partial(weaker, COMPOUND, "cofca", "cofca-s", 0.1),
        ),
    ),
    f"Minecraft: long jumps (`{JUMP}`)": (
        Claim(
            "CoFCA's success drops as soon as a jump is longer than any in training (here: by more than 0.2).",
            {JUMP: ("cofca",)},
            partial(falls_beyond_training, JUMP, "cofca"),
            UNTRAINED,
        ),
        Claim(
            "CoFCA-S, moving its pointer by the Scan mechanism, makes jumps longer than any in training (here: it "
            "loses less than 0.05).",
            {JUMP: ("cofca-s",)},
            partial(holds_beyond_training, JUMP, "cofca-s"),
        ),
        Claim(
            "Unstructured Memory is about as good as CoFCA-S at long jumps (here: within 0.1).",
            {JUMP: ("unstructured", "cofca-s")},
            partial(comparable, JUMP, "unstructured", "cofca-s"),
            NARROW,
        ),
        Claim(
            "OLSK-E is poor whatever the size of the block (here: within 0.1 of its mean at every size, and below half "
            "of CoFCA-S).",
            {JUMP: ("olsk-e", "cofca-s")},
            partial(flat_and_poor, JUMP, "olsk-e", "cofca-s"),
            RETURNS,
        ),
        Claim(
            "Unstructured Memory can handle longer blocks but is unable to deal with multiple control flows (here: "
            f"both in `{COMPOUND}` and in `{LENGTH}` it is further behind CoFCA-S than in `{JUMP}`, where each "
            "instruction has a single block; and in both it has less than half of the success of CoFCA-S).",
            dict.fromkeys((JUMP, COMPOUND, LENGTH), ("unstructured", "cofca-s")),
            partial(several_flows, "unstructured", "cofca-s", JUMP, (COMPOUND, LENGTH)),
            NARROW,
        ),
    ),
    f"StarCraft: longer instructions (`{ORDERS}`)": (
        Claim(
            "CoFCA-S is best at every length.",
            {ORDERS: PUBLISHED},
            partial(better_everywhere, ORDERS, "cofca-s", PUBLISHED[1:]),
            UNTRAINED,
        ),
        Claim(
            "OLSK has difficulty with large moves in single steps (here: after a setback its pointer takes longer than "
            "that of CoFCA-S to reach the line to do).",
            {ORDERS: ("olsk", "cofca-s")},
            partial(recovers_slower, ORDERS, "olsk", "cofca-s", "pointed"),
            CONJECTURE,
            knows_recovery,
        ),
        Claim(
            "Unstructured Memory has difficulty tracking its place (here: it takes longer than CoFCA-S to repair a "
            "loss after a setback).",
            {ORDERS: ("unstructured", "cofca-s")},
            partial(recovers_slower, ORDERS, "unstructured", "cofca-s", "repaired"),
            f"{CONJECTURE} {NARROW}",
            knows_recovery,
        ),
        Claim(
            "CoFCA-S moves its pointer by a logic that does not depend on the size of the move (here: after a setback "
            "the time until its pointer is back is less than one time step longer on the longest instructions than on "
            "the shortest new ones).",
            {ORDERS: ("cofca-s",)},
            partial(recovers_alike, ORDERS, "cofca-s", "pointed"),
            CONJECTURE,
            knows_recovery,
        ),
        Claim(
            "The baselines' training success is higher in this domain than in the Minecraft-inspired domain (here: on "
            "fresh levels at the end of training).",
            {ORDERS: BASELINES, LENGTH: BASELINES},
            partial(trains_better, ORDERS, LENGTH, BASELINES),
        ),
        Claim(
            "CoFCA-S outperforms the others especially as instructions get longer (here: its lead is larger on the "
            "longest instructions than on the shortest new ones).",
            {ORDERS: PUBLISHED},
            partial(lead_grows, ORDERS, "cofca-s", PUBLISHED[1:]),
        ),
        Claim(
            "The failure buffer depresses the success of training (here: over the whole of training, success "
            "including replays is lower than on fresh levels alone).",
            {ORDERS: PUBLISHED},
            partial(replays_depress, ORDERS, PUBLISHED),
            suffice=knows_replays,
        ),
    ),
    f"StarCraft: deeper build trees (`{DEPTH}`)": (
        *_deeper(DEPTH, "deeper build trees", UNTRAINED),
        Claim(
            "OLSK, which makes no jumps, suffers less from shallow trees in training than CoFCA and OLSK-E (here: "
            "its success falls less, or rises more).",
            {ORDERS: ("olsk", "cofca", "olsk-e"), DEPTH: ("olsk", "cofca", "olsk-e")},
            partial(suffers_less, DEPTH, ORDERS, "olsk", ("cofca", "olsk-e")),
            UNTRAINED,
        ),
    ),
    f"StarCraft: deeper build trees, with the training levels of the authors' code (`{HARD}`)": _deeper(
        HARD, "deeper build trees, after training in which at most three buildings have a prerequisite", THREE
    ),
}
