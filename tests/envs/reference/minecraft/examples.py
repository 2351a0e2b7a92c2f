"""Short ways to write instructions and maps down in tests."""

from envs.reference.minecraft.program import Line

MINE_IRON, MINE_GOLD, MINE_WOOD, SELL_IRON, SELL_GOLD, SELL_WOOD, INSPECT_IRON, INSPECT_GOLD, INSPECT_WOOD = range(9)
ELSE, ENDIF, ENDWHILE = (3, 0, 0), (4, 0, 0), (6, 0, 0)
IRON_GOLD, GOLD_MERCHANTS, MERCHANTS_IRON = 4, 9, 13


def task(command: int) -> Line:
    """The subtask line that a command asks for."""
    return 1, command // 3 + 1, command % 3 + 1


def if_(condition: int) -> Line:
    """An if line."""
    return 2, 0, condition


def while_(condition: int) -> Line:
    """A while line."""
    return 5, 0, condition


def drawn(picture: str) -> tuple[list[list[int]], tuple[int, int]]:
    """The cells of a drawn map, and the worker's cell."""
    rows = picture.split()
    workers = [(r, row.index("@")) for r, row in enumerate(rows) if "@" in row]
    return [[".igwm~#".index(mark) for mark in row.replace("@", ".")] for row in rows], workers[0]
