"""A table's side of a linked pot: what it sends until it is acknowledged, what it shows, and what it may pay. No I/O
here.

Every method that decides something returns events. They count once they are durable and `apply` has received them.
Messages are computed from events that count, so nothing is reported earlier, and a table that restarts sends the same.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.link.messages import (
    BEFORE_ANY,
    Acknowledged,
    Announced,
    Body,
    Claimed,
    Contributed,
    Counted,
    Entry,
    Grant,
    KeyUnknown,
    Paid,
    PendingEntry,
    PitAnswer,
    Pot,
    Returned,
    SettledOnPaper,
    Totals,
    Vouched,
    WentBack,
    Withdrawn,
    contributable,
    head_after,
    units_of,
    with_entry,
)
from controller.rulebook.games import GAMES
from controller.rulebook.jackpot_award import Parameters, Win
from controller.rulebook.units import Minor

STALE_AFTER = 3.0  # seconds
SAY_AGAIN_AFTER = 1.0
WINDOW = 20  # entries under way at once
COUNT_AFTER = 3600.0
RECENT_TERMS = 8
RISE_SECONDS = 600.0  # a pot that rose by more than the tables can bring in this time is kept
RECENT_HITS = 25  # that are over and can still be looked at
ANOTHER_GRANT, WENT_BACK, OLDER_COPY = "another_grant", "went_back", "older_copy"
POT_TOO_HIGH, OTHER_TERMS = "pot_too_high", "other_terms"
"""The reasons why a grant waits until two persons have compared it with the page of the pit."""
UNKNOWN_KEY = "unknown_key"  # the pit does not know the table's key: two persons there have to accept it
FOR_GOOD = (ANOTHER_GRANT, WENT_BACK, OLDER_COPY)


class NotNow(Exception):
    """The request cannot be carried out now; a code."""


class Through(Struct, frozen=True, tag="through"):
    """The pit has these entries of a journal for good; those `waiting` wait for two persons.

    `released`: two persons at the pit have released the table, whose pit had gone back.
    """

    journal: str
    through: int
    epoch: int
    revision: int
    pending_entries: tuple[PendingEntry, ...] = ()
    released: bool = False


class GrantReceived(Struct, frozen=True, tag="answered"):
    """The grant of a claim came. If there is a `doubt`, a code, the grant is not paid yet."""

    grant: Grant
    doubt: str = ""


class Doubted(Struct, frozen=True, tag="doubted"):
    """A second, different grant came for a claim (`other`), or a grant that does not match the claim."""

    claim: str
    why: str
    other: Grant | None = None


class Learnt(Struct, frozen=True, tag="learnt"):
    """A higher epoch, another cycle or other parameters were received, or a `pot` that is much higher."""

    epoch: int
    cycle: int
    terms_number: int
    parameters: Parameters
    pot: Minor = 0
    tables: int = 1


class Broken(Struct, frozen=True, tag="broken"):
    """The link does not hold at this table; a code. `epoch` and `revision` are the last that were received before."""

    why: str
    epoch: int = 0
    revision: int = 0


Event = Entry | Through | GrantReceived | Doubted | Learnt | Broken


class TableClaim(Struct, frozen=True):
    """A claim as the table knows it. Until it has a grant it is pending and has no amount.

    `head` is the hash over the journal's entries up to the claim, and `seen` is a pot that was received before it.
    While there is a `doubt`, nothing is paid by the `grant`; `other` is a different grant for the same claim.
    """

    entry: Entry
    head: str
    seen: int
    round: int
    winners: tuple[Win, ...]
    grant: Grant | None = None
    state: Literal["pending", "granted", "paid", "on_paper", "withdrawn"] = "pending"
    doubt: str = ""
    other: Grant | None = None

    @property
    def claim(self) -> str:
        """The claim's name."""
        assert isinstance(self.entry.body, Claimed)
        return self.entry.body.claim


