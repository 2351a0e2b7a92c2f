"""The command line: a file for each verb, each a few lines that call the rooms of the library."""

from cofca.cli.entry import main
from cofca.cli.numbers import read_number, read_range

__all__ = ["main", "read_number", "read_range"]
