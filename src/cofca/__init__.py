"""Reinforcement learning agents that follow instructions with control flow."""

import sys
from typing import Any

__version__ = "0.1.0"
__all__ = ["load"]


def load(name: str) -> Any:
    """A trained agent by its name, such as "minecraft-length/cofca-s", or from the folder of somebody's own run."""
    # Here, so that importing the package stays quick.
    from cofca.experiments.zoo import load

    return load(name)


# Gymnasium stays optional and unimported; where it is in use already, the ids come with `import cofca`.
if "gymnasium" in sys.modules:
    __import__("cofca.interop.gymnasium")