class StoredLink(Struct, frozen=True):
    """What the table's journals contain about the link."""

    link: str
    game: str
    table: str
    journal: str = ""
    seq: int = 0
    head: str = BEFORE_ANY
    last: Entry | None = None
    totals: Totals = Totals()
    unsaid: tuple[Entry, ...] = ()  # not acknowledged yet, of this journal and those before it
    hits: dict[str, TableClaim] = {}
    through: int = 0  # of this journal, acknowledged
    at: tuple[int, int] = (0, 0)  # epoch and revision of the last acknowledgement that had news
    pending_entries: tuple[PendingEntry, ...] = ()  # entries that wait for two persons
    doubted: tuple[Entry, ...] = ()  # those of them that were reported since the table keeps them
    counted: int = 0  # the cycle in which the table last reported what it had added up
    learnt: Learnt | None = None
    terms: dict[int, Parameters] = {}  # the last that were received, by their number
    resets: int = 0  # how often two persons had what was learnt of the pit forgotten
    broken: str = ""
    lost: tuple[int, int] = (0, 0)  # epoch and revision that a pit had which went back


class Shown(Struct, frozen=True):
    """What the sign shows: the last pot that was received, and whether a fault sign alternates with it."""

    pot: Minor | None
    fault: bool


def advance(kept: StoredLink, event: Event) -> StoredLink:
    """The link's state after an event. Once the journal is known to be an older copy, no message of the pit is
    accepted, even one that came before that event was durable.
    """
    if kept.broken == OLDER_COPY and isinstance(event, Through | GrantReceived | Doubted | Broken):
        return kept
    match event:
        case Entry(journal=journal, seq=seq, body=body):
            if journal != kept.journal:
                kept = replace(kept, journal=journal, head=BEFORE_ANY, totals=Totals(), through=0, broken="")
            kept = replace(
                kept,
                seq=seq,
                head=head_after(kept.head, (event,)),
                last=event,
                totals=with_entry(kept.totals, body),
                unsaid=(*kept.unsaid, event),
            )
            if isinstance(body, Vouched):
                waiting = tuple(entry for entry in kept.pending_entries if entry != PendingEntry(body.journal, body.of))
                return replace(kept, pending_entries=waiting, doubted=_those(kept.doubted, waiting))
            if isinstance(body, Counted):
                return replace(kept, counted=kept.learnt.cycle if kept.learnt is not None else 0)
            return _with_hit(kept, event)
        case Through(journal=journal, through=through, pending_entries=waiting):
            unsaid = tuple(entry for entry in kept.unsaid if entry.journal != journal or entry.seq > through)
            vouched = [
                PendingEntry(entry.body.journal, entry.body.of) for entry in unsaid if isinstance(entry.body, Vouched)
            ]
            waiting = tuple(key for key in waiting if key not in vouched)
            doubted = _those((*kept.doubted, *kept.unsaid), waiting)
            kept = replace(
                kept, unsaid=unsaid, at=(event.epoch, event.revision), pending_entries=waiting, doubted=doubted
            )
            if journal != kept.journal:
                return kept
            if event.released and kept.broken == WENT_BACK:
                return replace(kept, through=through, broken="")
            still = kept.broken in FOR_GOOD or not through  # a journal that is refused has none through
            return replace(kept, through=through, broken=kept.broken if still else "")
        case GrantReceived(grant=grant, doubt=doubt):
            hit = kept.hits.get(grant.claim)
            if hit is None:
                return kept  # forgotten between receiving and deciding
            return _with(kept, replace(_granted(hit, grant), doubt=hit.doubt or doubt))
        case Doubted(claim=claim, why=why, other=other):
            hit = kept.hits.get(claim)
            return kept if hit is None else _with(kept, replace(hit, doubt=why, other=hit.other or other))
        case Learnt(terms_number=number, parameters=parameters):
            terms = {**kept.terms, number: parameters}
            for old in sorted(terms)[:-RECENT_TERMS]:
                del terms[old]
            return replace(kept, learnt=event, terms=terms)
        case Broken(why=why):
            lost = event.epoch, event.revision
            stays = kept.broken in FOR_GOOD and why != OLDER_COPY
            return kept if stays else replace(kept, broken=why, lost=lost)


def _those(entries: Iterable[Entry], waiting: tuple[PendingEntry, ...]) -> tuple[Entry, ...]:
    """The entries that are on hold, each once."""
    found = {PendingEntry(entry.journal, entry.seq): entry for entry in entries} if waiting else {}
    return tuple(found[key] for key in waiting if key in found)


