"""Runs and their folders."""
