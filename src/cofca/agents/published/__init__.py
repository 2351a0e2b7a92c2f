"""The paper's agents as they were published: the steps and inputs of its pseudocode, and nothing else."""
