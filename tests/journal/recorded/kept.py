"""The events of a table of each game that was played with faults, up to the middle of its last round."""

import lzma
import tempfile
from functools import cache, cached_property
from pathlib import Path

import msgspec

from controller.engine.state.current import Settings
from controller.floor.messages import Identity
from controller.journal.records import JournalEntry, Restored
from tests.journal.keeping import open_journal, write_entries

HERE = Path(__file__).parent
IDENTITY = Identity(site="hall", table="1", journal="recorded", mode="simulation", currency="MOP", exponent=2)
BEHIND_THE_SNAPSHOT = 3


class Kept(msgspec.Struct, frozen=True, dict=True):
    """What happened at a table and when, with the values of the cards that were drawn, and its settings."""

    settings: Settings
    entries: tuple[JournalEntry, ...]
    times: tuple[str, ...]

    @cached_property
    def journal(self) -> bytes:
        """The file of its journal, with a snapshot a few events before its end."""
        with tempfile.TemporaryDirectory(prefix="journal-") as folder:
            path = Path(folder) / "journal.db"
            write_entries(path, self.entries, snapshot_at=len(self.entries) - BEHIND_THE_SNAPSHOT)
            return path.read_bytes()


def write_kept(game: str, kept: Kept) -> Path:
    """Keep it, compressed; gives the file."""
    (HERE / f"{game}.xz").write_bytes(lzma.compress(msgspec.msgpack.encode(kept), preset=9))
    return HERE / f"{game}.xz"


@cache
def read_journal(game: str) -> Kept:
    """What `write_kept` kept."""
    return msgspec.msgpack.decode(lzma.decompress((HERE / f"{game}.xz").read_bytes()), type=Kept)


def restored(kept: Kept, folder: Path) -> Restored:
    """The table as a station finds it that starts with this journal: from its snapshot on."""
    path = folder / "journal.db"
    path.write_bytes(kept.journal)
    journal = open_journal(path)
    try:
        return journal.restore()
    finally:
        journal.close()
