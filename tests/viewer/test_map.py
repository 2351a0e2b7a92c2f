"""Maps drawn in a real Chromium: by clicks, strokes, tiles that are dropped, fingers and keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from viewer.conftest import serving, visit
from viewer.stub import Stub


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Stub()) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visit(browser, address, has_touch=True) as page:
        page.select_option("#world", "drawn")
        yield page


def drawn(page: Page) -> list[str]:
    return page.evaluate("() => map.text()").split("\n")


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator("#map button").nth(6 * row + column)


def middle(node: Locator) -> tuple[float, float]:
    node.scroll_into_view_if_needed()
    box = node.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def stroke(page: Page, *nodes: Locator) -> None:
    """Press, move as a quick hand does, and let go."""
    page.mouse.move(*middle(nodes[0]))
    page.mouse.down()
    for node in nodes[1:]:
        page.mouse.move(*middle(node))
    page.mouse.up()


@pytest.mark.parametrize(("domain", "number", "start"), [("minecraft", 8, "worker"), ("starcraft", 19, "Nexus")])
def test_tiles_are_pictures_with_names(page: Page, album: Path, domain: str, number: int, start: str):
    page.select_option("#domain", domain)
    expect(page.locator("#palette button img")).to_have_count(number)
    expect(page.locator("#map button img")).to_have_count(36)
    assert f"row 1, column 1: {start}" in (cell(page, 0, 0).get_attribute("aria-label") or "")
    widths = page.evaluate("() => [...document.querySelectorAll('.drawing img')].map((node) => node.naturalWidth)")
    assert set(widths) == {48}
    page.screenshot(path=album / f"map-{domain}.png")


def test_a_stroke_fills_every_cell_on_its_way_however_quick(page: Page):
    page.click("#palette button[title=water]")
    stroke(page, cell(page, 2, 0), cell(page, 2, 5), cell(page, 5, 5))
    assert drawn(page) == ["@.....", "......", "~~~~~~", ".....~", ".....~", ".....~"]
    page.click("#palette button[title=nothing]")
    stroke(page, cell(page, 2, 4), cell(page, 2, 2))
    assert drawn(page)[2] == "~~...~"


def test_the_worker_is_moved_and_never_painted_over(page: Page):
    page.click("#palette button[title=wall]")
    stroke(page, cell(page, 0, 5), cell(page, 0, 0))
    assert drawn(page)[0] == "@#####"
    stroke(page, cell(page, 0, 0), cell(page, 3, 0))
    assert [row[0] for row in drawn(page)] == [".", ".", ".", "@", ".", "."]
    page.click("#palette button[title=worker]")
    cell(page, 5, 5).click()
    assert "".join(drawn(page)).count("@") == 1
    assert drawn(page)[5] == ".....@"


def test_a_tile_can_be_dropped(page: Page):
    stroke(page, page.locator("#palette button[title=gold]"), cell(page, 1, 3), cell(page, 4, 2))
    assert drawn(page) == ["@.....", "......", "......", "......", "..g...", "......"]


def test_a_finger_draws_and_does_not_scroll(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.tap("#palette button[title=wood]")
    (x, y), (_, end) = middle(cell(page, 5, 1)), middle(cell(page, 1, 1))
    at = page.evaluate("() => scrollY")
    device = page.context.new_cdp_session(page)
    device.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 5):
        point = {"x": x, "y": y + part / 4 * (end - y)}
        device.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert [row[1] for row in drawn(page)] == [".", "w", "w", "w", "w", "w"]
    assert page.evaluate("() => scrollY") == at


def test_keys_draw_with_one_stop_for_the_tiles_and_one_for_the_map(page: Page):
    page.locator("#palette [tabindex='0']").focus()
    expect(page.locator("#palette button[title=iron]")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#palette button[title=gold]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Enter", "ArrowLeft", "Space", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert drawn(page) == ["@.....", "......", "gg....", "......", "......", "......"]
    page.keyboard.press("Tab")
    expect(page.locator("#run")).to_be_focused()


def test_what_is_drawn_is_kept_and_no_longer_the_example(page: Page):
    page.select_option("#example", "figure-4")
    expect(page.locator("#world")).to_have_value("drawn")
    assert drawn(page)[0] == "..m~.@"
    page.click("#palette button[title=iron]")
    cell(page, 0, 0).click()
    expect(page.locator("#example")).to_have_value("")
    assert "example" not in page.url
    page.reload()
    expect(page.locator(".player")).to_have_count(2)
    assert drawn(page)[0] == "i.m~.@"
