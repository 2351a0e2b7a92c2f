"""cofca export."""

from dataclasses import dataclass
from pathlib import Path

from cofca.cli.streams import plain


@dataclass(frozen=True)
class Export:
    """Write pages that need no server: a gallery of recorded episodes, and the playground, in which an agent follows
    typed instructions in Minecraft."""

    out: Path = Path("site")
    """Folder for them."""

    def run(self) -> int:
        """Write."""
        from cofca.viewer.gallery import write_gallery
        from cofca.viewer.playground_page import write_playground

        self.out.mkdir(parents=True, exist_ok=True)
        for write in (write_gallery, write_playground):
            print(plain(write(self.out)))
        return 0
