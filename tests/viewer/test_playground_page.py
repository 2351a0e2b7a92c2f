"""The playground in a real Chromium: from a file and from a server of files, by mouse and by keys, on a phone."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cli.command import Capture, cofca
from playwright.sync_api import Browser, Page, expect, sync_playwright

from cofca.viewer.gallery import FOLDER, INDEX
from cofca.viewer.playground_page import PAGE
from viewer.javascript import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
MOST = 1_000_000
"""Bytes of the page."""


class Silent(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert cofca("export", "--out", str(folder)) == 0
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{PAGE}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints = listen(page)
    page.goto((site / PAGE).as_uri())
    expect(page.locator(".player")).to_be_visible()
    yield page
    page.close()
    assert complaints == []


def listen(page: Page) -> list[str]:
    """What the page complains of from now on."""
    page.set_default_timeout(30_000)
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    return said


def test_it_is_one_file_of_less_than_a_megabyte(site: Path) -> None:
    assert {path.name for path in site.iterdir()} == {PAGE, INDEX, FOLDER}
    assert (site / PAGE).stat().st_size < MOST


def test_a_folder_that_cannot_be_is_refused_in_one_line(site: Path, capsys: Capture) -> None:
    assert cofca("export", "--out", str(site / PAGE)) == 2
    assert capsys.readouterr().err == f"cofca: {site / PAGE}: File exists\n"


def test_a_mistake_is_shown_and_a_mended_program_runs(page: Page) -> None:
    page.fill("#text", "mine iron\nmine golf")
    expect(page.locator("#bubble")).to_contain_text(
        "unknown word 'golf'; expected iron, gold or wood (did you mean 'gold'?)"
    )
    page.fill("#text", "mine iron\nmine gold")
    expect(page.locator("#complaint")).to_have_text("")
    page.keyboard.press("Control+Enter")
    page.click("#random")
    expect(page.locator(".lines tbody tr")).to_have_count(2)
    page.click("#end")
    expect(page.locator(".status")).to_have_text("success")


def test_a_drawn_map_is_refused_with_the_reason_where_it_will_not_do(page: Page) -> None:
    page.get_by_role("button", name="draw nothing").click()
    start, end = (page.get_by_label(f"row {row}, column 1:").bounding_box() for row in (1, 6))
    assert start
    assert end
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 9, steps=20)
    page.mouse.up()
    for row in range(1, 7):
        expect(page.get_by_label(f"row {row}, column 1: nothing")).to_be_visible()
    page.fill("#text", "mine iron\n" * 35)
    page.click("#run")
    expect(page.locator("#complaint")).to_contain_text("On this map line 8, mine iron, can't be done.")
    page.fill("#text", "while more iron than gold\ninspect wood\nendwhile")
    page.click("#run")
    expect(page.locator("#complaint")).to_contain_text("still at line 2, inspect wood, after 90 steps.")
    page.fill("#text", "mine iron\n" * 36)
    page.click("#random")
    expect(page.locator("#complaint")).to_contain_text("No random map was found")
    page.fill("#text", "if more gold than iron\nmine gold\nendif")
    page.click("#run")
    page.click("#end")
    expect(page.locator(".status")).to_have_text("success")


def test_a_map_can_be_drawn_by_keys(page: Page) -> None:
    page.get_by_role("button", name="draw worker").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_label("row 2, column 2: worker")).to_be_focused()
    expect(page.locator(".board [data-letter='@']")).to_have_count(1)


def test_an_example_is_chosen_and_its_link_opens_it_again(page: Page, browser: Browser, address: str) -> None:
    page.select_option("#example", label="three deep")
    expect(page.locator(".lines tbody tr")).to_have_count(12)
    again = browser.new_page(color_scheme="dark")
    complaints = listen(again)
    again.goto(address + "#" + page.url.partition("#")[2])
    expect(again.locator(".lines tbody tr")).to_have_count(12)
    for steps in (page, again):
        steps.click("#end")
    assert page.locator(".world img").get_attribute("src") == again.locator(".world img").get_attribute("src")
    again.close()
    assert complaints == []


def test_on_a_phone_nothing_is_cut_off_and_the_episode_comes_into_view(browser: Browser, site: Path) -> None:
    phone = browser.new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    phone.goto((site / PAGE).as_uri())
    expect(phone.locator(".player")).to_be_attached()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth && scrollY === 0")
    phone.tap("#run")
    expect(phone.locator("#stage")).to_be_in_viewport(ratio=0.3)
    phone.close()
