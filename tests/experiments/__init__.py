"""Experiments, evaluation and weights."""
