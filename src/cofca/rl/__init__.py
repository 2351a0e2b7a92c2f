"""Learning: PPO, levels to learn from, and how it is compiled and spread over devices."""
