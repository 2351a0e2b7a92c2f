"""Demonstrations: episodes of anybody, written as a dataset of Minari."""
