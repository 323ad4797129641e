"""A mark outside the database: the last revision of each linked pot that this computer published as durable.

It is a lower bound. A database that has less, or another history at that revision, went back. A missing mark, or one
older than the database, proves nothing, so a failover to another computer does not wait for a file.
"""

from pathlib import Path
from typing import Annotated

import msgspec
import structlog
from msgspec import Meta, Struct

from controller.pit.ledger.state import PotLedger
from controller.system.files import write_whole

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
