"""A ledger from the records of the tables alone. No I/O here."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from controller.link.messages import Entry, Grant
from controller.pit.ledger.claims import close_claim, grant_claim
from controller.pit.ledger.entries import apply_entry
from controller.pit.ledger.state import DecisionRefused, EntriesMissing, PotLedger


def rebuild(
    ledger: PotLedger,
    journals: Mapping[str, Sequence[Entry]],
    grants: Iterable[Grant],
    closed: Iterable[str] = (),
) -> PotLedger:
    """The ledger out of the tables' own journals and the grants they were given, from one without any entry.

    `closed` are the claims that were closed after the last grant, which no grant names. Raises DecisionRefused if a
    grant does not follow from the journals.
    """
    for answer in sorted(grants, key=lambda answer: answer.number):
        ledger = _all_closed(ledger, answer.closed)
        ledger = _read(ledger, journals, answer.cut)
        if answer.restarted is not None and answer.restarted != ledger.meter.agreed:
            ledger = replace(ledger, meter=replace(ledger.meter, scheduled=answer.restarted))
        if answer.claim in ledger.claims:
            ledger = grant_claim(ledger, answer.claim)
        if answer.claim not in ledger.claims or ledger.claims[answer.claim].grant != answer:
            raise DecisionRefused(f"another_grant {answer.claim}")
    ledger = _all_closed(ledger, closed)
    return _read(ledger, journals, {name: len(entries) for name, entries in journals.items()})


def _all_closed(ledger: PotLedger, names: Iterable[str]) -> PotLedger:
    for name in names:
        if name not in ledger.claims or not ledger.claims[name].is_open:
            raise DecisionRefused(f"a_closed_claim_is_missing {name}")
        ledger = close_claim(ledger, name)
    return ledger


def _read(ledger: PotLedger, journals: Mapping[str, Sequence[Entry]], cut: Mapping[str, int]) -> PotLedger:
    """The entries of each journal up to the cut; a journal that continues from another comes after it."""
    left = dict(cut)
    while left:
        why = "a_journal_is_missing"
        for name, through in list(left.items()):
            if name not in journals:
                raise DecisionRefused(f"a_journal_is_missing {name}")
            done = ledger.journals[name].through if name in ledger.journals else 0
            try:
                for entry in journals[name][done:through]:
                    ledger = apply_entry(ledger, entry)
            except EntriesMissing:
                continue
            except DecisionRefused as refused:  # where the one before it is still to be read, it is accepted after that
                why = str(refused)
                continue
            del left[name]
            break
        else:
            raise DecisionRefused(why)
    return ledger
