"""The values that the journal stores and returns, and its errors. No I/O here."""

from collections.abc import Mapping, Sequence

import msgspec

from controller.engine.outcomes import Outcome
from controller.engine.recorded import Recorded
from controller.engine.state.applied import Event
from controller.engine.state.current import Settings
from controller.engine.state.table import Table
from controller.rulebook.cards import Card
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.roles import People

GENESIS = bytes(32)  # the hash before the first event
NOTHING = bytes(32)  # the sum over no rows


class JournalUnavailable(Exception):
    """The journal cannot write or be opened now (full disk, another station). Nothing was committed."""


class JournalInUse(JournalUnavailable):
    """Another program has the journal open: a running station, or one that reads it."""


class WrongJournal(Exception):
    """The journal is of the other mode, or of another game.

    A simulator never writes into a live table's journal, nor the reverse.
    """


class NewerJournal(WrongJournal):
    """A newer version wrote the journal; this one does not know its format."""


class NoJournal(Exception):
    """There is no journal, and this station may not begin one."""


class JournalCorrupt(Exception):
    """The journal differs from what was written. The station stops and changes nothing."""


class JournalRewound(JournalCorrupt):
    """The journal is an older copy, or its end was cut off: continuing from it would give ids a second time."""


class Epoch(msgspec.Struct, frozen=True):
    """Who decided that a rewound journal continues, with their roles at that time, when, and after which event.

    `name` is random: the same copy may be continued twice. Messages after `message` have ids of this epoch.
    """

    persons: People
    at: str
    name: str
    event: int = 0
    message: int = 0


class Stamp(msgspec.Struct, frozen=True):
    """When an event was committed: `time` for people, boot id and monotonic nanoseconds for intervals."""

    time: str
    boot: str
    monotonic_ns: int
    synchronised: bool


class JournalEntry(msgspec.Struct, frozen=True):
    """One event, with the values of its drawn cards; the first event of an input also has the input."""

    event: Event
    drawn: Mapping[int, Card | None] = {}
    input: Recorded | None = None

    def __repr__(self) -> str:
        # Here and below: a traceback or a log must not show a card before the rules do.
        return f"JournalEntry({type(self.event).__name__}, {len(self.drawn)} cards)"


class OutboxRow(msgspec.Struct, frozen=True):
    """A message for the floor."""

    sequence: int
    topic: str
    payload: bytes


class DeviceMark(msgspec.Struct, frozen=True):
    """The last message of a device whose consequences are in the journal."""

    device: DeviceName
    boot: int
    sequence: int


class Batch(msgspec.Struct, frozen=True):
    """Everything that one commit makes durable; `snapshot` is the table after the batch, if one is due.

    `settings` are those by which inputs are decided; a snapshot keeps them. `outcomes` are the results of inputs by id:
    a repeated input gets the same one.
    """

    stamp: Stamp
    entries: Sequence[JournalEntry] = ()
    outbox: Sequence[OutboxRow] = ()
    outcomes: Mapping[str, Outcome] = {}
    marks: Sequence[DeviceMark] = ()
    snapshot: Table | None = None
    settings: Settings | None = None


class Restored(msgspec.Struct, frozen=True):
    """The table as the journal has it, and what must continue from there; `snapshot` is the event of the last snapshot.

    `began` is when the round in play began, UTC, by its number.
    """

    table: Table
    vault: dict[int, Card | None]
    marks: dict[DeviceName, DeviceMark]
    sequence: int
    snapshot: int = 0
    began: dict[int, str] = {}

    def __repr__(self) -> str:
        return f"Restored(version {self.table.version}, {len(self.vault)} cards)"


class Head(msgspec.Struct, frozen=True):
    """The end of the journal and the sums over its other tables: a missing tail or a changed row does not agree with
    it.

    The sums are those of `controller.journal.guards`; `acknowledged` is the last message that the broker has taken,
    `filed` the last that is or was in a file of messages, `closed` the last event that is or was in a segment, `pruned`
    the last deleted event. `edge` is the edge of the tree over the events, and `pruned_edge` the edge after the last
    deleted event. `sessions` is the last number reserved for a session with the broker. `pruned_at` and `lapsed_at` are
    the times of the last deletion of events and of messages.
    """

    event: int = 0
    sequence: int = 0
    answers: int = 0
    commits: int = 0
    hash: bytes = GENESIS
    acknowledged: int = 0
    outbox_sum: bytes = NOTHING
    answers_sum: bytes = NOTHING
    marks_sum: bytes = NOTHING
    segments_sum: bytes = NOTHING
    closed: int = 0
    pruned: int = 0
    pruned_hash: bytes = GENESIS
    edge: bytes = b""
    pruned_edge: bytes = b""
    filed: int = 0
    files_sum: bytes = NOTHING
    archives_sum: bytes = NOTHING
    sessions: int = 0
    pruned_at: Stamp | None = None
    lapsed_at: Stamp | None = None

    @property
    def place(self) -> tuple[int, int, int, int, bytes]:
        """The fields that depend on decisions only, and not on acknowledgements of the broker."""
        return self.event, self.sequence, self.answers, self.commits, self.hash


def epochs_of(meta: Mapping[str, bytes]) -> list[Epoch]:
    """The epochs that were begun after the first, out of the rows of `meta`."""
    return msgspec.json.decode(meta["epochs"], type=list[Epoch]) if "epochs" in meta else []


def names_of(meta: Mapping[str, bytes]) -> list[str]:
    """The names in the ids of a journal's messages: that of its first epoch, and that of each later one."""
    uuid = meta["uuid"].decode(errors="replace")
    return [uuid, *(f"{uuid}.{epoch.name}" for epoch in epochs_of(meta))]
