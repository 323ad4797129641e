"""Who leads a linked pot: entries in, transactions and answers out. No I/O here.

No answer is sent and no pot is shown before its transaction is known to be durable. If that is not known, this leader
ends, and the next one begins with the content of the database.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.link.messages import (
    Acknowledged,
    Claimed,
    Entry,
    Grant,
    Granted,
    KeyUnknown,
    PendingEntry,
    PitAnswer,
    Pot,
    WentBack,
    head_after,
)
from controller.pit.ledger.claims import grant_claim, waiting_claims
from controller.pit.ledger.decisions import ahead_by, apply_decision, block_table, offer_key, stop_if_older
from controller.pit.ledger.entries import apply_entry
from controller.pit.ledger.state import (
    Ahead,
    DecisionRefused,
    EntriesMissing,
    LedgerJournal,
    Offered,
    PitDecision,
    PotLedger,
)

MOST = 2**53  # what every reader of JSON takes exactly, and sums of it a database
LONGEST = 200  # characters
LONGEST_SESSION = 32
MOST_OFFERED = 100  # keys that wait for a transaction: another one is received again with the next entry
AHEAD = 1000  # entries of a journal that are kept while one before them is on its way


class LedgerTransaction(msgspec.Struct, frozen=True):
    """A transaction: the ledger after it, and the entries and decisions that it applies. It holds at `before` and in
    `after`'s epoch alone.
    """

    before: PotLedger
    after: PotLedger
    entries: tuple[Entry, ...]
    decided: tuple[PitDecision, ...]
    offered: tuple[Offered, ...] = ()


class Leader:
    """One that leads in an epoch, from a ledger that is durable.

    One that `looks` answers nothing before `begin`: a table that compared its journal with books that went back might
    continue an older copy.
    """

    def __init__(self, ledger: PotLedger, epoch: int, looks: bool = False) -> None:
        self.ledger, self._epoch = ledger, epoch
        self._waiting: dict[str, dict[int, Entry]] = {}
        self._decided: list[PitDecision] = []
        self._offered: list[Offered] = []
        self._looks = looks
        self._seen: list[Ahead] = []  # evidence that is not durable yet
        self._noticed = 0
        self._broken: dict[str, int] = {}
        self._sessions: dict[str, str] = {}  # of each journal the one it was last received in
        self._batch: LedgerTransaction | None = None
        self._beat = 0

    def receive(self, entry: Entry, session: str = "") -> list[PitAnswer]:
        """Receives an entry. A durable one is answered at once; another waits for a transaction, or for its turn."""
        self._sessions[entry.journal] = session[:LONGEST_SESSION]
        if entry.link != self.ledger.link or entry.table not in self.ledger.tables:
            return [self._refused(entry, "unknown_table")]
        is_entry = not isinstance(entry.body, WentBack)
        if entry.seq < is_entry or not keepable(msgspec.to_builtins(entry)):
            return [self._refused(entry, "entry_makes_no_sense")]
        if isinstance(entry.body, WentBack):
            self._went_back(entry, entry.body)
        if self.ledger.ahead is not None or self._seen:
            return []  # an answer would make the table forget what the right books may not have
        if not is_entry:
            return [] if self._looks else [self._through(entry.table, entry.journal)]
        journal = self.ledger.journals.get(entry.journal)
        through = journal.through if journal is not None else 0
        if entry.seq <= through:
            return [] if self._looks else list(self._answers(entry))
        waiting = self._waiting.setdefault(entry.journal, {})
        if entry.seq <= through + AHEAD:
            waiting[entry.seq] = entry
        if through + 1 in waiting or self._looks:
            return []
        # The table may say what is missing, or have been reported by a database that lost it since that it is kept.
        return [self._through(entry.table, entry.journal)]

    def notice(self, seen: Ahead | None) -> None:
        """Records evidence that the database went back, if it is any: no answer is sent before persons have decided."""
        if stop_if_older(self.ledger, seen) is not self.ledger and seen is not None:
            self._seen.append(seen)

    def _went_back(self, entry: Entry, body: WentBack) -> None:
        self.notice(ahead_by(self.ledger, entry.table, entry.journal, body))
        journal = self.ledger.journals.get(entry.journal)
        if not self._seen and journal is not None and not journal.successor and body.through <= journal.through:
            self._broken[entry.table] = body.revision

    def offer(self, entry: Entry, key: str) -> list[PitAnswer]:
        """An entry came that is signed by an unknown key: two persons look at the key."""
        offered = Offered(entry.table, key)
        if entry.table in self.ledger.tables and offered not in self._offered and len(self._offered) < MOST_OFFERED:
            self._offered.append(offered)
        return [KeyUnknown(self.ledger.link, entry.table, self._epoch, self.ledger.revision, key)]

    def ask(self, *decided: PitDecision) -> None:
        """Records persons' decisions, one after the other, or none: raises DecisionRefused if one is not possible."""
        after = self.ledger
        for decision in decided:
            after = apply_decision(after, decision)
        self._decided += decided

    def batch(self, most: int) -> tuple[LedgerTransaction | None, list[PitAnswer]]:
        """The next transaction, if there is work and none is under way; and the answers to refused journals."""
        if self._batch is not None or self._looks:
            return None, []
        ledger, applied, decided, refused = self.ledger, list[Entry](), list[PitDecision](), list[PitAnswer]()
        self._noticed = len(self._seen)
        for seen in self._seen:
            ledger = stop_if_older(ledger, seen)
        for decision in self._decided:
            try:
                ledger = apply_decision(ledger, decision)
            except DecisionRefused:  # someone was quicker
                continue
            decided.append(decision)
        self._decided.clear()
        offered = list[Offered]()
        continued = ledger.ahead is None and self.ledger.ahead is None
        if continued:
            ledger, offered = self._offer_keys(ledger)
            for table, revision in self._broken.items():
                ledger = block_table(ledger, table, revision)
        self._broken.clear()
        while continued and len(applied) < most:  # a journal may wait for the end of the one before it
            continued = False
            for name in list(self._waiting):
                ledger, entries, why = self._proceed(ledger, name, most - len(applied))
                applied += entries
                continued = continued or bool(entries)
                if why is not None:
                    refused.append(why)
        if not ledger.stopped:
            for name in waiting_claims(ledger):
                ledger = grant_claim(ledger, name)
        if ledger is self.ledger:
            self._seen.clear()
            return None, refused
        after = replace(ledger, revision=max(self.ledger.revision, ledger.revision) + 1, epoch=self._epoch)
        after = replace(after, chain=head_after(after.chain, (*decided, *offered, *applied)))
        self._batch = LedgerTransaction(self.ledger, after, tuple(applied), tuple(decided), tuple(offered))
        return self._batch, refused

    def _offer_keys(self, ledger: PotLedger) -> tuple[PotLedger, list[Offered]]:
        news = []
        for entry in self._offered:
            before, ledger = ledger, offer_key(ledger, entry)
            if ledger is not before:
                news.append(entry)
        self._offered.clear()
        return ledger, news

    def _proceed(self, ledger: PotLedger, name: str, most: int) -> tuple[PotLedger, list[Entry], PitAnswer | None]:
        waiting, entries = self._waiting[name], list[Entry]()
        while len(entries) < most:
            journal = ledger.journals.get(name)
            entry = waiting.get(1 if journal is None else journal.through + 1)
            if entry is None:
                break
            try:
                ledger = apply_entry(ledger, entry)
            except EntriesMissing:
                break
            except DecisionRefused as why:
                del self._waiting[name]
                return ledger, entries, self._refused(entry, str(why))
            if isinstance(entry.body, Claimed) and not ledger.stopped:
                ledger = _granted(ledger, entry.body.claim)
            del waiting[entry.seq]
            entries.append(entry)
        return ledger, entries, None

    def committed(self) -> list[PitAnswer]:
        """The messages to publish now that the transaction is durable."""
        assert self._batch is not None
        before, self.ledger = self.ledger, self._batch.after
        entries, self._batch = self._batch.entries, None
        del self._seen[: self._noticed]
        for name in {entry.journal for entry in entries}:
            waiting = self._waiting.get(name, {})
            for seq in [seq for seq in waiting if seq <= self.ledger.journals[name].through]:
                del waiting[seq]
        last = {entry.journal: entry for entry in entries}
        released = [self.ledger.current[table] for table in before.broken.keys() - self.ledger.broken.keys()]
        answers: list[PitAnswer] = [self._acknowledged(name) for name in dict.fromkeys((*last, *released))]
        for name, claim in self.ledger.claims.items():
            if claim.grant is not None and (name not in before.claims or before.claims[name].grant is None):
                answers.append(self._granted(claim.table, claim.grant))
        return answers

    def acknowledged(self) -> list[PitAnswer]:
        """The first messages of a new leader: a table that has received more answers with that."""
        return [self._acknowledged(name) for name in self.ledger.current.values()]

    def begin(self) -> list[PitAnswer]:
        """The check before the first beat is over: returns the grants, since the leader before may not have published
        them.
        """
        self._looks = False
        if self.ledger.ahead is not None or self._seen:
            return []
        claims = self.ledger.claims.values()
        return [
            self._granted(claim.table, claim.grant) for claim in claims if claim.grant is not None and claim.is_open
        ]

    def beats(self) -> bool:
        """Whether the pot may be published: if the books went back, not before the evidence of it is durable."""
        return not self._looks and not self._seen

    def beat(self) -> Pot:
        """The durable pot, to be published four times a second while it `beats`."""
        self._beat += 1
        ledger = self.ledger
        return Pot(
            link=ledger.link,
            epoch=self._epoch,
            beat=self._beat,
            revision=ledger.revision,
            pot=ledger.pot.pot,
            cycle=ledger.cycle,
            terms_number=len(ledger.terms),
            parameters=ledger.meter.parameters,
            tables=len(ledger.tables),
            stopped=ledger.stopped,
        )

    def _answers(self, entry: Entry) -> Iterator[PitAnswer]:
        yield self._acknowledged(entry.journal)
        if isinstance(entry.body, Claimed):
            claim = self.ledger.claims.get(entry.body.claim)
            if claim is not None and claim.grant is not None and not claim.closed:
                yield self._granted(claim.table, claim.grant)

    def _granted(self, table: str, grant: Grant) -> Granted:
        return Granted(self.ledger.link, table, self._epoch, self.ledger.revision, grant)

    def _acknowledged(self, name: str) -> Acknowledged:
        return self._through(self.ledger.journals[name].table, name)

    def _refused(self, entry: Entry, why: str) -> Acknowledged:
        return replace(self._through(entry.table, entry.journal), through=0, refused=why, head="")

    def _through(self, table: str, name: str) -> Acknowledged:
        ledger = self.ledger
        journal = ledger.journals.get(name, LedgerJournal(table))
        waiting = [key.rpartition("/") for key, pending in ledger.pending.items() if pending.table == table]
        pending = tuple(PendingEntry(of, int(seq)) for of, _, seq in waiting)
        return Acknowledged(
            link=ledger.link,
            table=table,
            journal=name,
            through=journal.through,
            epoch=self._epoch,
            revision=ledger.revision,
            pending_entries=pending,
            head=journal.head,
            session=self._sessions.get(name, ""),
            beat=self._beat,
            released_revision=ledger.released.get(table, 0),
        )


def _granted(ledger: PotLedger, name: str) -> PotLedger:
    return grant_claim(ledger, name) if ledger.claims[name].grant is None else ledger


def keepable(value: Any) -> bool:
    """Whether the database can store an entry: a rejected one would stop the link for all tables, again at each
    retry.
    """
    match value:
        case dict():
            return all(map(keepable, value.values()))
        case list() | tuple():
            return all(map(keepable, value))
        case str():
            return len(value) <= LONGEST and "\0" not in value
        case int():
            return abs(value) < MOST
        case _:
            return True
