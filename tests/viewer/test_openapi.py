"""The server's description of itself is true, and nothing that fits or breaks it makes the server fall."""

import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cofca.viewer.server import FILES, make_app
from cofca.viewer.studio import EXAMPLES
from viewer.serving import TESTS, served
from viewer.stub import MAPS, Stub

REQUESTS = 10_000
WHOLE: dict[str, dict[str, Any]] = {
    "/api/check": {"domain": "minecraft", "instruction": EXAMPLES["minecraft"]},
    "/api/draw": {"domain": "starcraft", "length": 8, "seed": 0},
    "/api/episode": {
        "domain": "minecraft",
        "agent": "minecraft-length/cofca-s",
        "instruction": EXAMPLES["minecraft"],
        "map": MAPS["minecraft"][1],
        "seed": 0,
        "greedy": False,
    },
}
OF_KIND = {"string": "", "integer": 1, "boolean": True}
OTHERS = (*OF_KIND.values(), None, [], {}, 0.5)


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(make_app(Stub()), base_url="http://127.0.0.1")


@pytest.fixture(scope="module")
def described(client: TestClient) -> dict[str, Any]:
    return client.get("/openapi.json").json()


def asked(described: dict[str, Any], path: str) -> dict[str, Any]:
    """The schema of what an address is sent."""
    (content,) = described["paths"][path]["post"]["requestBody"]["content"].values()
    return described["components"]["schemas"][content["schema"]["$ref"].split("/")[-1]]


def edges(schema: dict[str, Any]) -> Iterator[tuple[Any, bool]]:
    """The first and last values that fit, and the first on either side that don't."""
    if "enum" in schema:
        yield from ((value, True) for value in schema["enum"])
    elif schema["type"] == "string":
        yield from (("x" * schema["maxLength"], True), ("é" * (schema["maxLength"] + 1), False))
    if schema["type"] == "integer":
        low, high = schema["minimum"], schema["maximum"]
        yield from ((low, True), (low - 1, False), (high, True), (high + 1, False), (2**70, False))
    same = OF_KIND[schema["type"]]
    yield from ((other, False) for other in OTHERS if type(other) is not type(same))


def test_every_address_is_described(client: TestClient, described: dict[str, Any]) -> None:
    there = {re.sub(r":[a-z]+", "", route.path): route.methods - {"HEAD"} for route in client.app.routes}
    assert {
        path: {name.upper() for name in found if name in ("get", "post")} for path, found in described["paths"].items()
    } == there
    assert {f"/{name}" for name in FILES} < there.keys()


@pytest.mark.parametrize("path", WHOLE)
def test_what_is_described_is_what_is_accepted(client: TestClient, described: dict[str, Any], path: str) -> None:
    schema, whole = asked(described, path), WHOLE[path]
    assert schema["properties"].keys() == whole.keys()
    answer = client.post(path, json=whole)
    assert answer.status_code == 200
    found = described["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    assert answer.json().keys() == described["components"]["schemas"][found.split("/")[-1]]["properties"].keys()
    for name, part in schema["properties"].items():
        assert (client.post(path, json={n: v for n, v in whole.items() if n != name}).status_code == 400) == (
            name in schema["required"]
        )
        for value, fits in edges(part):
            answer = client.post(path, json={**whole, name: value})
            # What fits may still be no instruction, and an agent may be one of another domain.
            wrong = answer.status_code == 400 and "at $" in answer.json()["error"]
            assert wrong != fits, (name, value)
    assert client.post(path, json={**whole, "more": 1}).status_code == 400


def test_refusals_are_as_described(client: TestClient, described: dict[str, Any]) -> None:
    problem = described["components"]["schemas"]["Problem"]
    body = WHOLE["/api/check"]
    for change, headers in itertools.product(
        ({}, {"domain": "x"}, {"instruction": "x"}, {"more": "x" * 70_000}),
        ({}, {"origin": "http://evil.example"}, {"content-type": "text/plain"}),
    ):
        answer = client.post("/api/check", json={**body, **change}, headers=headers)
        if answer.status_code == 200:
            continue
        assert str(answer.status_code) in described["paths"]["/api/check"]["post"]["responses"]
        assert set(problem["required"]) <= answer.json().keys() <= problem["properties"].keys()


@pytest.mark.soak
def test_ten_thousand_requests_are_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Made by schemathesis from the description, such as fit and such as don't. Each is answered as described: what
    does not fit is refused, and nothing but too many at once is the server's fault."""
    with served() as there:
        # Of each of four addresses that can be asked in many ways, by itself and one after the other.
        options = ["--seed", "0", "--max-examples", str(REQUESTS // 8)]
        settings = ["--config-file", str(TESTS / "viewer" / "schemathesis.toml")]
        command = ["schemathesis", *settings, "run", f"{there.address}/openapi.json", *options]
        own = {"SCHEMATHESIS_HOOKS": "viewer.schemathesis_hooks", "PYTHONPATH": str(TESTS)}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, **own, "PATH": path}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    number = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
    assert number
    assert int(number[1]) == int(number[2]) >= REQUESTS
    with capsys.disabled():
        print(f"\n{int(number[1]):,} requests")
