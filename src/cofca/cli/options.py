"""Options that several subcommands take, and how they are read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import tyro
from tyro.conf import Positional
from tyro.constructors import PrimitiveConstructorSpec

from cofca.cli.numbers import read_number, read_range, read_seed
from cofca.envs.domain import PLANNER, Domain

T = TypeVar("T")


def written(parse: Callable[[str], T], metavar: str) -> Any:
    """An option that is read from one word."""
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=lambda words: parse(words[0]),
        is_instance=lambda value: not isinstance(value, str),
        str_from_instance=lambda value: ["automatic" if value is None else str(value)],
    )


def by_default(value: object) -> Any:
    """What `--help` says of an option that has to be told from one that was not given."""
    return tyro.conf.arg(help_behavior_hint=f"(default: {value})")


Number = Annotated[int, written(read_number, "N")]
Seed = Annotated[int, written(read_seed, "N")]
# The domain or the subcommand knows what is meant where none is given.
MaybeNumber = Annotated[int | None, written(read_number, "N")]
MaybeSeed = Annotated[int | None, written(read_seed, "N")]
MaybeText = Annotated[str | None, written(str, "NAME")]
MaybeRange = Annotated[tuple[int, int] | None, written(read_range, "A-B")]
DomainName = Positional[Annotated[str, tyro.conf.arg(metavar="DOMAIN")]]


@dataclass(frozen=True)
class LevelOptions:
    """Which levels: options that every subcommand takes."""

    domain: DomainName
    """The domain: minecraft or starcraft."""
    length: MaybeRange = None
    """Shortest and longest instruction, in lines. By default as in the paper's training."""
    depth: MaybeNumber = None
    """Maximum nesting of blocks (minecraft; by default 1), or maximum length of chains of buildings (starcraft)."""
    worker: str = PLANNER
    """What carries out commands in minecraft: planner, learned, or a folder with the weights of a worker."""
    seed: Seed = 0
    """Random seed."""

    def setting(self) -> tuple[Domain, Any]:
        """The domain and its parameters."""
        from cofca.experiments.domains import find_domain

        chosen = find_domain(self.domain, self.worker)
        given = {"length": self.length, "max_depth": self.depth}
        return chosen, chosen.params(**{name: value for name, value in given.items() if value is not None})
