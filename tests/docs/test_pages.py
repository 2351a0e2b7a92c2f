"""What the documentation shows as code runs, and its links lead somewhere."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cofca.envs.minecraft import parse, unparse
from cofca.experiments.specs import EXPERIMENTS
from docs.pages import HISTORY, LANGUAGES, PAGES, TEXTS, blocks

SNIPPETS = [
    pytest.param(code, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, (language, code) in enumerate(blocks(page.read_text()), start=1)
    if language == "python"
]


@pytest.mark.parametrize("code", SNIPPETS)
def test_snippet_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name, found in EXPERIMENTS.items():
        monkeypatch.setitem(EXPERIMENTS, name, replace(found, bins=found.bins[:1] + found.bins[-1:]))
    exec(compile(code, "snippet", "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_says_what_it_is(page: Path):
    assert {language for language, _ in blocks(page.read_text())} <= LANGUAGES


def test_the_instruction_of_the_command_line_parses():
    assert unparse(parse(TEXTS[0])) == TEXTS[0].rstrip()


@pytest.mark.parametrize("page", [*PAGES, *HISTORY], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path):
    for target, _, heading in re.findall(r"\]\(([^)#]+)(#([^)]+))?\)", page.read_text()):
        found = page.parent / target
        assert found.exists(), f"{page.name} links to {target}"
        if heading:
            headings = re.findall(r"^#+ (.*)$", found.read_text(), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", text).lower().replace(" ", "-") for text in headings}
