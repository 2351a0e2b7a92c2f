"""Connections to the page: how many there may be, how long each may take, and how the server ends."""

import asyncio
import os
import socket
import threading
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

CONNECTIONS = 128
"""More are closed at once. A browser has six."""
SECONDS = 10.0
"""In which a whole request must have come, and its answer must have been read."""
ENDING = 2.0
"""Seconds between Ctrl C and the end, whatever is still going on."""


def serve(app: Any, listener: socket.socket) -> None:
    """Serve until interrupted."""
    Server(settings(app)).run(sockets=[listener])


def settings(app: Any) -> uvicorn.Config:
    """What a client does wrong is answered, and not printed where the server runs; our own mistakes are."""
    # Named, because uvicorn takes another loop where one happens to be installed.
    return uvicorn.Config(
        app, loop="asyncio", http=Connection, ws="none", lifespan="off", log_config=None, log_level="error"
    )


class Connection(H11Protocol):
    """A connection that waits for its client only so long; the client waits for an episode as long as it takes."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A piece of a request has come."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """An answer has been written, though perhaps not read."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has left."""
        super().connection_lost(exc)
        self._stop_watching()

    def _watch(self) -> None:
        """Close the connection if its client is too slow, from the moment on at which it is the client's turn."""
        if self.cycle and not self.cycle.more_body and not self.cycle.response_complete:
            self._stop_watching()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(SECONDS, self.transport.abort)

    def _stop_watching(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None


class Server(uvicorn.Server):
    """A server that ends soon after Ctrl C, and at once after a second one."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal has come."""
        if self.should_exit:
            os._exit(128 + sig)
        super().handle_exit(sig, frame)
        # Neither an episode nor a client that does nothing can be interrupted.
        end = threading.Timer(ENDING, os._exit, (128 + sig,))
        end.daemon = True
        end.start()
