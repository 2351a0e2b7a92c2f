"""Objects in other people's files and packages, written FILE.py:NAME or PACKAGE.MODULE:NAME.

What a person types is run. What a file says, such as the configuration of a run, is run only if a person has typed it
here before: whoever is handed a folder of weights is not handed its code.
"""

import hashlib
import importlib
import importlib.util
import json
import shlex
import sys
from functools import cache
from pathlib import Path
from typing import Any

from cofca.utils.files import user_folder, write_whole
from cofca.utils.json import one_line

LONGEST = 1000
"""Letters of a reference."""


def is_reference(text: str) -> bool:
    """Whether a name says where its object is."""
    place, _, name = text.rpartition(":")
    return bool(place) and name.isidentifier() and text.isprintable() and len(text) <= LONGEST


def names_code(text: str) -> bool:
    """The same where a name may also be that of a folder, which comes first."""
    return is_reference(text) and not Path(text).exists()


def canonical(text: str, beside: Path | None = None) -> str:
    """A reference that means the same everywhere on this machine; files are looked for beside another one."""
    if not is_reference(text):
        raise ValueError(f"{one_line(text)}: expected FILE.py:NAME or PACKAGE.MODULE:NAME")
    place, _, name = text.rpartition(":")
    if place.endswith(".py"):
        path = ((beside or Path()) / place).resolve()
        if not path.is_file():
            raise ValueError(f"{text}: there is no file {path}")
        place = str(path)
    return f"{place}:{name}"


def typed(text: str, beside: Path | None = None) -> str:
    """The canonical form of a reference that a person has typed: from now on it may be run."""
    reference = canonical(text, beside)
    find(reference, trusted=True)
    _allow(reference)
    return reference


def find(reference: str, trusted: bool = False) -> Any:
    """The object of a canonical reference."""
    place, _, name = reference.rpartition(":")
    if place.endswith(".py") and not Path(place).is_file():
        raise ValueError(f"{reference}: there is no such file any more")
    if not trusted and _allowed().get(reference) != _fingerprint(place):
        command = f"cofca agents --trust {shlex.quote(reference)}"
        raise ValueError(f"this code is new here or has changed; to allow it: {command}")
    try:
        module = _module(place) if place.endswith(".py") else importlib.import_module(place)
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise ValueError(f"{reference}: it can't be imported: {reason}") from error
    if not hasattr(module, name):
        raise ValueError(f"{reference}: there is no {name} in {place}")
    return getattr(module, name)


@cache
def _module(path: str) -> Any:
    name = f"cofca_user_{hashlib.sha256(path.encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Files of examples import their neighbours.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _fingerprint(place: str) -> str:
    """Of a file's text; packages are as trusted as whoever installed them."""
    return hashlib.sha256(Path(place).read_bytes()).hexdigest() if place.endswith(".py") else "installed"


def _register() -> Path:
    return user_folder("XDG_STATE_HOME", ".local/state") / "cofca" / "code.json"


def _allowed() -> dict[str, str]:
    try:
        known = json.loads(_register().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _allow(reference: str) -> None:
    known = {**_allowed(), reference: _fingerprint(reference.rpartition(":")[0])}
    path = _register()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, (json.dumps(known, indent=2) + "\n").encode())
    except OSError:
        # Where nothing can be remembered it has to be typed again.
        return
