"""Tests of the StarCraft-inspired domain."""
