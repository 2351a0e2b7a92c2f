"""Training: PPO with a failure buffer, as one compiled program that knows environments and agents by protocol only."""
