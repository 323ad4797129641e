"""Puts the tables' messages in order: every message once, none left out. No I/O here.

A message is identified by its journal and its number there; the numbers of one journal have no gap.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

AHEAD = 10_000  # messages of one journal that are kept in memory while one before them is asked for again
MOST_TABLES = 2000  # of which something other than messages is kept in memory
BUFFERED_OF_TABLE = 2_000_000  # octets of a table's messages that are kept in memory
BUFFERED = 32_000_000  # of all tables
OCTETS_OF_MESSAGE = 500  # beside its content
NEW_OF_TABLE = 64  # journals of a table, and of all tables, of which nothing was received before this process leads
NEW = 4096


class BadMessage(Exception):
    """A text on a table's topic that is no message of a station, with the expected form."""


class TableJournal(msgspec.Struct, frozen=True, order=True):
    """A journal of a table; a copy that is continued separately counts as another journal."""

    site: str
    table: str
    name: str


class Message(msgspec.Struct, frozen=True):
    """A message of `events/#` or `rounds`, with its bytes unchanged.

    `time` is the table's, in ISO 8601 and UTC; None if it is not a valid time. `unreadable` says why the message gets
    no row; it is empty if it gets one.
    """

    journal: TableJournal
    sequence: int
    type: str
    round: int | None
    time: str | None
    content: bytes
    unreadable: str = ""


