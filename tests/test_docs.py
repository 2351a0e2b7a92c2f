"""What the documentation shows as code runs."""

import re
import shlex
from pathlib import Path

import pytest

from cofca.cli.entry import parsed

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


COMMANDS = sorted(
    {
        line.strip().removeprefix(".venv/bin/")
        for page in PAGES
        for block in re.findall(r"```\n(.*?)```", page.read_text(), re.DOTALL)
        for line in block.splitlines()
        if re.match(r"(\.venv/bin/)?cofca \w", line.strip())
    }
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.partition("#")[0].strip())
def test_commands_are_understood(command):
    """They are run by the tests of their verbs, with smaller budgets."""
    words = shlex.split(command, comments=True)
    assert type(parsed(words[1:])).__name__.lower().startswith(words[1][:4])


def test_a_command_with_a_mistake_would_be_found():
    with pytest.raises(SystemExit):
        parsed(["check", "minecraft", "--level", "20"])
