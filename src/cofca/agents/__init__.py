"""Agents: one file for each architecture, the parts they are made of, and the decision step that all share."""

AGENTS = (
    "cofca-s",
    "cofca",
    "unstructured",
    "olsk",
    "olsk-e",
    "cofca-d",
    "cofca-r",
    "cofca-r-given",
    "cofca-m",
    "lstm",
    "stack",
)
"""Those that follow instructions, by name."""
