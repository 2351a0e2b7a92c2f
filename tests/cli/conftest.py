"""Files good and bad."""

from pathlib import Path

import pytest

MAP = "@i....\ng.....\n" + 4 * "......\n"
BASE = "@g....\nm.....\n" + 4 * "......\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files good and bad, and we are in it."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "iron.txt": "\ufeff# a byte order mark and comments do not count\n\nmine iron\n",
        "wood.txt": "mine wood\n",
        "typo.txt": "mine iron\nsell glod\n",
        "open.txt": "if more iron than gold\n  mine iron\n",
        "empty.txt": "# nothing here\n",
        "map.txt": MAP,
        "small.txt": "@i\n",
        "letter.txt": MAP.replace("g", "x"),
        "nobody.txt": MAP.replace("@", "."),
        "adept.txt": "# orders\nBuild Pylon\nTrain Adept\n",
        "zealt.txt": "Build Pylon\nTrain Zealt\n",
        "homeless.txt": "Build Pylon\nTrain Adept\nTrain Zealot\n",
        "base.txt": BASE,
        "baseless.txt": BASE.replace("@", "N"),
        "full.txt": BASE.replace(".", "m"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    return tmp_path