def compared(kept: StoredLink, claim: str, amount: int) -> StoredLink:
    """The claims on hold after two persons have compared a claim with the page of the pit, which shows this amount."""
    hit = kept.hits[claim]
    grant = next(other for other in (hit.grant, hit.other) if other is not None and other.amount == amount)
    return _with(kept, replace(_granted(hit, grant), doubt="", other=None))


def forgotten(kept: StoredLink) -> StoredLink:
    """The link's state after two persons have discarded everything received from the pit; it will be received again."""
    broken = "" if kept.broken in (ANOTHER_GRANT, UNKNOWN_KEY, WENT_BACK) else kept.broken
    return replace(kept, learnt=None, terms={}, at=(0, 0), lost=(0, 0), resets=kept.resets + 1, broken=broken)


def _granted(hit: TableClaim, grant: Grant) -> TableClaim:
    return replace(hit, grant=grant, state="granted" if hit.state == "pending" else hit.state)


def _with(kept: StoredLink, hit: TableClaim) -> StoredLink:
    return replace(kept, hits={**kept.hits, hit.claim: hit})


def _with_hit(kept: StoredLink, entry: Entry) -> StoredLink:
    """The hits after an entry; of the finished ones only the last are kept."""
    match entry.body:
        case Claimed(claim=claim, round=round, winners=winners):
            seen = kept.learnt.pot if kept.learnt is not None else 0
            hit = TableClaim(entry, kept.head, seen, round, winners)
        case Withdrawn(claim=claim):
            hit = replace(kept.hits[claim], state="withdrawn")
        case Paid(claim=claim):
            hit = replace(kept.hits[claim], state="paid")
        case SettledOnPaper(claim=claim):
            hit = replace(kept.hits[claim], state="on_paper")
        case _:
            return kept
    hits = {**kept.hits, claim: hit}
    over = [name for name, known in hits.items() if known.state not in ("pending", "granted")]
    for name in over[:-RECENT_HITS]:
        del hits[name]
    return replace(kept, hits=hits)


