"""From a grid of runs to results, figures and claims."""
