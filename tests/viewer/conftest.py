"""A real Chromium, and servers for its pages."""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from cofca.viewer.server import make_app
from cofca.viewer.studio import Studio

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def serving(studio: Studio) -> Iterator[str]:
    """The address of its page."""
    server = uvicorn.Server(uvicorn.Config(make_app(studio), host="127.0.0.1", port=0, log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@contextmanager
def visit(browser: Browser, address: str, toured: bool = True, **context: object) -> Iterator[Page]:
    """A page whose scripts must not complain, in a browser that has been here before, or not."""
    page = browser.new_page(**{"viewport": {"width": 1280, "height": 900}, **context})
    page.set_default_timeout(120_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    if toured:
        page.add_init_script("localStorage.cofca ??= JSON.stringify({ toured: true })")
    page.goto(address)
    expect(page.locator("#agent option").first).to_be_attached()
    yield page
    page.close()
    # Refusals that a test provokes are answered with these codes, which Chromium logs.
    assert [text for text in complaints if "422" not in text] == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page at the module's own address."""
    with visit(browser, address) as page:
        yield page


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("screenshots")
