"""What the server answers, as an OpenAPI description. Requests are described by the classes that check them."""

from dataclasses import dataclass
from typing import Any

import cofca
from cofca.utils.json import schemas
from cofca.viewer.examples import BY_NAME
from cofca.viewer.request import NUMBERS, Ask, Draw, Text

AT = "#/components/schemas/"
JSON, HTML = "application/json", "text/html"
EXPORT = "export"
"""The name of what can be done with an episode."""


@dataclass(frozen=True)
class Problem:
    """Why there is no other answer, in one line."""

    error: str
    where: str = ""
    """In the instruction or in the map."""
    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Lines:
    """How many lines an instruction has."""

    lines: int


@dataclass(frozen=True)
class Level:
    """A random level, as it would be typed."""

    instruction: str
    map: str


@dataclass(frozen=True)
class Episode:
    """An episode, and the number it can be exported by."""

    number: int
    domain: str
    agent: str
    lines: list[str]
    frames: list[dict[str, Any]]
    """Moment by moment."""
    pictures: list[str]
    """As data: URLs; frames name them by number."""


@dataclass(frozen=True)
class Choice:
    """A domain, its agents, and an instruction to begin with."""

    name: str
    agents: list[str]
    example: str


@dataclass(frozen=True)
class Shipped:
    """A recorded example: what was asked, and of which agents."""

    name: str
    title: str
    agents: list[str]
    seed: int
    domain: str
    instruction: str
    map: str


@dataclass(frozen=True)
class Choices:
    """What there is to choose from."""

    domains: list[Choice]
    examples: list[Shipped]


@dataclass(frozen=True)
class Recorded:
    """An example's episodes, one for each agent. They have no number."""

    episodes: list[dict[str, Any]]


@dataclass(frozen=True)
class Tile:
    """A letter of a drawn map."""

    letter: str
    name: str
    picture: str
    """As a data: URL."""


@dataclass(frozen=True)
class Tiles:
    """What a map can be drawn with."""

    tiles: list[Tile]


PROBLEMS = {
    "400": "the request makes no sense",
    "403": "another site's page asks",
    "413": "the request is too large",
    "415": "the request is not JSON",
    "422": "the instruction, the map or the level is not possible",
    "503": "too many are waiting",
}
REFUSED = {
    code: {"description": why, "content": {JSON: {"schema": {"$ref": AT + "Problem"}}}}
    for code, why in PROBLEMS.items()
}


def description(files: dict[str, str], domains: list[str], agents: list[str]) -> dict[str, Any]:
    """The whole description. `files` are those of the page, with their types."""
    known = schemas([Text, Draw, Ask, Lines, Level, Episode, Choices, Recorded, Tiles, Problem], AT)
    for asked in (Text, Draw, Ask):
        known[asked.__name__]["properties"]["domain"] = {"type": "string", "enum": domains}
    known["Ask"]["properties"]["agent"] = {"type": "string", "enum": agents}
    numbers = _in_path("numbers", {"type": "string", "pattern": f"^{NUMBERS}$"})
    no_such = {"404": {**REFUSED["400"], "description": "there is no such example"}}
    no_domain = {"404": {**REFUSED["400"], "description": "there is no such domain"}}
    gone = {"404": {**REFUSED["400"], "description": "this episode is not kept any more"}}
    episode = _post(Ask, Episode)
    episode["responses"]["200"]["links"] = {
        EXPORT: {"operationId": EXPORT, "parameters": {"numbers": "$response.body#/number"}}
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "cofca view", "version": cofca.__version__},
        "paths": {
            "/api/check": {"post": _post(Text, Lines)},
            "/api/draw": {"post": _post(Draw, Level)},
            "/api/episode": {"post": episode},
            "/api/choices": {"get": {"responses": _answer(JSON, {"$ref": AT + "Choices"})}},
            "/api/example/{name}": {
                "parameters": [_in_path("name", {"type": "string", "enum": list(BY_NAME)})],
                "get": {"responses": {**_answer(JSON, {"$ref": AT + "Recorded"}), **no_such}},
            },
            "/api/tiles/{domain}": {
                "parameters": [_in_path("domain", {"type": "string", "enum": domains})],
                "get": {"responses": {**_answer(JSON, {"$ref": AT + "Tiles"}), **no_domain}},
            },
            "/api/export/{numbers}": {
                "parameters": [numbers],
                "get": {"operationId": EXPORT, "responses": {**_answer(HTML), **gone}},
            },
            "/openapi.json": {"get": {"responses": _answer(JSON)}},
            "/": {"get": {"responses": _answer(files["index.html"])}},
            **{f"/{name}": {"get": {"responses": _answer(kind)}} for name, kind in files.items()},
        },
        "components": {"schemas": known},
    }


def _post(asked: type, answered: type) -> dict[str, Any]:
    body = {"required": True, "content": {JSON: {"schema": {"$ref": AT + asked.__name__}}}}
    return {"requestBody": body, "responses": {**_answer(JSON, {"$ref": AT + answered.__name__}), **REFUSED}}


def _in_path(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _answer(kind: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"200": {"description": "the answer", "content": {kind: {"schema": schema or {}}}}}
