"""The ledger of a linked pot: the entries of tables and the decisions of persons, in the order they are applied. No I/O
here.

Between two hits the pot is a sum, so the order of the tables' contributions does not matter. The pot before a hit
follows from the journals, and from the last entry counted of each.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.state import jackpot
from controller.engine.state.jackpot import (
    E4,
    HitLocked,
    HitWithdrawn,
    Meter,
    MeterOpened,
    ParametersApproved,
    ParametersProposed,
    ParametersScheduled,
    PotRestarted,
    RestartWithdrawn,
)
from controller.link.messages import (
    BEFORE_ANY,
    Announced,
    Claimed,
    Contributed,
    Counted,
    Entry,
    Grant,
    Paid,
    Returned,
    SettledOnPaper,
    Totals,
    Vouched,
    WentBack,
    Withdrawn,
    head_after,
    units_of,
    with_entry,
)
from controller.rulebook.filled import filled
from controller.rulebook.games import GAMES
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.roles import SUPERVISOR, Role
from controller.tlog.notes import ED25519, BadKey, VerifierKey

Stop = Literal[
    "closed_claim_paid", "entry_makes_no_sense", "meters_differ", "paper_differs", "payments_differ", "went_back"
]
"""The reason why a link stops until two persons let it continue."""

RETURNABLE = 32  # contributions of a journal, the last ones, whose chips may still go back
KEYS_OFFERED = 3  # of a table: anyone who may publish there can offer more


class EntriesMissing(Exception):
    """An entry that is not next: one before it is missing, or it has been applied."""


class DecisionRefused(Exception):
    """A journal, or a person's request, is refused; a code."""


class Since(Struct, frozen=True):
    """The sums since the last hit; they do not depend on the order of entries."""

    pot_e4: int = 0
    reserve_e4: int = 0
    contributions_e4: int = 0
    returned_e4: int = 0
    house_funded_e4: int = 0
    chips: int = 0


class Open(Struct, frozen=True):
    """A contribution whose chips may go back. `left` of them count in this cycle or are `pending_entry`."""

    chips: int
    terms: int
    cycle: int
    pending: bool = False


class LedgerJournal(Struct, frozen=True):
    """The state of a table's journal. `successor` is the journal that follows it."""

    table: str
    through: int = 0
    head: str = BEFORE_ANY
    totals: Totals = Totals()
    open: dict[int, Open] = {}
    successor: str = ""


class Claim(Struct, frozen=True):
    """A claim; without a grant while the link is stopped.

    `head` is the hash over its journal's entries up to the claim. `paid` may be an amount that two persons paid before
    there was a grant. `restart` belongs to the pot that the grant emptied, and `cycle` is the one that it began. Two
    persons at the pit may have `closed` a claim after its grant; then its money returned to the pot, as with a
    withdrawn claim.
    """

    table: str
    journal: str
    head: str
    claimed: Claimed
    grant: Grant | None = None
    withdrawn: bool = False
    paid: int | None = None
    restart: PotRestarted | None = None
    cycle: int = 0
    closed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the claim was granted, and is neither paid nor closed."""
        return self.grant is not None and self.paid is None and not self.withdrawn and not self.closed


class Pending(Struct, frozen=True):
    """An entry that waits for two persons.

    `counted_of` is the journal under which it counts if the table's own journal has lost it: it counts until two
    persons decide that it never existed.
    """

    table: str
    entry: Contributed | Returned
    counted_of: str = ""


class Propose(Struct, frozen=True, tag="propose"):
    """A proposal of other parameters, for the next pot."""

    parameters: Parameters


class Approve(Struct, frozen=True, tag="approve"):
    """One of two persons approves a proposal."""

    number: int


class Resume(Struct, frozen=True, tag="resume"):
    """The link continues."""


class Admit(Struct, frozen=True, tag="admit"):
    """Decision: a table continues with this journal, even if entries of the journal before it are lost."""

    table: str
    journal: str


class Close(Struct, frozen=True, tag="close"):
    """A granted claim that will not be paid, for example because its table has lost it."""

    claim: str
    reason: str


class AcceptKey(Struct, frozen=True, tag="accept_key"):
    """Decision: only entries that this key verifies are the table's."""

    table: str
    key: str


class AcceptLoss(Struct, frozen=True, tag="accept_loss"):
    """The database went back and its entries are lost: the link resumes with the rest."""


class Release(Struct, frozen=True, tag="release"):
    """The right books lead again: a table that saw others may take chips again."""

    table: str


