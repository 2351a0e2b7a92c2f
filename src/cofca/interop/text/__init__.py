"""For language models: episodes in words, and the score of whatever answers a text with a text."""

from cofca.interop.text.env import TextEnv
from cofca.interop.text.scoring import score
from cofca.interop.text.scripted import ORACLE, RANDOM, Scripted

__all__ = ["ORACLE", "RANDOM", "Scripted", "TextEnv", "score"]
