"""cofca submit."""

from dataclasses import dataclass, replace
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
            from cofca.paper.entries import entry_of, standings, write_entry
            from cofca.paper.replay import replay
            from cofca.paper.scoreboard import ranked, write_scoreboard
            from cofca.paper.submission import read_submission

            found, known = read_submission(self.result), standings(self.results)
            before = entry_of(found, self.results, known)
        entry = before
        if self.replay is not None:
            with episodes_bar() as update:
                entry = replace(before, replayed=replay(found, self.replay, update))
        path, others = write_entry(entry, self.results), [one for one in known if one != before.standing]
        write_scoreboard(self.results, [*others, entry.standing])
        ranks = ranked([*others, entry.standing], found.experiment, found.worker)
        rank, agreed = 1 + ranks.index(entry.standing), entry.replayed
        report = {"added": str(path), "rank": rank, "of": len(ranks), "replayed": agreed}
        said = f"{path}: rank {rank} of {len(ranks)} on {found.experiment}{f', replayed {agreed}' if agreed else ''}"
        print_json(report) if self.json else print(plain(said))
        return 0
