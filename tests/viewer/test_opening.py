"""What a new visitor sees in a real Chromium: a recorded episode that plays by itself, examples, the tour; and what a
reload and a link keep. Whoever presses Run here gets an episode that nobody played."""

import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from cofca.viewer.examples import BY_NAME
from viewer.conftest import serving, visit
from viewer.stub import Stub


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Stub()) as address:
        yield address


def time_of(page: Page) -> int:
    return int(page.locator(".controls output").inner_text().split(" / ")[0])


def test_it_opens_with_an_episode_that_moves_and_nobody_plays(browser: Browser, address: str, album: Path):
    context = browser.new_context()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url.removeprefix(address)))
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".player")).to_have_count(2)
    expect(page.locator("#play")).to_have_text("Pause")
    page.wait_for_function("() => document.querySelector('.controls output').textContent.startsWith('2 /')")
    assert "/api/example/fifty-lines" in asked
    assert not [path for path in asked if path.startswith("/api/episode")]
    expect(page.locator(".player").first.locator(".lines tbody tr")).to_have_count(50)
    page.screenshot(path=album / "opening.png")
    context.close()


def test_the_tour_is_told_once_and_by_keyboard(browser: Browser, address: str):
    with visit(browser, address, toured=False) as page:
        card = page.locator("#card")
        expect(card).to_contain_text("1 of 4: The pointer")
        expect(page.locator("#tour-next")).to_be_focused()
        for title in ("One step", "The gate", "P, where to"):
            page.keyboard.press("Enter")
            expect(card).to_contain_text(title)
        expect(page.locator("#why.toured")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(card).to_be_hidden()
        page.reload()
        expect(page.locator(".player")).to_have_count(2)
        expect(card).to_be_hidden()
        page.click("#tour")
        expect(card).to_be_visible()
        page.keyboard.press("Escape")
        expect(card).to_be_hidden()


def test_every_example_fills_the_editor_and_ends_with_a_sentence(page: Page):
    names = page.evaluate("() => [...document.querySelector('#example').options].map((option) => option.value)")
    assert names == ["", *BY_NAME]
    for name in BY_NAME:
        page.select_option("#example", name)
        lines = page.input_value("#text").splitlines()
        expect(page.locator(".player").first.locator(".lines tbody .text")).to_have_text(lines)
        page.click("#end")
        expect(page.locator(".say").first).to_contain_text("Success: the whole instruction is carried out")
        for failed in page.locator(".player").all()[1:]:
            expect(failed.locator(".say")).to_contain_text("was to be done")
            expect(failed.locator(".status")).to_have_text("failed")


def test_keys_work_after_a_click_and_arrows_show_where_the_pointer_may_go(page: Page):
    page.click("#play")
    page.click("#first")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert time_of(page) == 2
    expect(page.locator(".say").first).to_contain_text("the condition is false → the pointer jumps to line 10")
    first = page.locator(".player").first
    expect(first.locator(".arrows .head")).to_have_count(1)
    row = first.locator(".lines tbody tr").nth(9).bounding_box()
    head = first.locator(".arrows .head").bounding_box()
    assert row
    assert head
    assert head["y"] + head["height"] / 2 == pytest.approx(row["y"] + row["height"] / 2, abs=3)
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert time_of(page) == 0


def test_who_types_at_once_and_runs_gets_their_own(page: Page):
    page.fill("#text", "mine iron\nmine wood")
    page.click("#run")
    expect(page.locator("#export")).to_be_visible()
    expect(page.locator(".player")).to_have_count(1)
    assert page.locator(".lines tbody .text").all_inner_texts() == ["mine iron", "mine wood"]


def test_what_is_being_played_is_told_with_seconds_and_stays_while_one_types(page: Page):
    page.route("**/api/episode", lambda route: None)
    page.click("#run")
    expect(page.locator("#progress")).to_contain_text("Playing minecraft-wide/cofca-r")
    with page.expect_response("**/api/check"):
        page.fill("#text", "mine iron")
    expect(page.locator("#progress")).to_contain_text("1 s")
    page.unroute_all(behavior="ignoreErrors")


def test_a_reload_and_a_change_of_domain_keep_what_was_typed(page: Page):
    page.fill("#text", "mine wood")
    page.fill("#seed", "7")
    page.select_option("#domain", "starcraft")
    page.fill("#text", "Train Zealot")
    page.select_option("#domain", "minecraft")
    assert page.input_value("#text") == "mine wood"
    page.reload()
    expect(page.locator(".player")).to_have_count(2)
    assert (page.input_value("#text"), page.input_value("#seed")) == ("mine wood", "7")
    page.select_option("#domain", "starcraft")
    assert page.input_value("#text") == "Train Zealot"


def test_a_link_restores_program_map_seed_agents_and_step(page: Page, browser: Browser, address: str):
    page.select_option("#world", "drawn")
    page.locator("#map button").nth(3).click()
    page.fill("#text", "mine iron")
    page.fill("#seed", "5")
    page.select_option("#other", index=2)
    page.click("#run")
    expect(page.locator("#export")).to_be_visible()
    for _ in range(3):
        page.click("#forward")
    page.wait_for_url("**step=3")
    fields = ("#text", "#seed", "#agent", "#other", "#world")
    drawn = page.evaluate("() => map.text()")
    assert "i" in drawn
    with visit(browser, page.url) as other:
        expect(other.locator("#export")).to_be_visible()
        expect(other.locator(".controls output")).to_contain_text("3 /")
        assert [other.input_value(field) for field in fields] == [page.input_value(field) for field in fields]
        assert other.evaluate("() => map.text()") == drawn
    with visit(browser, f"{address}/#{urlencode({'example': 'figure-4', 'step': 4})}") as other:
        expect(other.locator(".controls output")).to_contain_text("4 /")
        expect(other.locator("#play")).to_have_text("Play")


def test_a_link_that_makes_no_sense_is_complained_about(browser: Browser, address: str):
    wrong = {"domain": "chess", "program": "mine iron", "map": "?" * 99, "seed": "x", "step": "y", "agent": "nobody"}
    with visit(browser, f"{address}/#{urlencode(wrong)}") as page:
        expect(page.locator("#complaint")).to_contain_text("map")
        assert page.input_value("#text") == "mine iron"
        page.select_option("#example", "while")
        expect(page.locator(".player")).to_have_count(1)


def test_a_browser_that_keeps_nothing_shows_everything(browser: Browser, address: str):
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('refused'); } })"
    )
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".player")).to_have_count(2)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_two_agents_fit(browser: Browser, address: str, album: Path, width: int, scheme: str):
    with visit(browser, address, viewport={"width": width, "height": 844}, color_scheme=scheme) as page:
        expect(page.locator(".player")).to_have_count(2)
        for opened in (False, True):
            if opened:
                page.click("#why")
                expect(page.locator(".legend")).to_be_visible()
            clipped = page.evaluate(
                """(width) => [...document.querySelectorAll(".player, .player *:not(.program *), form, .controls *")]
                .filter((node) => node.getBoundingClientRect().right > width).map((node) => node.outerHTML)""",
                width,
            )
            assert clipped == []
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        heads = page.locator(".player").first.locator("th.mixture, th.bar")
        if width == 1280:
            box, program = heads.last.bounding_box(), page.locator(".program").first.bounding_box()
            assert box
            assert program
            assert box["x"] + box["width"] <= program["x"] + program["width"]
        page.screenshot(path=album / f"two-{width}-{scheme}.png", full_page=True)


