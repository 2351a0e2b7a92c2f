"""Slow, plain simulators of the domains, written from docs/ alone: what the fast ones are compared with."""
