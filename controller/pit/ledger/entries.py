"""What the entries of the tables' journals change. No I/O here."""

from msgspec.structs import replace

from controller.link.messages import (
    BEFORE_ANY,
    Announced,
    Claimed,
    Contributed,
    Counted,
    Entry,
    Paid,
    Returned,
    SettledOnPaper,
    Vouched,
    WentBack,
    Withdrawn,
    head_after,
    units_of,
    with_entry,
)
from controller.pit.ledger.claims import pay_claim, record_claim, withdraw_claim
from controller.pit.ledger.state import (
    RETURNABLE,
    DecisionRefused,
    EntriesMissing,
    LedgerJournal,
    Open,
    Pending,
    PotLedger,
    Since,
    pending_key,
    with_income,
    with_journal,
    with_stop,
    without_block,
)


def apply_entry(ledger: PotLedger, entry: Entry) -> PotLedger:
    """The ledger with the next entry of its journal.

    Raises EntriesMissing if it is not the next entry, DecisionRefused if the journal does not accept it.
    """
    journal = ledger.journals.get(entry.journal)
    if journal is None:
        if entry.seq != 1:
            raise EntriesMissing
        return _announce(ledger, entry)
    if entry.seq != journal.through + 1:
        raise EntriesMissing
    if journal.successor or entry.table != journal.table or entry.link != ledger.link:
        raise DecisionRefused("journal_is_closed" if journal.successor else "another_table")
    before = journal.totals
    journal = replace(
        journal,
        through=entry.seq,
        head=head_after(journal.head, (entry,)),
        totals=with_entry(before, entry.body),
    )
    ledger = with_journal(ledger, entry.journal, journal)
    match entry.body:
        case Contributed() as body:
            return _contribute(ledger, entry, body)
        case Returned() as body:
            return _give_back(ledger, entry, body)
        case Vouched() as body:
            return _vouch(ledger, entry, body)
        case Claimed() as body:
            return record_claim(ledger, entry, body)
        case Withdrawn(claim=name):
            return withdraw_claim(ledger, entry, name)
        case Paid(claim=name, amount=amount):
            return pay_claim(ledger, entry, name, amount, on_paper=False)
        case SettledOnPaper(claim=name, amount=amount):
            return pay_claim(ledger, entry, name, amount, on_paper=True)
        case Counted(totals=totals):
            return ledger if totals == before else with_stop(ledger, "meters_differ")
        case Announced() | WentBack():
            return with_stop(ledger, "entry_makes_no_sense")


def _announce(ledger: PotLedger, entry: Entry) -> PotLedger:
    """A table's new journal continues from the one before it, to the entry; an unknown one is refused."""
    body = entry.body
    if not isinstance(body, Announced) or entry.link != ledger.link:
        raise DecisionRefused("unknown_journal")
    if entry.table not in ledger.tables:
        raise DecisionRefused("unknown_table")
    last = ledger.current.get(entry.table, "")
    if entry.journal not in ledger.admitted:
        if body.predecessor != last:
            raise DecisionRefused("unknown_predecessor")
        before = ledger.journals[last] if last else LedgerJournal(entry.table)
        if body.through > before.through:
            raise EntriesMissing  # its last entries come first
        if (body.through, body.head) != (before.through, before.head):
            raise DecisionRefused("another_checkpoint")
    if last:
        ledger = with_journal(ledger, last, replace(ledger.journals[last], successor=entry.journal))
    journal = LedgerJournal(entry.table, 1, head_after(BEFORE_ANY, (entry,)))
    ledger = with_journal(without_block(ledger, entry.table), entry.journal, journal)
    if last and body.predecessor == last:
        ledger = _compare_totals(ledger, entry, body)
    return replace(ledger, current={**ledger.current, entry.table: entry.journal})


def _compare_totals(ledger: PotLedger, entry: Entry, body: Announced) -> PotLedger:
    """Entries of the journal before that only table or pit has counted wait for two persons, as one contribution.

    So it is where a copy of the journal was in place for a while: it continued from what it knew, and the pit counted
    chips of two histories.
    """
    if body.totals is None:
        return ledger
    here, there = ledger.journals[body.predecessor].totals, body.totals
    chips = here.chip_count - there.chip_count
    units = here.contributed_e4 - here.returned_e4 - there.contributed_e4 + there.returned_e4
    if units == 0:
        return ledger
    surplus = Contributed(0, abs(chips), 0, abs(units))  # of no round, and by no parameters
    if units < 0:
        return _hold(ledger, entry, surplus)
    pending_entry = Pending(entry.table, surplus, counted_of=body.predecessor)
    return replace(ledger, pending={**ledger.pending, pending_key(entry.journal, entry.seq): pending_entry})


