"""The server: what it answers, what it refuses, and that nothing makes it fall."""

import json
import os
import random
import re
import subprocess
import sys
import threading

import anyio
import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from cofca.viewer import server
from cofca.viewer.request import BYTES, LETTERS
from cofca.viewer.server import MOST_READ, make_app
from cofca.viewer.studio import EXAMPLES, KEPT, Studio

AGENT = "minecraft-length/cofca-s"
SHORT = "mine iron\nif more iron than gold\n    mine gold\nendif\n"
JSON = {"content-type": "application/json"}
ASK = {"domain": "minecraft", "agent": AGENT, "instruction": SHORT}


@pytest.fixture(scope="module")
def client() -> TestClient:
    # Whatever the server does not answer itself would be raised here.
    return TestClient(make_app(Studio()), base_url="http://127.0.0.1")


def test_the_page_and_its_files_are_served_with_a_policy_that_lets_nothing_in(client: TestClient):
    page = client.get("/")
    assert page.status_code == 200
    for name in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        if name != "data:,":
            assert client.get(f"/{name}").status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http" not in re.sub(r"http-equiv", "", page.text)


def test_agents_are_offered_by_domain(client: TestClient):
    domains = client.get("/api/choices").json()["domains"]
    assert [domain["name"] for domain in domains] == ["minecraft", "starcraft"]
    assert AGENT in domains[0]["agents"]
    assert AGENT not in domains[1]["agents"]
    assert [found["agents"][0] for found in domains] == ["minecraft-wide/cofca-r", "starcraft-length/cofca-s"]


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_the_examples_are_well_formed(client: TestClient, name: str):
    answer = client.post("/api/check", json={"domain": name, "instruction": EXAMPLES[name]})
    assert answer.json() == {"lines": len(EXAMPLES[name].splitlines())}


def test_a_mistake_is_told_with_its_place(client: TestClient):
    answer = client.post("/api/check", json={"domain": "minecraft", "instruction": "mine iron\nmine golf"})
    assert answer.status_code == 422
    found = answer.json()
    assert (found["where"], found["line"], found["column"]) == ("instruction", 2, 6)
    assert "golf" in found["error"]


def test_an_episode_is_told_with_its_reasons(client: TestClient):
    found = client.post("/api/episode", json=ASK).json()
    assert found["lines"] == SHORT.splitlines()
    *steps, last = found["frames"]
    assert last["status"] in ("success", "failed", "out of time")
    for frame, following in zip(steps, found["frames"][1:], strict=True):
        assert following["pointer"] == (frame["pointer"] if frame["target"] is None else frame["target"])
        assert sum(share for _, share in frame["targets"]) == pytest.approx(1, abs=0.01)
        assert sum(frame["weights"]) == pytest.approx(1, abs=0.001)
        assert len(frame["columns"]) == len(frame["weights"])
        assert frame["actions"] == sorted(frame["actions"], key=lambda pair: -pair[1])
    assert all(found["pictures"][frame["picture"]].startswith("data:image/png;base64,") for frame in found["frames"])


def test_the_same_seed_is_the_same_episode_and_another_is_another(client: TestClient):
    first, same, other = (client.post("/api/episode", json={**ASK, "seed": seed}).json() for seed in (1, 1, 2))
    assert (first["frames"], first["pictures"]) == (same["frames"], same["pictures"])
    assert first["pictures"] != other["pictures"]


def test_a_random_level_can_be_played_as_it_was_drawn(client: TestClient):
    level = client.post("/api/draw", json={"domain": "starcraft", "length": 4, "seed": 5}).json()
    assert len(level["instruction"].splitlines()) == 4
    text = {"domain": "starcraft", "instruction": level["instruction"]}
    assert client.post("/api/check", json=text).status_code == 200
    assert [len(row) for row in level["map"].splitlines()] == [6] * 6


def test_a_bad_map_is_refused_as_such(client: TestClient):
    answer = client.post("/api/episode", json={**ASK, "map": "@....."})
    assert (answer.status_code, answer.json()["where"]) == (422, "map")


