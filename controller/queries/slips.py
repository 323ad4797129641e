"""Payment slips as a journal has them, for anyone who asks. All calls block."""

from pathlib import Path

from msgspec.structs import replace

from controller.engine.outcomes import NoSlip
from controller.engine.state.events import SlipPrinted
from controller.floor.messages import Identity
from controller.journal.creation import starts_with
from controller.journal.payments import read_payment, read_payments
from controller.journal.reading import reading
from controller.journal.records import JournalUnavailable
from controller.journal.tree import NotProved, proved
from controller.slips.code import PaymentProof, code_of
from controller.slips.slip import Slip, slip_of
from controller.tlog.notes import Checkpoint, Note

PRINTED = b'{"type":"slip_printed"'


def all_slips(journal: Path, identity: Identity) -> list[Slip]:
    """Every slip of a journal, by number. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    return [slip_of(payment, identity) for payment in read_payments(journal, identity.mode)]


def numbered_slip(journal: Path, identity: Identity, number: int, checkpoint: Note | None = None) -> Slip | NoSlip:
    """One slip of a journal, with its code. Raises JournalUnavailable, JournalCorrupt or WrongJournal.

    A checkpoint without its payment is left out.
    """
    payment, last = read_payment(journal, identity.mode, number)
    if payment is None:
        return NoSlip(slip=number, last=last)
    slip = slip_of(payment, identity)
    try:
        return coded(journal, slip, checkpoint)
    except NotProved:
        return coded(journal, slip)


def coded(journal: Path, slip: Slip, checkpoint: Note | None = None) -> Slip:
    """A slip with its code. Raises NotProved if its payment is not in the tree of this checkpoint, and BadNote."""
    with reading(journal, slip.mode) as (past, _):
        row = next(past.after(slip.event - 1), None)
    if row is None or row[0] != slip.event:
        raise JournalUnavailable(f"{journal}: event {slip.event} was pruned while slip {slip.slip} was read")
    origin = f"dealer/{slip.site}/{slip.table}/{slip.journal}"
    signed_fields = {
        "journal": origin,
        "slip": slip.slip,
        "round": slip.round,
        "event": slip.event,
        "paid": slip.figures,
    }
    recorded = PaymentProof(row[7])
    if checkpoint is not None:
        signed = Checkpoint.read(checkpoint.text)
        if signed.origin != origin:
            raise NotProved(f"the checkpoint is of {signed.origin}, not of {origin}")
        by_the_table = Note(checkpoint.text, checkpoint.signatures[:1])  # a code has no room for those of witnesses
        recorded = PaymentProof(row[7], proved(journal, slip.mode, slip.event, signed).index, str(by_the_table))
    return replace(slip, code=code_of(signed_fields, recorded))


def times_printed(journal: Path, identity: Identity, slip: Slip) -> int:
    """The number of times the console has printed a slip. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
    with reading(journal, identity.mode) as (past, _):
        which, after = starts_with("e.body", PRINTED), slip.event
        found = past.where(which, lambda body: body.startswith(PRINTED), after=after)
        printed = (event for *_, event in found if isinstance(event, SlipPrinted) and event.slip == slip.slip)
        return max((event.times for event in printed), default=0)