ByTwo = Resume | Admit | Close | AcceptKey | AcceptLoss | Release
"""A request that two persons make one after the other."""


class PendingDecision(Struct, frozen=True):
    """A request that waits for its second person, and the first person."""

    what: ByTwo
    person: str
    role: Role


class Ahead(Struct, frozen=True, tag="ahead"):
    """Evidence that the database was replaced by an older copy: `where` it was seen, with the epoch and revision seen
    there.

    `stopped` is the reason why the link was stopped before, if it was.
    """

    where: str
    epoch: int
    revision: int
    stopped: str = ""


class Offered(Struct, frozen=True, tag="offered"):
    """A table has sent an entry that an unknown key verifies."""

    table: str
    key: str


class PitDecision(Struct, frozen=True, tag="decided"):
    """What a person decides at the pit."""

    what: Propose | Approve | ByTwo
    person: str
    role: Role


class PotLedger(Struct, frozen=True):
    """The state of a linked pot. `meter` is the meter after the last hit, `since` has the entries after it."""

    link: str
    game: str
    tables: tuple[str, ...]
    meter: Meter
    terms: tuple[Parameters, ...]
    since: Since = Since()
    cycle: int = 1
    pending_e4: int = 0
    journals: dict[str, LedgerJournal] = {}
    current: dict[str, str] = {}  # each table's journal
    claims: dict[str, Claim] = {}
    pending: dict[str, Pending] = {}
    asked: PendingDecision | None = None
    admitted: tuple[str, ...] = ()  # journals
    closed: tuple[str, ...] = ()  # claims, since the last grant
    keys: dict[str, str] = {}  # of each table the public key that verifies its entries
    offered: dict[str, tuple[str, ...]] = {}  # of each table the keys that wait for two persons
    stopped: str = ""  # a Stop
    ahead: Ahead | None = None  # the highest revision that was seen elsewhere, of a database that went back
    broken: dict[str, int] = {}  # tables whose pit went back, and the revision that each received before
    released: dict[str, int] = {}  # by two persons, once the right books lead
    accepted: int = 0  # what was lost up to this epoch is accepted: it is no evidence any more
    revision: int = 0
    epoch: int = 0
    chain: str = BEFORE_ANY

    @property
    def pot(self) -> Meter:
        """The meter at present, its identity checked."""
        return _settled(self)


def new_ledger(
    link: str, game: str, tables: tuple[str, ...], opened: MeterOpened, keys: Mapping[str, str] | None = None
) -> PotLedger:
    """The ledger of a pot that has received no entry yet."""
    return PotLedger(link, game, tables, jackpot.advance(None, opened), (opened.parameters,), keys=dict(keys or {}))


def pending_key(journal: str, seq: int) -> str:
    """The name of an entry that waits for two persons."""
    return f"{journal}/{seq}"


# ---- the tables' entries


def apply(ledger: PotLedger, entry: Entry) -> PotLedger:
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
    ledger = _with(ledger, entry.journal, journal)
    match entry.body:
        case Contributed() as body:
            return _contribute(ledger, entry, body)
        case Returned() as body:
            return _give_back(ledger, entry, body)
        case Vouched() as body:
            return _vouch(ledger, entry, body)
        case Claimed() as body:
            return _claim(ledger, entry, body)
        case Withdrawn(claim=name):
            return _withdraw(ledger, entry, name)
        case Paid(claim=name, amount=amount):
            return _pay(ledger, entry, name, amount, on_paper=False)
        case SettledOnPaper(claim=name, amount=amount):
            return _pay(ledger, entry, name, amount, on_paper=True)
        case Counted(totals=totals):
            return ledger if totals == before else _stop(ledger, "meters_differ")
        case Announced() | WentBack():
            return _stop(ledger, "entry_makes_no_sense")


def ahead_by(ledger: PotLedger, table: str, journal: str, body: WentBack) -> Ahead | None:
    """The evidence of a table that has received more than the ledger has; None if the ledger has at least as much."""
    kept = ledger.journals.get(journal)
    lost = body.revision > ledger.revision or body.through > (0 if kept is None else kept.through)
    return Ahead(table, body.epoch, body.revision) if lost else None


def stop_if_older(ledger: PotLedger, seen: Ahead | None) -> PotLedger:
    """The ledger; stopped if there is evidence that its database went back and two persons have not accepted that."""
    if seen is None or seen.epoch <= ledger.accepted:
        return ledger
    known = ledger.ahead
    if known is not None and (known.epoch, known.revision) >= (seen.epoch, seen.revision):
        return ledger
    before = ledger.stopped if known is None else known.stopped
    return replace(ledger, stopped="went_back", ahead=replace(seen, stopped=before))


