"""A run: from its configuration to its final weights, in a folder that can be resumed."""
