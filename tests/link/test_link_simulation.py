"""Histories of a linked pot, and defects planted on purpose, which they have to find."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.state import jackpot
from controller.link import signing, table
from controller.link.messages import Claimed, Contributed, Entry, Grant, Granted, Paid, PitAnswer, Pot, SentEntry
from controller.link.table import Doubted, Event, GrantReceived, StoredLink, TableAtLink, Through
from controller.pit import ledger as book
from controller.pit.leader import Leader
from controller.pit.ledger import PotLedger
from controller.tlog.notes import BadNote
from tests.link import simulation
from tests.link.acts import YEARS
from tests.link.simulation import Database, Pit, Station, Violation, run

pytestmark = pytest.mark.timeout(900)  # of computing alone, beside whatever else this computer does

FAULTS = {
    "a claim that is closed",
    "a journal with other chips than were counted",
    "chips that never were",
    "a clock that jumps",
    "a claim that its table has lost",
    "a closed claim that is paid",
    "a broker that lost what it retained",
    "books that are built again",
    "a copy that the pit has more of",
    "a forged Acknowledged",
    "a forged Granted",
    "a forged KeyUnknown",
    "a forged Pot",
    "a forged SentEntry",
    "a grant that is signed by the stolen key",
    "a message that comes again, elsewhere or changed",
    "a message that the pit has not signed",
    "a table that is away for long",
    "an entry that its table has not signed",
    "a database that is put back",
    "a table that is released",
    "a cut",
    "a database that is away",
    "a message lost",
    "a pit that freezes",
    "a sum that is wrong",
    "a transaction of one that was superseded",
    "a transaction whose outcome no one received",
    "an older copy of a journal",
    "crash of a pit",
    "crash of a table",
}


@pytest.mark.parametrize(
    ("histories", "each", "granted"), [(20, 0, 40), pytest.param(80, 4, 200, marks=pytest.mark.soak)]
)
def test_histories_lose_and_double_nothing(histories: int, each: int, granted: int) -> None:
    """In them each fault happens more often than `each`, and more than `granted` prizes are granted."""
    faults, grants = Counter[str](), 0
    for seed in range(200, 200 + histories):
        world = run(seed)
        faults += world.faults
        grants += len(world.grants)
    rare = {fault for fault in faults if fault.startswith("a doubted grant")}
    assert set(faults) - rare == FAULTS and min(faults[fault] for fault in FAULTS) > each, faults
    assert grants > granted


def test_a_seed_is_a_history() -> None:
    assert run(7).story == run(7).story
    assert run(7).story != run(8).story


Plant = Callable[[pytest.MonkeyPatch], None]
PLANTED: dict[str, tuple[Plant, str, int]] = {}


def planted(found_by: str, first: int = 0) -> Callable[[Plant], Plant]:
    """A defect, what is reported of it, and the first of two hundred seeds, of which one finds it."""

    def keep(plant: Plant) -> Plant:
        PLANTED[plant.__name__] = plant, found_by, first
        return plant

    return keep


@planted("appeared")
def an_entry_is_applied_again(patch: pytest.MonkeyPatch) -> None:
    real = book.apply

    def apply(ledger: PotLedger, entry: Entry) -> PotLedger:
        after = real(ledger, entry)
        if not isinstance(entry.body, Contributed) or entry.seq % 3:
            return after
        before = replace(after.journals[entry.journal], through=entry.seq - 1)
        return real(replace(after, journals={**after.journals, entry.journal: before}), entry)

    patch.setattr(book, "apply", apply)


@planted("appeared")
def a_gap_is_left_out(patch: pytest.MonkeyPatch) -> None:
    def proceed(self: Leader, ledger: PotLedger, name: str, most: int) -> Any:
        waiting = self._waiting[name]
        journal = ledger.journals.get(name)
        if journal is None or not waiting:
            return real(self, ledger, name, most)
        journal = replace(journal, through=min(waiting) - 1)
        return real(self, replace(ledger, journals={**ledger.journals, name: journal}), name, most)

    real = Leader._proceed
    patch.setattr(Leader, "_proceed", proceed)


@planted("behind|put back has", first=30)
def one_that_was_superseded_writes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Database, "fence", lambda self, batch: True)


@planted("nowhere in the database|the database does not have|shows")
def it_is_sent_before_it_is_durable(patch: pytest.MonkeyPatch) -> None:
    def work(self: Pit, leader: Leader) -> None:
        batch, _ = leader.batch(50) if self.has_looked(leader) else (None, [])
        if batch is not None:
            self.world.database.submit(self, batch)
            self.say(leader.committed())

    patch.setattr(Pit, "work", work)
    patch.setattr(Pit, "outcome", lambda self, run, outcome: None if outcome == "committed" else self.resign())


@planted("nowhere in the database|the database does not have|shows|behind")
def an_unknown_outcome_is_taken_for_success(patch: pytest.MonkeyPatch) -> None:
    real = Pit.outcome
    patch.setattr(Pit, "outcome", lambda self, run, outcome: real(self, run, "committed"))


@planted("behind|goes back|raises|two grants")
def an_unknown_outcome_is_tried_again(patch: pytest.MonkeyPatch) -> None:
    real = Pit.outcome

    def outcome(self: Pit, run: int, outcome: str) -> None:
        if outcome == "committed" or self.leader is None or run != self.run:
            real(self, run, outcome)
        else:
            self.world.database.submit(self, self.leader._batch)  # type: ignore[arg-type]

    patch.setattr(Pit, "outcome", outcome)
    patch.setattr(Database, "fence", lambda self, batch: batch.after.epoch == self.epoch)


@planted("does not come to rest|is counted through|behind")
def a_table_forgets_what_the_broker_has(patch: pytest.MonkeyPatch) -> None:
    real = TableAtLink.due

    def due(self: TableAtLink, now: float) -> list[Entry]:
        found = real(self, now)
        self.apply([Through(entry.journal, entry.seq, 0, 0) for entry in found])
        return found

    patch.setattr(TableAtLink, "due", due)


@planted("does not come to rest")
def a_claim_is_not_asked_again_behind_its_acknowledgement(patch: pytest.MonkeyPatch) -> None:
    real = TableAtLink.due
    patch.setattr(
        TableAtLink, "due", lambda self, now: [entry for entry in real(self, now) if entry in self.kept.unsaid]
    )


@planted("shows")
def a_lower_epoch_is_believed(patch: pytest.MonkeyPatch) -> None:
    def receive_pot(self: TableAtLink, pot: Pot, now: float, retained: bool) -> list[Event]:
        events = real(self, pot, now, retained)
        self._pot = pot
        return events

    real = TableAtLink.receive_pot
    patch.setattr(TableAtLink, "receive_pot", receive_pot)


@planted("nowhere in the database")
def a_repeated_claim_is_granted_again(patch: pytest.MonkeyPatch) -> None:
    real = Leader.receive

    def receive(self: Leader, entry: Entry, session: str = "") -> list[PitAnswer]:
        known = self.ledger.claims.get(entry.body.claim) if isinstance(entry.body, Claimed) else None
        if known is None:
            return real(self, entry, session)
        ledger = replace(self.ledger, claims={**self.ledger.claims, known.claimed.claim: replace(known, grant=None)})
        grant = book.grant(ledger, known.claimed.claim).claims[known.claimed.claim].grant
        assert grant is not None
        return [Granted(entry.link, entry.table, self._epoch, self.ledger.revision, grant)]

    patch.setattr(Leader, "receive", receive)


@planted("is paid")
def the_sign_is_paid(patch: pytest.MonkeyPatch) -> None:
    def pay(self: TableAtLink, claim: str) -> list[Event]:
        return self._enter(Paid(claim, self.shown(0.0).pot or 0))

    patch.setattr(TableAtLink, "pay", pay)


@planted("nowhere in the database")
def a_pending_hit_is_granted_out_of_the_sign(patch: pytest.MonkeyPatch) -> None:
    real = TableAtLink.claim

    def claim(self: TableAtLink, round: int, winners: Any) -> list[Event]:
        found = real(self, round, winners)
        entry, pot = found[0], self._pot
        if pot is None or not isinstance(entry, Entry) or not isinstance(entry.body, Claimed):
            return found
        return [
            *found,
            GrantReceived(Grant(entry.body.claim, "", 1, pot.pot, pot.terms_number, pot.parameters, (), {})),
        ]

    patch.setattr(TableAtLink, "claim", claim)


@planted("has received nothing")
def a_sign_never_grows_old(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableAtLink, "_alive", lambda self, now: self._received_at is not None)


@planted("has received nothing")
def a_retained_pot_is_a_sign_of_life(patch: pytest.MonkeyPatch) -> None:
    real = TableAtLink.receive_pot
    patch.setattr(TableAtLink, "receive_pot", lambda self, pot, now, retained: real(self, pot, now, False))


@planted("the link is stopped")
def chips_are_taken_while_the_link_is_stopped(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableAtLink, "takes_chips", lambda self, now: self._alive(now) and self.kept.through > 0)


@planted("did not start again|the pot was")
def the_pot_is_not_begun_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(jackpot, "restart", lambda meter: None)


@planted("computed again|the pot was|ConservationBroken")
def the_pot_begins_again_out_of_nothing(patch: pytest.MonkeyPatch) -> None:
    real = jackpot.restart

    def restart(meter: jackpot.Meter) -> Any:
        restarted = real(meter)
        return None if restarted is None else replace(restarted, from_house_e4=0)

    patch.setattr(jackpot, "restart", restart)


@planted("appeared")
def a_chip_that_went_back_stays_in_the_pot(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(book, "_give_back", lambda ledger, entry, body: ledger)


@planted("computed again|the pot was")
def a_chip_that_went_back_is_taken_from_the_next_pot(patch: pytest.MonkeyPatch) -> None:
    real = book._give_back

    def give_back(ledger: PotLedger, entry: Entry, body: Any) -> PotLedger:
        journal = ledger.journals[entry.journal]
        known = {seq: replace(chip, cycle=ledger.cycle) for seq, chip in journal.open.items()}
        return real(book._with(ledger, entry.journal, replace(journal, open=known)), entry, body)

    patch.setattr(book, "_give_back", give_back)


@planted("computed again|the pot was")
def what_is_unreasonable_counts(patch: pytest.MonkeyPatch) -> None:
    def contribute(ledger: PotLedger, entry: Entry, body: Contributed) -> PotLedger:
        terms = tuple(replace(term, unreasonable_chips=1000) for term in ledger.terms)
        return replace(real(replace(ledger, terms=terms), entry, body), terms=ledger.terms)

    real = book._contribute
    patch.setattr(book, "_contribute", contribute)


@planted("the pot was|ConservationBroken|appeared")
def the_second_hit_is_computed_from_the_pot_before_the_first(patch: pytest.MonkeyPatch) -> None:
    real = book.grant

    def grant(ledger: PotLedger, name: str) -> PotLedger:
        after, pot = real(ledger, name), book._settled(ledger)
        return replace(after, meter=replace(after.meter, pot_e4=pot.pot_e4))

    patch.setattr(book, "grant", grant)


@planted("continues from")
def a_journal_from_an_older_copy_is_accepted(patch: pytest.MonkeyPatch) -> None:
    real = book._announce

    def announce(ledger: PotLedger, entry: Entry) -> PotLedger:
        return replace(
            real(replace(ledger, admitted=(*ledger.admitted, entry.journal)), entry), admitted=ledger.admitted
        )

    patch.setattr(book, "_announce", announce)


@planted("and the link continues")
def a_difference_stops_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(book, "_stop", lambda ledger, why: ledger)


@planted("comes a second time|does not come to rest|behind|put back")
def a_database_loses_what_it_had(patch: pytest.MonkeyPatch) -> None:
    real, before = Database.lead, dict[int, PotLedger]()

    def lead(self: Database, pit: Pit) -> int | None:
        last, led = self.epoch, real(self, pit)
        if led is not None and led != last:
            self.ledger = before.get(last, self.ledger)
            before[led] = self.ledger
        return led

    patch.setattr(Database, "lead", lead)


@planted("where .* is next", first=15)
def a_table_does_not_ask_what_the_pit_has_of_its_journal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableAtLink, "is_compared", True)


@planted("granted .*, and the link continues")
def no_one_looks_at_a_difference_between_paper_and_grant(patch: pytest.MonkeyPatch) -> None:
    real = book._close
    patch.setattr(book, "_close", lambda ledger, *given: replace(real(ledger, *given), stopped=ledger.stopped))


@planted("was closed and is paid, and the link continues|appeared|KeyError|ConservationBroken")
def a_closed_claim_is_paid_as_any_other(patch: pytest.MonkeyPatch) -> None:
    real = book._closed

    def closed(ledger: PotLedger, name: str) -> PotLedger:
        after = real(ledger, name)
        claim = replace(after.claims[name], closed=False)
        return replace(after, claims={**after.claims, name: claim})

    patch.setattr(book, "_closed", closed)


@planted("was closed and is paid, and the link continues", first=57)
def no_person_looks_at_a_closed_claim_that_is_paid(patch: pytest.MonkeyPatch) -> None:
    real = book._stop
    patch.setattr(book, "_stop", lambda ledger, why: ledger if why == "closed_claim_paid" else real(ledger, why))


def _unsigned(patch: pytest.MonkeyPatch, kind: bytes) -> None:
    """What is of this kind is believed, by whatever key it is signed, or by none."""
    real = signing.verified_message

    def believed(keys: Any, topic: str, content: bytes) -> bytes:
        try:
            return real(keys, topic, content)
        except BadNote:
            if not content.startswith(b'{"type":"%s"' % kind):
                raise
            end = content.rfind(b',"signature":')
            return content[:end] + b"}" if end > 0 else content

    patch.setattr(simulation, "verified_message", believed)


@planted("nowhere in the database|another grant")
def a_grant_is_believed_that_the_pit_has_not_signed(patch: pytest.MonkeyPatch) -> None:
    _unsigned(patch, b"granted")


@planted("nowhere in the database")
def a_grant_that_the_stolen_key_has_signed_is_plausible_whatever_it_grants(patch: pytest.MonkeyPatch) -> None:
    real = TableAtLink._receive_grant

    def receive_grant(self: TableAtLink, grant: Grant, now: float) -> list[Event]:
        return [replace(item, doubt="") if isinstance(item, GrantReceived) else item for item in real(self, grant, now)]

    patch.setattr(TableAtLink, "_receive_grant", receive_grant)


@planted("has two grants that no one has compared")
def a_claim_with_two_grants_is_payable(patch: pytest.MonkeyPatch) -> None:
    real = table.advance

    def advance(kept: StoredLink, event: Event) -> StoredLink:
        after = real(kept, event)
        if not isinstance(event, Doubted) or event.claim not in after.hits:
            return after
        hits = {**after.hits, event.claim: replace(after.hits[event.claim], doubt="")}
        return replace(after, hits=hits)

    patch.setattr(table, "advance", advance)


@planted("no one has led")
def the_lease_is_a_time_of_day_which_another_server_compares_with_its_own(patch: pytest.MonkeyPatch) -> None:
    until = dict[str, float]()

    def lead(self: Database, pit: Pit) -> int:
        wall = self.world.now + pit.wall
        if not pit.epoch or (pit.name, pit.epoch) != (self.holder, self.epoch):
            if wall < until.get(f"{id(self)}", 0.0):
                return None  # type: ignore[return-value]
            self.holder, self.epoch = pit.name, max(self.epoch + 1, self.time)
        until[f"{id(self)}"] = wall + simulation.LEASE
        self.led_at = self.world.now
        return self.epoch

    patch.setattr(Database, "lead", lead)


@planted("does not come to rest")
def an_epoch_is_compared_with_the_table_s_clock(patch: pytest.MonkeyPatch) -> None:
    real = Station.receive

    def receive(self: Station, topic: str, content: bytes, retained: bool = False) -> None:
        epoch = json.loads(content)["epoch"] if b'"epoch":' in content else 0
        if not isinstance(epoch, int) or epoch <= 1000 * (YEARS + self.world.now + self.wall + 60):
            real(self, topic, content, retained)

    patch.setattr(Station, "receive", receive)


@planted("does not come to rest|no one looks at it", first=1255)
def a_table_does_not_say_which_epoch_it_knows(patch: pytest.MonkeyPatch) -> None:
    """Where the broker lost what it retained, no one else knows that a database which was put back led in it."""
    patch.setattr(simulation, "SentEntry", lambda *given: SentEntry(*given[:-1]))


@planted("no one looks at it")
def a_claim_that_waits_for_its_payment_is_listed_nowhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(book.Claim, "is_open", property(lambda self: False))


@planted("shows|behind|does not come to rest")
def a_pot_is_believed_that_the_pit_has_not_signed(patch: pytest.MonkeyPatch) -> None:
    _unsigned(patch, b"pot")


@planted("the database does not have|does not come to rest")
def an_acknowledgement_is_believed_that_the_pit_has_not_signed(patch: pytest.MonkeyPatch) -> None:
    _unsigned(patch, b"acknowledged")


@planted("says something else|has .* and|IndexError|KeyError")
def an_entry_is_believed_that_its_table_has_not_signed(patch: pytest.MonkeyPatch) -> None:
    _unsigned(patch, b"entry")


@planted("put back", first=18)
def a_leader_does_not_look(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Pit, "look", lambda self, leader: None)


@planted("put back", first=53)
def the_mark_is_ignored(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Database, "chain_at", lambda self, mark: mark.chain)


@planted("put back", first=33)
def the_retained_pot_is_ignored(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(simulation, "by_pot", lambda ledger, pot: None)


@planted("a database that was put back")
def a_database_that_was_put_back_acknowledges(patch: pytest.MonkeyPatch) -> None:
    """What a table then forgets the right database does not have."""
    real = Leader.batch

    def batch(self: Leader, most: int) -> Any:
        ahead = self.ledger.ahead
        self.ledger = replace(self.ledger, ahead=None)
        made = real(self, most)
        self.ledger = replace(self.ledger, ahead=ahead)
        return made

    patch.setattr(Leader, "batch", batch)


@planted("is counted that it does not have")
def chips_of_an_older_copy_are_not_noticed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(book, "_compare_totals", lambda ledger, entry, body: ledger)


@planted("appeared|ConservationBroken|computed again|the pot was")
def chips_that_never_were_stay_in_the_pot(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(book, "_take_out", lambda ledger, entry: ledger)


@planted("does not come to rest")
def a_released_table_is_not_notified(patch: pytest.MonkeyPatch) -> None:
    real = Leader._through
    patch.setattr(Leader, "_through", lambda self, table, name: replace(real(self, table, name), released_revision=0))


@planted("still waited for|does not come to rest")
def a_table_is_not_notified_of_what_waits(patch: pytest.MonkeyPatch) -> None:
    real = Leader._acknowledged
    patch.setattr(Leader, "_acknowledged", lambda self, name: replace(real(self, name), pending_entries=()))


@planted("by other parameters|computed again|the pot was|another ledger")
def parameters_change_at_once(patch: pytest.MonkeyPatch) -> None:
    real = book._approve

    def approve(*given: Any) -> PotLedger:
        after = real(*given)
        agreed = after.meter.agreed
        return replace(
            after, meter=replace(after.meter, parameters=agreed, scheduled=None), terms=(*after.terms, agreed)
        )

    patch.setattr(book, "_approve", approve)


@pytest.mark.soak
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, found_by, first = PLANTED[name]
    plant(monkeypatch)
    with pytest.raises(Violation, match=found_by) as found:
        for seed in range(first, first + 200):
            run(seed)
    assert "VIOLATION" in str(found.value) and "writes" in str(found.value), "with the history that led to it"
