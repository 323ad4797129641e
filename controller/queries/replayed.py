"""A journal replayed: every round decided again by the code of now, on as many processors as there are.

All calls block.
"""

from functools import partial
from pathlib import Path

import msgspec

from controller.engine.events import DealerTold, Event
from controller.engine.replay import FOLLOWS, Difference, Replay, Row
from controller.engine.table import SCHEMA, Table, apply
from controller.journal.auditing import Report, rows, told_of_all
from controller.journal.past import pruned_of
from controller.journal.reading import opened
from controller.journal.records import JournalCorrupt, JournalUnavailable, WrongJournal
from controller.journal.restoring import Checkpoint
from controller.journal.sealing import MAC_BYTES
from controller.rulebook.events import RoundBegun, Terms
from controller.spread import beside

AT_ONCE = 1000  # events
FOLDED = 0.35  # of the time of an event that is decided again, one takes that is only folded

_decode_event = msgspec.json.Decoder(Event).decode


class Replayed(msgspec.Struct, frozen=True):
    """What came of it: of events after `since`, so many inputs decided again and so many rounds begun.

    At `told_otherwise` inputs the dealer would be told something else now.
    """

    events: int = 0
    since: int = 0
    rounds: int = 0
    decided: int = 0
    told_otherwise: int = 0
    differences: tuple[Difference, ...] = ()


class Start(msgspec.Struct, frozen=True):
    """Where a journal can be folded from: its first event, or a checkpoint where that is kept no longer."""

    event: int
    hash: bytes
    checkpoint: bytes = b""

    def table(self) -> Table:
        """The table then."""
        return msgspec.json.decode(self.checkpoint, type=Checkpoint).table if self.checkpoint else Table()


class Part(msgspec.Struct, frozen=True):
    """Some events of a journal: from the first round that begins after an event to the first after another."""

    path: str
    mode: str
    start: Start
    after: int
    until: int


def replay(path: Path, mode: str, report: Report, processes: int) -> Replayed:
    """Decide a whole journal again. Raises JournalUnavailable, JournalCorrupt, or WrongJournal."""
    start, last = _start(path, mode)
    borders = [start.event, *(start.event + round((last - start.event) * share) for share in shares(processes)), last]
    parts = [
        Part(str(path), mode, start, after, until if until < last else 2**63)
        for after, until in zip(borders, borders[1:], strict=False)
    ]
    told = told_of_all(report, start.event, borders[1], last)
    done = beside(_decided_again, parts[0], parts[1:], partial(_decided_again, report=told))
    report(last, last)
    return Replayed(
        events=last - start.event,
        since=start.event,
        rounds=sum(one.rounds for one in done),
        decided=sum(one.decided for one in done),
        told_otherwise=sum(one.told_otherwise for one in done),
        differences=tuple(difference for one in done for difference in one.differences),
    )


def shares(processes: int) -> list[float]:
    """Where each process but the first begins, so that all are done together: whoever is later folds all before it."""
    ends = [1.0]
    for _ in range(processes - 1):
        ends.append(ends[-1] + 1.0 - FOLDED * ends[-1])
    return [end / ends[-1] for end in ends[:-1]]


def _start(path: Path, mode: str) -> tuple[Start, int]:
    """Where to begin, and the last event."""
    with opened(path, mode) as (db, _):
        event, hash = pruned_of(db)
        [[last]] = db.execute("SELECT max(id) FROM events").fetchall()
        if event == 0:
            return Start(event, hash), last or 0
        kept = db.execute("SELECT event, snapshots.body, hash FROM snapshots JOIN events ON id = event ORDER BY event")
        for number, body, hash in kept:
            start = Start(number, hash, body[MAC_BYTES:])
            if start.table().schema == SCHEMA:
                return start, last
    raise JournalCorrupt(f"{path} keeps no event up to {event}, and no checkpoint after it can be read")


def _decided_again(part: Part, report: Report = lambda done, all: None) -> Replayed:
    path, table, terms = Path(part.path), part.start.table(), None
    if table.round is not None:
        terms = table.round.terms
    replay: Replay | None = None
    waiting: list[Row] = []
    found: list[Difference] = []
    before: Event | None = None
    number = part.start.event
    try:
        for number, _, _, _, _, body, *_ in rows(path, part.mode, report, (part.start.event, part.start.hash)):
            event = _decode_event(body)
            # The round that begins first takes along what is given back before it.
            begins = isinstance(event, RoundBegun) and not isinstance(before, (*FOLLOWS, DealerTold))
            before = event
            if begins and number > part.until:
                break
            if replay is None and (part.after == part.start.event or (begins and number > part.after)):
                replay = Replay(table, terms)
            if replay is None:
                table = apply(table, event)
                terms = _terms(event, terms)
                continue
            waiting.append((number, event))
            if len(waiting) == AT_ONCE:
                found += replay.take(waiting)
                waiting.clear()
        if replay is None:
            return Replayed()
        found += replay.take(waiting, last=True)
    except (JournalCorrupt, JournalUnavailable, WrongJournal):
        raise
    except Exception as error:
        raise JournalCorrupt(f"{path}: event {number} cannot be read: {error}") from None
    return Replayed(
        rounds=replay.rounds,
        decided=replay.decided,
        told_otherwise=replay.told_otherwise,
        differences=tuple(found),
    )


def _terms(event: Event, terms: Terms | None) -> Terms | None:
    return event.terms if isinstance(event, RoundBegun) else terms
