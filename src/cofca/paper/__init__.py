"""The paper's experiments: a grid of runs, results, statistics, claims and figures."""
