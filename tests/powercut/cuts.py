"""Journals at work on a disk that fails, and what is left of them after a power cut against what was
reported by then."""

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from controller.engine.outcomes import Outcome
from controller.engine.recorded import Recorded
from controller.engine.state.applied import Event, apply
from controller.engine.state.events import DeviceReported, JournalPruned
from controller.engine.state.table import Table
from controller.journal import rows, store
from controller.journal.auditing import audit
from controller.journal.chain import chained
from controller.journal.closing import close_messages, close_segment, remove_left_over
from controller.journal.pruning import expired
from controller.journal.records import Batch, Head, JournalCorrupt, JournalEntry, JournalUnavailable
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from tests.journal.keeping import KEY, STAMP, accepted, batch, open_journal
from tests.powercut.disk import Disk, RecordedConnection, put, reader, record

STEPS = 60
CUTS = 10  # of one journal's work: an exploration sees many
SEGMENT = 12  # events
MESSAGES = 4  # of a file


class Known(msgspec.Struct, frozen=True):
    """What a journal holds after a commit."""

    head: Head = Head()
    table: Table = Table()
    outbox: Mapping[int, bytes] = {}
    answers: Mapping[str, Outcome] = {}


class Cut(msgspec.Struct, frozen=True):
    """The files left, what was reported by then, what was being written, and what the floor had."""

    files: dict[str, bytes]
    uuid: str
    reported: Known | None
    tried: Sequence[Known]
    acknowledged: int
    failed: int
    closing: bool


