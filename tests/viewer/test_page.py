"""The page in a real Chromium: edit, error shown, run, scrub, compare, export, keyboard only. Screenshots are kept for
a look, in the folder that `pytest --basetemp` names or under pytest's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cofca.viewer.studio import Studio
from viewer.conftest import serving

PROGRAM = "mine iron\nif more iron than gold\n    mine gold\nelse\n    inspect wood\nendif\n"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Studio()) as address:
        yield address


def run(page: Page, program: str = PROGRAM, compared: bool = False) -> None:
    page.fill("#text", program)
    if compared:
        page.select_option("#other", index=1)
    page.click("#run")
    expect(page.locator("#export")).to_be_visible(timeout=120_000)
    expect(page.locator(".player")).to_have_count(2 if compared else 1)


def test_a_mistake_is_shown_under_its_line_and_goes_when_it_is_mended(page: Page, album: Path):
    page.fill("#text", "mine iron\nmine golf\nmine wood")
    bubble = page.locator("#bubble")
    expect(bubble).to_contain_text("golf")
    box, text = bubble.bounding_box(), page.locator("#text").bounding_box()
    assert box
    assert text
    assert box["y"] - text["y"] == pytest.approx(8 + 2 * 20, abs=3)
    page.screenshot(path=album / "mistake.png")
    page.fill("#text", "mine iron\nmine gold\nmine wood")
    expect(bubble).to_be_hidden()
    expect(page.locator("#complaint")).to_have_text("")


def test_an_episode_can_be_stepped_scrubbed_and_played(page: Page, album: Path):
    run(page)
    expect(page.locator(".lines tbody tr")).to_have_count(6)
    first = page.locator(".world img").get_attribute("src")
    assert first
    assert first.startswith("data:image/png")
    expect(page.locator("tr.pointed td.number")).to_have_text("1")
    last = int(page.locator("input[type=range]").get_attribute("max") or 0)
    page.click("#forward")
    expect(page.locator(".controls output")).to_have_text(f"1 / {last}")
    page.locator("input[type=range]").fill(str(last))
    expect(page.locator(".status")).not_to_have_text("running")
    page.screenshot(path=album / "end.png", full_page=True)
    page.click("#first")
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Pause")
    expect(page.locator(".controls output")).to_have_text(f"{last} / {last}", timeout=60_000)
    expect(page.locator("#play")).to_have_text("Play")


def test_two_agents_are_compared_on_the_same_level(page: Page, album: Path):
    run(page, compared=True)
    one, other = page.locator(".world img").all()
    assert one.get_attribute("src") == other.get_attribute("src")
    page.click("#forward")
    assert page.locator("dt", has_text="step").count() == 2
    page.screenshot(path=album / "compared.png", full_page=True)


def test_an_export_works_without_the_server(page: Page, browser: Browser, tmp_path: Path, album: Path):
    run(page)
    with page.expect_download() as download:
        page.click("#export")
    path = tmp_path / "episode.html"
    download.value.save_as(path)
    alone = browser.new_context(offline=True).new_page()
    alone.goto(path.as_uri())
    alone.keyboard.press("End")
    expect(alone.locator(".status")).not_to_have_text("running")
    expect(alone.locator(".say")).not_to_be_empty()
    alone.screenshot(path=album / "export.png", full_page=True)
    alone.context.close()


def test_all_of_it_works_by_keyboard(page: Page):
    page.locator("#text").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("mine wood")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#export")).to_be_visible()
    expect(page.locator(".player")).to_have_count(1)
    page.keyboard.press("Tab")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("End")
    expect(page.locator(".status")).to_have_text("success")
    page.keyboard.press("Home")
    expect(page.locator(".controls output")).to_contain_text("0 /")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".controls output")).to_contain_text("1 /")
    names = page.evaluate(
        """() => [...document.querySelectorAll("select, input, textarea, button, a")]
        .filter((node) => node.offsetParent && !(node.labels?.length || node.textContent.trim() ||
                          node.getAttribute("aria-label"))).map((node) => node.id)"""
    )
    assert names == []


def test_a_map_can_be_drawn(page: Page):
    page.select_option("#world", "drawn")
    cells = page.locator("#map button")
    expect(cells).to_have_count(36)
    page.click("#palette button[title=iron]")
    for place in (3, 20):
        cells.nth(place).click()
    page.click("#palette button[title=worker]")
    cells.nth(35).click()
    run(page, "mine iron\nmine iron\n")
    page.keyboard.press("End")
    page.click("#end")
    expect(page.locator(".status")).to_have_text("success")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways_or_jumping(page: Page, album: Path, scheme: str):
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 390, "height": 844})
    run(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    heights = set()
    for _ in range(4):
        box = page.locator(".lines").bounding_box()
        assert box
        heights.add(round(box["y"] + page.evaluate("() => window.scrollY")))
        page.click("#forward")
    assert len(heights) == 1
    page.screenshot(path=album / f"phone-{scheme}.png", full_page=True)
    light = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (light == "rgb(18, 22, 28)") == (scheme == "dark")
