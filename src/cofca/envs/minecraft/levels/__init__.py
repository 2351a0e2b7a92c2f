"""Levels: instructions from a grammar, populations, maps, and how they become levels in bulk."""
