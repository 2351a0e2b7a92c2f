"""cofca view."""

import socket
import sys
import threading
from dataclasses import dataclass
from typing import Annotated

import tyro

from cofca.cli.options import Number
from cofca.cli.progress import seen


@dataclass(frozen=True)
class View:
    """Serve a page on which you type an instruction and watch agents follow it. Only this machine can reach it."""

    port: Number = 8765
    """Port of the page."""
    agent: Annotated[tuple[str, ...], tyro.conf.arg(metavar="RUN-or-WEIGHTS")] = ()
    """Folders of your own runs or weights to offer beside those in the package."""
    browser: bool = False
    """Also open the page in a browser."""

    def run(self) -> int:
        """Serve until interrupted."""
        try:
            from cofca.viewer.connections import serve
            from cofca.viewer.server import make_app
        except ModuleNotFoundError as error:
            raise ValueError(f"the page needs {error.name}: pip install 'cofca[view]'") from error
        from cofca.viewer.studio import Studio

        address = f"http://127.0.0.1:{self.port}"
        studio = Studio(self.agent)
        app = make_app(studio)
        listener = _listen(self.port)
        print(f"{address} (stop with Ctrl C)", file=sys.stderr, flush=True)
        seen()
        if self.browser:
            import webbrowser

            webbrowser.open(address)
        threading.Thread(target=studio.warm, daemon=True).start()
        serve(app, listener)
        return 0


def _listen(port: int) -> socket.socket:
    """A place on this machine, for this machine only."""
    if port > 65535:
        raise ValueError(f"--port must be at most 65535, not {port}")
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        # From now on whoever comes waits until the server is ready.
        listener.listen()
    except OSError as error:
        listener.close()
        raise ValueError(f"port {port} can't be used ({error.strerror}); choose another with --port") from error
    return listener
