"""Many clients of one viewer for a while, and what memory it takes: python -m viewer.crowd --minutes 20 --clients 50.

Every ten seconds a line of JSON says how many answers there were by code, and what the server holds. In the end the
server must not hold more than at half-time.
"""

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from statistics import median
from typing import NamedTuple

import httpx2 as httpx

from cofca.viewer.studio import EXAMPLES
from viewer.serving import Served, served

PAUSE = 0.5
"""Seconds that a client waits between two requests, on average."""
EVERY = 10.0
"""Seconds between two lines."""
GROWTH = 0.005
"""Share of what the server holds at half-time that it may hold more in the end: allocators don't give back every page,
and requests are on their way whenever it is measured."""
IDLE = 2.0
"""Seconds after which a client gives up a connection, sooner than the server does: else both may at the same moment."""
TEXT = {"domain": "minecraft", "instruction": EXAMPLES["minecraft"]}
ASK = {**TEXT, "agent": "minecraft-length/cofca-s"}
HALF = b"POST /api/check HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"


class Client:
    """Somebody who uses the page, makes mistakes, and leaves in the middle."""

    def __init__(self, web: httpx.AsyncClient, rng: Random, seen: Counter[int]) -> None:
        self.web, self.rng, self.seen = web, rng, seen
        self.deeds: list[Callable[[], Awaitable[None]]] = [
            *(self.look, self.type, self.type, self.mistype, self.draw, self.play, self.scribble, self.leave)
        ]

    async def live(self, until: float) -> None:
        while time.monotonic() < until:
            await self.rng.choice(self.deeds)()
            await asyncio.sleep(self.rng.expovariate(1 / PAUSE))

    async def get(self, path: str) -> None:
        self.seen[(await self.web.get(path)).status_code] += 1

    async def post(self, path: str, body: object) -> dict:
        answer = await self.web.post(path, json=body)
        self.seen[answer.status_code] += 1
        return answer.json()

    async def look(self) -> None:
        for path in ("/", "/style.css", "/app.js", "/api/choices"):
            await self.get(path)

    async def type(self) -> None:
        await self.post("/api/check", TEXT)

    async def mistype(self) -> None:
        await self.post("/api/check", {**TEXT, "instruction": self.rng.randbytes(200).decode("latin-1")})

    async def draw(self) -> None:
        await self.post("/api/draw", {"domain": "starcraft", "seed": self.rng.randrange(100)})

    async def play(self) -> None:
        number = (await self.post("/api/episode", {**ASK, "seed": self.rng.randrange(100)})).get("number")
        await self.get(f"/api/export/{number}")

    async def scribble(self) -> None:
        await self.post("/api/episode", self.rng.choice([None, [], {"a": 1}, {**ASK, "seed": -1}, {**ASK, "map": "@"}]))

    async def leave(self) -> None:
        url = self.web.base_url
        _, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(HALF[: self.rng.randrange(len(HALF) + 1)])
        await writer.drain()
        writer.close()


class Held(NamedTuple):
    """What the server holds at a moment."""

    seconds: float
    megabytes: float
    blocks: int
    """Of Python's memory."""


def grown(held: list[Held]) -> dict[str, float]:
    """By what share it holds more in the last tenth of the time than in the tenth after half-time."""
    end = held[-1].seconds
    early = [now for now in held if 0.5 <= now.seconds / end <= 0.6]
    late = [now for now in held if now.seconds / end >= 0.9]

    def share(of: Callable[[Held], float]) -> float:
        return median(map(of, late)) / median(map(of, early)) - 1

    return {"megabytes": share(lambda now: now.megabytes), "blocks": share(lambda now: now.blocks)}


async def crowd(there: Served, clients: int, seconds: float) -> tuple[Counter[int], list[Held]]:
    """All of them at once; how many answers had which code, and what the server held meanwhile."""
    begun, seen, held = time.monotonic(), Counter[int](), list[Held]()
    limits = httpx.Limits(keepalive_expiry=IDLE)

    async def tell() -> None:
        blocks = await asyncio.to_thread(there.blocks)
        held.append(Held(round(time.monotonic() - begun), round(there.memory(), 2), blocks))
        about = {**held[-1]._asdict(), "files": there.files(), "answers": dict(sorted(seen.items()))}
        print(json.dumps(about), flush=True)

    async def one(seed: int) -> None:
        async with httpx.AsyncClient(base_url=there.address, timeout=60, limits=limits) as web:
            await Client(web, Random(seed), seen).live(begun + seconds)

    async def watch() -> None:
        while True:
            await asyncio.sleep(EVERY)
            await tell()

    watching = asyncio.create_task(watch())
    await asyncio.gather(*map(one, range(clients)))
    watching.cancel()
    await tell()
    return seen, held


def main() -> None:
    """Until the time is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--clients", type=int, default=50)
    words = parser.parse_args()
    with served() as there:
        seen, held = asyncio.run(crowd(there, words.clients, 60 * words.minutes))
    more = grown(held)
    print(json.dumps({"grown": more}))
    assert not [code for code in seen if code >= 500 and code != 503]
    assert max(more.values()) < GROWTH


if __name__ == "__main__":
    main()
