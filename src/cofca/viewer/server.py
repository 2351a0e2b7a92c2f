"""The server behind the page: a few addresses, each of which checks what it is sent and answers with JSON."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from cofca.utils.errors import InstructionError, MapError
from cofca.viewer.examples import BY_NAME, episodes
from cofca.viewer.export import PAGE, PLAYER, page_of
from cofca.viewer.openapi import description
from cofca.viewer.request import BYTES, Ask, Draw, RequestError, Text, read, read_numbers
from cofca.viewer.studio import Studio

FILES = {
    "index.html": "text/html",
    "style.css": "text/css",
    **dict.fromkeys(
        ("memory.js", *PLAYER, "editor.js", "map.js", "tour.js", "app.js"),
        "text/javascript",
    ),
}
HEADERS = {
    # Nothing comes from anywhere else, and nothing typed into the page can become code.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
}
MOST_READ = 16 * 1024 * 1024
"""Bytes that are read of a request's body that is too large."""
AT_ONCE = 2
"""Episodes that are played at the same time; others wait."""
WAITING = 64
"""More are turned away."""


def make_app(studio: Studio) -> Starlette:
    """The page and what it asks."""
    # Mistakes are told while one types: that does not wait for episodes.
    busy, quick = Queue(), Queue()
    posts: dict[str, Callable[[bytes], dict[str, Any]]] = {
        "/api/check": lambda body: studio.check(read(Text, body)),
        "/api/draw": lambda body: studio.draw(read(Draw, body)),
        "/api/episode": lambda body: studio.play(read(Ask, body)),
    }

    def answer(work: Callable[[bytes], dict[str, Any]], queue: Queue) -> Callable[[Request], Awaitable[Response]]:
        async def post(request: Request) -> Response:
            if refused := _refused(request):
                return refused
            try:
                body = await _body(request)
            except ClientDisconnect:
                return Response()
            if body is None:
                return _problem("the request is too large", 413)
            try:
                return JSONResponse(await queue.run(work, body), headers=HEADERS)
            except FullError:
                return _problem("too many episodes at once: try again in a moment", 503)
            except InstructionError as error:
                place = {"line": error.line, "column": error.column}
                return _problem(error.message, 422, where="instruction", **place)
            except MapError as error:
                return _problem(str(error), 422, where="map")
            except ValueError as error:
                return _problem(str(error), 400 if isinstance(error, RequestError) else 422)

        return post

    async def export(request: Request) -> Response:
        try:
            kept = studio.kept(read_numbers(request.path_params["numbers"]))
        except RequestError:
            return _problem("this episode is not kept any more: run it again", 404)
        saved = {"content-disposition": 'attachment; filename="episode.html"'}
        return HTMLResponse(page_of(kept), headers=saved)

    async def choices(request: Request) -> Response:
        return JSONResponse(studio.choices(), headers=HEADERS)

    async def example(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in BY_NAME:
            return _problem(f"there is no such example, but {', '.join(BY_NAME)}", 404)
        shown = JSONResponse({"episodes": await anyio.to_thread.run_sync(episodes, name)}, headers=HEADERS)
        studio.opened.set()
        return shown

    async def tiles(request: Request) -> Response:
        try:
            drawn = await anyio.to_thread.run_sync(studio.tiles, request.path_params["domain"])
        except RequestError as error:
            return _problem(str(error), 404)
        return JSONResponse({"tiles": drawn}, headers=HEADERS)

    async def described(request: Request) -> Response:
        return JSONResponse(description(FILES, studio.domains, list(studio.agents)), headers=HEADERS)

    routes = [
        *(
            Route(path, answer(work, quick if path == "/api/check" else busy), methods=["POST"])
            for path, work in posts.items()
        ),
        Route("/api/choices", choices),
        Route("/api/example/{name}", example),
        Route("/api/tiles/{domain}", tiles),
        Route("/api/export/{numbers}", export),
        Route("/openapi.json", described),
        Route("/", _file("index.html")),
        *(Route(f"/{name}", _file(name)) for name in FILES),
    ]
    # Another site's page that points its own name here gets no answer.
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"])
    return Starlette(routes=routes, middleware=[hosts])


class FullError(RuntimeError):
    """Too many are waiting."""


class Queue:
    """Work that takes a while, a little of it at a time."""

    def __init__(self) -> None:
        self.limiter = anyio.CapacityLimiter(AT_ONCE)
        self.waiting = 0

    async def run(self, work: Callable[[bytes], dict[str, Any]], body: bytes) -> dict[str, Any]:
        """Do it in a thread, when its turn comes."""
        if self.waiting >= WAITING:
            raise FullError
        self.waiting += 1
        try:
            return await anyio.to_thread.run_sync(work, body, limiter=self.limiter)
        finally:
            self.waiting -= 1


def _refused(request: Request) -> Response | None:
    """The answer to what another site's page sends. A browser names the page, and sends no JSON without asking."""
    if request.headers.get("origin", own := f"http://{request.headers['host']}") != own:
        return _problem("only this page may ask", 403)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _problem("expected application/json", 415)
    return None


async def _body(request: Request) -> bytes | None:
    """The body, or None if it is too large. Some more is read then: who is still sending would not see the answer."""
    body, read = b"", 0
    async for part in request.stream():
        read += len(part)
        body = body + part if read <= BYTES else b""
        if read > MOST_READ:
            break
    return body if read <= BYTES else None


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def get(request: Request) -> Response:
        return Response((PAGE / name).read_bytes(), media_type=FILES[name], headers=HEADERS)

    return get


def _problem(message: str, code: int, **about: Any) -> Response:
    return JSONResponse({"error": " ".join(message.split()), **about}, status_code=code, headers=HEADERS)