class Work:
    """One journal: commits, outboxes forgotten, readers, kills, and syncs that fail; the power may be cut anywhere."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, seed: int, lying: bool, failing: bool) -> None:
        self.chance = Random(seed)
        self.disk = Disk(self.chance)
        self.disk.lying = lying
        self.disk.on_change = self._power
        self.cuts: list[Cut] = []
        self._patch = patch
        self._files = record(patch, self.disk)
        self._failing = failing
        self._folder = folder
        self._lives = 0
        self._uuid = ""
        self._reported: Known | None = None
        self._tried: list[Known] = []
        self._acknowledged = 0
        self._numbered = 0
        self._reader: RecordedConnection | None = None
        self._closing = False

    def run(self) -> list[Cut]:
        self._folder.mkdir()
        self._start()
        for _ in range(STEPS):
            self._trouble()
            self.chance.choices(
                (self._commit, self._forget, self._close, self._read, self._kill, self._stop),
                weights=(62, 8, 10, 16, 2, 2),
            )[0]()
        self._power(certainly=True)
        self._end()
        return self.cuts

    def _power(self, certainly: bool = False) -> None:
        # About fifteen writes and syncs a step; few steps close a segment.
        if certainly or self.chance.random() < CUTS / STEPS / 15 * (8 if self._closing else 1):
            files = self.disk.after_a_cut()
            cut = Cut(
                files,
                self._uuid,
                self._reported,
                tuple(self._tried),
                self._acknowledged,
                self.disk.failed,
                self._closing,
            )
            self.cuts.append(cut)

    def _trouble(self) -> None:
        if self._failing:
            self.disk.failing = self.chance.choice((0.0, 0.0, 0.5, 0.5, 1.0))
            self.disk.only = self.chance.choice((None, "j.db", "j.db-wal"))

    @property
    def _path(self) -> Path:
        return self._folder / str(self._lives) / "j.db"

    def _start(self) -> None:
        while True:
            try:
                self._journal = open_journal(self._path)
                break
            except JournalUnavailable:
                self._trouble()
        self._journal.restore()
        candidates = [*self._tried, self._reported or Known()]
        self._reported = next((known for known in candidates if known.head.place == self._journal._head.place), None)
        if self._reported is None:
            raise JournalCorrupt(f"begins again at {self._journal._head}")
        self._tried = []
        self._uuid = self._journal.uuid

    def _commit(self, pruned: JournalPruned | None = None) -> None:
        assert self._reported is not None
        written, known = self._next(self._reported, pruned)
        self._tried = [known]
        try:
            self._journal.commit(written, self._acknowledged)
        except JournalUnavailable:
            if self.chance.random() < 0.2:
                self._kill()
                return
            if not self._landed():
                self._tried = []
                return
        self._reported, self._tried = known, []

    def _landed(self) -> bool:
        while True:
            try:
                return self._journal.landed()
            except JournalUnavailable:
                self._close_reader()
                self._trouble()

    def _next(self, known_before: Known, pruned: JournalPruned | None) -> tuple[Batch, Known]:
        self._numbered += 1  # what is tried again after a failure is not the same
        head, table = known_before.head, known_before.table
        event, hash = head.event, head.hash
        happened: list[Event] = [] if pruned is None else [pruned]
        for _ in range(self.chance.choice((0, 1, 1, 2, 5))):
            size = self.chance.choice((10, 100, 1000, 6000))
            happened.append(DeviceReported(device="slots", what="noise", details=f"{self._numbered} {'x' * size}"))
        entries = []
        for happening in happened:
            event, table = event + 1, apply(table, happening)
            input = b'{"input":{"kind":"device_report","text":"%d"}}' % self._numbered
            hash = chained(hash, event, STAMP, msgspec.json.encode(happening), None, input)
            entries.append(JournalEntry(happening, {}, Recorded(input)))
        sent = [(head.sequence + n, b"%d" % self._numbered * 20) for n in range(1, self.chance.randint(1, 4))]
        answers = [f"i{self._numbered}"]
        after = Head(
            event=event,
            sequence=head.sequence + len(sent),
            answers=head.answers + len(answers),
            commits=head.commits + 1,
            hash=hash,
        )
        taken = {name: accepted(name) for name in answers}
        known = Known(after, table, {**known_before.outbox, **dict(sent)}, {**known_before.answers, **taken})
        snapshot = table if entries and self.chance.random() < 0.1 else None
        return batch(entries, sent, answers, snapshot=snapshot), known

    def _forget(self) -> None:
        assert self._reported is not None
        self._acknowledged = self.chance.randint(self._acknowledged, self._reported.head.sequence)
        with contextlib.suppress(JournalUnavailable):
            self._journal.forget(self._acknowledged)

    def _close(self) -> None:
        """What the station does beside the table: it writes files, takes them up, clears their rows away, prunes."""
        self._closing = True
        try:
            if not self._journal.untidy:
                remove_left_over(self._path)
                for file in (
                    close_segment(self._path, events=SEGMENT),
                    close_messages(self._path, "now", messages=MESSAGES),
                ):
                    if file is not None:
                        self._journal.take_up(file)
            for _ in range(self.chance.randint(0, 3)):
                self._journal.forget(self._acknowledged)
            old = expired(self._path, "9") if self.chance.random() < 0.6 else None
            if old is not None:
                self._commit(old)
        except JournalUnavailable:
            pass
        self._closing = False

    def _read(self) -> None:
        """Someone begins to read, keeps the file open when he has read, or goes."""
        if self._reader is None:
            self._reader = reader(self._files, self._path)
        elif self._reader.in_transaction:
            self._reader.execute("COMMIT")
        else:
            self._close_reader()

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _stop(self) -> None:
        self._journal.close()
        self._close_reader()
        self._start()

    def _kill(self) -> None:
        """The process ends and its files stay in the kernel's memory: another finds them there, without the index."""
        shutil.copytree(self._path.parent, self._folder / str(self._lives + 1), ignore=lambda *_: ["j.db-shm"])
        self._end()
        self._lives += 1
        self._files = record(self._patch, self.disk)
        self._start()

    def _end(self) -> None:
        """What closing does to the disk is not seen again."""
        self._files.disk = self.disk.copied()
        self._close_reader()
        self._journal.close()


