"""cofca levels."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from cofca.cli.options import LevelOptions, Number
from cofca.cli.progress import PATIENCE, seen, status
from cofca.cli.show import print_json

LEVELS_AT_ONCE = 1024


@dataclass(frozen=True)
class Levels(LevelOptions):
    """Print random levels as text."""

    count: Number = 10
    """Number of levels."""
    json: bool = False
    """Print one JSON object instead of text."""

    def run(self) -> int:
        """Generate and print."""
        import jax
        import jax.numpy as jnp

        chosen, params = self.setting()
        batch = min(self.count, LEVELS_AT_ONCE)
        make = jax.jit(partial(chosen.environment().levels, params=params))
        texts: list[str] = []
        for start in range(0, self.count, batch):
            # Each level has its own key, so that more levels of a seed begin with the fewer.
            keys = jax.vmap(partial(jax.random.fold_in, jax.random.key(self.seed)))(jnp.arange(start, start + batch))
            with status("making levels", after=None if start else PATIENCE):
                made = [chosen.language.level_text(level) for level in each(make(keys))][: self.count - start]
            if self.json:
                texts += made
                continue
            seen()
            for number, text in enumerate(made, start=start + 1):
                print(f"{'' if number == 1 else chr(10)}# level {number}\n{text}")
        if self.json:
            print_json({"domain": chosen.name, "seed": self.seed, "levels": texts})
        return 0


def each(batch: Any) -> list[Any]:
    """The items of a batch."""
    import jax

    leaves, structure = jax.tree.flatten(batch)
    return [jax.tree.unflatten(structure, single) for single in zip(*leaves, strict=True)]
