"""Mistakes in a command line, each as one line."""

import re
from collections.abc import Sequence

from cofca.utils.spelling import guess


def unknown_verb(args: Sequence[str], verbs: Sequence[str]) -> str | None:
    """What is wrong if the first word is no subcommand."""
    word = args[0] if args else ""
    if word in verbs or word.startswith("-"):
        return None
    known = ", ".join(verbs)
    return f"there is no subcommand {word!r}{guess(word, verbs)}; expected one of {known} {help_of(args, verbs)}"


def given_twice(args: Sequence[str], verbs: Sequence[str]) -> str | None:
    """What is wrong if an option is given twice: the parser would forget the first."""
    names = [word.partition("=")[0].replace("_", "-") for word in args if word.startswith("--")]
    for name in names:
        if names.count(name) > 1:
            hint = help_of(args, verbs)
            return f"{name} is given twice; where it takes several values, they follow it {hint}"
    return None


def from_parser(said: str, args: Sequence[str], verbs: Sequence[str]) -> str:
    """Of the parser's boxed message what is wrong, and the option that may have been meant."""
    # Rules of lines or, on a plain terminal, dashes part what is wrong from advice.
    parts = re.split(r"\n[│| ]*[─-]{4,}[│| ]*(?=\n)", said.partition("\n")[2].join("\n\n"))
    plain = (" ".join(part.replace("│", " ").replace("|", " ").split()) for part in parts)
    wrong, *advice = (words for words in plain if words)
    meant = re.search(r"Perhaps you meant: (--[\w-]+)", " ".join(advice))
    suggestion = f" (did you mean {meant[1]}?)" if meant else ""
    return f"{wrong}{suggestion} {help_of(args, verbs)}"


def help_of(args: Sequence[str], verbs: Sequence[str]) -> str:
    """Where to read on."""
    verb = next((f" {word}" for word in args[:1] if word in verbs), "")
    return f"(see cofca{verb} --help)"