def block_table(ledger: PotLedger, table: str, revision: int) -> PotLedger:
    """Blocks a table that saw a pit with newer books until two persons release it; no change if it is blocked
    already.
    """
    if revision <= max(ledger.broken.get(table, 0), ledger.released.get(table, 0)):
        return ledger
    return replace(ledger, broken={**ledger.broken, table: revision})


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
        ledger = _with(ledger, last, replace(ledger.journals[last], successor=entry.journal))
    journal = LedgerJournal(entry.table, 1, head_after(BEFORE_ANY, (entry,)))
    ledger = _with(_whole(ledger, entry.table), entry.journal, journal)
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
            ledger = _move(ledger, Since(-to_pot, -to_reserve, returned_e4=both, chips=-count))
        else:
            ledger = _move(ledger, Since(returned_e4=both, house_funded_e4=both, chips=-count))
    return _move(ledger, Since(pot_e4=-units, returned_e4=units, chips=-chips))


def _contribute(ledger: PotLedger, entry: Entry, body: Contributed) -> PotLedger:
    reasonable = (
        _as_computed(ledger, body) and body.chip_count <= ledger.terms[body.terms_number - 1].unreasonable_chips
    )
    ledger = _remember(ledger, entry, Open(body.chip_count, body.terms_number, ledger.cycle, pending=not reasonable))
    if not reasonable:
        return _hold(ledger, entry, body)
    to_pot, to_reserve = units_of(body.chip_count, ledger.terms[body.terms_number - 1])
    return _move(ledger, Since(to_pot, to_reserve, contributions_e4=to_pot + to_reserve, chips=body.chip_count))


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
    ledger = _with(ledger, entry.journal, replace(journal, open=left))
    units = to_pot + to_reserve
    if given.cycle != ledger.cycle:
        return _move(ledger, Since(returned_e4=units, house_funded_e4=units, chips=-body.chip_count))
    return _move(ledger, Since(pot_e4=-to_pot, reserve_e4=-to_reserve, returned_e4=units, chips=-body.chip_count))


def _vouch(ledger: PotLedger, entry: Entry, body: Vouched) -> PotLedger:
    """Two persons decide about an unreasonable entry: it counts now, or it never existed."""
    key = pending_key(body.journal, body.of)
    pending_entry = ledger.pending.get(key)
    first, second = body.persons
    if pending_entry is None or not first or not second or first == second or pending_entry.table != entry.table:
        return _stop(ledger, "entry_makes_no_sense")
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
        ledger = _with(ledger, body.journal, replace(journal, open=left))
    if not body.admitted:
        return ledger
    # What no parameters explain goes to the pot, and comes out of it, whole.
    units = its_body.units_e4
    if isinstance(its_body, Returned):
        return _move(ledger, Since(pot_e4=-units, returned_e4=units, chips=-its_body.chip_count))
    to_pot, to_reserve = (units, 0)
    if _as_computed(ledger, its_body):
        to_pot, to_reserve = units_of(its_body.chip_count, ledger.terms[its_body.terms_number - 1])
    return _move(ledger, Since(to_pot, to_reserve, contributions_e4=units, chips=its_body.chip_count))


def _claim(ledger: PotLedger, entry: Entry, body: Claimed) -> PotLedger:
    known = ledger.claims.get(body.claim)
    if known is not None:  # the stored answer holds
        return ledger if known.claimed == body else _stop(ledger, "entry_makes_no_sense")
    head = ledger.journals[entry.journal].head
    claims = {**ledger.claims, body.claim: Claim(entry.table, entry.journal, head, body)}
    return replace(ledger, claims=claims)


