"""Checkpoints: signed notes of the journal's state, and the answers of its witnesses. No one waits for them."""

from collections.abc import Sequence

import msgspec
import structlog

from controller.engine.state.alarms import ActiveAlarm, active
from controller.floor.messages import Identity, cosignature_of
from controller.floor.seldom import Seldom
from controller.floor.shapes import SCHEMA, Addition, PublishedCheckpoint
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.journal.store import Journal
from controller.journal.tree import NotKept
from controller.runtime.bus import Bus, StationAlarm
from controller.telemetry.metrics import Metrics
from controller.tlog.notes import ED25519, BadNote, Checkpoint, Note, Signer, VerifierKey, addition_text

log = structlog.get_logger()


class Checkpoints:
    """Makes checkpoints of a journal, each with the proof that it extends the last one that each witness cosigned."""

    def __init__(
        self,
        journal: Journal,
        identity: Identity,
        signer: Signer,
        witnesses: Sequence[VerifierKey],
        within: float,
        bus: Bus,
        metrics: Metrics,
    ) -> None:
        self._journal = journal
        self._origin = f"{identity.base}/{identity.journal}"
        self._signer = signer
        self._witnesses = {witness.name: witness for witness in witnesses}
        self._within = within
        self._bus = bus
        self._metrics = metrics
        self._cosigned = dict.fromkeys(self._witnesses, 0)  # the size that each has cosigned
        self._waits: dict[str, tuple[int, float]] = {}  # of each what it has not cosigned yet, and since when
        self._unreadable = Seldom()
        self._last: tuple[int, int, Note] | None = None  # size, event
        self.published: PublishedCheckpoint | None = None

    def make(self, now: float) -> bool:
        """Signs the state of the journal if it is new; returns whether `published` changed. `now` is monotonic
        seconds.
        """
        size, root = self._journal.tree
        if not size or (self._last is not None and self._last[0] == size):
            return False
        note = self._signer.sign(Checkpoint(self._origin, size, root).text)
        self._last = size, self._journal.events, note
        self._metrics.signed.set_to_current_time()
        for name in self._witnesses:
            self._waits.setdefault(name, (size, now))
        return self._publish()

    def _publish(self) -> bool:
        assert self._last is not None, "there is a checkpoint"
        size, event, note = self._last
        additions = []
        for name in self._witnesses:
            try:
                path = self._journal.consistency_from(self._cosigned[name], size)[1]
                additions.append(Addition(name, addition_text(self._cosigned[name], path, note)))
            except NotKept as gone:
                log.error("no proof for a witness: it was away for too long", witness=name, reason=str(gone))
            except JournalCorrupt as corrupt:
                self._raise(active("changed", str(corrupt)))
            except JournalUnavailable:
                pass  # the table has noticed; the next checkpoint has it
        self.published = PublishedCheckpoint(SCHEMA, event, str(note), tuple(additions))
        return True

    def receive(self, payload: bytes, now: float) -> bool:
        """Receives a message on the topic of a witness; returns whether `published` changed. Other messages are
        ignored.
        """
        try:
            message = cosignature_of(payload)
            if message.refusal is not None:
                self._refused(Note.read(message.refusal.encode()))
            if message.note is None:
                return False
            note = Note.read(message.note.encode())
            checkpoint = Checkpoint.read(note.text)
        except (BadNote, msgspec.DecodeError):
            if count := self._unreadable.due():
                log.warning("a cosignature cannot be read", count=count)
            return False
        if checkpoint.origin != self._origin:
            return False
        found = [self._cosignature(witness, note, checkpoint, now) for witness in self._witnesses.values()]
        return any(found)

    def _refused(self, note: Note) -> None:
        for witness in self._witnesses.values():
            try:
                VerifierKey(witness.name, ED25519, witness.key).signed(note)
            except BadNote:
                continue
            table, reason = ([*note.text.split("\n"), ""])[1:3]
            if table == self._signer.name:
                self._raise(active("witness_refuses", reason, witness=witness.name))

    def _cosignature(self, witness: VerifierKey, note: Note, checkpoint: Checkpoint, now: float) -> bool:
        try:
            signature = witness.signed(note)
            consistent = checkpoint.size <= self._journal.tree[0]
            if not consistent or self._journal.consistency_from(checkpoint.size)[0] != checkpoint.root:
                self._raise(active("forked", witness=witness.name))
                return False
        except (BadNote, NotKept, JournalUnavailable, JournalCorrupt):
            return False
        size, name = checkpoint.size, witness.name
        self._metrics.cosigned.labels(name).set(witness.time_of(signature))
        if name in self._waits and self._waits[name][0] <= size:
            del self._waits[name]
            if self._last is not None and self._last[0] > size:
                self._waits[name] = self._last[0], now
        if size <= self._cosigned[name]:
            return False
        self._cosigned[name] = size
        return self._last is not None and self._last[0] > size and self._publish()

    def look(self, now: float) -> None:
        """Reports a witness that has not cosigned for too long."""
        for name, (_, since) in self._waits.items():
            if now - since > self._within:
                self._raise(active("unwitnessed", witness=name, minutes=round((now - since) / 60)))

    def _raise(self, alarm: ActiveAlarm) -> None:
        self._bus.publish(StationAlarm(alarm, once=True))
