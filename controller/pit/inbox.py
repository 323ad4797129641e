"""What the tables say, put in order: every message once, none left out. No I/O here.

A message is known by its journal and its number in it; the numbers of one journal have no gap.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

AHEAD = 10_000  # messages of one journal that are held in memory while one before them is asked for again


class BadMessage(Exception):
    """Something on a table's topic that is no message of a station, with what was expected."""


class Journal(msgspec.Struct, frozen=True, order=True):
    """A journal of a table; one that goes on from an older copy is another."""

    site: str
    table: str
    name: str


class Message(msgspec.Struct, frozen=True):
    """A message of `events/#` or `rounds`, with its bytes as they came."""

    journal: Journal
    sequence: int
    type: str
    round: int | None
    time: str
    content: bytes


LONGEST_NAME = 200  # characters
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class _Data(msgspec.Struct, frozen=True):
    sequence: Annotated[int, Meta(ge=1, le=2**63 - 1)]
    round: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None


class _Envelope(msgspec.Struct, frozen=True):
    source: str
    type: Name
    time: str
    data: _Data


_TIME = re.compile(r"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")
_NUL = b"\\u0000"  # PostgreSQL keeps it in no text, and reads no field of JSON that has it
_decode = msgspec.json.Decoder(_Envelope).decode


def read(site: str, table: str, content: bytes) -> Message:
    """A message as it came from a table. Raises BadMessage."""
    try:
        envelope = _decode(content)
        content.decode()
        if not _TIME.fullmatch(envelope.time):
            raise ValueError(f"not of {envelope.time!r}")
        datetime.fromisoformat(envelope.time)
    except (ValueError, RecursionError) as error:  # what is not decoded is a ValueError too
        raise BadMessage(f"{site}/{table}: expected an envelope of a station, {error}") from None
    source = envelope.source.split("/")
    if len(source) != 5 or source[:4] != ["", "dealer", site, table] or not 1 <= len(source[4]) <= LONGEST_NAME:
        raise BadMessage(f"{site}/{table}: expected a message of that table, not of {envelope.source!r}")
    if _NUL in content:
        raise BadMessage(f"{site}/{table}: expected text that a database keeps, not a NUL")
    return Message(
        journal=Journal(site, table, source[4]),
        sequence=envelope.data.sequence,
        type=envelope.type,
        round=envelope.data.round,
        time=envelope.time,
        content=content,
    )


class Inbox:
    """Messages that are not stored yet. `through` says up to which number each journal is."""

    def __init__(self, through: Mapping[Journal, int]) -> None:
        self._through = dict(through)
        self._waiting: dict[Journal, dict[int, Message]] = {}
        self._told: dict[Journal, int] = {}  # there are as many, a table has said
        self._aside: dict[Journal, set[int]] = {}  # not to be had, it has shown

    def through(self, journal: Journal) -> int:
        """The last message of a journal that is stored; 0 if none is."""
        return self._through.get(journal, 0)

    def hear(self, message: Message) -> bool:
        """Whether it is new. What is too far ahead is not held: it is asked for with what is missing before it."""
        journal, sequence = message.journal, message.sequence
        self.heard_of(journal, sequence)
        waiting = self._waiting.setdefault(journal, {})
        is_new = sequence > self.through(journal) and sequence not in waiting
        if is_new and sequence <= self.through(journal) + AHEAD:
            waiting[sequence] = message
        return is_new

    def heard_of(self, journal: Journal, sequence: int) -> None:
        """A table says that it has so many messages."""
        self._told[journal] = max(self._told.get(journal, 0), sequence)

    def due(self, most: int) -> list[Message]:
        """What can be stored now, at most so many: each journal's own messages, in order and without a gap."""
        found: list[Message] = []
        for journal in self._waiting:
            found += self._in_order(journal, most - len(found))
        return found

    def _in_order(self, journal: Journal, most: int) -> Iterator[Message]:
        waiting, first = self._waiting[journal], self.through(journal) + 1
        for sequence in range(first, first + most):
            if sequence not in waiting:
                return
            yield waiting[sequence]

    def stored(self, messages: Iterable[Message]) -> None:
        """These are stored for good."""
        for message in messages:
            self._through[message.journal] = max(self.through(message.journal), message.sequence)
            self._waiting[message.journal].pop(message.sequence, None)

    def begins(self, journal: Journal, first: int) -> None:
        """A table has nothing before this message any more: what was missing cannot be had."""
        if first - 1 > self.through(journal):
            self._through[journal] = first - 1
            waiting, aside = self._waiting.setdefault(journal, {}), self._aside.get(journal, set())
            for sequence in [sequence for sequence in waiting if sequence < first]:
                del waiting[sequence]
            aside.difference_update([sequence for sequence in aside if sequence < first])

    def put_aside(self, journal: Journal, first: int, last: int) -> None:
        """A table has told all that there is from one message to another: what has not come is not there."""
        waiting = self._waiting.setdefault(journal, {})
        numbers = range(max(first, self.through(journal) + 1), last + 1)
        self._aside.setdefault(journal, set()).update(number for number in numbers if number not in waiting)

    def passed(self) -> dict[Journal, int]:
        """Of each journal that goes on behind what was put aside, the message it goes on with."""
        found = {}
        for journal, aside in self._aside.items():
            first = self.through(journal) + 1
            while first in aside:
                first += 1
            if first > self.through(journal) + 1:
                found[journal] = first
        return found

    def missing(self) -> dict[Journal, tuple[int, int]]:
        """The first messages that are missing of each journal, from and to, as far as its table has said of any."""
        found = {}
        for journal, last in self._told.items():
            known = self._waiting.get(journal, {}).keys() | self._aside.get(journal, set())
            first = self.through(journal) + 1
            while first in known:
                first += 1
            if first <= last:
                behind = min((sequence for sequence in known if sequence > first), default=last + 1)
                found[journal] = first, behind - 1
        return found
