"""What the page draws beside and over the map: ticks and build tree, the worker's way, the depths of first returns."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cofca.envs.minecraft import parse
from cofca.envs.minecraft.language.instruction import block_matches, depths
from cofca.envs.minecraft.render.scene import role
from cofca.viewer.examples import episodes
from viewer.conftest import serving, visit
from viewer.stub import Stub

FINE = 0.5
"""Pixels."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Stub()) as address:
        yield address


@contextmanager
def opened(browser: Browser, address: str, example: str, step: int) -> Iterator[Page]:
    with visit(browser, f"{address}/#example={example}&step={step}") as page:
        expect(page.locator(".controls output")).to_contain_text(f"{step} /")
        yield page


def frames(example: str, player: int = 0) -> list[dict[str, Any]]:
    return episodes(example)[player]["frames"]


def middles(nodes: Locator) -> list[tuple[float, float]]:
    boxes = nodes.evaluate_all("(nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON())")
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]


def test_the_curve_of_first_returns_is_the_indentation(browser: Browser, address: str):
    lines = parse("\n".join(episodes("nested")[0]["lines"]))
    with opened(browser, address, "nested", 0) as page:
        expect(page.locator(".depths")).to_be_hidden()
        page.click("#why")
        assert page.locator("td.depth").all_inner_texts() == [str(depth) for depth in depths(lines)]
        dots, rows = middles(page.locator(".depths .line")), middles(page.locator("tbody td.depth"))
        assert [y for _, y in dots] == pytest.approx([y for _, y in rows], abs=FINE)
        places = {depth: x for depth, (x, _) in zip(depths(lines), dots, strict=True)}
        assert [x for x, _ in dots] == pytest.approx([places[depth] for depth in depths(lines)], abs=FINE)
        steps = [places[deeper] - places[depth] for depth, deeper in pairwise(sorted(places))]
        assert steps == pytest.approx([steps[0]] * len(steps), abs=FINE)
        assert steps[0] > 5


@pytest.mark.parametrize(("opener", "kind"), [(("if", "while"), "ahead"), (("endwhile",), "behind")])
def test_the_search_ends_where_the_block_does(browser: Browser, address: str, opener: tuple[str, ...], kind: str):
    record = episodes("fifty-lines")[0]
    words = [line.split()[0] for line in record["lines"]]
    matches = block_matches(parse("\n".join(record["lines"])))
    some = [at for at, frame in enumerate(frames("fifty-lines")) if words[frame["pointer"]] in opener]
    assert some
    with opened(browser, address, "fifty-lines", some[0]) as page:
        page.click("#why")
        for step in some[:3]:
            page.evaluate("(step) => shown.go(step)", step)
            pointer = frames("fifty-lines")[step]["pointer"]
            ((_, y),) = middles(page.locator(f".depths .{kind}"))
            assert y == pytest.approx(middles(page.locator("tbody td.depth"))[matches[pointer]][1], abs=FINE)
            (dot,) = middles(page.locator(".depths .pointer"))
            (limit,) = middles(page.locator(".depths .limit"))
            assert dot[0] < limit[0] < dot[0] + 14


def test_who_has_no_first_returns_has_no_curve(browser: Browser, address: str):
    with opened(browser, address, "famous-failure", 3) as page:
        page.click("#why")
        ours, theirs = page.locator(".player").all()
        expect(ours.locator(".depths")).to_be_visible()
        expect(theirs.locator(".depths, .depth")).to_have_count(0)
        expect(page.locator(".legend dt", has_text="L").last).to_be_visible()
    with opened(browser, address, "ambush", 3) as page:
        page.click("#why")
        assert "L" not in page.locator(".legend dt").all_inner_texts()


def test_an_ambush_takes_tick_and_tree_back(browser: Browser, address: str):
    found = frames("ambush")
    step = next(at for at, frame in enumerate(found) if "an ambush killed the Adept" in frame.get("say", ""))
    with opened(browser, address, "ambush", step - 1) as page:
        line = page.locator("tbody tr", has_text="Train Adept")
        row = page.locator(".tree li", has_text="Adept")
        page.keyboard.press("ArrowRight")
        expect(row).to_have_text("Adept0/1")
        expect(row).not_to_have_class("enough")
        assert "done" not in (line.get_attribute("class") or "")
        empty = line.locator(".text").evaluate("(node) => getComputedStyle(node, '::before').content")
        page.keyboard.press("End")
        expect(row).to_have_text("Adept1/1")
        expect(page.locator("tbody tr.done")).to_have_count(7)
        expect(page.locator(".tree li.enough")).to_have_count(7)
        ticked = line.locator(".text").evaluate("(node) => getComputedStyle(node, '::before').content")
        assert "✓" in ticked
        assert "✓" not in empty
        widths = page.evaluate("() => [...document.querySelectorAll('.emblem')].map((node) => node.naturalWidth)")
        assert widths == [32] * 14


def test_the_way_leads_from_the_worker_to_where_it_acts(browser: Browser, address: str):
    found = frames("figure-4")
    step = next(
        at for at in range(1, len(found)) if all(found[at + k]["response"].startswith("moves") for k in (-1, 0, 1))
    )
    acts = next(frame for frame in found[step:] if not frame["response"].startswith("moves"))
    with opened(browser, address, "figure-4", step) as page:
        way = [
            [float(part) for part in point.split(",")]
            for point in (page.locator(".way .ahead").get_attribute("points") or "").split()
        ]
        assert way[0] == pytest.approx([100 * share for share in found[step]["place"]])
        assert way[-1] == pytest.approx([100 * share for share in acts["place"]])
        for one, other in pairwise(way):
            assert 0 < max(abs(a - b) for a, b in zip(one, other, strict=True)) == pytest.approx(100 / 6, abs=0.1)
        goal, image = page.locator(".way .goal").bounding_box(), page.locator(".scene img").bounding_box()
        assert goal
        assert image
        assert (goal["x"] + goal["width"] / 2 - image["x"]) / image["width"] == pytest.approx(
            acts["place"][0], abs=0.01
        )
        page.evaluate("(step) => shown.go(step)", found.index(acts))
        expect(page.locator(".way .ahead")).to_have_count(0)
        expect(page.locator(".way .walked")).to_have_count(1)


def test_words_have_the_colours_of_the_gifs(browser: Browser, address: str):
    lines = episodes("fifty-lines")[0]["lines"]
    with opened(browser, address, "fifty-lines", 0) as page:
        rows = page.locator(".player").first.locator("tbody .text")
        shown = rows.evaluate_all("(rows) => rows.map((row) => [...row.children].map((word) => word.className))")
    assert shown == [[f"w-{role(word)}" for word in line.split()] for line in lines]


@pytest.mark.parametrize(("example", "icons"), [("figure-4", 3), ("ambush", 0)])
def test_the_map_is_large_and_facts_have_names_of_their_own(browser: Browser, address: str, example: str, icons: int):
    with opened(browser, address, example, 2) as page:
        box = page.locator(".scene img").bounding_box()
        assert box
        assert box["width"] == box["height"] > 400
        assert page.locator(".held svg:has(path)").count() == icons
        names = page.locator(".facts dt").all_inner_texts()
        assert len({name.removesuffix("s") for name in names}) == len(names)
