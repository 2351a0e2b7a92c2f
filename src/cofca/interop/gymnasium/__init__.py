"""Gymnasium: `Env` and `VectorEnv` over the functional environments, and their ids.

Importing this package registers the ids; `gymnasium.make("cofca/Minecraft-v0")` works from then on.
"""

try:
    import gymnasium as gymnasium
except ModuleNotFoundError:
    raise ImportError("cofca.interop.gymnasium needs Gymnasium: pip install 'cofca[gymnasium]'") from None

from cofca.interop.gymnasium.compiled import MOST_COMPILED, compiled, compiled_vector
from cofca.interop.gymnasium.setting import RENDERING, Setting
from cofca.interop.gymnasium.single import CofcaEnv
from cofca.interop.gymnasium.start import Start
from cofca.interop.gymnasium.vector import EPISODES_PER_POOL, CofcaVectorEnv
from cofca.interop.ids import IDS, register

__all__ = [
    "EPISODES_PER_POOL",
    "IDS",
    "MOST_COMPILED",
    "RENDERING",
    "CofcaEnv",
    "CofcaVectorEnv",
    "Setting",
    "Start",
    "compiled",
    "compiled_vector",
    "register",
]

register()
