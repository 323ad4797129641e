"""The check of a leader before its first beat: evidence outside the database that the database went back."""

import msgspec

from controller.link.messages import Pot
from controller.link.signing import verified_message
from controller.link.table import WENT_BACK
from controller.pit.books import Books
from controller.pit.ledger.state import Ahead, PotLedger
from controller.pit.marks import LedgerMark
from controller.tlog.notes import BadNote, VerifierKey

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
