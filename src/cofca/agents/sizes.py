"""Sizes of the networks, with the paper's tables, and what the authors' program did beyond the paper as options."""

import math
from dataclasses import dataclass, replace
from reprlib import repr as shown

from cofca.utils.parameters import require

LARGEST = 4096
"""Of every size."""
COUNTS = ("convolution", "hidden", "embedding", "columns", "recurrent", "farthest", "integers", "history", "answers")


@dataclass(frozen=True)
class Sizes:
    """How large the parts of an agent are."""

    convolution: int
    """Channels of the convolution."""
    hidden: int
    """Of the layers before the heads (the paper's hidden size of φ)."""
    embedding: int
    """Of a line."""
    columns: int
    """n_e, the distributions φ chooses from; not used by agents without."""
    recurrent: int
    """Of the GRUs over lines, each way, and over time."""
    farthest: int = 50
    """Of the agents that say how far to move: the farthest move they know, by default the evaluation's longest."""
    integers: int = 0
    """Of the embedding of small integers in the observation, where there are such."""
    pooled: bool = True
    """Whether the convolution is summed over the grid, instead of a layer over all of it."""
    stride: int = 2
    """Of the convolution."""
    conditioned: bool = False
    """Whether the line makes the kernel of a second convolution (as in the authors' Minecraft program) instead of
    weighing the code."""
    gate_after_commands: bool = False
    """Whether the gate may open only after a command has been carried out (as in the authors' StarCraft program)."""
    near_sighted: bool = False
    """Whether a pointer's scan sees the world only from the line it starts at, and a line ahead only when it is there:
    then what decides a coin is what was seen here and the lines in between (ours)."""
    presence: bool = False
    """Whether the observation's code says of every channel of the grid whether it is anywhere (ours)."""
    places: bool = False
    """Whether lines ask every cell of the grid for what they name, and cells are chosen by what is there, not only by
    where they are (ours)."""
    names: bool = False
    """Whether the line at the pointer can be followed by its name: z says how much the action of the same name counts
    (ours)."""
    above: bool = False
    """Whether z sees the line before the pointer's, too: above a unit of StarCraft is what trains it (ours)."""
    before: bool = False
    """Whether z sees the action before and its response, too."""
    history: int = 0
    """Of a GRU over actions and their responses, whose state z sees (the paper's h in StarCraft); 0 for none. OLSK and
    OLSK-E have a recurrent state without it."""
    heads: float = 0.0
    """The logit of a coin before anything is learned: the more of it, the nearer the pointer's first moves (ours)."""
    wander: float = 0.0
    """The share of moves that go to any line that can be reached, whatever φ says (ours)."""
    answers: int = 0
    """How many numbers the observation tells about every symbol, which the GRUs over lines see at lines with that
    symbol (ours)."""

    def __post_init__(self) -> None:
        for name in COUNTS:
            require(getattr(self, name) >= 0, f"{name} must not be negative, not {getattr(self, name)}")
            require(getattr(self, name) <= LARGEST, f"{name} must be at most {LARGEST}, not {getattr(self, name)}")
        require(self.convolution > 0 and self.hidden > 0, "convolution and hidden must be at least 1")
        require(math.isfinite(self.heads), f"heads must be a number, not {self.heads}")
        require(0 <= self.wander < 1, f"wander must be at least 0 and less than 1, not {self.wander}")
        require(self.stride in (1, 2), f"stride must be 1 or 2, not {self.stride}")


def _minecraft(convolution: int, hidden: int, embedding: int, columns: int = 1) -> Sizes:
    return Sizes(convolution, hidden, embedding, columns, recurrent=64)


def _starcraft(convolution: int, hidden: int, embedding: int, columns: int = 1) -> Sizes:
    sizes = Sizes(convolution, hidden, embedding, columns, recurrent=200, farthest=25, integers=100)
    return replace(sizes, pooled=False, stride=1, presence=True, places=True)


def _pointing(sizes: Sizes, answers: int = 0) -> Sizes:
    """What agents with a pointer have besides in StarCraft."""
    return replace(sizes, names=True, above=True, wander=0.1, answers=answers, gate_after_commands=True)


PAPER = {
    "minecraft": {
        "cofca-s": replace(_minecraft(32, 128, 64, 2), heads=1.0),
        "cofca": _minecraft(64, 128, 32, 9),
        "unstructured": _minecraft(32, 64, 64),
        "olsk": _minecraft(64, 64, 32),
        "olsk-e": _minecraft(64, 64, 32),
        "cofca-d": replace(_minecraft(32, 128, 64, 4), near_sighted=True),
    },
    "errands": {"worker": Sizes(convolution=32, hidden=128, embedding=0, columns=0, recurrent=0)},
    "starcraft": {
        "cofca-s": _pointing(_starcraft(250, 250, 200, 3), answers=4),
        "cofca": _pointing(_starcraft(250, 250, 100, 2), answers=4),
        "unstructured": _starcraft(150, 200, 100),
        "olsk": _pointing(_starcraft(250, 200, 150)),
        "olsk-e": _pointing(_starcraft(250, 200, 150)),
        "cofca-d": _pointing(_starcraft(250, 250, 200, 4), answers=4),
    },
}
"""By domain and agent: convolution, hidden size of φ, embedding and n_e as in the paper's appendix. The sizes of
the worker and of CoFCA-D are ours, and so are the options: what measured best."""
AGENTS = tuple(PAPER["minecraft"])
"""Those that follow instructions."""


def paper_sizes(agent: str, domain: str) -> Sizes:
    """Look them up."""
    if agent not in PAPER[domain]:
        raise ValueError(f"unknown agent {shown(agent)}; expected one of {', '.join(PAPER[domain])}")
    return PAPER[domain][agent]
