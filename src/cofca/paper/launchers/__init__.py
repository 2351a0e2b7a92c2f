"""Ways to do the jobs of a grid: several processes here, or a Ray cluster."""
