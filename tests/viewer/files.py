"""Pages that are opened from a disk, without a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page


@contextmanager
def opened(browser: Browser, path: Path, width: int = 1280, **context: object) -> Iterator[Page]:
    """A page that must not complain, offline."""
    page = browser.new_page(viewport={"width": width, "height": 900}, offline=True, **context)
    page.set_default_timeout(30_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(path.as_uri())
    yield page
    page.close()
    assert complaints == []


def scrolls_sideways(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
