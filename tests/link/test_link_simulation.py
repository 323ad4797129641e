"""Histories of a linked pot, and defects planted on purpose, which they have to find."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.state import jackpot
from controller.link import signing, table
from controller.link.messages import Claimed, Contributed, Entry, Grant, Granted, Paid, Pot, SentEntry
from controller.link.table import Doubted, Event, GrantReceived, StoredLink, TableAtLink, Through
from controller.pit.leader import Leader
from controller.pit.ledger import claims, decisions, entries, state
from controller.pit.ledger.claims import grant_claim
from controller.pit.ledger.state import Claim, PotLedger, settled_meter, with_journal
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


Defect = tuple[Any, str, Any, str, int]
PLANTED: dict[str, Defect] = {}


def planted(found_by: str, owner: Any, name: str, first: int = 0) -> Callable[[Any], Any]:
    """What comes instead of a function, which it is given before that function's arguments.

    `found_by` is what is reported of it, and `first` the first of two hundred seeds, of which one finds it.
    """
    real = getattr(owner, name)

    def keep(wrong: Any) -> Any:
        def instead(*given: Any, **named: Any) -> Any:
            return wrong(real, *given, **named)

        PLANTED[wrong.__name__] = owner, name, instead, found_by, first
        return wrong

    return keep


@planted("appeared", entries, "apply_entry")
def an_entry_is_applied_again(real: Any, ledger: PotLedger, entry: Entry) -> PotLedger:
    after: PotLedger = real(ledger, entry)
    if not isinstance(entry.body, Contributed) or entry.seq % 3:
        return after
    before = replace(after.journals[entry.journal], through=entry.seq - 1)
    again: PotLedger = real(replace(after, journals={**after.journals, entry.journal: before}), entry)
    return again


@planted("appeared", Leader, "_proceed")
def a_gap_is_left_out(real: Any, self: Leader, ledger: PotLedger, name: str, most: int) -> Any:
    waiting = self._waiting[name]
    journal = ledger.journals.get(name)
    if journal is None or not waiting:
        return real(self, ledger, name, most)
    journal = replace(journal, through=min(waiting) - 1)
    return real(self, replace(ledger, journals={**ledger.journals, name: journal}), name, most)


@planted("nowhere in the database|the database does not have|shows", Pit, "work")
def it_is_sent_before_it_is_durable(real: Any, self: Pit, leader: Leader) -> None:
    self.outcome = (  # type: ignore[method-assign]
        lambda run, outcome: None if outcome == "committed" else self.resign()
    )
    batch, _ = leader.batch(50) if self.has_looked(leader) else (None, [])
    if batch is not None:
        self.world.database.submit(self, batch)
        self.say(leader.committed())


@planted("nowhere in the database|the database does not have|shows|behind", Pit, "outcome")
def an_unknown_outcome_is_taken_for_success(real: Any, self: Pit, run: int, outcome: str) -> None:
    real(self, run, "committed")


@planted("behind|goes back|two grants", Pit, "outcome")
def an_unknown_outcome_is_tried_again(real: Any, self: Pit, run: int, outcome: str) -> None:
    database = self.world.database
    database.fence = lambda batch: batch.after.epoch == database.epoch  # type: ignore[method-assign]
    if outcome == "committed" or self.leader is None or run != self.run:
        real(self, run, outcome)
    else:
        database.submit(self, self.leader._batch)  # type: ignore[arg-type]


@planted("does not come to rest|is counted through|behind", TableAtLink, "due")
def a_table_forgets_what_the_broker_has(real: Any, self: TableAtLink, now: float) -> list[Entry]:
    found: list[Entry] = real(self, now)
    self.apply([Through(entry.journal, entry.seq, 0, 0) for entry in found])
    return found


@planted("does not come to rest", TableAtLink, "due")
def a_claim_is_not_asked_again_behind_its_acknowledgement(real: Any, self: TableAtLink, now: float) -> list[Entry]:
    return [entry for entry in real(self, now) if entry in self.kept.unsaid]


@planted("shows", TableAtLink, "receive_pot")
def a_lower_epoch_is_believed(real: Any, self: TableAtLink, pot: Pot, now: float, retained: bool) -> Any:
    events = real(self, pot, now, retained)
    self._pot = pot
    return events


@planted("nowhere in the database", Leader, "receive")
def a_repeated_claim_is_granted_again(real: Any, self: Leader, entry: Entry, session: str = "") -> Any:
    known = self.ledger.claims.get(entry.body.claim) if isinstance(entry.body, Claimed) else None
    if known is None:
        return real(self, entry, session)
    ledger = replace(self.ledger, claims={**self.ledger.claims, known.claimed.claim: replace(known, grant=None)})
    grant = grant_claim(ledger, known.claimed.claim).claims[known.claimed.claim].grant
    assert grant is not None
    return [Granted(entry.link, entry.table, self._epoch, self.ledger.revision, grant)]


@planted("is paid", TableAtLink, "pay")
def the_sign_is_paid(real: Any, self: TableAtLink, claim: str) -> list[Event]:
    return self._enter(Paid(claim, self.shown(0.0).pot or 0))


@planted("nowhere in the database", TableAtLink, "claim")
def a_pending_hit_is_granted_out_of_the_sign(real: Any, self: TableAtLink, round: int, winners: Any) -> list[Event]:
    found: list[Event] = real(self, round, winners)
    entry, pot = found[0], self._pot
    if pot is None or not isinstance(entry, Entry) or not isinstance(entry.body, Claimed):
        return found
    grant = Grant(entry.body.claim, "", 1, pot.pot, pot.terms_number, pot.parameters, (), {})
    return [*found, GrantReceived(grant)]


@planted("has received nothing", TableAtLink, "receive_pot")
def a_retained_pot_is_a_sign_of_life(real: Any, self: TableAtLink, pot: Pot, now: float, retained: bool) -> Any:
    return real(self, pot, now, False)


@planted("computed again|the pot was|ConservationBroken", jackpot, "restart")
def the_pot_begins_again_out_of_nothing(real: Any, meter: jackpot.Meter) -> Any:
    restarted = real(meter)
    return None if restarted is None else replace(restarted, from_house_e4=0)


@planted("computed again|the pot was", entries, "_give_back")
def a_chip_that_went_back_is_taken_from_the_next_pot(real: Any, ledger: PotLedger, entry: Entry, body: Any) -> Any:
    journal = ledger.journals[entry.journal]
    known = {seq: replace(chip, cycle=ledger.cycle) for seq, chip in journal.open.items()}
    return real(with_journal(ledger, entry.journal, replace(journal, open=known)), entry, body)


@planted("computed again|the pot was", entries, "_contribute")
def what_is_unreasonable_counts(real: Any, ledger: PotLedger, entry: Entry, body: Contributed) -> Any:
    terms = tuple(replace(term, unreasonable_chips=1000) for term in ledger.terms)
    return replace(real(replace(ledger, terms=terms), entry, body), terms=ledger.terms)


@planted("the pot was|ConservationBroken|appeared", claims, "grant_claim")
def the_second_hit_is_computed_from_the_pot_before_the_first(real: Any, ledger: PotLedger, name: str) -> Any:
    after, pot = real(ledger, name), settled_meter(ledger)
    return replace(after, meter=replace(after.meter, pot_e4=pot.pot_e4))


@planted("continues from", entries, "_announce")
def a_journal_from_an_older_copy_is_accepted(real: Any, ledger: PotLedger, entry: Entry) -> Any:
    admitted = (*ledger.admitted, entry.journal)
    return replace(real(replace(ledger, admitted=admitted), entry), admitted=ledger.admitted)


@planted("comes a second time|does not come to rest|behind|put back", Database, "lead")
def a_database_loses_what_it_had(real: Any, self: Any, pit: Pit) -> int | None:
    before: dict[int, PotLedger] = self.__dict__.setdefault("before", {})
    last, led = self.epoch, real(self, pit)
    if led is not None and led != last:
        self.ledger = before.get(last, self.ledger)
        before[led] = self.ledger
    return led  # type: ignore[no-any-return]


@planted("granted .*, and the link continues", claims, "_close")
def no_one_looks_at_a_difference_between_paper_and_grant(real: Any, ledger: PotLedger, *given: Any) -> Any:
    return replace(real(ledger, *given), stopped=ledger.stopped)


@planted("was closed and is paid, and the link continues|appeared|KeyError|ConservationBroken", claims, "close_claim")
def a_closed_claim_is_paid_as_any_other(real: Any, ledger: PotLedger, name: str) -> Any:
    after = real(ledger, name)
    return replace(after, claims={**after.claims, name: replace(after.claims[name], closed=False)})


@planted("was closed and is paid, and the link continues", state, "with_stop", first=57)
def no_person_looks_at_a_closed_claim_that_is_paid(real: Any, ledger: PotLedger, why: str) -> Any:
    return ledger if why == "closed_claim_paid" else real(ledger, why)


def unsigned(kind: bytes, keys: Any, topic: str, content: bytes) -> bytes:
    """What is of this kind is believed, by whatever key it is signed, or by none."""
    try:
        return signing.verified_message(keys, topic, content)
    except BadNote:
        if not content.startswith(b'{"type":"%s"' % kind):
            raise
        end = content.rfind(b',"signature":')
        return content[:end] + b"}" if end > 0 else content


@planted("nowhere in the database", TableAtLink, "_receive_grant")
def a_grant_that_the_stolen_key_has_signed_is_plausible_whatever_it_grants(
    real: Any, self: TableAtLink, grant: Grant, now: float
) -> list[Event]:
    return [replace(item, doubt="") if isinstance(item, GrantReceived) else item for item in real(self, grant, now)]


@planted("has two grants that no one has compared", table, "advance")
def a_claim_with_two_grants_is_payable(real: Any, kept: StoredLink, event: Event) -> StoredLink:
    after: StoredLink = real(kept, event)
    if not isinstance(event, Doubted) or event.claim not in after.hits:
        return after
    return replace(after, hits={**after.hits, event.claim: replace(after.hits[event.claim], doubt="")})


@planted("no one has led", Database, "lead")
def the_lease_is_a_time_of_day_which_another_server_compares_with_its_own(real: Any, self: Any, pit: Pit) -> Any:
    wall = self.world.now + pit.wall
    if not pit.epoch or (pit.name, pit.epoch) != (self.holder, self.epoch):
        if wall < self.__dict__.get("until", 0.0):
            return None
        self.holder, self.epoch = pit.name, max(self.epoch + 1, self.time)
    self.until = wall + simulation.LEASE
    self.led_at = self.world.now
    return self.epoch


@planted("does not come to rest", Station, "receive")
def an_epoch_is_compared_with_the_table_s_clock(
    real: Any, self: Station, topic: str, content: bytes, retained: bool = False
) -> None:
    epoch = json.loads(content)["epoch"] if b'"epoch":' in content else 0
    if not isinstance(epoch, int) or epoch <= 1000 * (YEARS + self.world.now + self.wall + 60):
        real(self, topic, content, retained)


@planted("a database that was put back", Leader, "batch")
def a_database_that_was_put_back_acknowledges(real: Any, self: Leader, most: int) -> Any:
    """What a table then forgets the right database does not have."""
    ahead = self.ledger.ahead
    self.ledger = replace(self.ledger, ahead=None)
    made = real(self, most)
    self.ledger = replace(self.ledger, ahead=ahead)
    return made


@planted("does not come to rest", Leader, "_through")
def a_released_table_is_not_notified(real: Any, self: Leader, table: str, name: str) -> Any:
    return replace(real(self, table, name), released_revision=0)


@planted("still waited for|does not come to rest", Leader, "_acknowledged")
def a_table_is_not_notified_of_what_waits(real: Any, self: Leader, name: str) -> Any:
    return replace(real(self, name), pending_entries=())


@planted("by other parameters|computed again|the pot was|another ledger", decisions, "_approve")
def parameters_change_at_once(real: Any, *given: Any) -> Any:
    after = real(*given)
    agreed = after.meter.agreed
    meter = replace(after.meter, parameters=agreed, scheduled=None)
    return replace(after, meter=meter, terms=(*after.terms, agreed))


PLANTED |= {  # of one expression each
    "one_that_was_superseded_writes": (Database, "fence", lambda self, batch: True, "behind|put back has", 30),
    "a_sign_never_grows_old": (
        *(TableAtLink, "_alive", lambda self, now: self._received_at is not None),
        *("has received nothing", 0),
    ),
    "chips_are_taken_while_the_link_is_stopped": (
        *(TableAtLink, "takes_chips", lambda self, now: self._alive(now) and self.kept.through > 0),
        *("the link is stopped", 0),
    ),
    "the_pot_is_not_begun_again": (jackpot, "restart", lambda meter: None, "did not start again|the pot was", 0),
    "a_chip_that_went_back_stays_in_the_pot": (entries, "_give_back", lambda ledger, *_: ledger, "appeared", 0),
    "a_difference_stops_nothing": (state, "with_stop", lambda ledger, why: ledger, "and the link continues", 0),
    "a_table_does_not_ask_what_the_pit_has_of_its_journal": (
        *(TableAtLink, "is_compared", True),
        *("where .* is next", 15),
    ),
    "a_grant_is_believed_that_the_pit_has_not_signed": (
        *(simulation, "verified_message", partial(unsigned, b"granted")),
        *("nowhere in the database|another grant", 0),
    ),
    # Where the broker lost what it retained, no one else knows that a database which was put back led in it.
    "a_table_does_not_say_which_epoch_it_knows": (
        *(simulation, "SentEntry", lambda *given: SentEntry(*given[:-1])),
        *("does not come to rest|no one looks at it", 1255),
    ),
    "a_claim_that_waits_for_its_payment_is_listed_nowhere": (
        *(Claim, "is_open", property(lambda self: False)),
        *("no one looks at it", 0),
    ),
    "a_pot_is_believed_that_the_pit_has_not_signed": (
        *(simulation, "verified_message", partial(unsigned, b"pot")),
        *("shows|behind|does not come to rest", 0),
    ),
    "an_acknowledgement_is_believed_that_the_pit_has_not_signed": (
        *(simulation, "verified_message", partial(unsigned, b"acknowledged")),
        *("the database does not have|does not come to rest", 0),
    ),
    "an_entry_is_believed_that_its_table_has_not_signed": (
        *(simulation, "verified_message", partial(unsigned, b"entry")),
        *("says something else|has .* and|IndexError|KeyError", 0),
    ),
    "a_leader_does_not_look": (Pit, "look", lambda self, leader: None, "put back", 18),
    "the_mark_is_ignored": (Database, "chain_at", lambda self, mark: mark.chain, "put back", 53),
    "the_retained_pot_is_ignored": (simulation, "by_pot", lambda ledger, pot: None, "put back", 33),
    "chips_of_an_older_copy_are_not_noticed": (
        *(entries, "_compare_totals", lambda ledger, *_: ledger),
        *("is counted that it does not have", 0),
    ),
    "chips_that_never_were_stay_in_the_pot": (
        *(entries, "_take_out", lambda ledger, entry: ledger),
        *("appeared|ConservationBroken|computed again|the pot was", 0),
    ),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, wrong, found_by, first = PLANTED[name]
    real = getattr(owner, attribute)
    for module in [part for name, part in sys.modules.items() if name.startswith("controller.pit.")]:
        if vars(module).get(attribute) is real:  # a function that it imports
            monkeypatch.setattr(module, attribute, wrong)
    monkeypatch.setattr(owner, attribute, wrong)
    with pytest.raises(Violation, match=rf"\Aseed \d+: .*(?:{found_by})") as found:  # not in the history behind it
        for seed in range(first, first + 200):
            run(seed)
    assert "VIOLATION" in str(found.value) and "writes" in str(found.value), "with the history that led to it"
