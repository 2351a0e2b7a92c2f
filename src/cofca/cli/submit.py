"""cofca submit."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from cofca.cli.options import MaybeText
from cofca.cli.progress import PATIENCE, episodes_bar, status
from cofca.cli.show import print_json
from cofca.cli.streams import plain


@dataclass(frozen=True)
class Submit:
    """Check a result, and add it to the scoreboard."""

    result: Positional[Annotated[Path, tyro.conf.arg(metavar="RESULT.json")]]
    """What `cofca evaluate … --out RESULT.json` has written."""
    results: Path = Path("results")
    """The folder of results; those of the scoreboard are in scoreboard/EXPERIMENT/AGENT.json in it."""
    replay: Annotated[MaybeText, tyro.conf.arg(metavar="WEIGHTS-or-FILE.py:POLICY")] = None
    """Play it again with these weights or this policy, and refuse it if that is not its score."""
    json: bool = False
    """Print one JSON object instead of text."""

    def run(self) -> int:
        """Check, replay, add, and write the page."""
        with status("checking", after=PATIENCE):
            from cofca.paper.entries import Entry, require_new, standings, write_entry
            from cofca.paper.replay import replay
            from cofca.paper.scoreboard import ranked, write_scoreboard
            from cofca.paper.submission import read_submission

            found = read_submission(self.result)
            require_new(Entry(found), self.results)
        agreed = ""
        if self.replay is not None:
            with episodes_bar() as update:
                agreed = replay(found, self.replay, update)
        with status("writing the page", after=PATIENCE):
            path = write_entry(Entry(found, agreed), self.results)
            write_scoreboard(self.results)
            ranks = ranked(standings(self.results), found.experiment, found.worker)
        rank = 1 + [(one.agent, one.by) for one in ranks].index((found.agent, found.by))
        report = {"added": str(path), "rank": rank, "of": len(ranks), "replayed": agreed}
        said = f"{path}: rank {rank} of {len(ranks)} on {found.experiment}{f', replayed {agreed}' if agreed else ''}"
        print_json(report) if self.json else print(plain(said))
        return 0