@pytest.mark.parametrize(
    ("path", "body", "code", "wrong"),
    [
        ("/api/episode", {**ASK, "agent": "../worker"}, 400, "no such agent"),
        ("/api/episode", {**ASK, "agent": "/etc/passwd"}, 400, "no such agent"),
        ("/api/episode", {**ASK, "domain": "starcraft"}, 400, "no such agent in this domain"),
        ("/api/episode", {**ASK, "seed": -1}, 400, "Expected int >= 0 - at $.seed"),
        ("/api/episode", {**ASK, "seed": True}, 400, "Expected int, got bool - at $.seed"),
        ("/api/episode", {**ASK, "more": 1}, 400, "unknown field 'more'"),
        ("/api/episode", {"domain": "minecraft"}, 400, "missing required field agent"),
        ("/api/episode", {**ASK, "instruction": "mine iron\n" * 101}, 422, "at most 100 lines"),
        ("/api/episode", {**ASK, "instruction": ""}, 422, ""),
        ("/api/check", {"domain": "chess", "instruction": ""}, 400, "domain must be one of"),
        (
            "/api/check",
            {"domain": "minecraft", "instruction": "x" * (LETTERS + 1)},
            400,
            "Expected str of length <= 10000 - at $.instruction",
        ),
        ("/api/draw", {"domain": "minecraft", "length": 101}, 400, "Expected int <= 100 - at $.length"),
        ("/api/check", [], 400, "Expected object, got array"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(client: TestClient, path: str, body: object, code: int, wrong: str):
    answer = client.post(path, json=body)
    assert answer.status_code == code
    assert wrong in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_a_large_body_is_refused_and_not_read_to_its_end(client: TestClient):
    assert client.post("/api/check", content=b" " * (BYTES + 1), headers=JSON).status_code == 413
    assert client.post("/api/check", content=b" " * BYTES, headers=JSON).status_code == 400
    read = 0

    class Endless:
        async def stream(self):
            nonlocal read
            while True:
                read += 2**20
                yield b" " * 2**20

    assert anyio.run(server._body, Endless()) is None
    assert read == MOST_READ + 2**20


def test_other_names_for_this_machine_get_no_answer(client: TestClient):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:3000"}, 403),
        ({"origin": "http://localhost"}, 403),
        ({"origin": "https://127.0.0.1"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://evil.example", "host": "evil.example"}, 400),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "text/plain; application/json"}, 415),
        ({"origin": "http://127.0.0.1", "content-type": "Application/JSON; charset=utf-8"}, 200),
        ({"origin": "http://localhost:80", "host": "localhost:80"}, 200),
    ],
)
def test_only_the_page_itself_may_ask(client: TestClient, headers: dict[str, str], code: int):
    body = json.dumps({"domain": "minecraft", "instruction": SHORT}).encode()
    assert client.post("/api/check", content=body, headers=JSON | headers).status_code == code


def test_examples_come_by_name_only(client: TestClient):
    names = [example["name"] for example in client.get("/api/choices").json()["examples"]]
    assert len(client.get(f"/api/example/{names[0]}").json()["episodes"]) == 2
    for name in ("x", "..", "%2e%2e", "fifty-lines.txt"):
        assert client.get(f"/api/example/{name}").status_code == 404


def test_tiles_are_those_of_drawn_maps(client: TestClient):
    for name, letters in (("minecraft", ".igwm~#@"), ("starcraft", ".mg@ACDFOGNHPBRSTWa")):
        tiles = client.get(f"/api/tiles/{name}").json()["tiles"]
        assert "".join(tile["letter"] for tile in tiles) == letters
        assert len({tile["name"] for tile in tiles}) == len({tile["picture"] for tile in tiles}) == len(letters)
    assert client.get("/api/tiles/chess").status_code == 404


def test_other_files_of_the_package_are_not_served(client: TestClient):
    for path in ("/../server.py", "/%2e%2e/server.py", "/export.html", "/page/index.html", "//etc/passwd"):
        assert client.get(path).status_code == 404


def test_a_thousand_malformed_requests_are_all_refused(client: TestClient):
    chance = random.Random(0)
    paths = ["/api/check", "/api/episode", "/api/draw"]
    good = json.dumps(ASK)
    for _ in range(1000):
        letters = list(good)
        for _ in range(chance.randint(1, 30)):
            letters[chance.randrange(len(letters))] = chance.choice('{}[]",:\\0x\x00\ud7ff9e-')
        # With its closing brace gone it can't be meant.
        body = "".join(letters).rstrip("}").encode()
        answer = client.post(chance.choice(paths), content=body, headers=JSON)
        assert answer.status_code in (400, 422)
        assert answer.json()["error"]
    assert client.post("/api/check", json={"domain": "minecraft", "instruction": SHORT}).status_code == 200


@pytest.mark.parametrize(("number", "kept"), [(12, 8), pytest.param(50, KEPT, marks=pytest.mark.soak)])
def test_many_episodes_at_once_are_all_played(monkeypatch: pytest.MonkeyPatch, number: int, kept: int):
    monkeypatch.setattr("cofca.viewer.studio.KEPT", kept)
    studio = Studio()
    app = make_app(studio)

    async def all_at_once() -> list[int]:
        codes = []
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=300) as client:

            async def one(seed: int) -> None:
                codes.append((await client.post("/api/episode", json={**ASK, "seed": seed % 5})).status_code)

            async with anyio.create_task_group() as group:
                for seed in range(number):
                    group.start_soon(one, seed)
        return codes

    assert anyio.run(all_at_once) == [200] * number
    assert len(studio._kept) == kept


def test_an_episode_is_shown_before_jax_is_imported():
    code = """
import sys
from starlette.testclient import TestClient
from cofca.viewer.server import make_app
from cofca.viewer.studio import Studio
studio = Studio()
client = TestClient(make_app(studio), base_url="http://127.0.0.1")
example = client.get("/api/choices").json()["examples"][0]["name"]
print(studio.opened.is_set(), len(client.get(f"/api/example/{example}").json()["episodes"]), studio.opened.is_set())
print("jax" in sys.modules)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False 2 True\nFalse\n"


def test_it_warms_up_behind_everything_else(monkeypatch: pytest.MonkeyPatch):
    studio, asked, before = Studio(), [], os.getpriority(os.PRIO_PROCESS, 0)
    monkeypatch.setattr(studio, "_episode", lambda chosen, ask: asked.append((chosen.name, ask.agent)))
    studio.opened.set()
    thread = threading.Thread(target=studio.warm)
    thread.start()
    thread.join()
    assert asked == [*[("minecraft", "minecraft-wide/cofca-r")] * 3, ("starcraft", "starcraft-length/cofca-s")]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_who_comes_when_too_many_wait_is_turned_away(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server, "WAITING", 0)
    answer = TestClient(make_app(Studio()), base_url="http://127.0.0.1").post("/api/episode", json=ASK)
    assert answer.status_code == 503
    assert "try again" in answer.json()["error"]


def test_mistakes_are_told_while_episodes_are_played(monkeypatch: pytest.MonkeyPatch):
    asked, told = threading.Event(), threading.Event()
    studio = Studio()

    def play(ask: object) -> dict:
        asked.set()
        return {"told": told.wait(20)}

    monkeypatch.setattr(server, "AT_ONCE", 1)
    monkeypatch.setattr(studio, "play", play)
    app = make_app(studio)

    async def both() -> tuple[httpx.Response, httpx.Response]:
        there = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
        found = []
        async with there, anyio.create_task_group() as group:

            async def episode() -> None:
                found.append(await there.post("/api/episode", json=ASK))

            group.start_soon(episode)
            await anyio.to_thread.run_sync(asked.wait)
            found.append(await there.post("/api/check", json={"domain": "minecraft", "instruction": SHORT}))
            told.set()
        return found[0], found[1]

    check, episode = anyio.run(both)
    assert check.json() == {"lines": 4}
    assert episode.json() == {"told": True}


def test_an_export_is_one_file_without_addresses(client: TestClient):
    numbers = [client.post("/api/episode", json={**ASK, "seed": seed}).json()["number"] for seed in (1, 2)]
    answer = client.get(f"/api/export/{numbers[0]}+{numbers[1]}")
    assert answer.headers["content-disposition"] == 'attachment; filename="episode.html"'
    assert not re.search(r"""<[^>]+(src|href)\s*=|https?://|@import|url\(""", answer.text)
    data = re.search(r'<script id="data" type="application/json">(.*)</script>', answer.text)
    assert data
    assert len(json.loads(data[1])) == 2


def test_an_episode_that_is_not_kept_is_said_to_be_so(client: TestClient):
    for numbers in ("99999", "x", "1+x", "-1"):
        assert client.get(f"/api/export/{numbers}").status_code == 404


def test_text_of_an_export_can_not_become_markup(client: TestClient):
    studio = Studio()
    evil = "</script><script>alert(1)</script>"
    studio._kept[7] = {"agent": evil, "lines": [evil], "frames": [], "pictures": []}
    page = TestClient(make_app(studio), base_url="http://127.0.0.1").get("/api/export/7").text
    assert evil not in page
