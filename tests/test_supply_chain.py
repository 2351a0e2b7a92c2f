"""What is installed for tests is known to the byte: every package that they need is in the lock, with its hashes."""

import re
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def locked() -> dict[str, tuple[str, list[str]]]:
    """Version and hashes by name."""
    text = (ROOT / "requirements.lock").read_text().replace("\\\n", " ")
    rows = [row for row in text.splitlines() if row and not row.lstrip().startswith("#")]
    found = [
        re.fullmatch(r"([A-Za-z0-9._-]+)==(\S+)([^#]*?)((?: +--hash=sha256:[0-9a-f]{64})+) *", row) for row in rows
    ]
    assert all(found), [row for row, match in zip(rows, found, strict=True) if not match]
    return {canonicalize_name(match[1]): (match[2], match[4].split()) for match in found if match}


def constrained() -> dict[str, str]:
    pairs = (row.split("==") for row in (ROOT / "constraints.txt").read_text().split())
    return {canonicalize_name(name): version for name, version in pairs}


def needed(
    name: str, extras: frozenset[str], found: set[tuple[str, frozenset[str]]]
) -> set[tuple[str, frozenset[str]]]:
    """A package and all that it needs here, with the extras that they are needed with."""
    if (name, extras) in found:
        return found
    found.add((name, extras))
    for text in requires(name) or ():
        wanted = Requirement(text)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            needed(canonicalize_name(wanted.name), frozenset(wanted.extras), found)
    return found


def test_whatever_tests_need_is_locked_in_the_version_that_is_tested() -> None:
    lock, tested = locked(), constrained()
    names = {name for name, _ in needed("cofca", frozenset({"dev"}), set())} - {"cofca"}
    assert len(names) > 50
    assert names - lock.keys() == set()
    assert {name: version for name, (version, _) in lock.items() if tested.get(name, version) != version} == {}


def test_every_version_is_tested_in_one_place_only() -> None:
    rows = (ROOT / "constraints.txt").read_text().split()
    assert len(constrained()) == len(rows)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", row) for row in rows)
