"""Samples as somebody might have damaged or forged them. The same seed gives the same cases."""

import json
import math
from random import Random
from typing import Any

NAMES = ("", ".", "..", "../../x", "/", "/etc/passwd", "~", "a\0b", "a\nb", "\ud800", "*", "x" * 300)
VALUES = (
    *(None, True, False, 0, -1, 1, 7, 2**31, 2**63, -(10**30), 10**400, 0.5, -0.0, 1e308, math.nan, math.inf),
    *NAMES, [], {}, [[]], [1, "a"], {"a": None}, "x" * 10_000, json.loads("[" * 200 + "]" * 200),
)  # fmt: skip
TOKENS = (
    *(b"\0", b"\n", b"\r", b" ", b"#", b";", b'"', b"\\", b"{", b"}", b"[", b",", b":", b"-", b"..", b"../../x"),
    *(b"NaN", b"Infinity", b"1e999", b"9" * 5000, b"[" * 50_000, b'{"a":' * 50_000, b"x" * 100_000, b"/etc/passwd"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3\x28", "\u2028\x85".encode(), b"mine iron\n" * 500, b"else\n", b"endif\n"),
)  # fmt: skip


def mutated(rng: Random, data: bytes) -> bytes:
    """A case made of a sample; now and then plain garbage."""
    if rng.random() < 0.03:
        return rng.randbytes(rng.randrange(200))
    if data[:1] == b"{" and rng.random() < 0.7:
        data = b"\n".join(forged(rng, line) for line in data.split(b"\n"))
        if rng.random() < 0.8:
            return data
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        data = rng.choice(_DAMAGES)(rng, data)
    return data


def forged(rng: Random, line: bytes) -> bytes:
    """A line of JSON that is well formed, with a few values, names or parts changed."""
    try:
        page = json.loads(line)
    except ValueError:
        return line
    for _ in range(rng.choice((0, 1, 1, 2))):
        page = _changed(rng, page)
    return json.dumps(page).encode()


def _changed(rng: Random, page: Any) -> Any:
    """One value somewhere inside is another, is missing, or is there twice."""
    if not isinstance(page, dict | list) or not page or rng.random() < 0.02:
        return rng.choice(VALUES)
    at = rng.choice(list(page) if isinstance(page, dict) else range(len(page)))
    how = rng.random()
    if how < 0.75:
        # A copy, because values are used again.
        page = page.copy()
        page[at] = _changed(rng, page[at])
    elif how < 0.85:
        page = page.copy()
        del page[at]
    elif isinstance(page, dict):
        page = {**page, rng.choice((*NAMES, "extra")): page[at]}
    else:
        page = [page[at], *page]
    return page


def _flip(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(1) + data[at + 1 :]


def _insert(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(TOKENS) + data[at:]


def _delete(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.randrange(1, 30) :]


def _repeat(rng: Random, data: bytes) -> bytes:
    at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    times = rng.choice((1, 1, 50)) if len(data) < 10_000 else 1
    return data[:end] + data[at:end] * times + data[end:]


def _truncate(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _swap_words(rng: Random, data: bytes) -> bytes:
    words = data.split(b" ")
    one, other = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return b" ".join(words)


def _double_line(rng: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return b"\n".join(lines)


_DAMAGES = (_flip, _insert, _delete, _repeat, _truncate, _swap_words, _double_line)
