"""Clients that are slow, leave, never read or are too many, and Ctrl C while they are there."""

import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from cofca.viewer import connections
from cofca.viewer.connections import Server
from cofca.viewer.server import make_app
from cofca.viewer.studio import Studio

HEAD = b"POST /api/check HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
LARGE = 8_000_000


class Stub(Studio):
    """It answers with a lot of nothing."""

    def __init__(self) -> None:
        pass

    def check(self, text: object) -> dict[str, str]:
        return {"lines": "x" * LARGE}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server in a thread of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    found = Server(connections.settings(make_app(Stub())))
    thread = threading.Thread(target=found.run, kwargs={"sockets": [listener]})
    thread.start()
    wait_until(lambda: found.started)
    found.port = listener.getsockname()[1]
    yield found
    found.should_exit = True
    thread.join(10)
    assert not thread.is_alive()


@contextlib.contextmanager
def connected(server: Server, sent: bytes) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        client.sendall(sent)
        yield client


def wait_until(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not done():
        assert time.monotonic() < until
        time.sleep(0.01)


def all_have_gone(server: Server) -> None:
    wait_until(lambda: not server.server_state.connections and not server.server_state.tasks)


def test_who_leaves_in_the_middle_is_not_mourned(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        with connected(server, HEAD + b"content-length: 100\r\n\r\n{"):
            wait_until(lambda: bool(server.server_state.tasks))
        all_have_gone(server)
    assert not caplog.messages


@pytest.mark.parametrize(
    "sent", [b"\0\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"GET /\0 HTTP/1.1\r\n\r\n", HEAD + b"x\0: y\r\n\r\n"]
)
def test_what_is_no_request_is_answered_and_not_printed(
    server: Server, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    with connected(server, sent) as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 400 ")
    all_have_gone(server)
    assert not caplog.messages


@pytest.mark.parametrize("more", [b"", b"connection: close\r\n"])
def test_who_sends_too_much_sees_that_it_is_too_much(server: Server, more: bytes) -> None:
    size = 2_000_000
    with connected(server, HEAD + more + b"content-length: %d\r\n\r\n" % size + b" " * size) as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 413 ")
    all_have_gone(server)


WHOLE = HEAD + b'content-length: 42\r\n\r\n{"domain": "minecraft", "instruction": ""}'


@pytest.mark.parametrize(
    "sent", [b"", b"POST /api", HEAD, HEAD + b"content-length: 100\r\n\r\n{", WHOLE, WHOLE + b"POST /", WHOLE + HEAD]
)
def test_nobody_waits_for_a_client_that_does_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    """Before, within and after a request, and when its answer is not read."""
    monkeypatch.setattr(connections, "SECONDS", 0.2)
    with connected(server, sent):
        wait_until(lambda: bool(server.server_state.connections))
        all_have_gone(server)


def test_an_answer_is_read_whole(server: Server) -> None:
    with connected(server, WHOLE.replace(b"content-type", b"connection: close\r\ncontent-type")) as client:
        read = b"".join(iter(lambda: client.recv(2**20), b""))
    assert read.startswith(b"HTTP/1.1 200 ")
    assert len(read) > LARGE


def test_of_too_many_clients_the_last_are_turned_away(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS", 3)
    with contextlib.ExitStack() as stack:
        for number in range(1, 4):
            stack.enter_context(connected(server, b"GET"))
            wait_until(lambda number=number: len(server.server_state.connections) == number)
        with connected(server, b"") as late:
            assert late.recv(1) == b""
    all_have_gone(server)


@pytest.mark.parametrize("again", [False, True])
def test_ctrl_c_ends_the_server_whatever_is_going_on(again: bool) -> None:
    code = """
import socket, sys, time
from starlette.applications import Starlette
from starlette.routing import Route
from cofca.viewer.connections import serve
listener = socket.create_server(("127.0.0.1", 0))
def play(request):
    print("playing", flush=True)
    time.sleep(60)
print(listener.getsockname()[1], flush=True)
serve(Starlette(routes=[Route("/play", play)]), listener)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        address = "127.0.0.1", int(process.stdout.readline())
        with socket.create_connection(address) as half, socket.create_connection(address) as playing:
            half.sendall(HEAD)
            playing.sendall(b"GET /play HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert process.stdout.readline() == "playing\n"
            begun = time.monotonic()
            os.kill(process.pid, signal.SIGINT)
            if again:
                time.sleep(0.3)
                os.kill(process.pid, signal.SIGINT)
            assert process.wait(10) == 130
            assert time.monotonic() - begun < (1 if again else 3)
            assert process.stderr.read() == ""
