"""The journal's file: one SQLite database, one writing connection, every commit synced. All calls block.

A kernel drops the pages that a failed sync could not write, but reads return them until they leave its memory. So
content that was in the file at its opening, or at a failed write, is not trusted until it has been written again.
"""

import secrets
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from controller.engine.outcomes import Accepted, NotTaken, Outcome
from controller.engine.state.events import EpochBegun, JournalPruned, KeyReleased, MessageSetAside
from controller.journal import guards, message_files, restoring, rows
from controller.journal.chain import chained
from controller.journal.creation import check_schema, create, is_there
from controller.journal.formats import FORMAT, UPGRADES, check_file, upgrade
from controller.journal.high_water import HighWater, HighWaterFile
from controller.journal.message_files import MessageFile, files_of
from controller.journal.open_files import OpenFiles, take_lock
from controller.journal.past import RELEASED, meta_of, released_keys
from controller.journal.records import (
    Batch,
    Epoch,
    Head,
    JournalCorrupt,
    JournalEntry,
    JournalInUse,
    JournalUnavailable,
    NoJournal,
    OutboxRow,
    Restored,
    Stamp,
    WrongJournal,
    epochs_of,
    names_of,
)
from controller.journal.restoring import TableCheckpoint
from controller.journal.sealing import Hidden, Seal
from controller.journal.segments import Segment, round_begun
from controller.journal.sql import journal_errors, snapshot, transaction
from controller.journal.tree import Growing, Subtrees, store_subtrees
from controller.journal.write_ahead_log import is_damaged, write_again
from controller.rulebook.roles import SUPERVISOR
from controller.system.files import sync_folder
from controller.tlog import merkle

SNAPSHOT_EVERY = 1000  # events: a restart folds at most so many
SNAPSHOTS_KEPT = 3
BUSY_SECONDS = 0.5  # someone reads the journal with another program: the table does not wait long for him
CHECKPOINT_EVERY = 100  # commits: the log grows to about a megabyte
LOG_BYTES = 16 << 20  # beyond that someone who reads holds the checkpoints back
TIDY_SECONDS = 0.05  # between two times: five thousand a second
LOG_CARRIED_OVER = 2 << 20  # bytes, beyond which the log is carried over though nothing is committed
NOT_TAKEN = b'{"error":'  # what the text of each of these outcomes begins with

_decode_accepted = msgspec.json.Decoder(Accepted).decode
_decode_not_taken = msgspec.json.Decoder(NotTaken).decode
_encode = msgspec.json.encode