def test_on_a_phone_the_result_comes_into_view(browser: Browser, address: str):
    with visit(browser, address, viewport={"width": 390, "height": 844}) as page:
        page.fill("#text", "mine iron")
        page.click("#run")
        expect(page.locator("#export")).to_be_visible()
        expect(page.locator(".say")).to_be_in_viewport()


def test_one_colour_has_one_meaning(page: Page):
    page.click("#play")
    page.click("#end")
    page.click("#back")
    second = page.locator(".player").nth(1)
    blue = second.locator("tr.pointed td.mark").first.evaluate("(node) => getComputedStyle(node).color")
    arrow = page.locator(".arrows").first.evaluate("(node) => getComputedStyle(node).stroke")
    yellow = second.locator("tr.due").evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert (blue, arrow, yellow) == ("rgb(29, 78, 216)", "rgb(29, 78, 216)", "rgb(255, 239, 176)")
    assert json.loads(page.evaluate("() => localStorage.cofca"))["toured"]


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.skipif(shutil.which("npm") is None, reason="axe-core comes from npm")
def test_axe_finds_nothing(browser: Browser, address: str, tmp_path: Path, scheme: str):
    subprocess.run(["npm", "pack", "--silent", "axe-core@4"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(next(tmp_path.glob("axe-core-*.tgz"))) as package:
        package.extract("package/axe.min.js", tmp_path, filter="data")
    axe = (tmp_path / "package" / "axe.min.js").read_text()
    wrong = "async () => (await axe.run()).violations.map((found) => [found.id, found.nodes.map((node) => node.html)])"
    with visit(browser, address, color_scheme=scheme) as page:
        page.evaluate(axe)
        for click in ("#end", "#why", "#tour"):
            page.click(click)
            assert page.evaluate(wrong) == []
        for example in ("figure-4", "attack"):
            page.select_option("#example", example)
            page.select_option("#world", "drawn")
            expect(page.locator("#palette img").first).to_be_visible()
            assert page.evaluate(wrong) == []
        page.set_viewport_size({"width": 390, "height": 844})
        page.fill("#text", "mine golf")
        expect(page.locator("#bubble")).to_be_visible()
        assert page.evaluate(wrong) == []
