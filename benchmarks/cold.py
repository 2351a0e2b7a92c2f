"""How long the first answers take on a machine where nothing has been compiled yet.

    python benchmarks/cold.py --rounds 5
    python benchmarks/cold.py --against 35a0707

Each measurement is a process of its own with an empty cache folder; commits take turns, so that whatever else the
machine does meets both. One line of JSON a measurement, and at the end a table of medians. A figure is null where that
commit has no such thing. The page is measured in Chromium, which has started before the clock does.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

MINECRAFT = "if more iron than gold; mine iron; else; mine wood; endif; sell iron"
STARCRAFT = "Build Pylon; Build Gateway; Train Zealot; Build Forge; Train Adept"
VERBS = {
    "levels": ["levels", "minecraft", "--count", "3"],
    "follow, Minecraft": ["follow", "--domain", "minecraft", "--instruction", MINECRAFT],
    "follow, StarCraft": ["follow", "--domain", "starcraft", "--instruction", STARCRAFT],
}
MOVING, OWN = "page, first moving episode", "page, own program after Run"
BARS = {"levels": 4, "follow, Minecraft": 6, "follow, StarCraft": 8, MOVING: 3, OWN: 6}
"""Seconds."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MINUTES = 5 * 60 * 1000
"""In milliseconds: nothing takes longer, even on a busy machine."""

Found = tuple[str, float | None, float | None]
"""What was measured, its seconds, and seconds of processor time."""


class Commit(NamedTuple):
    """A version of the package."""

    name: str
    source: Path
    """The folder that has the package."""


def main() -> None:
    """Read the words of the command line, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="COMMIT", help="an earlier commit, measured in the same run")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["verbs", "page"], help="by default both")
    chosen = parser.parse_args()
    measures: list[Callable[[Commit], list[Found]]] = []
    with contextlib.ExitStack() as stack:
        commits = [Commit("this", Path(__file__).parents[1] / "src")]
        if chosen.against:
            commits.insert(0, stack.enter_context(checked_out(chosen.against)))
        for commit in commits:
            subprocess.run([sys.executable, "-m", "compileall", "-q", str(commit.source / "cofca")], check=False)
        if chosen.only != "page":
            measures += [lambda commit, what=what: [verb(commit, what)] for what in VERBS]
        if chosen.only != "verbs":
            chromium = stack.enter_context(sync_playwright()).chromium
            browser = chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            measures.append(lambda commit: page(commit, browser))
        rounds: dict[tuple[str, str], list[float]] = {}
        for number in range(chosen.rounds):
            for measure in measures:
                for commit in commits:
                    for what, seconds, cpu in measure(commit):
                        line = {"what": what, "commit": commit.name, "round": number, "seconds": seconds}
                        print(json.dumps({**line, "cpu_seconds": cpu}), flush=True)
                        rounds.setdefault((what, commit.name), []).extend([] if seconds is None else [seconds])
    print_table(rounds, [commit.name for commit in commits])


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Commit]:
    """An earlier commit, in a folder of its own as long as it is needed."""
    root = Path(__file__).parents[1]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, commit], cwd=root, check=True)
        try:
            # The package was in the root before it was in src.
            yield Commit(commit, tree / "src" if (tree / "src").exists() else tree)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=root, check=True)


@contextlib.contextmanager
def started(commit: Commit, words: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A command line of that commit, which has compiled nothing before."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {name: value for name, value in os.environ.items() if name != "JAX_COMPILATION_CACHE_DIR"}
        environment |= {"PYTHONPATH": str(commit.source), "XDG_CACHE_HOME": cache}
        command = [sys.executable, "-m", "cofca", *words]
        process = subprocess.Popen(
            command, env=environment, cwd=cache, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
                process.wait()


def verb(commit: Commit, what: str) -> Found:
    """A verb from its start to its end. An episode that fails is one too; any other failure is no figure."""
    start = time.perf_counter()
    with started(commit, VERBS[what]) as process:
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        return what, None, None
    return what, seconds, used.ru_utime + used.ru_stime


def page(commit: Commit, browser: Browser) -> list[Found]:
    """The page from the start of its server to the first step that is shown by itself, and an own program from Run,
    pressed at once, to its result."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shown = browser.new_page()
    shown.set_default_timeout(MINUTES)
    shown.add_init_script("localStorage.cofca ??= JSON.stringify({ toured: true })")
    start = time.perf_counter()
    with started(commit, ["view", "--port", str(port)]) as server:
        visit(shown, port)
        moving = first_step(shown, start)
        own = own_program(shown)
        server.send_signal(signal.SIGINT)
        server.wait(60)
    shown.close()
    return [(MOVING, moving, None), (OWN, own, None)]


def visit(shown: Page, port: int) -> None:
    """Open the page as soon as there is a server."""
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            break
        time.sleep(0.01)
    shown.goto(f"http://127.0.0.1:{port}")
    shown.wait_for_selector("#agent option", state="attached")


def first_step(shown: Page, start: float) -> float | None:
    """Seconds to the first step after the beginning; None where nothing is shown until somebody presses Run."""
    if shown.locator("#hint", has_text="Nothing has been played yet").count():
        return None
    shown.wait_for_function("() => /^[1-9]/.test(document.querySelector('.controls output')?.textContent)")
    return time.perf_counter() - start


def own_program(shown: Page) -> float:
    """Seconds from Run to the result."""
    lines = [line.strip() for line in MINECRAFT.split(";")]
    shown.fill("#text", "\n".join(lines))
    start = time.perf_counter()
    shown.press("#text", "Control+Enter")
    shown.wait_for_function(
        "(lines) => document.querySelector('#export') && lines === "
        "[...document.querySelector('.lines').querySelectorAll('td.text')].map((cell) => cell.innerText.trim()).join()",
        arg=",".join(lines),
    )
    return time.perf_counter() - start


def print_table(rounds: dict[tuple[str, str], list[float]], names: list[str]) -> None:
    """Medians, with the bar of each."""
    print(f"\n{'median seconds':<30}" + "".join(f"{name[:10]:>12}" for name in names) + f"{'bar':>12}")
    for what, bar in BARS.items():
        found = [rounds.get((what, name), []) for name in names]
        if any(found):
            cells = "".join(f"{median(values):>12.2f}" if values else f"{'-':>12}" for values in found)
            print(f"{what:<30}{cells}{bar:>12}")


if __name__ == "__main__":
    main()
