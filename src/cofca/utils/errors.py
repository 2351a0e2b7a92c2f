"""What can be wrong with what a person wrote. Each says so in one line."""

Place = tuple[int, int]
"""Line and column in a text, both from 1; a tab is one column."""


class InstructionError(ValueError):
    """What is wrong with an instruction, and where."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        super().__init__(message, line, column)
        self.message, self.line, self.column = message, line, column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class MapError(ValueError):
    """What is wrong with a drawn map."""


class ImpossibleLevelError(ValueError):
    """The instruction or map is well formed but can't be carried out."""
