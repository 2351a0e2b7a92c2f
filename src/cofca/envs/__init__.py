"""The environments: the protocol, what is built on it, and the two domains."""
