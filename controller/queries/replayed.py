"""A journal replayed: every round decided again by the code of now, on as many processors as there are.

All calls block.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.engine.recorded import Difference, JournalReplay, Recorded, Written, recorded_settings
from controller.engine.state.applied import apply
from controller.engine.state.table import Table
from controller.journal.auditing import Report, reported_beside, rows, unreported
from controller.journal.guards import check_mac
from controller.journal.past import meta_of, pruned_of, read_event
from controller.journal.reading import opened_journal
from controller.journal.records import JournalCorrupt, JournalUnavailable, WrongJournal
from controller.journal.restoring import TableCheckpoint, checkpoint_of, vault_of
from controller.journal.restoring import unsealed_cards as opened_cards
from controller.journal.sealing import MAC_BYTES, Hidden, Seal
from controller.rulebook.cards import Card
from controller.rulebook.events import RoundBegun

FOLDED = 0.25  # of the time of an event that is decided again, one takes that is only folded


class Replayed(msgspec.Struct, frozen=True):
    """The result: how many inputs were decided again, of events after `since`, and how many rounds began.

    `different_notices` counts the inputs after which the dealer would now get another notice.
    """

    events: int = 0
    since: int = 0
    rounds: int = 0
    decided: int = 0
    different_notices: int = 0
    differences: tuple[Difference, ...] = ()


class Start(msgspec.Struct, frozen=True):
    """A point from which the journal of this uuid can be replayed: its first event, or a checkpoint if that is deleted.
    `vault` has the cards drawn in the round at that point.
    """

    journal: str
    event: int
    hash: bytes
    checkpoint: bytes = b""
    vault: dict[int, Card | None] = {}

    def read(self) -> TableCheckpoint:
        """The table then, and the settings."""
        return (
            msgspec.json.decode(self.checkpoint, type=TableCheckpoint)
            if self.checkpoint
            else TableCheckpoint(Table(), ())
        )

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"Start({self.event})"


class ReplayPart(msgspec.Struct, frozen=True):
    """Some events of a journal: from the first round that begins after one event to the first that begins after
    another.
    """

    path: Path
    mode: str
    seal: Seal
    start: Start
    after: int
    until: int


def replay_journal(path: Path, mode: str, seal: Seal, report: Report, processes: int) -> Replayed:
    """Decide a whole journal again. Raises JournalUnavailable, JournalCorrupt, WrongJournal, or BadSealKey."""
    start, last = _start(path, mode, seal)
    borders = [start.event, *(start.event + round((last - start.event) * share) for share in shares(processes)), last]
    parts = [
        ReplayPart(path, mode, seal, start, after, until if until < last else 2**63)
        for after, until in pairwise(borders)
    ]
    done = reported_beside(_decided_again, parts, report, start.event, borders[1], last)
    return Replayed(
        events=last - start.event,
        since=start.event,
        rounds=sum(part.rounds for part in done),
        decided=sum(part.decided for part in done),
        different_notices=sum(part.different_notices for part in done),
        differences=tuple(difference for part in done for difference in part.differences),
    )


def shares(processes: int) -> list[float]:
    """The first event of each process except the first. The shares differ so that all end together: a later process
    must first replay everything before its share.
    """
    ends = [1.0]
    for _ in range(processes - 1):
        ends.append(ends[-1] + 1.0 - FOLDED * ends[-1])
    return [end / ends[-1] for end in ends[:-1]]


def _start(path: Path, mode: str, seal: Seal) -> tuple[Start, int]:
    """The event to begin at, and the last event."""
    with opened_journal(path, mode) as (db, uuid):
        check_mac(path, seal, meta_of(db))
        event, hash = pruned_of(db)
        [[last]] = db.execute("SELECT max(id) FROM events").fetchall()
        if event == 0:
            return Start(uuid, event, hash), last or 0
        kept = db.execute("SELECT event, snapshots.body, hash FROM snapshots JOIN events ON id = event ORDER BY event")
        for number, body, hash in kept:
            if (checkpoint := checkpoint_of(body)) is not None:
                start = Start(uuid, number, hash, body[MAC_BYTES:])
                return replace(start, vault=vault_of(path, db, seal, uuid, checkpoint.sealed)), last
    raise JournalCorrupt(f"{path} keeps no event up to {event}, and no checkpoint after it can be read")


def _decided_again(part: ReplayPart, report: Report = unreported) -> Replayed:
    checkpoint = part.start.read()
    table, settings = checkpoint.table, checkpoint.settings
    replay: JournalReplay | None = None
    found: list[Difference] = []
    try:
        for group in _inputs(part, report):
            first, begins = group[0], any(isinstance(row.event, RoundBegun) for row in group)
            if begins and first.number > part.until:
                break
            if replay is None and part.after == part.start.event:
                replay = JournalReplay(table, settings, part.start.vault)
            elif replay is None and begins and first.number > part.after:
                replay = JournalReplay(table, settings)
            if replay is not None:
                found += replay.take(group)
                continue
            for row in group:
                table = apply(table, row.event)
            settings = (recorded_settings(first.input) if first.input is not None else None) or settings
        if replay is None:
            return Replayed()
        found += replay.take((), last=True)
    except (JournalCorrupt, JournalUnavailable, WrongJournal):
        raise
    except Exception as error:
        raise JournalCorrupt(f"{part.path}: an event cannot be read: {error}") from None
    return Replayed(
        rounds=replay.rounds,
        decided=replay.decided,
        different_notices=replay.different_notices,
        differences=tuple(found),
    )


def _inputs(part: ReplayPart, report: Report) -> Iterator[list[Written]]:
    """The events of each input."""
    path, start = part.path, part.start
    group: list[Written] = []
    for number, time, _, _, _, body, sealed, _, input in rows(path, part.mode, report, (start.event, start.hash)):
        if input is not None and group:
            yield group
            group = []
        event = read_event(path, number, body)
        hidden = Hidden() if sealed is None else opened_cards(path, part.seal, start.journal, number, sealed)
        kept = None if input is None else Recorded(input, hidden.named)
        group.append(Written(number, event, time, hidden.drawn, kept))
    if group:
        yield group
