"""The gallery in a real Chromium, from a disk."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cofca.viewer.examples import BY_NAME, episodes
from cofca.viewer.gallery import INDEX, LOOK, write_gallery
from viewer.files import opened, scrolls_sideways

MOST = 300_000
"""Bytes of a page."""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gallery(tmp_path_factory.mktemp("gallery"))


def test_every_example_is_there_and_all_are_small(gallery: Path):
    pages = [gallery, *gallery.parent.glob("*/*.html")]
    assert {path.stem for path in pages} == {"gallery", *BY_NAME}
    assert max(path.stat().st_size for path in pages) < MOST
    for page in pages:
        for link in re.findall(r'href="([^"]+)"', page.read_text().partition("<script")[0]):
            assert link in ("data:,", "playground.html") or (page.parent / link).exists()


@pytest.mark.parametrize("name", list(BY_NAME))
def test_what_to_look_at_can_be_seen(name: str):
    frames = [frame for record in episodes(name) for frame in record["frames"]]
    seen = {str(frame["pointer"] + 1) for frame in frames}
    seen |= {line for frame in frames for line in re.findall(r"line (\d+)", frame.get("say", ""))}
    assert set(re.findall(r"line (\d+)", LOOK[name])) <= seen


def test_a_card_opens_an_example_that_plays(browser: Browser, gallery: Path, album: Path):
    with opened(browser, gallery) as page:
        expect(page.locator(".cards li")).to_have_count(len(BY_NAME))
        page.screenshot(path=album / "gallery.png", full_page=True)
        page.locator(".cards li", has_text="if and else").click()
        expect(page).to_have_url(re.compile("gallery/if-else.html$"))
        map = page.locator(".world img")
        assert map.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 6 * 48
        first = map.get_attribute("src")
        page.click("#play")
        expect(page.locator(".status")).to_have_text("success")
        assert map.get_attribute("src") != first
        page.click("nav a >> nth=1")
        expect(page.locator("h1")).to_have_text("while")
        page.click("nav a >> nth=0")
        expect(page).to_have_url(re.compile(f"{INDEX}$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(browser: Browser, gallery: Path, album: Path, scheme: str):
    for path in (gallery, gallery.parent / "gallery" / "famous-failure.html"):
        with opened(browser, path, 390, color_scheme=scheme, is_mobile=True) as page:
            expect(page.locator(".cards li, .player").first).to_be_visible()
            assert not scrolls_sideways(page)
            paper = "rgb(241, 244, 248)" if scheme == "light" else "rgb(18, 22, 28)"
            expect(page.locator("body")).to_have_css("background-color", paper)
            page.screenshot(path=album / f"phone-{path.stem}-{scheme}.png", full_page=True)
