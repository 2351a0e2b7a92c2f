"""Reading drawn maps: one letter a cell."""

from collections.abc import Collection
from reprlib import repr as shown

from cofca.utils.errors import MapError


def read_rows(drawing: str, size: int, letters: Collection[str], start: str, what: str) -> tuple[list[str], int, int]:
    """The rows of a square map, without the spaces between letters, and where its one `start` letter stands."""
    rows = [row.replace(" ", "") for row in drawing.splitlines() if row.strip()]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise MapError(f"map: expected {size} rows of {size} cells, got rows of {shown([len(row) for row in rows])}")
    places = [(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter == start]
    if len(places) != 1:
        raise MapError(f"map: expected one {what} '{start}', found {len(places)}")
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            if letter not in letters and letter != start:
                known = " ".join((*letters, start))
                raise MapError(f"map: row {r + 1}, column {c + 1}: unknown letter {letter!r}; expected {known}")
    return rows, *places[0]
