"""What makes a level no valid generated one, by the section "Levels" of docs/starcraft-rules.md."""

from collections.abc import Sequence

from envs.reference.starcraft.simulator import GAS, MINERALS, N_BUILDINGS, N_UNITS, NEXUS, PLAIN, Place

Grid = Sequence[Sequence[int]]

SHORTEST = 2  # a root building and a unit it trains


def problems(
    lines: Sequence[int],
    prerequisites: Sequence[int],
    trainers: Sequence[int],
    terrain: Grid,
    buildings: Grid,
    probe: Place,
    *,
    length: tuple[int, int],
    max_depth: int | None = None,
    max_prerequisites: int | None = None,
) -> list[str]:
    """Everything that is wrong with a level, in words. Zeros after the last line are padding."""
    lines = without_padding(lines)
    found = code_problems(lines, prerequisites, trainers)
    if not found:
        found += forest_problems(prerequisites, max_depth, max_prerequisites)
        found += instruction_problems(lines, prerequisites, trainers)
    found += length_problems(lines, length)
    shape = shape_problems(terrain, buildings, probe)
    if shape:
        return found + shape
    n_building_lines = sum(1 <= line <= N_BUILDINGS for line in lines)
    return found + terrain_problems(terrain, probe) + building_problems(terrain, buildings, probe, n_building_lines)


def without_padding(lines: Sequence[int]) -> list[int]:
    """The lines without the zeros behind the last of them."""
    lines = list(lines)
    while lines and lines[-1] == 0:
        lines.pop()
    return lines


def chain(building: int, prerequisites: Sequence[int]) -> list[int] | None:
    """The buildings from the root of its tree to this one; None if the prerequisites run in a circle."""
    upwards = [building]
    while prerequisites[upwards[-1] - 1] != 0:
        upwards.append(prerequisites[upwards[-1] - 1])
        if len(upwards) > N_BUILDINGS:
            return None
    return upwards[::-1]


def code_problems(lines: Sequence[int], prerequisites: Sequence[int], trainers: Sequence[int]) -> list[str]:
    """Numbers that mean nothing where they are."""
    found = []
    if len(prerequisites) != N_BUILDINGS:
        found.append(f"{len(prerequisites)} prerequisites instead of {N_BUILDINGS}")
    if len(trainers) != N_UNITS:
        found.append(f"{len(trainers)} trainers instead of {N_UNITS}")
    found += [f"{code} is no prerequisite" for code in prerequisites if not 0 <= code <= N_BUILDINGS]
    found += [f"{code} is no trainer" for code in trainers if not 1 <= code <= N_BUILDINGS]
    found += [f"{line} is no line" for line in lines if not 1 <= line <= N_BUILDINGS + N_UNITS]
    return found


def forest_problems(
    prerequisites: Sequence[int], max_depth: int | None = None, max_prerequisites: int | None = None
) -> list[str]:
    """Circles, and what exceeds a cap."""
    found = []
    for building in range(1, N_BUILDINGS + 1):
        its_chain = chain(building, prerequisites)
        if its_chain is None:
            found.append(f"the prerequisites of building {building} run in a circle")
        elif max_depth is not None and len(its_chain) > max_depth:
            found.append(f"the chain of building {building} has {len(its_chain)} buildings, more than {max_depth}")
    if max_prerequisites is not None:
        found += prerequisite_problems(prerequisites, max_prerequisites)
    return found


def prerequisite_problems(prerequisites: Sequence[int], most: int) -> list[str]:
    """More prerequisites than the first building of the shuffle and the `most` after it can have among themselves."""
    found = []
    having = {building for building, needed in enumerate(prerequisites, start=1) if needed != 0}
    involved = having | set(prerequisites) - {0}
    if len(having) > most:
        found.append(f"{len(having)} buildings have a prerequisite, more than {most}")
    if len(involved) > most + 1:
        found.append(f"{len(involved)} buildings have or are a prerequisite, more than {most} and the first")
    return found


def instruction_problems(lines: Sequence[int], prerequisites: Sequence[int], trainers: Sequence[int]) -> list[str]:
    """Orders that are not the chain of a unit's trainer and then the unit."""
    found = []
    built: list[int] = []  # since the last unit line
    for number, line in enumerate(lines):
        if line <= N_BUILDINGS:
            built.append(line)
            continue
        unit = line - N_BUILDINGS
        expected = chain(trainers[unit - 1], prerequisites)
        if built != expected:
            found.append(f"line {number} trains unit {unit} after {built} instead of its chain {expected}")
        built = []
    if built:
        found.append(f"the instruction ends with the buildings {built}")
    return found


def length_problems(lines: Sequence[int], length: tuple[int, int]) -> list[str]:
    """An instruction shorter or longer than was asked for."""
    shortest, longest = max(SHORTEST, length[0]), length[1]
    if shortest <= len(lines) <= longest:
        return []
    return [f"{len(lines)} lines instead of {shortest} to {longest}"]


def shape_problems(terrain: Grid, buildings: Grid, probe: Place) -> list[str]:
    """Grids that are not square or not alike, codes that mean nothing, Probes outside."""
    size = len(terrain)
    found = []
    for name, grid, highest in (("terrain", terrain, GAS), ("buildings", buildings, N_BUILDINGS)):
        if len(grid) != size or any(len(row) != size for row in grid):
            found.append(f"the grid of the {name} is not {size} by {size}")
        found += [f"{code} is no code of the {name}" for row in grid for code in row if not 0 <= code <= highest]
    if not all(0 <= coordinate < size for coordinate in probe):
        found.append(f"the Probes' place {tuple(probe)} is not on the map")
    return found


def places(grid: Grid, code: int) -> list[Place]:
    """Where the grid has this code."""
    return [(row, column) for row, codes in enumerate(grid) for column, here in enumerate(codes) if here == code]


def terrain_problems(terrain: Grid, probe: Place) -> list[str]:
    """Not one cell of minerals and one of gas, both beside the Probes."""
    found = []
    for name, code in (("minerals", MINERALS), ("gas", GAS)):
        cells = places(terrain, code)
        if len(cells) != 1:
            found.append(f"{len(cells)} cells of {name} instead of 1")
        for row, column in cells:
            if max(abs(row - probe[0]), abs(column - probe[1])) != 1:
                found.append(f"the {name} at {(row, column)} are not beside the Nexus of the Probes")
    return found


def building_problems(terrain: Grid, buildings: Grid, probe: Place, n_building_lines: int) -> list[str]:
    """No Nexus under the Probes, buildings on minerals or gas, too many buildings."""
    found = []
    if buildings[probe[0]][probe[1]] != NEXUS:
        found.append(f"no Nexus at the Probes' place {tuple(probe)}")
    standing = {
        (row, column) for row, codes in enumerate(buildings) for column, code in enumerate(codes) if code != 0
    } - {tuple(probe)}
    for row, column in sorted(standing):
        if terrain[row][column] != PLAIN:
            found.append(f"a building on terrain {terrain[row][column]} at {(row, column)}")
    room = len(set(places(terrain, PLAIN)) - {tuple(probe)})
    most = max(0, room - n_building_lines)
    if len(standing) > most:
        found.append(
            f"{len(standing)} further buildings on {room} cells, with {n_building_lines} building lines to come"
        )
    return found
