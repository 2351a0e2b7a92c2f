"""Reinforcement learning agents that follow instructions with control flow."""

import sys

__version__ = "0.1.0"

# Gymnasium stays optional and unimported; where it is in use already, the ids come with `import cofca`.
if "gymnasium" in sys.modules:
    __import__("cofca.interop.gymnasium")
