"""Grids, results, claims and figures."""
