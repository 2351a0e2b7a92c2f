"""Tests that anybody can run on an environment or an agent of their own."""

from cofca.testing.agent import check_agent
from cofca.testing.environment import check_environment

__all__ = ["check_agent", "check_environment"]
