"""A viewer without a player: requests are checked as ever, and whatever would be computed is there already.

python -m viewer.stub serves it, and prints its port.
"""

import gc
import socket
import sys
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from cofca.envs.domain import PLANNER, Domain
from cofca.envs.minecraft.levels.own import read_map as read_minecraft_map
from cofca.envs.starcraft.levels.own import read_map as read_starcraft_map
from cofca.viewer.connections import serve
from cofca.viewer.request import Ask, Draw
from cofca.viewer.server import make_app
from cofca.viewer.studio import EXAMPLES, Studio

MAPS = {
    "minecraft": (read_minecraft_map, "@.ig..\n..w...\n~~~~~~\n..m...\n#.....\n.....w\n"),
    "starcraft": (read_starcraft_map, "@.m.g.\nP.....\n..a...\n......\n...N..\n.....W\n"),
}
FRAMES, PICTURE = 50, "data:image/png;base64," + 2_000 * "A"
"""An episode of a hundred kilobytes, as a real one has."""


class Stub(Studio):
    """Only parsers of instructions and maps are real."""

    def __init__(self) -> None:
        super().__init__()
        self.agents = {name: (domain, PLANNER) for name, (domain, _) in self.agents.items()}

    def draw(self, wish: Draw) -> dict[str, Any]:
        name = self._domain(wish.domain).name
        return {"instruction": EXAMPLES[name], "map": MAPS[name][1]}

    def _episode(self, chosen: Domain, ask: Ask) -> dict[str, Any]:
        if ask.map:
            MAPS[chosen.name][0](ask.map, 6)
        frames = [{"time": number, "picture": number, "pointer": 0, "news": []} for number in range(FRAMES)]
        pictures = [f"{PICTURE}{number:04}" for number in range(FRAMES)]
        lines = ask.instruction.splitlines()
        return {"domain": chosen.name, "agent": ask.agent, "lines": lines, "frames": frames, "pictures": pictures}


async def blocks(request: Request) -> PlainTextResponse:
    """How many pieces of memory Python has in use."""
    del request
    gc.collect()
    return PlainTextResponse(str(sys.getallocatedblocks()))


if __name__ == "__main__":
    app = make_app(Stub())
    app.routes.append(Route("/blocks", blocks))
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    with suppress(KeyboardInterrupt):
        serve(app, listener)