def grant(ledger: PotLedger, name: str) -> PotLedger:
    """The answer to a claim: number and amount, from the pot as it is, which restarts if it is used up (15.º 6)."""
    claim, meter = ledger.claims[name], _settled(ledger)
    cut = {key: journal.through for key, journal in sorted(ledger.journals.items())}
    if (restarted := jackpot.restart(meter)) is not None:
        meter = jackpot.advance(meter, restarted)
    pot, parameters = meter.pot, meter.parameters
    try:
        settled = GAMES[ledger.game].award(claim.claimed.winners, parameters.chip, meter.prize_terms)
    except KeyError:
        return _stop(ledger, "entry_makes_no_sense")
    if not settled.awards:
        return _stop(ledger, "entry_makes_no_sense")
    number = meter.hits_locked + 1
    for award in settled.awards:
        locked = filled(HitLocked, award, hit=meter.hits_locked + 1, round=claim.claimed.round, cards=(), linked=False)
        meter = jackpot.advance(meter, locked)
    begins = jackpot.restart(meter)
    if begins is not None:
        meter = jackpot.advance(meter, begins)
    restarts = sum(restart is not None for restart in (restarted, begins))
    begun = meter.parameters if restarts else None
    terms = len(ledger.terms) + (parameters != ledger.terms[-1])
    answer = Grant(name, claim.head, number, pot, terms, parameters, tuple(settled.awards), cut, begun, ledger.closed)
    changed = meter.parameters != ledger.terms[-1]
    cycle = ledger.cycle + restarts
    ledger = replace(
        ledger,
        meter=meter,
        since=Since(),
        cycle=cycle,
        closed=(),
        terms=(*ledger.terms, meter.parameters) if changed else ledger.terms,
        claims={**ledger.claims, name: replace(claim, grant=answer, restart=begins, cycle=cycle)},
    )
    return ledger if claim.paid is None else _close(ledger, answer, claim.paid)


def waiting(ledger: PotLedger) -> list[str]:
    """The claims without an answer, in the order they came."""
    return [name for name, claim in ledger.claims.items() if claim.grant is None and not claim.withdrawn]


def _withdraw(ledger: PotLedger, entry: Entry, name: str) -> PotLedger:
    claim = _own_claim(ledger, entry, name)
    if claim is None or claim.paid is not None or claim.withdrawn:
        return _stop(ledger, "entry_makes_no_sense")
    return _with_claim(ledger if claim.closed else _money_back(ledger, claim), name, replace(claim, withdrawn=True))


def _money_back(ledger: PotLedger, claim: Claim) -> PotLedger:
    """Gives back the parts that pot and house gave. The amount with which a used-up pot restarted leaves the pot again.

    Other tables play for that pot by now: it is never less than they were shown, and its parameters stay. Once it has
    been won too, nothing of it is left to go back.
    """
    meter = ledger.meter
    for number, award in _numbered(claim.grant):
        gone = HitWithdrawn(number, award.amount, award.from_pot, award.from_house)
        meter = jackpot.advance(meter, gone)
    if claim.restart is not None and claim.cycle == ledger.cycle:
        meter = _take_back(meter, claim.restart, sum(award.from_pot for _, award in _numbered(claim.grant)) * E4)
    return replace(ledger, meter=meter)


def _take_back(meter: Meter, restart: PotRestarted, used_e4: int) -> Meter:
    """Takes the house's part back first: the house gave what the reserve lacked."""
    to_house_e4 = min(used_e4, restart.from_house_e4)
    to_reserve_e4 = min(used_e4 - to_house_e4, restart.from_reserve_e4)
    return jackpot.advance(
        meter, RestartWithdrawn(to_reserve_e4, to_house_e4, parameters=meter.parameters, scheduled=meter.scheduled)
    )


def _pay(ledger: PotLedger, entry: Entry, name: str, amount: int, on_paper: bool) -> PotLedger:
    """The claim is paid as granted."""
    claim = _own_claim(ledger, entry, name)
    if claim is None or claim.paid is not None or claim.withdrawn:
        return _stop(ledger, "entry_makes_no_sense")
    if claim.closed:
        paid_e4, meter = amount * E4, ledger.meter
        meter = replace(meter, paid_e4=meter.paid_e4 + paid_e4, house_funded_e4=meter.house_funded_e4 + paid_e4)
        jackpot.check_meter(meter)
        ledger = replace(ledger, meter=meter)
        return _stop(_with_claim(ledger, name, replace(claim, paid=amount)), "closed_claim_paid")
    if not on_paper and (claim.grant is None or claim.grant.amount != amount):
        return _stop(ledger, "payments_differ")
    ledger = _with_claim(ledger, name, replace(claim, paid=amount))
    return ledger if claim.grant is None else _close(ledger, claim.grant, amount)


def _close(ledger: PotLedger, grant: Grant, paid: int) -> PotLedger:
    meter = ledger.meter
    for number, _ in _numbered(grant):
        hit = jackpot.hit_of(meter, number)
        meter = jackpot.advance(meter, jackpot.payment(hit, slip=0, confirmed_by=(), roles=()))
    more_e4 = (paid - grant.amount) * E4
    meter = replace(
        meter,
        paid_e4=meter.paid_e4 + more_e4,
        house_funded_e4=meter.house_funded_e4 + max(0, more_e4),
        pot_e4=meter.pot_e4 + max(0, -more_e4),
    )
    jackpot.check_meter(meter)
    ledger = replace(ledger, meter=meter)
    return ledger if paid == grant.amount else _stop(ledger, "paper_differs")


