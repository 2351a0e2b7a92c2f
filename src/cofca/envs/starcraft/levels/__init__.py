"""Levels: instructions, build forests and maps."""
