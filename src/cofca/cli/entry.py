"""From the words of a command line to a subcommand, and from its mistakes to one line."""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, Any, get_args

import tyro
from tyro.conf import subcommand

from cofca import __version__
from cofca.cli.agents import Agents
from cofca.cli.bench import Bench
from cofca.cli.check import Check
from cofca.cli.demo import Demo
from cofca.cli.evaluate import Evaluate
from cofca.cli.export import Export
from cofca.cli.figures import Figures
from cofca.cli.follow import Follow
from cofca.cli.interrupts import INTERRUPTED
from cofca.cli.levels import Levels
from cofca.cli.mistakes import from_parser, given_twice, unknown_verb
from cofca.cli.play import Play
from cofca.cli.progress import silence, status
from cofca.cli.record import Record
from cofca.cli.reproduce import Reproduce
from cofca.cli.streams import plain
from cofca.cli.submit import Submit
from cofca.cli.train import Train
from cofca.cli.view import View
from cofca.envs.registry import NAMES
from cofca.runs.preemption import EXIT_CODE, PreemptedError

Verb = (
    Annotated[Levels, subcommand("levels")]
    | Annotated[Check, subcommand("check")]
    | Annotated[Play, subcommand("play")]
    | Annotated[Bench, subcommand("bench")]
    | Annotated[Demo, subcommand("demo")]
    | Annotated[Train, subcommand("train")]
    | Annotated[Evaluate, subcommand("evaluate")]
    | Annotated[Submit, subcommand("submit")]
    | Annotated[Follow, subcommand("follow")]
    | Annotated[Record, subcommand("record")]
    | Annotated[View, subcommand("view")]
    | Annotated[Reproduce, subcommand("reproduce")]
    | Annotated[Figures, subcommand("figures")]
    | Annotated[Export, subcommand("export")]
    | Annotated[Agents, subcommand("agents")]
)
VERBS = [get_args(verb)[1].name for verb in get_args(Verb)]


def main(args: Sequence[str] | None = None) -> None:
    """Run a subcommand; a user's mistake is one line on standard error and exit code 2."""
    try:
        with silence.watched():
            _run(parsed(sys.argv[1:] if args is None else list(args)))
    except BrokenPipeError:
        # Whoever reads has read enough. What is still to be written, at the very end, must not complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _run(verb: Any) -> None:
    # What was typed has been understood before JAX, which takes seconds to import. The page is there before it.
    if not isinstance(verb, View):
        with status("starting", after=None):
            from cofca.utils.compilation import cache_compilation
        cache_compilation()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.exit(verb.run())
    except BrokenPipeError:
        raise
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except ValueError as error:
        _fail(str(error))
    except PreemptedError as told:
        _say(str(told))
        sys.exit(EXIT_CODE)
    except (MemoryError, RuntimeError) as error:
        # JAX says so with an error of its own, which is a RuntimeError.
        if isinstance(error, MemoryError) or "RESOURCE_EXHAUSTED" in str(error):
            _fail("not enough memory for so many at once")
        raise
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def parsed(args: Sequence[str]) -> Any:
    """Read the arguments; of the parser's boxed message only what is wrong is kept."""
    args = args or ["--help"]
    if list(args) == ["--version"]:
        print(f"cofca {__version__}")
        sys.exit(0)
    if wrong := unknown_verb(args, VERBS) or given_twice(args, VERBS):
        _fail(wrong)
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            return tyro.cli(
                Verb,
                prog="cofca",
                description=f"Instructions with control flow. Domains: {', '.join(NAMES)}. Version: {__version__}.",
                args=args,
                config=(
                    tyro.conf.FlagCreatePairsOff,
                    tyro.conf.OmitSubcommandPrefixes,
                    tyro.conf.OmitArgPrefixes,
                ),
            )
    except SystemExit as stop:
        if stop.code in (0, None):
            raise
        _fail(from_parser(said.getvalue(), args, VERBS))


def _fail(message: str) -> None:
    _say(message)
    sys.exit(2)


def _say(message: str) -> None:
    print(f"cofca: {plain(' '.join(message.split()))}", file=sys.stderr)
