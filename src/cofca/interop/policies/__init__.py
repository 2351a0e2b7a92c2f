"""Models of several libraries as policies that `cofca.evaluate` scores. A library is imported only where its adapter is
used."""

from cofca.experiments.policies import BatchedPolicy, JaxPolicy, PolicyError
from cofca.interop.policies.agent import AgentPolicy
from cofca.interop.policies.sb3 import SB3Policy
from cofca.interop.policies.torch import TorchPolicy

__all__ = ["AgentPolicy", "BatchedPolicy", "JaxPolicy", "PolicyError", "SB3Policy", "TorchPolicy"]