class TableAtLink:
    """One table at a link. Times are seconds of the table's own clock.

    `session` is a number of its present start, and `key` the public key that verifies its entries.
    """

    def __init__(
        self, link: str, game: str, table: str, events: Iterable[Event] = (), session: str = "", key: str = ""
    ) -> None:
        self.kept = StoredLink(link, game, table)
        self.apply(events)
        self._session, self._key = session, key
        self._answered = 0, 0  # epoch and beat: those up to it were published before the pit answered in this session
        self._pot: Pot | None = None  # the last that was received
        self._published = 0, 0  # epoch and revision of the last that right books published
        self._received_at: float | None = None  # of the last that was no retained one
        self._compared = False  # since the table began again, with what the pit has of the journal
        self._sent_at: dict[tuple[str, int], float] = {}
        self._before: dict[str, tuple[int, float]] = {}  # of each claim the pot before it was first sent, and when
        self._counted_at: float | None = None

    def apply(self, events: Iterable[Event]) -> None:
        """Applies durable events."""
        for event in events:
            self.kept = advance(self.kept, event)

    @property
    def pot(self) -> Pot | None:
        """The last pot that was received, even if it is old."""
        return self._pot

    # ---- what happens at the table

    def begin(self, journal: str) -> list[Event]:
        """The table has a new journal."""
        kept = self.kept
        announced = Announced(kept.journal, kept.seq, kept.head, kept.totals) if kept.journal else Announced()
        return [Entry(kept.link, kept.table, journal, 1, announced)]

    def contribute(self, round: int, chips: int) -> list[Event]:
        """Records that chips of a round count."""
        if self.kept.learnt is None or not self.kept.through:
            raise NotNow("not_linked")
        units = sum(units_of(chips, self.kept.learnt.parameters))
        return self._enter(Contributed(round, chips, self.kept.learnt.terms_number, units))

    def give_back(self, given: Entry, chips: int) -> list[Event]:
        """Records that chips of a contribution go back."""
        body = given.body
        assert isinstance(body, Contributed)
        return self._enter(Returned(given.seq, chips, body.units_e4 // body.chip_count * chips))

    def vouch(self, journal: str, of: int, admitted: bool, persons: tuple[str, str]) -> list[Event]:
        """Two persons have decided on an entry that waits for them."""
        if persons[0] == persons[1]:
            raise NotNow("two_persons")
        if PendingEntry(journal, of) not in self.kept.pending_entries:
            raise NotNow("nothing_waits")
        return self._enter(Vouched(journal, of, admitted, persons))

    def claim(self, round: int, winners: Sequence[Win]) -> list[Event]:
        """A round has won: one claim for all its winners."""
        before = [hit for hit in self._of_journal() if hit.round == round]
        if any(hit.state != "withdrawn" for hit in before):
            raise NotNow("claimed_already")
        name = f"{self.kept.journal}/{round}" + (f"/{len(before) + 1}" if before else "")
        return self._enter(Claimed(name, round, tuple(winners)))

    def withdraw(self, claim: str) -> list[Event]:
        """The settlement does not hold."""
        if self.kept.hits[claim].state not in ("pending", "granted"):
            raise NotNow("paid_already")
        return self._enter(Withdrawn(claim))

    def pay(self, claim: str) -> list[Event]:
        """Two persons have paid a grant; nothing else is ever paid automatically."""
        hit = self.kept.hits[claim]
        if hit.state != "granted" or hit.grant is None:
            raise NotNow("not_granted" if hit.state == "pending" else "paid_already")
        if hit.doubt:
            raise NotNow(hit.doubt)
        return self._enter(Paid(claim, hit.grant.amount))

    def settle_on_paper(self, claim: str, amount: int, persons: tuple[str, str]) -> list[Event]:
        """Two persons have paid a settlement on paper; the grant may have come meanwhile."""
        if self.kept.hits[claim].state not in ("pending", "granted"):
            raise NotNow("paid_already")
        if persons[0] == persons[1]:
            raise NotNow("two_persons")
        return self._enter(SettledOnPaper(claim, amount, persons))

    def count(self, now: float) -> list[Event]:
        """The table's totals, as an entry for the pit to compare."""
        self._counted_at = now
        return self._enter(Counted(self.kept.totals))

    def is_to_count(self, now: float) -> bool:
        """Whether an hour or a pot has passed since the table last reported its sums."""
        learnt, at = self.kept.learnt, self._counted_at
        another_pot = learnt is not None and learnt.cycle != self.kept.counted
        counts = self.kept.through > 0 and self.is_compared and self.kept.broken != OLDER_COPY
        return counts and (another_pot or at is None or now - at >= COUNT_AFTER)

    def _enter(self, body: Body) -> list[Event]:
        kept = self.kept
        return [Entry(kept.link, kept.table, kept.journal, kept.seq + 1, body)]

    def _of_journal(self) -> list[TableClaim]:
        return [hit for hit in self.kept.hits.values() if hit.entry.journal == self.kept.journal]

    # ---- what the pit says

    def receive_pot(self, pot: Pot, now: float, retained: bool) -> list[Event]:
        """Receives a pot. One of a lower epoch, or not newer than the last, is ignored; a retained one does not prove
        that the pit is online.
        """
        learnt = self.kept.learnt
        if pot.epoch < self.epoch or pot.link != self.kept.link or self._is_before(pot):
            return []
        last = self._pot
        if last is not None and (pot.epoch, pot.beat) <= (last.epoch, last.beat):
            return []
        before = self._received
        self._pot = pot
        if pot.stopped != WENT_BACK:  # else its revisions are not those of the right books
            self._published = max(self._published, (pot.epoch, pot.revision))
        if not retained and (pot.epoch, pot.beat) > self._answered:
            self._received_at = now
        events = self._gone_back(pot, before)
        now_learnt = Learnt(pot.epoch, pot.cycle, pot.terms_number, pot.parameters, pot.pot, pot.tables)
        return [*events, now_learnt] if learnt is None or _is_news(now_learnt, learnt) else events

    def receive(self, answer: PitAnswer, now: float = 0.0) -> list[Event]:
        """An answer came, to this table."""
        kept = self.kept
        if answer.epoch < self.epoch or (answer.link, answer.table) != (kept.link, kept.table):
            return []
        if kept.broken == OLDER_COPY:
            return []  # it is of what the copy has not: a number that fits by now, or a claim of the same name
        if isinstance(answer, Acknowledged):
            lost = self._gone_back(answer, self._received)
            if lost or answer.revision < kept.at[1]:
                return lost
            if answer.refused:
                # Where nothing waits for an answer, one comes late that was overtaken.
                waits = any(entry.journal == answer.journal for entry in kept.unsaid)
                own = answer.journal == kept.journal
                return [Broken(answer.refused)] if own and waits and not kept.broken else []
            # One of the two has forgotten something where what the other counts by a number is another entry.
            if answer.journal == kept.journal and answer.session == self._session:
                self._compare(answer)
            others = answer.through == kept.seq and answer.head not in ("", kept.head)
            if answer.journal == kept.journal and (others or not kept.through <= answer.through <= kept.seq):
                if answer.through >= kept.through:
                    return [Broken(OLDER_COPY)]
                return [] if kept.broken in FOR_GOOD else [Broken(WENT_BACK, *kept.at)]
            news = any(entry.journal == answer.journal and entry.seq <= answer.through for entry in kept.unsaid)
            accepted = answer.journal == kept.journal and answer.through > 0
            news = news or (accepted and kept.broken not in ("", *FOR_GOOD))
            own_journal = answer.journal == kept.journal and kept.broken == WENT_BACK
            released = own_journal and kept.lost[1] <= min(answer.released_revision, answer.revision)
            through = Through(
                answer.journal, answer.through, answer.epoch, answer.revision, answer.pending_entries, released
            )
            return (
                [through] if news or released or advance(kept, through).pending_entries != kept.pending_entries else []
            )
        if isinstance(answer, KeyUnknown):
            overtaken = answer.revision < kept.at[1] or kept.broken
            return [Broken(UNKNOWN_KEY)] if answer.key == self._key and not overtaken else []
        return self._receive_grant(answer.grant, now)

    def _receive_grant(self, grant: Grant, now: float) -> list[Event]:
        kept = self.kept
        hit = kept.hits.get(grant.claim)
        if hit is None or hit.head != grant.head or grant in (hit.grant, hit.other):
            return []  # of another history of this journal it is the answer to another claim
        follows = _follows(kept.game, hit, grant)
        if hit.grant is not None or not follows:
            doubted = Doubted(grant.claim, ANOTHER_GRANT, grant if follows else None)
            broken: list[Event] = [] if kept.broken in FOR_GOOD else [Broken(ANOTHER_GRANT)]
            return broken if advance(kept, doubted) == kept else [doubted, *broken]
        learnt = kept.learnt
        if learnt is None or grant.terms_number > learnt.terms_number:
            return []  # the claim is sent again, and by then a pot with these parameters was received
        if kept.terms.get(grant.terms_number) != grant.parameters:
            return [GrantReceived(grant, OTHER_TERMS)]
        return [GrantReceived(grant, "" if grant.pot <= self._most(hit, learnt, now) else POT_TOO_HIGH)]

    def _pot_before(self, hit: TableClaim, now: float) -> tuple[int, float]:
        """The last pot before a claim is first sent, and when it was received. After a start the claim may have been
        sent before, and the pot of now is none: what was kept, and by how much more it would have been kept again.
        """
        if self.is_compared and self._pot is not None and self._received_at is not None:
            return self._pot.pot, self._received_at
        return hit.seen, now - RISE_SECONDS

    def _most(self, hit: TableClaim, learnt: Learnt, now: float) -> int:
        """The highest pot that a claim's grant can have: the pot before the claim, plus the most that all tables can
        have added since.
        """
        pot, at = self._before.get(hit.claim) or self._pot_before(hit, now)
        terms = learnt.parameters
        since = contributable(now - at, learnt.tables, terms)
        return min(max(pot, terms.minimum) + since, terms.ceiling)

    def _is_before(self, pot: Pot) -> bool:
        """Whether a pot contradicts its epoch: within an epoch, amounts never decrease and parameters never change."""
        kept, learnt = self.kept, self.kept.learnt
        of_learnt = learnt is not None and pot.epoch == learnt.epoch
        if of_learnt and learnt is not None:
            known = kept.terms.get(pot.terms_number, pot.parameters)
            if pot.cycle < learnt.cycle or pot.terms_number < learnt.terms_number or pot.parameters != known:
                return True
        return pot.epoch == kept.at[0] and pot.revision < kept.at[1]

    def _compare(self, answer: Acknowledged) -> None:
        """The pit has answered in this session. A message that it published earlier does not prove that it is
        online.
        """
        if not self._compared:
            self._compared, self._answered = True, (answer.epoch, answer.beat)
            if self._pot is not None and (self._pot.epoch, self._pot.beat) <= self._answered:
                self._received_at = None

    def _gone_back(self, message: Pot | Acknowledged, before: tuple[int, int]) -> list[Event]:
        """Whether the pit's database has lost entries for good: a later epoch never has fewer."""
        epoch, revision = before
        lost = message.epoch > epoch and message.revision < revision and self.kept.broken not in FOR_GOOD
        return [Broken(WENT_BACK, epoch, revision)] if lost else []

    @property
    def _received(self) -> tuple[int, int]:
        """The highest epoch and revision that the pit has sent."""
        return max(self.kept.at, self._published)

    @property
    def epoch(self) -> int:
        """The highest epoch that was received; a pot's epoch counts before its event is durable."""
        of_pot = self._pot.epoch if self._pot is not None else 0
        return max(of_pot, self.kept.learnt.epoch if self.kept.learnt is not None else 0)

    # ---- what the table says and shows

    def due(self, now: float) -> list[Entry]:
        """The messages to send, and to send again after some time: the oldest entries that are not acknowledged, and
        claims until there is an answer, which may be lost after its claim was acknowledged. A table that restarts sends
        its last entry again, and learns whether the pit has more of its journal. One whose pit has gone back publishes
        that, until two persons there release it: the message is no entry, since the right books might have one under
        the same number. An older copy publishes nothing more.
        """
        if self.kept.broken == OLDER_COPY:
            return []
        found = []
        kept = self.kept
        last = () if self.is_compared or kept.last is None else (kept.last,)
        if kept.broken == WENT_BACK:
            last = (*last, Entry(kept.link, kept.table, kept.journal, 0, WentBack(*kept.lost, kept.through)))
        pending = [hit for hit in kept.hits.values() if hit.state == "pending"]
        self._before = {hit.claim: self._before.get(hit.claim) or self._pot_before(hit, now) for hit in pending}
        for entry in dict.fromkeys((*kept.unsaid[:WINDOW], *last, *(hit.entry for hit in pending))):
            key = entry.journal, entry.seq
            if key not in self._sent_at or now - self._sent_at[key] >= SAY_AGAIN_AFTER:
                self._sent_at[key] = now
                found.append(entry)
        self._sent_at = {key: at for key, at in self._sent_at.items() if now - at < SAY_AGAIN_AFTER}
        return found

    def shown(self, now: float) -> Shown:
        """The pot to show, with the fault sign if no message has come for three seconds."""
        fault = not self._alive(now) or self._pot is None or bool(self._pot.stopped or self.kept.broken)
        return Shown(None if self._pot is None else self._pot.pot, fault)

    def takes_chips(self, now: float) -> bool:
        """Whether jackpot chips are accepted in a round that begins now."""
        return not self.shown(now).fault and self.kept.through >= 1 and self.is_compared

    @property
    def is_compared(self) -> bool:
        """Whether the pit has reported its part of the journal: an older copy could reach the very same entries."""
        return self._compared or self.kept.last is None

    def _alive(self, now: float) -> bool:
        return self._received_at is not None and now - self._received_at < STALE_AFTER


def _is_news(now: Learnt, known: Learnt) -> bool:
    """Whether a pot is worth recording; one that has risen a little is not."""
    rise = contributable(RISE_SECONDS, now.tables, now.parameters)
    return replace(now, pot=known.pot) != known or now.pot > known.pot + rise


def _follows(game: str, hit: TableClaim, grant: Grant) -> bool:
    """Whether the regulation gives these awards of that pot to these winners."""
    parameters = grant.parameters
    awards = GAMES[game].award(hit.winners, parameters.chip, parameters.terms(grant.pot)).awards
    return tuple(awards) == grant.awards
