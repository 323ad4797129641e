"""Who leads a linked pot: entries in, transactions and answers out. No I/O here.

Nothing is answered, and no pot shown, before the transaction it stands in is known to be durable. Where that is not
known, this leader is done for: the next one begins with what the database says.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.link.messages import (
    Acknowledged,
    Answer,
    Claimed,
    Entry,
    Grant,
    Granted,
    HeldEntry,
    KeyUnknown,
    Pot,
    head_after,
)
from controller.pit import ledger as book
from controller.pit.ledger import Decided, Journal, Ledger, Offered, Refused, Unheard

MOST = 2**53  # what every reader of JSON takes exactly, and sums of it a database
LONGEST = 200  # characters
LONGEST_SESSION = 32
AHEAD = 1000  # entries of a journal that are held while one before them is on its way


class Batch(msgspec.Struct, frozen=True):
    """A transaction: the ledger after it, and what it applies. It holds at `before` and in `after`'s epoch alone."""

    before: Ledger
    after: Ledger
    entries: tuple[Entry, ...]
    decided: tuple[Decided, ...]
    offered: tuple[Offered, ...] = ()


class Leader:
    """One that leads in an epoch, from a ledger that is durable."""

    def __init__(self, ledger: Ledger, epoch: int) -> None:
        self.ledger, self._epoch = ledger, epoch
        self._waiting: dict[str, dict[int, Entry]] = {}
        self._decided: list[Decided] = []
        self._offered: list[Offered] = []
        self._sessions: dict[str, str] = {}  # of each journal the one it was last received in
        self._batch: Batch | None = None
        self._beat = 0

    def hear(self, entry: Entry, session: str = "") -> list[Answer]:
        """An entry came. What is durable is answered at once; what is not waits for a transaction, or for its turn."""
        self._sessions[entry.journal] = session[:LONGEST_SESSION]
        if entry.link != self.ledger.link or entry.table not in self.ledger.tables:
            return [self._refused(entry, "unknown_table")]
        if entry.seq < 1 or not keepable(msgspec.to_builtins(entry)):
            return [self._refused(entry, "entry_makes_no_sense")]
        journal = self.ledger.journals.get(entry.journal)
        through = journal.through if journal is not None else 0
        if entry.seq <= through:
            return list(self._answers(entry))
        waiting = self._waiting.setdefault(entry.journal, {})
        if entry.seq <= through + AHEAD:
            waiting[entry.seq] = entry
        if through + 1 in waiting:
            return []
        # The table may say what is missing, or have been told by a database that lost it since that it is kept.
        return [self._through(entry.table, entry.journal)]

    def offer(self, entry: Entry, key: str) -> list[Answer]:
        """An entry came that is signed by a key which is not known: two persons look at the key."""
        if entry.table in self.ledger.tables:
            self._offered.append(Offered(entry.table, key))
        return [KeyUnknown(self.ledger.link, entry.table, self._epoch, self.ledger.revision, key)]

    def ask(self, *decided: Decided) -> None:
        """Persons decide something, one after the other. Raises Refused at once where it is no use, and keeps none."""
        after = self.ledger
        for one in decided:
            after = book.decide(after, one)
        self._decided += decided

    def batch(self, most: int) -> tuple[Batch | None, list[Answer]]:
        """The next transaction, if there is something to do and none under way; and the answers to refused journals."""
        if self._batch is not None:
            return None, []
        ledger, applied, decided, refused = self.ledger, list[Entry](), list[Decided](), list[Answer]()
        for one in self._decided:
            try:
                ledger = book.decide(ledger, one)
            except Refused:  # somebody was quicker
                continue
            decided.append(one)
        self._decided.clear()
        ledger, offered = self._offer_keys(ledger)
        went_on = True
        while went_on and len(applied) < most:  # a journal may wait for the end of the one before it
            went_on = False
            for name in list(self._waiting):
                ledger, heard, why = self._go_on(ledger, name, most - len(applied))
                applied += heard
                went_on = went_on or bool(heard)
                if why is not None:
                    refused.append(why)
        if not ledger.stopped:
            for name in book.waiting(ledger):
                ledger = book.grant(ledger, name)
        if ledger is self.ledger:
            return None, refused
        after = replace(ledger, revision=self.ledger.revision + 1, epoch=self._epoch)
        after = replace(after, chain=head_after(after.chain, (*decided, *offered, *applied)))
        self._batch = Batch(self.ledger, after, tuple(applied), tuple(decided), tuple(offered))
        return self._batch, refused

    def _offer_keys(self, ledger: Ledger) -> tuple[Ledger, list[Offered]]:
        news = []
        for one in self._offered:
            before, ledger = ledger, book.offer(ledger, one)
            if ledger is not before:
                news.append(one)
        self._offered.clear()
        return ledger, news

    def _go_on(self, ledger: Ledger, name: str, most: int) -> tuple[Ledger, list[Entry], Answer | None]:
        waiting, heard = self._waiting[name], list[Entry]()
        while len(heard) < most:
            journal = ledger.journals.get(name)
            entry = waiting.get(1 if journal is None else journal.through + 1)
            if entry is None:
                break
            try:
                ledger = book.apply(ledger, entry)
            except Unheard:
                break
            except Refused as why:
                del self._waiting[name]
                return ledger, heard, self._refused(entry, str(why))
            if isinstance(entry.body, Claimed) and not ledger.stopped:
                ledger = _granted(ledger, entry.body.claim)
            del waiting[entry.seq]
            heard.append(entry)
        return ledger, heard, None

    def committed(self) -> list[Answer]:
        """The transaction is durable: what is to be said of it."""
        assert self._batch is not None
        before, self.ledger = self.ledger, self._batch.after
        entries, self._batch = self._batch.entries, None
        for name in {entry.journal for entry in entries}:
            waiting = self._waiting.get(name, {})
            for seq in [seq for seq in waiting if seq <= self.ledger.journals[name].through]:
                del waiting[seq]
        last = {entry.journal: entry for entry in entries}
        answers: list[Answer] = [self._acknowledged(name) for name in last]
        for name, claim in self.ledger.claims.items():
            if claim.grant is not None and (name not in before.claims or before.claims[name].grant is None):
                answers.append(self._granted(claim.table, claim.grant))
        return answers

    def everything(self) -> list[Answer]:
        """What a new leader says: nobody knows what of it the one before it has said."""
        ledger = self.ledger
        answers: list[Answer] = [self._acknowledged(name) for name in ledger.current.values()]
        for claim in ledger.claims.values():
            if claim.grant is not None and claim.is_open:
                answers.append(self._granted(claim.table, claim.grant))
        return answers

    def beat(self) -> Pot:
        """The pot as it is durable, to be published four times a second."""
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

    def _answers(self, entry: Entry) -> Iterator[Answer]:
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
        journal = ledger.journals.get(name, Journal(table))
        waiting = [key.rpartition("/") for key, held in ledger.held.items() if held.table == table]
        held = tuple(HeldEntry(of, int(seq)) for of, _, seq in waiting)
        return Acknowledged(
            link=ledger.link,
            table=table,
            journal=name,
            through=journal.through,
            epoch=self._epoch,
            revision=ledger.revision,
            held=held,
            head=journal.head,
            session=self._sessions.get(name, ""),
            beat=self._beat,
        )


def _granted(ledger: Ledger, name: str) -> Ledger:
    return book.grant(ledger, name) if ledger.claims[name].grant is None else ledger


def keepable(said: Any) -> bool:
    """Whether a database keeps it: one that does not would stop the link for all tables, and again at each retry."""
    match said:
        case dict():
            return all(map(keepable, said.values()))
        case list() | tuple():
            return all(map(keepable, said))
        case str():
            return len(said) <= LONGEST and "\0" not in said
        case int():
            return abs(said) < MOST
        case _:
            return True