def worked(folder: Path, seed: int, lying: bool = False, failing: bool = True) -> list[Cut]:
    """The cuts of one journal's work. Raises JournalCorrupt where it does not even hold without a cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "BUSY_SECONDS", 0.0)
        patch.setattr(store, "CHECKPOINT_EVERY", 4)
        patch.setattr(rows, "ROWS_AT_ONCE", 5)
        patch.setattr(rows, "PAGES_KEPT", 3)
        patch.setattr(rows, "PAGES_AT_ONCE", 5)
        patch.setattr(store, "LOG_CARRIED_OVER", 20_000)
        try:
            return Work(patch, folder / "work", seed, lying, failing).run()
        finally:
            shutil.rmtree(folder / "work")


def fault(folder: Path, cut: Cut) -> str | None:
    """What is wrong after this cut; None where everything reported is there, and nothing in its place."""
    path = put(folder / "cut", cut.files) / "j.db"
    try:
        journal = open_journal(path)
    except (JournalCorrupt, JournalUnavailable) as error:
        return f"does not open: {error}"
    try:
        return _fault(journal, cut)
    except (JournalCorrupt, JournalUnavailable) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        journal.close()


def _fault(journal: Journal, cut: Cut) -> str | None:
    restored = journal.restore()
    if cut.reported is None:
        return None
    known = next((state for state in (cut.reported, *cut.tried) if state.head.place == journal._head.place), None)
    if known is None:
        return f"ends at {journal._head}, reported was {cut.reported.head}"
    if journal.uuid != cut.uuid or restored.table != known.table:
        return "another journal, or another table"
    audited = audit(journal.path, "simulation", Seal(KEY), lambda *_: None)
    if audited.events != known.head.event:
        return f"{audited.events} events, published were {known.head.event}"
    outbox, last = dict[int, bytes](), 0
    while rows := journal.outbox(last, 100):
        outbox |= {row.sequence: row.payload for row in rows}
        last = rows[-1].sequence
    if (
        not {(n, sent) for n, sent in known.outbox.items() if n > cut.acknowledged}
        <= outbox.items()
        <= known.outbox.items()
    ):
        return "messages are missing, or others"
    known_before: dict[int, bytes] = {}
    while rows := journal.messages(len(known_before) + 1, 100):
        known_before |= {row.sequence: row.payload for row in rows}
    if known_before != known.outbox:
        return "messages that the broker has taken are missing, or others"
    for name, outcome in known.answers.items():
        if journal.outcome(name) != outcome:
            return f"the answer to {name} is missing, or another"
    journal.commit(batch([JournalEntry(event=DeviceReported(device="slots", what="noise", details="continues"))]))
    journal.restore()
    return None


class Explored(msgspec.Struct):
    """How many states were looked at, and what was wrong.

    In how many of them a sync had failed before, in how many a segment was written or taken up, in how many one had
    been pruned, and in how many there was one, or a file of messages.
    """

    states: int = 0
    after_failed_syncs: int = 0
    while_closing: int = 0
    with_segments: int = 0
    with_messages: int = 0
    pruned: int = 0
    faults: list[str] = []


def explore(folder: Path, states: int, first_seed: int, lying: bool = False, failing: bool = True) -> Explored:
    """Look at so many states."""
    found, seed = Explored(), first_seed
    while found.states < states:
        try:
            cuts = worked(folder, seed, lying, failing)
        except JournalCorrupt as error:
            cuts = []
            found.states += 1
            found.faults.append(f"seed {seed}: at work: {error}")
        for cut in cuts[: states - found.states]:
            found.states += 1
            found.after_failed_syncs += cut.failed > 0
            found.while_closing += cut.closing
            found.pruned += cut.reported is not None and cut.reported.table.pruned > 0
            found.with_segments += any(name.endswith(".zst") and "messages" not in name for name in cut.files)
            found.with_messages += any(name.endswith(".zst") and "messages" in name for name in cut.files)
            wrong = fault(folder, cut)
            if wrong is not None:
                found.faults.append(f"seed {seed}: {wrong}")
        seed += 1
    return found
