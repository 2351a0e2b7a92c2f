"""Demonstrations: episodes of anybody, written as a dataset of Minari."""

from cofca.interop.minari.dataset import write_dataset
from cofca.interop.minari.levels import TRAIN, levels_to_record
from cofca.interop.minari.players import Player, player

__all__ = ["TRAIN", "Player", "levels_to_record", "player", "write_dataset"]
