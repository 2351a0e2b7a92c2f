"""Agents, experiments and domains of one's own, outside the package."""