def _own_claim(ledger: PotLedger, entry: Entry, name: str) -> Claim | None:
    claim = ledger.claims.get(name)
    return claim if claim is not None and claim.table == entry.table else None


def _numbered(grant: Grant | None) -> list[tuple[int, Any]]:
    return [] if grant is None else list(enumerate(grant.awards, grant.number))


# ---- what persons decide at the pit


def apply_decision(ledger: PotLedger, decided: PitDecision) -> PotLedger:
    """The ledger after a person's decision. Raises DecisionRefused."""
    person, role = decided.person, decided.role
    if ledger.ahead is not None and not isinstance(decided.what, AcceptLoss):
        raise DecisionRefused("accept_the_loss")  # these are not the books to decide in
    match decided.what:
        case Propose(parameters=parameters):
            if parameters == ledger.meter.agreed:
                raise DecisionRefused("nothing_changes")
            proposed = ParametersProposed(ledger.meter.proposals + 1, ledger.meter.agreed, parameters)
            return replace(ledger, meter=jackpot.advance(ledger.meter, proposed))
        case Approve(number=number):
            return _approve(ledger, number, person, role)
        case Resume() as resume:
            if not ledger.stopped:
                raise DecisionRefused("not_stopped")
            return _second(ledger, resume, person, role, lambda known: replace(known, stopped=""))
        case Admit(table=table, journal=name) as admit:
            if table not in ledger.tables:
                raise DecisionRefused("unknown_table")
            return _second(ledger, admit, person, role, lambda known: replace(known, admitted=(*known.admitted, name)))
        case Close(claim=name, reason=reason) as close:
            claim = ledger.claims.get(name)
            if claim is None or claim.grant is None:
                raise DecisionRefused("no_such_grant")
            if not claim.is_open:
                raise DecisionRefused("claim_is_over")
            if not reason:
                raise DecisionRefused("a_reason_is_missing")
            return _second(ledger, close, person, role, lambda known: _closed(known, name))
        case AcceptKey(table=table, key=key) as accept:
            if table not in ledger.tables:
                raise DecisionRefused("unknown_table")
            if not is_key_of(table, key):
                raise DecisionRefused("not_its_key")
            return _second(ledger, accept, person, role, lambda known: _with_key(known, table, key))
        case AcceptLoss() as accept_loss:
            if ledger.ahead is None:
                raise DecisionRefused("nothing_is_lost")
            return _second(ledger, accept_loss, person, role, _accepted)
        case Release(table=table) as release:
            if table not in ledger.broken:
                raise DecisionRefused("nothing_to_release")
            return _second(ledger, release, person, role, lambda known: _released(known, table))


def _approve(ledger: PotLedger, number: int, person: str, role: Role) -> PotLedger:
    meter = ledger.meter
    proposal = meter.proposal
    if proposal is None or proposal.number != number:
        raise DecisionRefused("no_such_proposal")
    if person in proposal.approved_by:
        raise DecisionRefused("approved_already")
    if proposal.approved_by and SUPERVISOR not in (*proposal.roles, role):
        raise DecisionRefused("a_supervisor_has_to")
    meter = jackpot.advance(meter, ParametersApproved(number, person, role))
    if proposal.approved_by:
        who, roles = (*proposal.approved_by, person), (*proposal.roles, role)
        meter = jackpot.advance(
            meter, ParametersScheduled(meter.parameters, proposal.parameters_after, "pit", who, roles)
        )
    return replace(ledger, meter=meter)


def _closed(ledger: PotLedger, name: str) -> PotLedger:
    claim = ledger.claims[name]
    ledger = _with_claim(_money_back(ledger, claim), name, replace(claim, closed=True))
    return replace(ledger, closed=(*ledger.closed, name))


def _accepted(ledger: PotLedger) -> PotLedger:
    """Lets revisions resume above all earlier ones: at the epoch, which counts milliseconds since 1970 and is higher
    than any revision.
    """
    ahead = ledger.ahead
    assert ahead is not None
    accepted, revision = max(ahead.epoch, ledger.epoch - 1), max(ahead.revision, ledger.epoch)
    return replace(ledger, ahead=None, stopped=ahead.stopped, accepted=accepted, revision=revision)


