"""`cofca view`: what it says, and mistakes."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from .command import Capture, cofca


def test_the_page_is_served_where_it_says_until_it_is_interrupted():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "cofca", "view", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        try:
            assert server.stderr
            address = server.stderr.readline().decode().split()[0]
            assert address == f"http://127.0.0.1:{port}"
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(address, timeout=30) as page:
                assert b"<title>cofca" in page.read()
            os.kill(server.pid, signal.SIGINT)
            assert server.wait(30) in (0, 130)
            assert b"Traceback" not in server.stderr.read()
        finally:
            server.kill()


def test_a_port_in_use_is_one_line(capsys: Capture):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cofca("view", "--port", str(port)) == 2
    said = capsys.readouterr().err
    assert f"port {port} can't be used" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["--port", "70000"], "--port must be at most 65535"),
        (["--agent", "nowhere"], "nowhere: there is no such folder"),
        (["--agent", "worker"], "worker: a worker follows no instructions"),
    ],
)
def test_mistakes_are_one_line(capsys: Capture, options: list[str], wrong: str):
    assert cofca("view", *options) == 2
    said = capsys.readouterr().err
    assert wrong in said
    assert said.count("\n") == 1
