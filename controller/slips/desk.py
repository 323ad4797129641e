"""Payment slips as a journal has them, for whoever asks. All calls block."""

from pathlib import Path

import msgspec

from controller.floor.messages import Identity
from controller.journal.payments import read_payments
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.slips.slip import Slip, slip_of


def all_slips(journal: Path, identity: Identity) -> list[Slip]:
    """Every slip of a journal, by number. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    return [slip_of(payment, identity) for payment in read_payments(journal, identity.mode)]


def slip_answer(journal: Path, identity: Identity, number: int) -> tuple[int, bytes]:
    """One slip as an HTTP status and a JSON body."""
    try:
        payments = read_payments(journal, identity.mode)
    except JournalUnavailable as error:
        return 503, _encode({"error": "journal_unavailable", "reason": str(error)})
    except JournalCorrupt as error:
        return 500, _encode({"error": "journal_corrupt", "reason": str(error)})
    for payment in payments:
        if payment.paid.slip == number:
            return 200, _encode(slip_of(payment, identity))
    expected = f"1 to {payments[-1].paid.slip}" if payments else "no hit was paid yet"
    return 404, _encode({"error": "no_slip", "slip": number, "expected": expected})


_encode = msgspec.json.encode
