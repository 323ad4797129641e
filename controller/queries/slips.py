"""Payment slips as a journal has them, for whoever asks. All calls block."""

from pathlib import Path

from controller.engine.events import SlipPrinted
from controller.engine.outcomes import NoSlip
from controller.floor.messages import Identity
from controller.journal.creation import starts_with
from controller.journal.payments import read_payment, read_payments
from controller.journal.reading import reading
from controller.slips.slip import Slip, slip_of

PRINTED = b'{"type":"slip_printed"'


def all_slips(journal: Path, identity: Identity) -> list[Slip]:
    """Every slip of a journal, by number. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    return [slip_of(payment, identity) for payment in read_payments(journal, identity.mode)]


def numbered_slip(journal: Path, identity: Identity, number: int) -> Slip | NoSlip:
    """One slip of a journal. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    payment, last = read_payment(journal, identity.mode, number)
    if payment is not None:
        return slip_of(payment, identity)
    return NoSlip(slip=number, expected=f"1 to {last}" if last else "no hit was paid yet")


def times_printed(journal: Path, identity: Identity, slip: Slip) -> int:
    """How often the console has printed a slip. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    with reading(journal, identity.mode) as (past, _):
        which, after = starts_with("e.body", PRINTED), slip.event
        found = past.where(which, lambda row: bool(row[5].startswith(PRINTED)), after=after)
        return max(
            (one.times for *_, one in found if isinstance(one, SlipPrinted) and one.slip == slip.slip), default=0
        )
