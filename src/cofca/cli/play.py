"""cofca play."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cofca.cli.levels import each
from cofca.cli.options import LevelOptions
from cofca.cli.progress import seen, status


@dataclass(frozen=True)
class Play(LevelOptions):
    """Play a level yourself in the terminal."""

    instruction: Path | None = None
    """File with your own instruction."""
    map: Path | None = None
    """File with a drawn map for the instruction."""

    def run(self) -> int:
        """Play one episode."""
        import jax

        from cofca.cli.own import own_level, read_text
        from cofca.envs.play import play
        from cofca.experiments.domains import find_domain

        key = jax.random.key(self.seed)
        if self.map is not None and self.instruction is None:
            raise ValueError("--map needs an --instruction to go with it")
        if self.instruction is not None and (self.length is not None or self.depth is not None):
            raise ValueError("--length and --depth are for random levels; they can't go with --instruction")
        if self.instruction is None:
            chosen, params = self.setting()
            with status("making a level"):
                level = each(jax.jit(partial(chosen.environment().levels, params=params))(key[None]))[0]
        else:
            chosen = find_domain(self.domain, self.worker)
            level, params = own_level(chosen, key, read_text(self.instruction), str(self.instruction), self.map)
        seen()
        return 0 if play(chosen, key, level, params) else 1
