"""The playground: a page in which an agent follows typed instructions without a server."""

import base64
import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from cofca.envs.domain import PLANNER
from cofca.envs.minecraft import MinecraftParams, Thing
from cofca.envs.minecraft.language.instruction import word
from cofca.envs.minecraft.render.tiles import cell
from cofca.experiments.agent_factory import training_params
from cofca.experiments.specs import experiment
from cofca.experiments.zoo import DEFAULTS, config_of, find_weights, one_of
from cofca.runs.page import ARRAYS
from cofca.viewer.export import PLAYER, text_of
from cofca.viewer.pictures import address_of

SOURCE = files("cofca.viewer") / "playground"
PAGE = "playground.html"
AGENT = DEFAULTS["minecraft"]
"""Who plays: the scripts compute what this agent does, and no other's."""
TILE = 48
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)


def write_playground(folder: Path) -> Path:
    """Write the page into a folder."""
    path = folder / PAGE
    path.write_text(page(), encoding="utf-8")
    return path


def page() -> str:
    """The page: one file that needs nothing else."""
    # Inside a script element "</" would end it, whatever it stands in.
    data = json.dumps(site(), allow_nan=False).replace("<", "\\u003c")
    style = text_of("style.css")
    player = "\n".join(map(text_of, (*PLAYER, "editor.js", "map.js")))
    fill = {"style": style, "player": player, "site": data}
    return Template(_source(PAGE)).substitute(fill, script=script("main.js"))


def script(*names: str) -> str:
    """Files and all that they import, as one script: browsers load no modules from `file://`."""
    return "".join(EXPORT.sub("", IMPORT.sub("", _source(name))) for name in _with_imported(names))


def _with_imported(names: Sequence[str]) -> list[str]:
    """The files, each once and after those that it imports."""
    needed = [file for name in names for file in (*_with_imported(IMPORT.findall(_source(name))), name)]
    return list(dict.fromkeys(needed))


def site() -> dict[str, Any]:
    """What the scripts have to know: agent, levels and pictures."""
    config = config_of(AGENT)
    params: MinecraftParams = training_params(experiment(config.experiment), config.levels)
    training = {
        "longest": params.longest,
        "max_depth": params.max_depth,
        "conditions": [f"more {word(more)} than {word(than)}" for more, than in params.conditions],
    }
    weights = base64.b64encode((one_of(find_weights(AGENT)) / ARRAYS).read_bytes()).decode()
    name = f"{AGENT}, likeliest choices, worker: {PLANNER}"
    levels = json.loads(_source("levels.json"))
    return {"name": name, "training": training, "levels": levels, "tiles": tiles(), "weights": weights}


def tiles() -> list[list[str]]:
    """The picture of each thing, without and with the worker on it."""
    return [[address_of(cell(thing, TILE, worker), optimize=True) for worker in (False, True)] for thing in Thing]


def _source(name: str) -> str:
    return (SOURCE / name).read_text(encoding="utf-8")