class Journal:
    """An open journal. Raises JournalUnavailable or JournalCorrupt from any call.

    A missing one is created, or NoJournal is raised if `create` is not set. `new_uuid` names it; by default the name is
    random. `begun_by` is stored in it permanently. An `epoch` continues from a copy, and is stored too.
    """

    def __init__(
        self,
        path: Path,
        seal: Seal,
        mode: str,
        new_uuid: str | None = None,
        create: bool = True,
        begun_by: bytes | None = None,
        epoch: Epoch | None = None,
    ) -> None:
        self._path = path
        self._mode = mode
        self._seal = seal
        self._new_uuid = new_uuid
        self._begun_by = begun_by
        self._epoch = epoch
        self._attempted: Head | None = None
        self._attempted_sealed: Sequence[int] | None = None
        self._attempted_round = 0
        self._log_pages = 0
        self.on_checkpoint: Callable[[float], None] = lambda seconds: None
        self._high_water = HighWaterFile(path)
        self.uuid = ""
        self._sealed: Sequence[int] | None = None  # events with cards of the present round; None before `restore`
        self._round = 0  # that began last
        self._files: OpenFiles | None = None
        self._damaged = False  # by another program, since it was opened
        self._failed = False  # to write, since it was opened: what is in the log is not known
        self._segment: Segment | None = None  # on the disk, and to be taken up
        self._messages: MessageFile | None = None  # likewise
        self._lapsed: tuple[int, Stamp] | None = None  # up to which message they are kept no longer, as of when
        self._rows_left = True  # of segments, in this file
        if not create and not is_there(path):
            raise NoJournal(f"{path} is not there, or is empty")
        self._lock = take_lock(path)
        try:
            begun = self._begin()
            self._connect(begun=begun)
        except BaseException:
            self._high_water.close()
            self._lock.close()
            raise

    def _begin(self) -> bool:
        """Makes the journal if there is none; returns whether it was made."""
        with journal_errors(self._path):
            if is_there(self._path):
                return False
            name = (self._new_uuid or str(uuid.uuid4())).encode()
            meta = {
                "uuid": name,
                "format": FORMAT,
                "mode": self._mode.encode(),
                "head": _encode(Head()),
                "key": guards.key_of(self._seal, name),
            }
            if self._begun_by is not None:
                meta["begun_by"] = self._begun_by
            create(self._path, {**meta, "mac": guards.mac_of(self._seal, meta)})
            return True

    def _connect(self, begun: bool = False, again: bool = False) -> None:
        with journal_errors(self._path):
            if is_damaged(self._log):
                raise JournalCorrupt(f"{self._log} is damaged before its last transaction")
            with closing(self._open("ro")) as db:
                self._look(db, begun, again)  # before anything is written
            write_again(self._log)
            self._empty_log()
            self._db = self._open("rw")
            self._keeper = self._open("ro")
        try:
            with journal_errors(self._path):
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.execute("PRAGMA wal_autocheckpoint = 0")  # SQLite keeps to itself that one has failed
                self._db.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
                [[self._page_size]] = self._db.execute("PRAGMA page_size").fetchall()
                for connection in (self._db, self._keeper):
                    connection.execute("SELECT 1 FROM sqlite_master").fetchall()
                # SQLite does this too when it first syncs a log, and keeps to itself that it has failed.
                sync_folder(self._path.parent)
                head = self._look(self._db, begun, again)
                if self._epoch is not None:
                    self._keep_epoch(self._epoch, head)
                self._high_water.write(HighWater.of(self.name, head), sync=True)
                self._files = OpenFiles(self._path, self._log)
            self._head, self._failed = head, False
            if head.event == 0:
                self._sealed = ()
        except BaseException:
            self._drop()
            raise

    def _empty_log(self) -> None:
        """Carries the whole log over into the database."""
        with closing(self._open("rw")) as db:
            # Who is alone with the file reads the log from its beginning. The index that connections share may count
            # pages as carried over whose sync has failed since.
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA journal_mode = WAL")
            if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise JournalInUse(f"{self._path} is being read by another program")

    def _open(self, mode: str) -> sqlite3.Connection:
        file = f"{self._path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(file, uri=True, isolation_level=None, timeout=BUSY_SECONDS)

    def _drop(self) -> None:
        """Close the file and leave the log: only the last to close would carry it over, and the keeper cannot write."""
        self._files = None
        self._db.close()
        self._keeper.close()

    @property
    def _log(self) -> Path:
        return self._path.with_name(self._path.name + "-wal")

    def check_files(self) -> None:
        """Compare the files with what was written.

        Raises JournalUnavailable where one was removed or replaced while the station runs, and JournalCorrupt where
        one was cut or overwritten.
        """
        self._check_written(self._head, 0)

    def _check_written(self, head: Head, least: int) -> None:
        """As `check_files`, for a log with `least` more transactions, after which the journal has this head."""
        with journal_errors(self._path):
            if self._files is None:
                return
            self._files.check_names()
            if self._failed:
                return
            fault = self._files.fault(least)
            if not self._files.carried_over:
                if fault is None:
                    return
                self._damaged = True
                raise JournalCorrupt(fault)
        try:
            self._examine(head)
        except (JournalCorrupt, JournalUnavailable) as found:
            self._damaged = True
            changed = f"{self._path} was overwritten by another program: {found}"
            raise JournalCorrupt(fault or changed) from None
        self._files.accept()

    def _examine(self, head: Head) -> None:
        """Verify as much as a start does, since another program wrote to the file: it may have carried the log over.

        Raises JournalCorrupt or JournalUnavailable.
        """
        with snapshot(self._path) as db:
            meta = meta_of(db)
            if meta.get("head") != _encode(head):
                raise JournalCorrupt(f"it does not end at event {head.event}")
            guards.check_guards(self._path, db, self._seal, meta, head)
            restoring.restore(self._path, db, self._seal, self.uuid, head)

    def _save_log(self) -> None:
        """Carries over a log that was removed, while it is still open. Raises JournalUnavailable if another file is
        missing, or another log has the name.
        """
        with journal_errors(self._path):
            if self._files is None or not self._files.log_is_removed:
                self.check_files()
                return
            try:
                if self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    raise JournalInUse(f"{self._path} is being read by another program")
            except sqlite3.Error:
                self._drop()  # what this connection believes is carried over may not be on the disk
                raise

    def _look(self, db: sqlite3.Connection, begun: bool, again: bool) -> Head:
        """Checks to which table the file belongs, and where it ends."""
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            if db.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise JournalCorrupt(f"{self._path} is a database of something else")
            raise JournalUnavailable(f"{self._path} is empty: is its disk away?")
        check_file(self._path, db)
        self._meta = meta_of(db)
        uuid_found = self._stored("uuid").decode(errors="replace")
        if again and uuid_found != self.uuid:
            raise JournalUnavailable(f"{self._path} is another journal now: is its disk away?")
        self.uuid = uuid_found
        if self._stored("mode") != self._mode.encode():
            was = self._stored("mode").decode(errors="replace")
            raise WrongJournal(f"{self._path} is a journal of mode {was!r}; this configuration is {self._mode!r}")
        head = self._read_head()
        if again and head.place not in [own.place for own in (self._head, self._attempted) if own is not None]:
            raise JournalCorrupt(f"{self._path} ends at event {head.event}; this station wrote {self._head.event}")
        if not begun and self._epoch is None:
            self._high_water.compare(db, self._mode, self._meta, head)
        return head

    def _keep_epoch(self, epoch: Epoch, head: Head) -> None:
        """Continues the journal under another name, once the file has been verified."""
        guards.check_guards(self._path, self._db, self._seal, self._meta, head)
        restoring.restore(self._path, self._db, self._seal, self.uuid, head)
        with transaction(self._db):
            epoch = msgspec.structs.replace(epoch, event=head.event, message=head.sequence)
            meta = self._with_epoch(self._meta, epoch)
            self._meta = self._keep_head(head, meta)
        self._epoch = None

    def _with_epoch(self, meta: dict[str, bytes], epoch: Epoch) -> dict[str, bytes]:
        kept = _encode([*epochs_of(meta), epoch])
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", ("epochs", kept))
        return {**meta, "epochs": kept}

    @property
    def mark_unreadable(self) -> Path | None:
        """The mark's file, if it could not be read as the journal was opened: an older copy would look the same."""
        return self._high_water.path if self._high_water.unreadable else None

    def close(self) -> None:
        """Close the file, so that another station can open it."""
        with suppress(OSError):
            self._high_water.write(HighWater.of(self.name, self._head), sync=True)
        self._high_water.close()
        if self._damaged:
            self._drop()
        self._keeper.close()
        self._db.close()
        self._lock.close()

    @contextmanager
    def _beside(self) -> Iterator[None]:
        """A transaction beside the commits: if it fails, the next commit opens the file again."""
        try:
            with journal_errors(self._path), transaction(self._db):
                yield
        except JournalUnavailable:
            self._failed = True
            raise

    def _open_again(self) -> None:
        self._failed = True
        self._save_log()
        self._drop()
        self._connect(again=True)

    def landed(self) -> bool:
        """After a failed commit: write the file's log again, and return whether the batch is durable after all.

        Raises JournalUnavailable while that fails or someone reads the file: until then, nothing may be decided.
        """
        self._open_again()
        if self._attempted is None or self._head.place != self._attempted.place:
            return False
        self._sealed, self._round = self._attempted_sealed, self._attempted_round
        return True

    @property
    def name(self) -> str:
        """The name in its messages' ids; each epoch has another."""
        return self.names[-1]

    @property
    def names(self) -> list[str]:
        """The names of all epochs, the present one last."""
        return names_of(self._meta)

    def wires_key(self, round: int) -> bytes:
        """The key that seals a round's wires."""
        return self._seal.wires_key(self.uuid, round)

    @property
    def path(self) -> Path:
        """The path of the journal's file."""
        return self._path

    @property
    def end(self) -> tuple[int, bytes, bytes]:
        """The last event, its hash, and the edge of the tree. Called from any thread."""
        head = self._head  # one commit replaces it as a whole
        return head.event, head.hash, head.edge

    @property
    def tree(self) -> tuple[int, bytes]:
        """The number of leaves of the tree, one for each event, and the root."""
        return self._head.event, merkle.root(self._head.edge)

    def consistency_from(self, leaves: int, to: int | None = None) -> tuple[bytes, list[bytes]]:
        """The root of the tree at a size, and the proof that the tree of another size continues from it.

        Raises NotKept.
        """
        with journal_errors(self._path):
            found = Subtrees(self._path, self._db, self._head)
            size = self._head.event if to is None else to
            return merkle.root(found.edge(leaves)), merkle.consistency(found, leaves, size)

    @property
    def events(self) -> int:
        """The number of events."""
        return self._head.event

    @property
    def log_kept_by_readers(self) -> int:
        """The number of bytes of a log that cannot begin again because of a reader; 0 up to LOG_BYTES."""
        size = self._log_pages * self._page_size
        return size if size > LOG_BYTES else 0

    @property
    def sequence(self) -> int:
        """The public sequence number given out last."""
        return self._head.sequence

    @property
    def acknowledged(self) -> int:
        """The last message that has left the outbox."""
        return self._head.acknowledged

    @property
    def sizes(self) -> dict[str, int]:
        """The bytes on the disk, by part: file, log, segments, and the files of messages."""
        beside, name = self._path.parent, self._path.name
        sizes = {"file": [self._path], "log": [self._log]}
        sizes |= {
            "segments": [*beside.glob(f"{name}.[0-9]*.zst")],
            "messages": [*beside.glob(f"{name}.messages.*.zst")],
        }
        return {part: sum(_size(path) for path in paths) for part, paths in sizes.items()}

    def _read_head(self) -> "Head":
        try:
            return msgspec.json.decode(self._stored("head"), type=Head)
        except ValueError:  # a msgspec.DecodeError, or bytes that are no text
            raise JournalCorrupt(f"{self._path}: the head of the chain cannot be read") from None

    def commit(self, batch: Batch, acknowledged: int = 0) -> None:
        """Write a batch, whole or not at all, and return once it is on the disk.

        The broker has taken the outbox up to `acknowledged`.
        """
        hash, event, cards, round = self._head.hash, self._head.event, self._sealed, self._round
        tree = Growing(self._head.event, self._head.edge)
        pruned: JournalPruned | None = None
        aside: list[int] = []
        meta = self._meta
        self._attempted = None  # a batch that fails before its head was written cannot have landed
        if self._failed:
            self._open_again()
        now_and_then = self._head.commits % CHECKPOINT_EVERY == 0
        if now_and_then:
            self._checkpoint()
        with journal_errors(self._path), transaction(self._db):
            for entry in batch.entries:
                event += 1
                body = _encode(entry.event)
                round = round_begun(body) or round
                sealed = self._sealed_of(entry, event, round)
                input = None if entry.input is None else entry.input.text
                stamp = batch.stamp
                hash = chained(hash, event, stamp, body, sealed, input)
                match entry.event:
                    case JournalPruned():
                        pruned = entry.event
                    case KeyReleased(round=of):
                        meta = self._with_key(meta, of)
                    case EpochBegun(actor=actor, second=second):
                        persons = {actor: SUPERVISOR, second: entry.event.second_role}
                        taken = max(self._head.acknowledged, acknowledged)
                        begun = Epoch(persons, stamp.time, secrets.token_hex(4), event, taken)
                        meta = self._with_epoch(meta, begun)
                    case MessageSetAside(message=sequence):
                        acknowledged = max(acknowledged, sequence)  # the broker took all those before it
                        aside.append(sequence)
                cards = cards if cards is None else restoring.sealed_after(cards, event, body, sealed)
                self._db.execute(
                    "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (event, stamp.time, stamp.boot, stamp.monotonic_ns, stamp.synchronised, body, sealed, hash, input),
                )
                if kept := list(tree.add(hash)):
                    store_subtrees(self._db, kept)
            head = msgspec.structs.replace(
                self._head, event=event, hash=hash, edge=tree.edge, commits=self._head.commits + 1
            )
            head = rows.store_outbox(self._db, head, batch.outbox)
            if meta.get("epochs") != self._meta.get("epochs"):
                taken = epochs_of(meta)[-1].message
                head = rows.rename_outbox(self._db, head, taken, self.name, names_of(meta)[-1])
            head = rows.store_outcomes(self._db, head, batch.outcomes)
            head = rows.store_marks(self._db, head, batch.marks)
            head = msgspec.structs.replace(head, acknowledged=max(head.acknowledged, acknowledged))
            for sequence in aside:
                head = rows.set_aside(self._db, head, sequence)
            head = head if pruned is None else rows.prune(self._db, head, pruned, batch.stamp)
            if batch.snapshot is not None and cards is not None:
                self._keep_checkpoint(event, hash, TableCheckpoint(batch.snapshot, tuple(cards), batch.settings))
            self._attempted, self._attempted_sealed, self._attempted_round = head, cards, round
            meta = self._keep_head(head, meta)
        self._wrote(head, 1)
        with journal_errors(self._path):
            self._high_water.write(HighWater.of(names_of(meta)[-1], head), sync=now_and_then)
        self._head, self._sealed, self._round, self._meta = head, cards, round, meta

    def _with_key(self, meta: dict[str, bytes], round: int) -> dict[str, bytes]:
        """The rows of `meta` with the key of a round beside those released before; no event has it."""
        keys = _encode(released_keys(self._db) | {round: self._seal.round_key(self.uuid, round).hex()})
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (RELEASED, keys))
        return {**meta, RELEASED: keys}

    def _keep_head(self, head: Head, meta: dict[str, bytes] | None = None) -> dict[str, bytes]:
        meta = {**(meta or self._meta), "head": _encode(head)}
        meta["mac"] = guards.mac_of(self._seal, meta)
        self._db.executemany("UPDATE meta SET value = ? WHERE key = ?", [(meta[key], key) for key in ("head", "mac")])
        return meta

    def _checkpoint(self) -> None:
        """Carries over the pages that no reader needs. After a failure this connection does not try again with its old
        knowledge.
        """
        began = time.perf_counter()
        self.check_files()  # what is carried over from a log that was cut is in the file for good
        try:
            with journal_errors(self._path):
                _, pages, carried_over = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._log_pages = pages if carried_over < pages else 0
                if self._files is not None:
                    self._files.checkpointed()
            self.on_checkpoint(time.perf_counter() - began)
        except BaseException:
            self._drop()
            raise

    def _sealed_of(self, entry: JournalEntry, event: int, round: int) -> bytes | None:
        named = None if entry.input is None else entry.input.cards
        if not entry.drawn and named is None:
            return None
        return self._seal.close(Hidden(entry.drawn, named), self.uuid, event, round)

    def _keep_checkpoint(self, event: int, hash: bytes, checkpoint: TableCheckpoint) -> None:
        kept = restoring.checkpoint_octets(self._seal, event, hash, checkpoint)
        self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?)", (event, kept))
        self._db.execute(
            "DELETE FROM snapshots WHERE event NOT IN (SELECT event FROM snapshots ORDER BY event DESC LIMIT ?)",
            (SNAPSHOTS_KEPT,),
        )

    def outcome(self, input_id: str) -> Outcome | None:
        """The outcome of this input, if it was decided."""
        with journal_errors(self._path):
            row = self._db.execute("SELECT body FROM answers WHERE input_id = ?", (input_id,)).fetchone()
        if row is None:
            return None
        try:
            return _decode_not_taken(row[0]) if row[0].startswith(NOT_TAKEN) else _decode_accepted(row[0])
        except msgspec.DecodeError as error:
            raise JournalCorrupt(f"{self._path}: the answer to {input_id!r} cannot be read: {error}") from None

    def forget(self, acknowledged: int, archived: Mapping[str, int] | None = None) -> None:
        """Records what the broker and the archives have; registers files, and deletes some rows that are in them."""
        if self._files is not None and self._files.log_end > LOG_CARRIED_OVER:
            self._checkpoint()
        with self._beside():
            head = msgspec.structs.replace(self._head, acknowledged=max(self._head.acknowledged, acknowledged))
            head = rows.register_segment(self._path, self._db, head, self._segment)
            head = rows.store_archived(self._db, head, archived or {})
            head = rows.drop_lapsed(self._db, head, self._lapsed)
            head = rows.register_messages(self._db, head, self._messages)
            left = rows.clear_events(self._db, head.closed)
            head, messages_left = rows.clear_messages(self._db, head)
            left = left or messages_left or rows.give_pages_back(self._db)
            self._keep_head(head)
        self._head, self._rows_left = head, left
        self._wrote_unseen()
        if self._segment is not None and self._segment.last <= head.closed:
            self._segment = None
        if self._messages is not None and self._messages.last <= head.filed:
            self._messages = None
        self._lapsed = None

    def reserve_sessions(self, count: int) -> range:
        """Numbers that no session with the broker has had; durable on return. Raises JournalUnavailable."""
        with self._beside():
            head = msgspec.structs.replace(self._head, sessions=self._head.sessions + count)
            self._keep_head(head)
        first, self._head = self._head.sessions + 1, head
        self._wrote_unseen()
        return range(first, first + count)

    def _wrote(self, head: Head, least: int) -> None:
        """Checks the files after a transaction, as `_check_written`."""
        if self._files is not None:
            self._files.wrote()
        self._check_written(head, least)

    def _wrote_unseen(self) -> None:
        """Checks the files after a transaction without visible effects: the next check notices removed files."""
        with suppress(JournalUnavailable):
            self._wrote(self._head, 0)

    def take_up(self, file: Segment | MessageFile) -> None:
        """The next `forget` registers this file, which is on the disk. Called from any thread."""
        if isinstance(file, Segment):
            self._segment = file
        else:
            self._messages = file

    def drop(self, lapsed: tuple[int, Stamp]) -> None:
        """The next `forget` deletes messages in files up to this one. Called from any thread."""
        self._lapsed = lapsed

    @property
    def segment_taken_up(self) -> bool:
        """Whether `forget` has registered the segment that it was given. Called from any thread."""
        return self._segment is None

    @property
    def messages_taken_up(self) -> bool:
        """Whether `forget` has registered the file of messages that it was given. Called from any thread."""
        return self._messages is None

    @property
    def filed(self) -> int:
        """The last message that is or was in a file."""
        return self._head.filed

    @property
    def untidy(self) -> bool:
        """Whether `forget` has a file to register or to drop, or rows to delete that are in a file."""
        rows = self._rows_left and (self._head.closed > 0 or self._head.filed > 0)
        return self._segment is not None or self._messages is not None or self._lapsed is not None or rows

    def outbox(self, after: int, limit: int) -> list[OutboxRow]:
        """The oldest messages after a sequence that the broker has not taken, up to `limit`. Raises as `messages`."""
        return self.messages(max(after, self._head.acknowledged) + 1, limit)

    def messages(self, first: int, limit: int) -> list[OutboxRow]:
        """Some of the oldest stored messages from a sequence on, whether the broker has them or not. Raises
        JournalCorrupt if they have changed.
        """
        with journal_errors(self._path):
            return message_files.stored_messages(self._path, self._db, first, limit)

    @property
    def oldest_message(self) -> int:
        """The number of the oldest stored message; one more than the last if none is stored."""
        with journal_errors(self._path):
            return message_files.oldest(self._db)

    @property
    def archives(self) -> dict[str, int]:
        """The last message that each archive has."""
        with journal_errors(self._path):
            return dict(self._db.execute("SELECT archive, through FROM archives").fetchall())

    def restore(self) -> Restored:
        """The table, verified from the last checkpoint on. Raises JournalCorrupt."""
        with journal_errors(self._path):
            while self._stored("format") in UPGRADES:
                self._meta, self._head = upgrade(self._path, self._db, self._seal, self._meta, self._head)
                self._wrote_unseen()
            check_schema(self._path, self._db)
            guards.check_guards(self._path, self._db, self._seal, self._meta, self._head)
            for file in files_of(self._db, "WHERE last > ?", self._head.acknowledged):
                message_files.check_size(self._path, file)
            found = restoring.restore(self._path, self._db, self._seal, self.uuid, self._head)
        self._sealed, self._round = found.sealed, found.restored.table.rounds
        return found.restored

    def _stored(self, key: str) -> bytes:
        if key not in self._meta:
            raise JournalCorrupt(f"{self._path} has no {key}; it is no journal of this station")
        return self._meta[key]


def _size(path: Path) -> int:
    """The size of a file; 0 if it is gone."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