def _take_out(ledger: PotLedger, pending_entry: Pending) -> PotLedger:
    """Takes out the last chips of a journal, which never existed. The house gives the part that an earlier pot got."""
    body, opened = pending_entry.entry, ledger.journals[pending_entry.counted_of].open
    chips, units = body.chip_count, body.units_e4
    for seq in sorted(opened, reverse=True):
        placed = opened[seq]
        count = 0 if placed.pending else min(placed.chips, chips)
        to_pot, to_reserve = units_of(count, ledger.terms[placed.terms - 1]) if count else (0, 0)
        both = to_pot + to_reserve
        if both > units:
            break
        chips, units = chips - count, units - both
        if placed.cycle == ledger.cycle:
            ledger = with_income(ledger, Since(-to_pot, -to_reserve, returned_e4=both, chips=-count))
        else:
            ledger = with_income(ledger, Since(returned_e4=both, house_funded_e4=both, chips=-count))
    return with_income(ledger, Since(pot_e4=-units, returned_e4=units, chips=-chips))


def _contribute(ledger: PotLedger, entry: Entry, body: Contributed) -> PotLedger:
    reasonable = (
        _as_computed(ledger, body) and body.chip_count <= ledger.terms[body.terms_number - 1].unreasonable_chips
    )
    ledger = _remember(ledger, entry, Open(body.chip_count, body.terms_number, ledger.cycle, pending=not reasonable))
    if not reasonable:
        return _hold(ledger, entry, body)
    to_pot, to_reserve = units_of(body.chip_count, ledger.terms[body.terms_number - 1])
    return with_income(ledger, Since(to_pot, to_reserve, contributions_e4=to_pot + to_reserve, chips=body.chip_count))


def _as_computed(ledger: PotLedger, body: Contributed) -> bool:
    return (
        body.chip_count >= 1
        and 1 <= body.terms_number <= len(ledger.terms)
        and body.units_e4 == sum(units_of(body.chip_count, ledger.terms[body.terms_number - 1]))
    )


def _give_back(ledger: PotLedger, entry: Entry, body: Returned) -> PotLedger:
    """Gives back chips with their contribution. The house gives the part that went into an earlier pot, since that pot
    has been won.
    """
    journal = ledger.journals[entry.journal]
    given = journal.open.get(body.of)
    if given is None or given.pending or not 1 <= body.chip_count <= given.chips:
        return _hold(ledger, entry, body)
    to_pot, to_reserve = units_of(body.chip_count, ledger.terms[given.terms - 1])
    if body.units_e4 != to_pot + to_reserve:
        return _hold(ledger, entry, body)
    left = {**journal.open, body.of: replace(given, chips=given.chips - body.chip_count)}
    ledger = with_journal(ledger, entry.journal, replace(journal, open=left))
    units = to_pot + to_reserve
    if given.cycle != ledger.cycle:
        return with_income(ledger, Since(returned_e4=units, house_funded_e4=units, chips=-body.chip_count))
    return with_income(ledger, Since(pot_e4=-to_pot, reserve_e4=-to_reserve, returned_e4=units, chips=-body.chip_count))


def _vouch(ledger: PotLedger, entry: Entry, body: Vouched) -> PotLedger:
    """Two persons decide about an unreasonable entry: it counts now, or it never existed."""
    key = pending_key(body.journal, body.of)
    pending_entry = ledger.pending.get(key)
    first, second = body.persons
    if pending_entry is None or not first or not second or first == second or pending_entry.table != entry.table:
        return with_stop(ledger, "entry_makes_no_sense")
    ledger = replace(
        ledger,
        pending={name: other for name, other in ledger.pending.items() if name != key},
        pending_e4=ledger.pending_e4 - (0 if pending_entry.counted_of else _signed(pending_entry.entry)),
    )
    if pending_entry.counted_of:
        return ledger if body.admitted else _take_out(ledger, pending_entry)
    journal, its_body = ledger.journals[body.journal], pending_entry.entry
    if isinstance(its_body, Contributed) and body.of in journal.open:
        left = {seq: chip for seq, chip in journal.open.items() if seq != body.of}
        if body.admitted and _as_computed(ledger, its_body):
            left[body.of] = replace(journal.open[body.of], pending=False, cycle=ledger.cycle)
        ledger = with_journal(ledger, body.journal, replace(journal, open=left))
    if not body.admitted:
        return ledger
    # What no parameters explain goes to the pot, and comes out of it, whole.
    units = its_body.units_e4
    if isinstance(its_body, Returned):
        return with_income(ledger, Since(pot_e4=-units, returned_e4=units, chips=-its_body.chip_count))
    to_pot, to_reserve = (units, 0)
    if _as_computed(ledger, its_body):
        to_pot, to_reserve = units_of(its_body.chip_count, ledger.terms[its_body.terms_number - 1])
    return with_income(ledger, Since(to_pot, to_reserve, contributions_e4=units, chips=its_body.chip_count))


def _hold(ledger: PotLedger, entry: Entry, body: Contributed | Returned) -> PotLedger:
    pending_entry = {**ledger.pending, pending_key(entry.journal, entry.seq): Pending(entry.table, body)}
    return replace(ledger, pending=pending_entry, pending_e4=ledger.pending_e4 + _signed(body))


def _signed(body: Contributed | Returned) -> int:
    return body.units_e4 if isinstance(body, Contributed) else -body.units_e4


def _remember(ledger: PotLedger, entry: Entry, opened: Open) -> PotLedger:
    journal = ledger.journals[entry.journal]
    known = {**journal.open, entry.seq: opened}
    while len(known) > RETURNABLE:
        del known[min(known)]
    return with_journal(ledger, entry.journal, replace(journal, open=known))
