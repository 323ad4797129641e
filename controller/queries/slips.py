"""Payment slips as a journal has them, for whoever asks. All calls block."""

from pathlib import Path
from typing import Any

from controller.floor.messages import Identity
from controller.journal.payments import read_payments
from controller.journal.reading import answered
from controller.slips.slip import Slip, slip_of


def all_slips(journal: Path, identity: Identity) -> list[Slip]:
    """Every slip of a journal, by number. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    return [slip_of(payment, identity) for payment in read_payments(journal, identity.mode)]


def slip_answer(journal: Path, identity: Identity, number: int) -> tuple[int, bytes]:
    """One slip as an HTTP status and a JSON body."""
    return answered(lambda: _one_slip(journal, identity, number))


def _one_slip(journal: Path, identity: Identity, number: int) -> tuple[int, Any]:
    payments = read_payments(journal, identity.mode)
    for payment in payments:
        if payment.paid.slip == number:
            return 200, slip_of(payment, identity)
    expected = f"1 to {payments[-1].paid.slip}" if payments else "no hit was paid yet"
    return 404, {"error": "no_slip", "slip": number, "expected": expected}
