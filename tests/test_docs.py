"""What the documentation shows as code runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SNIPPETS = [
    pytest.param(code, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL), start=1)
]


@pytest.mark.parametrize("code", SNIPPETS)
def test_snippet_runs(code):
    exec(compile(code, "snippet", "exec"), {})


def test_the_instruction_in_the_readme_parses():
    from cofca.minecraft import parse, unparse

    text = re.search(r"## Two kinds of instruction\n```\n(.*?)\n```", PAGES[0].read_text(), re.DOTALL).group(1)
    assert unparse(parse(text)) == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
