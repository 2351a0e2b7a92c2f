"""Tests of the Gymnasium interface."""
