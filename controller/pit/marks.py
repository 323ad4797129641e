"""A mark outside the database: the last revision of each linked pot that this computer published as durable.

It is a lower bound. A database that has less, or another history at that revision, went back. A missing mark, or one
older than the database, proves nothing, so a failover to another computer does not wait for a file.
"""

from pathlib import Path
from typing import Annotated

import msgspec
import structlog
from msgspec import Meta, Struct

from controller.link.messages import Pot
from controller.link.signing import verified_message
from controller.link.table import WENT_BACK
from controller.pit.books import Books
from controller.pit.ledger.state import Ahead, PotLedger
from controller.system.files import write_whole
from controller.tlog.notes import BadNote, VerifierKey

SUFFIX = ".mark"

log = structlog.get_logger()

_Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class LedgerMark(Struct, frozen=True):
    """A revision, the epoch that wrote it, and the hash over all entries applied up to it."""

    epoch: _Number
    revision: _Number
    chain: str


class Marks:
    """A folder with a file for each link."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._fails = False

    def read(self, link: str) -> LedgerMark | None:
        """The mark of a link; None if there is none, or if it cannot be read, which is logged."""
        file = self._folder / f"{link}{SUFFIX}"
        try:
            return msgspec.json.decode(file.read_bytes(), type=LedgerMark)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as bad:
            log.warning("the mark of the linked pot cannot be read", link=link, file=str(file), reason=str(bad))
        return None

    def write(self, ledger: PotLedger) -> None:
        """Put the ledger's revision on the disk before it is published. A failure is logged."""
        mark = LedgerMark(ledger.epoch, ledger.revision, ledger.chain)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / f"{ledger.link}{SUFFIX}", msgspec.json.encode(mark))
            self._fails = False
        except OSError as failure:
            if not self._fails:
                log.error("the mark of the linked pot cannot be written", link=ledger.link, reason=str(failure))
            self._fails = True


LOOK_SECONDS = 1.0
"""The time to wait for the broker's retained pot, and for the tables' answers to the acknowledgements of the books."""

_decode = msgspec.json.Decoder(Pot).decode


def published(key: VerifierKey, topic: str, content: bytes) -> Pot | None:
    """A pot that was published by this pit, or another process of it; None for anything else."""
    try:
        return _decode(verified_message((key,), topic, content))
    except (BadNote, msgspec.DecodeError, RecursionError):
        return None


def by_pot(ledger: PotLedger, pot: Pot) -> Ahead | None:
    """A published pot is durable: the books have at least its revision, or they went back. A pot that books published
    after they went back is no evidence.
    """
    if pot.link != ledger.link or pot.stopped == WENT_BACK or pot.revision <= ledger.revision:
        return None
    return Ahead("the broker's retained pot", pot.epoch, pot.revision)


async def by_mark(books: Books, ledger: PotLedger, mark: LedgerMark | None) -> Ahead | None:
    """A marked revision is durable: the books have it with the same history, or they went back. Raises psycopg.Error.

    Raises psycopg.Error.
    """
    if mark is None:
        return None
    chain = await books.chain_at(ledger.link, mark.revision)
    if mark.revision <= ledger.revision and chain in (None, mark.chain):
        return None  # None: revisions were skipped when a loss was accepted or the books were rebuilt
    return Ahead("the mark on this computer", mark.epoch, mark.revision)
