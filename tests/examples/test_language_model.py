"""The example for language models, with a server in place of one."""

import json
import runpy
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from interop.test_text_score import MINECRAFT

from cofca.experiments.specs import EXPERIMENTS

EXAMPLE = Path(__file__).parents[2] / "examples" / "language_model.py"


class Model(BaseHTTPRequestHandler):
    """It always answers alike, and remembers what it was asked."""

    asked: list[dict] = []

    def do_POST(self) -> None:
        page = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({**page, "key": self.headers["Authorization"]})
        body = json.dumps({"choices": [{"message": {"content": "Well:\n`mine iron`"}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
        server.shutdown()


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXPERIMENTS, MINECRAFT.name, MINECRAFT)


def run(monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    monkeypatch.setattr(sys, "argv", [EXAMPLE.name, "--episodes", "12", "--bins", "1-2", *options])
    runpy.run_path(str(EXAMPLE), run_name="__main__")


def test_the_oracle_plays_without_a_model(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(monkeypatch)
    printed = capsys.readouterr().out
    assert printed.startswith("1-2: success 1.00 ± 0.0")
    assert ", oracle 1.00, random 0." in printed


def test_a_model_is_asked_with_the_prompt(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    run(monkeypatch, "--url", url, "--model", "small")
    assert capsys.readouterr().out.startswith("1-2: success 0.")
    assert {(page["model"], page["key"]) for page in Model.asked} == {("small", "Bearer secret")}
    prompts = [page["messages"][0]["content"] for page in Model.asked]
    assert all(prompt.startswith("A worker on a map") for prompt in prompts)
    assert any("> mine iron\n" in prompt for prompt in prompts)


def test_it_can_be_read_at_a_glance() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 60
