"""What the pages of the documentation show: blocks of code, and commands."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/tutorial").glob("*.md"))]
HISTORY = [
    *(ROOT / name for name in ("SECURITY.md", "CONTRIBUTING.md", "benchmarks/README.md")),
    *(
        page
        for kind in ("how-to", "reference", "explanation", "results")
        for page in sorted((ROOT / "docs" / kind).glob("*.md"))
    ),
    *sorted((ROOT / "docs/notebook").glob("*.md")),
]
"""Pages whose commands are not run: those of the notebook are of their day, the others take minutes or a network."""
LANGUAGES = {"sh", "console", "python", "text", "bibtex"}
"""What a block may be: commands, commands with their output, a program, or something that is only to be read."""
BLOCK = r"^```(\w*)\n(.*?)^```$"
IN_A_SENTENCE = r"`(?:\.venv/bin/)?((?:cofca|make|pip) [a-z][^`]*)`"


class Command(NamedTuple):
    """A command, and what the page says it prints, if it does."""

    line: str
    output: str | None = None
    in_a_sentence: bool = False

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line.replace(".venv/bin/", ""), comments=True)

    @property
    def is_a_name(self) -> bool:
        """Whether a sentence speaks of a subcommand, as of `cofca figures`, which draws what is in some folder."""
        return self.in_a_sentence and self.words[0] == "cofca" and len(self.words) == 2


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and content of each fenced block."""
    return re.findall(BLOCK, text, re.DOTALL | re.MULTILINE)


def commands_of(page: Path) -> list[Command]:
    """Those that are to be run: what is mentioned in a sentence and shown in a block is run only there."""
    shown = [command.words for other in PAGES for command in commands(other.read_text()) if not command.in_a_sentence]
    found = commands(page.read_text())
    return [command for command in found if not command.in_a_sentence or command.words not in shown]


def commands(text: str) -> Iterator[Command]:
    """All commands of a text from top to bottom."""
    for part in re.finditer(f"{BLOCK}|{IN_A_SENTENCE}", text, re.DOTALL | re.MULTILINE):
        language, content, mentioned = part.groups()
        if mentioned:
            yield Command(mentioned, in_a_sentence=True)
        elif language == "sh":
            yield from map(Command, content.splitlines())
        elif language == "console":
            for shown in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                line, _, output = shown.partition("\n")
                yield Command(line, output)


COMMAND_LINE = ROOT / "docs/command-line.md"
TEXTS = [content for language, content in blocks(COMMAND_LINE.read_text()) if language == "text"]
"""Its two instructions, and its map."""
