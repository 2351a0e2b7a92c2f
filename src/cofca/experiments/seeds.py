"""The folders of trained seeds, and what their weights were trained for. Nothing here reads an array or needs JAX."""

from pathlib import Path

from cofca.runs.config import RunConfig, config_of, read_config
from cofca.runs.layout import CONFIG, FINAL
from cofca.runs.page import PAGE, read_page


def trained_as(folder: Path) -> RunConfig:
    """What the weights in a folder were trained for, without reading them."""
    return config_in(seeds_of(folder)[0])


def seeds_of(folder: Path) -> list[Path]:
    """The folders of the seeds in a folder, in order; a folder of weights is one itself."""
    folders = [folder]
    if (folder / CONFIG).exists():
        folders = [folder / FINAL / f"seed{seed}" for seed in range(read_config(folder).seeds)]
        if not all(seed.exists() for seed in folders):
            raise ValueError(f"{folder}: this run is not finished: it has no final weights")
    elif not (folder / PAGE).exists():
        folders = sorted(folder.glob("seed[0-9]*"), key=number_of) or [folder]
    return folders


def number_of(folder: Path) -> int:
    """Which seed a folder is of."""
    number = folder.name.removeprefix("seed")
    if not number.isdecimal():
        raise ValueError(f"{folder}: not the folder of a seed, such as seed0")
    return int(number)


def config_in(folder: Path) -> RunConfig:
    """What the weights in a seed's folder were trained for."""
    page = read_page(folder)
    if "config" not in page or "seed" not in page:
        raise ValueError(f"{folder}: these are not an agent's weights")
    try:
        return config_of(page["config"])
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from error
