"""cofca export."""

from dataclasses import dataclass
from pathlib import Path

from cofca.cli.streams import plain


@dataclass(frozen=True)
class Export:
    """Write the playground: a page in which an agent follows typed instructions in Minecraft, without a server."""

    out: Path = Path("site")
    """Folder for it."""

    def run(self) -> int:
        """Write."""
        from cofca.viewer.playground_page import write_playground

        self.out.mkdir(parents=True, exist_ok=True)
        print(plain(write_playground(self.out)))
        return 0
