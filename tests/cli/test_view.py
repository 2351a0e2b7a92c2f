"""`cofca view`: what it says, and mistakes."""

import socket

import pytest

from cli.command import Capture, cofca, served


def test_the_page_is_served_where_it_says_until_it_is_interrupted():
    with served("view") as page:
        assert b"<title>cofca" in page


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
