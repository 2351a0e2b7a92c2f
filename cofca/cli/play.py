"""cofca play."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jax
from jaxtyping import PRNGKeyArray

from cofca.cli.levels import each
from cofca.cli.options import LevelOptions
from cofca.cli.progress import status
from cofca.domains import Domain, domain
from cofca.errors import MapError


@dataclass(frozen=True)
class Play(LevelOptions):
    """Play a level yourself in the terminal."""

    instruction: Path | None = None
    """File with an instruction of your own."""
    map: Path | None = None
    """File with a drawn map for it."""

    def run(self) -> int:
        """Play one episode."""
        from cofca.play import play

        key = jax.random.key(self.seed)
        if self.map is not None and self.instruction is None:
            raise ValueError("--map needs an --instruction to go with it")
        if self.instruction is not None and (self.length is not None or self.depth is not None):
            raise ValueError("--length and --depth are of random levels; an --instruction has its own")
        if self.instruction is None:
            chosen, params = self.setting()
            with status("making a level"):
                level = each(jax.jit(partial(chosen.environment().levels, params=params))(key[None]))[0]
        else:
            chosen = domain(self.domain, self.worker)
            level, params = self._own_level(chosen, self.instruction, key)
        return 0 if play(chosen, key, level, params) else 1

    def _own_level(self, chosen: Domain, instruction: Path, key: PRNGKeyArray) -> tuple[Any, Any]:
        """A level of one's own, and parameters with as much room as it needs. Errors name the file."""
        text, drawing = _read(instruction), None if self.map is None else _read(self.map)
        try:
            params = chosen.params(length=(1, len(chosen.parse(text))))
            with status("finding a world for it"):
                return chosen.own_level(key, text, params, drawing), params
        except MapError as error:
            raise ValueError(f"{self.map}: {error}") from error
        except ValueError as error:
            raise ValueError(f"{instruction}: {error}") from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file") from error
