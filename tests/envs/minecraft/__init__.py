"""Tests of the Minecraft-inspired domain."""
