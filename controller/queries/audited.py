"""The rounds of a whole journal, one after the other, for anyone who looks into them. All calls block."""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import msgspec

from controller.engine.state.applied import Event
from controller.journal.auditing import Report, rows
from controller.journal.past import found_event
from controller.journal.reading import reading
from controller.journal.records import Stamp
from controller.journal.segments import Segment
from controller.journal.verifying import Place
from controller.queries.following import AuditedRound, Rounds
from controller.queries.search import Query


class WantedRounds(msgspec.Struct, frozen=True):
    """Which rounds are wanted: begun within a period (UTC), with bets at a seat, with a prize, with a person, and those
    that match a query.
    """

    since: str = ""
    until: str = ""
    seat: int | None = None
    prize: bool = False
    person: str | None = None
    query: Query | None = None

    def begins(self, time: str) -> bool:
        """Whether a round that began then is wanted."""
        return time >= self.since and (not self.until or time < self.until)

    def is_over(self, segment: Segment) -> bool:
        """Whether no wanted round can have begun in a segment of the journal, since each would be too late."""
        latest, (_, last) = segment.times[1], segment.rounds or (0, 0)
        return latest < self.since or (self.query is not None and self.query.is_over(last + 1, latest))

    def takes(self, round: AuditedRound) -> bool:
        """Whether a round is among these."""
        return (
            self.begins(round.began)
            and (self.seat is None or self.seat in round.seats)
            and (not self.prize or bool(round.prizes))
            and (self.person is None or self.person in (*round.persons, *round.players))
            and (self.query is None or self.query.takes(round))
        )


def read_events(
    path: Path, mode: str, report: Report, after: Place | None = None, by: Place | None = None
) -> Iterator[tuple[int, Stamp, Event, bytes | None]]:
    """Number, stamp, event and input of all stored events, or of those after an event with its hash.

    An event `by` with its hash must be among them. The input is decrypted, and given with the first of its events.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal.
    """
    for row in rows(path, mode, report, after, by):
        yield *found_event(path, row), row[8]


def place_before(path: Path, mode: str, wanted: WantedRounds) -> tuple[int, bytes] | None:
    """An event with its hash after which all wanted rounds begin, found by the segments' indexes; None to read all."""
    with reading(path, mode) as (past, _):
        segments = [segment.segment for segment in past.segments]
    before = list(takewhile(wanted.is_over, segments))
    return (before[-1].last, before[-1].hash) if before else None


def rounds(path: Path, mode: str, wanted: WantedRounds, report: Report) -> list[AuditedRound]:
    """The rounds of a journal that are wanted, oldest first. Raises as `read_events`."""
    found_rounds = Rounds()
    for number, stamp, event, _ in read_events(path, mode, report, place_before(path, mode, wanted)):
        found_rounds.receive(number, stamp.time, event)
    return [round for round in found_rounds.found.values() if wanted.takes(round)]
