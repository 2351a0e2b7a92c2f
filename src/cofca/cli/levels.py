"""cofca levels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cofca.cli.options import LevelOptions, Number
from cofca.cli.progress import PATIENCE, seen, status
from cofca.cli.show import print_json
from cofca.envs.domain import Domain

LEVELS_AT_ONCE = 1024
FEW = 64
"""So many levels are made sooner than a faster program for them is compiled."""


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
        import numpy as np

        from cofca.utils.compilation import quick_jit

        chosen, params = self.setting()
        batch = min(self.count, LEVELS_AT_ONCE)
        make = maker(chosen, params, batch)
        # Each level has its own key, so that more levels of a seed begin with the fewer.
        keys = quick_jit(lambda numbers: jax.vmap(partial(jax.random.fold_in, jax.random.key(self.seed)))(numbers))
        texts: list[str] = []
        for start in range(0, self.count, batch):
            with status("making levels", after=None if start else PATIENCE):
                levels = jax.device_get(make(keys(np.arange(start, start + batch))))
                made = [chosen.language.level_text(level) for level in each(levels)][: self.count - start]
            if self.json:
                texts += made
                continue
            seen()
            for number, text in enumerate(made, start=start + 1):
                print(f"{'' if number == 1 else chr(10)}# level {number}\n{text}")
        if self.json:
            print_json({"domain": chosen.name, "seed": self.seed, "levels": texts})
        return 0


def maker(chosen: Domain, params: Any, batch: int) -> Callable[[Any], Any]:
    """From so many keys to their levels."""
    import jax

    from cofca.utils.compilation import quick_jit

    if batch <= FEW and chosen.few_levels is not None:
        few_levels = chosen.few_levels
        return lambda keys: few_levels(keys, params)
    compiled = quick_jit if batch <= FEW else jax.jit
    return compiled(partial(chosen.environment().levels, params=params))


def each(batch: Any) -> list[Any]:
    """The items of a batch, without their keys, which no text shows."""
    import jax

    leaves, structure = jax.tree.flatten(batch)
    is_key = [jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key) for leaf in leaves]
    columns = [[None] * leaf.shape[0] if key else leaf for leaf, key in zip(leaves, is_key, strict=True)]
    return [jax.tree.unflatten(structure, single) for single in zip(*columns, strict=True)]