LONGEST_NAME = 200  # characters
WRITTEN = len("2026-01-31T12:00:00.000Z")


Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""A number that a column of the database can hold."""


class _Data(msgspec.Struct, frozen=True):
    sequence: Annotated[int, Meta(ge=1, le=2**63 - 1)]
    round: Number | None = None


class _Envelope(msgspec.Struct, frozen=True):
    source: str
    type: Annotated[str, Meta(min_length=1)]
    time: str
    data: _Data


class _Place(msgspec.Struct, frozen=True):
    """The place of a message, whatever its other content."""

    sequence: Annotated[int, Meta(ge=1, le=2**63 - 1)]


class _Placed(msgspec.Struct, frozen=True):
    source: str
    data: _Place


_decode = msgspec.json.Decoder(_Envelope).decode
_decode_place = msgspec.json.Decoder(_Placed).decode


def read(site: str, table: str, content: bytes) -> Message:
    """A message as it came from a table. Raises BadMessage if journal or number are missing."""
    why = ""
    try:
        content.decode()
        envelope = _decode(content)
        name, sequence, kind, round = envelope.source, envelope.data.sequence, envelope.type, envelope.data.round
        time = _utc(envelope.time)
    except (ValueError, RecursionError) as error:  # what is not decoded is a ValueError too
        try:
            placed = _decode_place(content)
            content.decode()
        except (ValueError, RecursionError) as no_place:
            raise BadMessage(f"{site}/{table}: expected an envelope of a station, {no_place}") from None
        name, sequence, kind, round, time = placed.source, placed.data.sequence, "", None, None
        why = f"it is no envelope of a station: {error}"
    source = name.split("/")
    if (
        len(source) != 5
        or source[:4] != ["", "dealer", site, table]
        or not 1 <= len(source[4]) <= LONGEST_NAME
        or "\0" in source[4]
    ):
        raise BadMessage(f"{site}/{table}: expected a message of that table, not of {name!r}")
    return Message(TableJournal(site, table, source[4]), sequence, kind, round, time, content, why)


def _utc(text: str) -> str | None:
    try:
        at = datetime.fromisoformat(text)
        if len(text) == WRITTEN and text[4] == text[7] == "-" and text[10] == "T" and text[-1] == "Z":
            return f"{text[:-1]}+00:00"  # as every station writes it
        return at.astimezone(UTC).isoformat() if at.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


class Inbox:
    """Messages that are not stored yet. `through` says up to which number each journal is.

    The inbox is limited: messages for which there is no room are requested later.
    """

    def __init__(self, through: Mapping[TableJournal, int]) -> None:
        self._through = dict(through)
        self._new: Counter[tuple[str, str]] = Counter()  # journals, by table
        self._buffered: Counter[tuple[str, str]] = Counter()  # octets, likewise
        self._buffered_of_all = 0
        self._waiting: dict[TableJournal, dict[int, Message]] = {}
        self._reported: dict[TableJournal, int] = {}  # there are as many, a table has reported
        self._aside: dict[
            TableJournal, dict[int, str]
        ] = {}  # not to be had, and why; no reason where the table put it aside

    def through(self, journal: TableJournal) -> int:
        """The number of a journal's last stored message; 0 if none is stored."""
        return self._through.get(journal, 0)

    def receive(self, message: Message) -> bool:
        """Returns whether the message is new. One too far ahead is not kept: it is requested later, with those missing
        before it.

        Raises BadMessage where its table has too many journals.
        """
        journal, sequence = message.journal, message.sequence
        self.received_up_to(journal, sequence)
        waiting = self._waiting.setdefault(journal, {})
        is_new = sequence > self.through(journal) and sequence not in waiting
        if is_new and sequence <= self.through(journal) + AHEAD and self._has_room(message):
            waiting[sequence] = message
            self._hold(message, _octets(message))
        return is_new

    def _has_room(self, message: Message) -> bool:
        """The next message of a journal always has: it is stored before all others."""
        journal = message.journal
        buffered = self._buffered[journal.site, journal.table]
        is_next = message.sequence == self.through(journal) + 1
        return is_next or (buffered < BUFFERED_OF_TABLE and self._buffered_of_all < BUFFERED)

    def _let_go(self, message: Message | None) -> None:
        if message is not None:
            self._hold(message, -_octets(message))

    def _hold(self, message: Message, octets: int) -> None:
        self._buffered[message.journal.site, message.journal.table] += octets
        self._buffered_of_all += octets

    def received_up_to(self, journal: TableJournal, sequence: int) -> None:
        """A table has published how many messages its journal has. Raises BadMessage if the table has too many
        journals.
        """
        if journal not in self._reported and journal not in self._through:
            table = journal.site, journal.table
            if self._new[table] >= NEW_OF_TABLE or self._new.total() >= NEW:
                raise BadMessage(f"{journal.site}/{journal.table}: expected fewer journals than there are")
            self._new[table] += 1
        self._reported[journal] = max(self._reported.get(journal, 0), sequence)

    def due(self, most: int) -> list[Message]:
        """The messages that can be stored now, at most `most`: those of each journal in order and without a gap."""
        found: list[Message] = []
        for journal in self._waiting:
            found += self._in_order(journal, most - len(found))
        return found

    def _in_order(self, journal: TableJournal, most: int) -> Iterator[Message]:
        waiting, first = self._waiting[journal], self.through(journal) + 1
        for sequence in range(first, first + most):
            if sequence not in waiting:
                return
            yield waiting[sequence]

    def stored(self, messages: Iterable[Message]) -> None:
        """These messages are stored durably."""
        for message in messages:
            self._through[message.journal] = max(self.through(message.journal), message.sequence)
            self._let_go(self._waiting[message.journal].pop(message.sequence, None))

    def begins(self, journal: TableJournal, first: int) -> None:
        """A table no longer has any message before this one: the missing ones cannot be received."""
        if first - 1 > self.through(journal):
            self._through[journal] = first - 1
            waiting, aside = self._waiting.setdefault(journal, {}), self._aside.get(journal, {})
            for sequence in [sequence for sequence in waiting if sequence < first]:
                self._let_go(waiting.pop(sequence))
            for sequence in [sequence for sequence in aside if sequence < first]:
                del aside[sequence]

    def put_aside(self, journal: TableJournal, first: int, last: int, reason: str = "") -> None:
        """A table has published all that it has between two messages: the others do not exist.

        `reason` says why one of its answers was no message; without one the table itself has put them aside.
        """
        waiting = self._waiting.setdefault(journal, {})
        numbers = range(max(first, self.through(journal) + 1), last + 1)
        self._aside.setdefault(journal, {}).update((number, reason) for number in numbers if number not in waiting)

    def passed(self) -> dict[TableJournal, tuple[int, str]]:
        """For each journal whose next messages cannot be received: the message with which it continues, and the
        reason.
        """
        found = {}
        for journal, aside in self._aside.items():
            begin = first = self.through(journal) + 1
            while first in aside and aside[first] == aside[begin]:
                first += 1
            if first > begin:
                found[journal] = first, aside[begin]
        return found

    def missing(self) -> dict[TableJournal, tuple[int, int]]:
        """The first missing messages of each journal (from, to), up to the last that its table has announced."""
        found = {}
        for journal, last in self._reported.items():
            known = self._waiting.get(journal, {}).keys() | self._aside.get(journal, {}).keys()
            first = self.through(journal) + 1
            while first in known:
                first += 1
            if first <= last:
                behind = min((sequence for sequence in known if sequence > first), default=last + 1)
                found[journal] = first, behind - 1
        return found


def _octets(message: Message) -> int:
    return OCTETS_OF_MESSAGE + len(message.content)
