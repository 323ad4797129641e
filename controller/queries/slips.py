"""Payment slips as a journal has them, for whoever asks. All calls block."""

from pathlib import Path

from controller.engine.outcomes import NoSlip
from controller.floor.messages import Identity
from controller.journal.payments import read_payment, read_payments
from controller.slips.slip import Slip, slip_of


def all_slips(journal: Path, identity: Identity) -> list[Slip]:
    """Every slip of a journal, by number. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    return [slip_of(payment, identity) for payment in read_payments(journal, identity.mode)]


def numbered_slip(journal: Path, identity: Identity, number: int) -> Slip | NoSlip:
    """One slip of a journal. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    payment, last = read_payment(journal, identity.mode, number)
    if payment is not None:
        return slip_of(payment, identity)
    return NoSlip(slip=number, expected=f"1 to {last}" if last else "no hit was paid yet")