def _released(ledger: PotLedger, table: str) -> PotLedger:
    released = {**ledger.released, table: ledger.broken[table]}
    return replace(_whole(ledger, table), released=released)


def _whole(ledger: PotLedger, table: str) -> PotLedger:
    return replace(ledger, broken={name: revision for name, revision in ledger.broken.items() if name != table})


def is_key_of(table: str, key: str) -> bool:
    """Whether this is a public key under the name of the table."""
    try:
        found = VerifierKey.read(key)
    except BadKey:
        return False
    return (found.name, found.kind, str(found)) == (f"dealer/{table}", ED25519, key)


def offer(ledger: PotLedger, offered: Offered) -> PotLedger:
    """The ledger with a key that waits for two persons; unchanged if the key waits already or too many do."""
    table, key = offered.table, offered.key
    waiting = ledger.offered.get(table, ())
    known = key in waiting or ledger.keys.get(table) == key or len(waiting) >= KEYS_OFFERED
    if known or table not in ledger.tables or not is_key_of(table, key):
        return ledger
    return replace(ledger, offered={**ledger.offered, table: (*waiting, key)})


def _with_key(ledger: PotLedger, table: str, key: str) -> PotLedger:
    left = {name: keys for name, keys in ledger.offered.items() if name != table}
    return replace(ledger, keys={**ledger.keys, table: key}, offered=left)


def _second(
    ledger: PotLedger, what: ByTwo, person: str, role: Role, then: Callable[[PotLedger], PotLedger]
) -> PotLedger:
    asked = ledger.asked
    if asked is None or asked.what != what:
        return replace(ledger, asked=PendingDecision(what, person, role))
    if asked.person == person:
        raise DecisionRefused("approved_already")
    if SUPERVISOR not in (asked.role, role):
        raise DecisionRefused("a_supervisor_has_to")
    return then(replace(ledger, asked=None))


# ---- parts


def _move(ledger: PotLedger, more: Since) -> PotLedger:
    before = msgspec.structs.astuple(ledger.since)
    moved = Since(*(amount + other for amount, other in zip(before, msgspec.structs.astuple(more), strict=True)))
    return replace(ledger, since=moved)


def _settled(ledger: PotLedger) -> Meter:
    """Puts income into the pot up to the ceiling; the house gives an amount that no one has any more."""
    meter, since = ledger.meter, ledger.since
    pot, reserve, overflow = meter.pot_e4 + since.pot_e4, meter.reserve_e4 + since.reserve_e4, meter.overflow_e4
    past = max(0, pot - meter.parameters.ceiling * E4)
    if meter.parameters.overflow_to == "reserve":
        reserve += past
    else:
        overflow += past
    missing = max(0, -pot) + max(0, -reserve)
    settled = replace(
        meter,
        pot_e4=max(0, pot - past),
        reserve_e4=max(0, reserve),
        overflow_e4=overflow,
        contributions_e4=meter.contributions_e4 + since.contributions_e4,
        returned_e4=meter.returned_e4 + since.returned_e4,
        house_funded_e4=meter.house_funded_e4 + since.house_funded_e4 + missing,
        chips_counted=meter.chips_counted + since.chips,
    )
    jackpot.check_meter(settled)
    return settled


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
    return _with(ledger, entry.journal, replace(journal, open=known))


def _with(ledger: PotLedger, name: str, journal: LedgerJournal) -> PotLedger:
    return replace(ledger, journals={**ledger.journals, name: journal})


def _with_claim(ledger: PotLedger, name: str, claim: Claim) -> PotLedger:
    return replace(ledger, claims={**ledger.claims, name: claim})


def _stop(ledger: PotLedger, why: Stop) -> PotLedger:
    return replace(ledger, stopped=ledger.stopped or why)


# ---- from the records of the tables alone


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
            ledger = grant(ledger, answer.claim)
        if answer.claim not in ledger.claims or ledger.claims[answer.claim].grant != answer:
            raise DecisionRefused(f"another_grant {answer.claim}")
    ledger = _all_closed(ledger, closed)
    return _read(ledger, journals, {name: len(entries) for name, entries in journals.items()})


def _all_closed(ledger: PotLedger, names: Iterable[str]) -> PotLedger:
    for name in names:
        if name not in ledger.claims or not ledger.claims[name].is_open:
            raise DecisionRefused(f"a_closed_claim_is_missing {name}")
        ledger = _closed(ledger, name)
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
                    ledger = apply(ledger, entry)
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
