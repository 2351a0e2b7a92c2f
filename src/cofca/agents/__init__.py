"""The agents: CoFCA-S and the architectures it is compared with. They see observations and responses, never states."""
