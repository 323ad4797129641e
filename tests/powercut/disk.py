"""A disk that can lose power: what SQLite and the journal write is recorded, and what a cut may leave of it is drawn.

A power cut leaves any part of what was written since the file's last sync, sector by sector. A sync that fails does the
same, and the kernel forgets the rest: it reads as before until it leaves memory, and no later sync writes it.

SQLite's own file layer in Python is APSW's: it needs no compiler and no right that a user does not have. It brings its
own SQLite; what the cut leaves is opened with Python's.
"""

import errno
import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

from controller.journal import closing, creation, high_water, segments, sql, store, write_ahead_log
from controller.system import files as names

WITH_SQLITE = (store, creation, sql)
WITH_OS = (write_ahead_log, creation, high_water, names, segments, closing)
SECTOR = 512
PAGE = 4096

Write = tuple[int, bytes]
Pending = Write | int  # a write, or the length that the file was cut to

_names = count()


class File:
    """What is read of a file, what of it is on the disk, and what was done since the last sync."""

    def __init__(self) -> None:
        self.seen = bytearray()
        self.kept = bytearray()
        self.pending: list[Pending] = []


class Disk:
    """The files of one folder.

    `failing` is how likely a sync fails, of every file or of `only` one; with `lying` none does anything.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.failing = 0.0
        self.only: str | None = None
        self.failed = 0
        self.lying = False
        self.on_change: Callable[[], None] = lambda: None
        self._grain = chance.choice((SECTOR, PAGE))  # of what a small write dirties
        self._files: dict[str, File] = {}
        self._kept: dict[str, File] = {}
        self._moves: list[tuple[str, File | None]] = []  # names given and taken since the folder's last sync
        self._fresh: set[str] = set()

    def opened(self, name: str, is_log: bool) -> None:
        """A file is there from now on, if it was not. SQLite syncs the folder with the first sync of a log."""
        if name not in self._files:
            self._files[name] = File()
            self._moves.append((name, self._files[name]))
            if is_log:
                self._fresh.add(name)

    def unlinked(self, name: str) -> None:
        """A name is gone."""
        self._moves.append((name, None))
        del self._files[name]
        self.on_change()

    def renamed(self, name: str, other: str) -> None:
        """A file has another name."""
        self._files[other] = self._files.pop(name)
        self._moves += [(other, self._files[other]), (name, None)]
        self.on_change()

    def wrote(self, name: str, offset: int, data: bytes) -> None:
        """Bytes were written."""
        file, end = self._files[name], offset + len(data)
        _put(file.seen, offset, data)
        start = offset // self._grain * self._grain
        stop = min(-(-end // self._grain) * self._grain, len(file.seen))
        file.pending.append((start, bytes(file.seen[start:stop])))
        self.on_change()

    def cut_short(self, name: str, size: int) -> None:
        """A file was truncated."""
        file = self._files[name]
        _resize(file.seen, size)
        file.pending.append(size)
        self.on_change()

    def synced(self, name: str) -> bool:
        """A file is synced. False: this failed."""
        file = self._files[name]
        if self.lying:
            return True
        if self._fails(name):
            file.kept = self._left(file)
            file.pending.clear()
            self.on_change()
            return False
        _apply(file.kept, file.pending)
        file.pending.clear()
        if name in self._fresh:
            self._fresh.discard(name)
            self.folder_synced()
        self.on_change()
        return True

    def folder_synced(self) -> bool:
        """The folder is synced. False: this failed."""
        if self.lying:
            return True
        if self._fails(""):
            return False
        _move(self._kept, self._moves)
        self._moves.clear()
        return True

    def forgotten(self, name: str) -> bytes:
        """What is read of a file whose pages left memory."""
        file = self._files[name]
        size = len(file.seen)
        file.seen[:] = file.kept[:size].ljust(size, b"\0")
        return bytes(file.seen)

    def copied(self) -> "Disk":
        """The same disk once more; nothing is drawn from it."""
        changed, self.on_change = self.on_change, lambda: None
        copy = deepcopy(self)
        self.on_change = changed
        return copy

    def after_a_cut(self) -> dict[str, bytes]:
        """The files that a power cut leaves now."""
        names = dict(self._kept)
        _move(names, self._moves[: self.chance.randint(0, len(self._moves))])
        return {name: bytes(self._left(file)) for name, file in names.items()}

    def at_worst(self) -> dict[str, bytes]:
        """The files where nothing is kept that was not synced."""
        return {name: bytes(file.kept) for name, file in self._kept.items()}

    def _left(self, file: File) -> bytearray:
        left, likely = bytearray(file.kept), self.chance.choice((0.0, 0.05, 0.5, 0.95, 1.0))
        torn = self.chance.random() < 0.5
        _apply(left, [part for change in file.pending for part in _parts(change, torn) if self._happens(likely)])
        if self._happens(0.05):
            _resize(left, min(len(left), len(file.kept)))
        return left

    def _fails(self, name: str) -> bool:
        fails = self.only in (None, name) and self._happens(self.failing)
        self.failed += fails
        return fails

    def _happens(self, likely: float) -> bool:
        return self.chance.random() < likely


def _parts(change: Pending, torn: bool) -> Iterator[Pending]:
    if isinstance(change, int) or not torn:
        yield change
        return
    offset, data = change
    yield from ((offset + at, data[at : at + SECTOR]) for at in range(0, len(data), SECTOR))


def _apply(content: bytearray, changes: Sequence[Pending]) -> None:
    for change in changes:
        if isinstance(change, int):
            _resize(content, change)
        else:
            _put(content, *change)


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        _resize(content, offset)
    content[offset : offset + len(data)] = data


def _resize(content: bytearray, size: int) -> None:
    content[size:] = b"\0" * (size - len(content))


def _move(names: dict[str, File], moves: Sequence[tuple[str, File | None]]) -> None:
    for name, file in moves:
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file


class RecordedFile(apsw.VFSFile):
    """A file of SQLite on the recorded disk."""

    def __init__(self, files: "RecordedFiles", name: Any, flags: list[int]) -> None:
        self._files = files
        self._name = _base(name)
        files.disk.opened(self._name, bool(flags[0] & (apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL)))
        super().__init__("", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        super().xWrite(data, offset)
        self._files.disk.wrote(self._name, offset, bytes(data))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._files.disk.cut_short(self._name, newsize)

    def xSync(self, flags: int) -> None:
        disk = self._files.disk
        if not disk.synced(self._name):
            if disk.chance.random() < 0.3:
                super().xWrite(disk.forgotten(self._name), 0)
            raise apsw.IOError


class RecordedFiles(apsw.VFS):
    """SQLite's way to its files, over the recorded disk. The index beside the log is memory, and lost."""

    def __init__(self, disk: Disk) -> None:
        self.called = f"recorded-{next(_names)}"
        self.disk = disk
        super().__init__(self.called, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return RecordedFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, False)
        self.disk.unlinked(_base(filename))
        if syncdir and not self.disk.folder_synced():
            raise apsw.IOError


def _base(name: Any) -> str:
    return Path(name if isinstance(name, str) else name.filename()).name


class Rows:
    """A cursor as Python's."""

    def __init__(self, cursor: apsw.Cursor) -> None:
        self._cursor = cursor

    def fetchone(self) -> Any:
        with translated():
            return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        with translated():
            return list(self._cursor)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())


class RecordedConnection:
    """A connection as Python's, to files on the recorded disk."""

    def __init__(self, uri: str, files: RecordedFiles, timeout: float) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        with translated():
            self._db = apsw.Connection(uri, flags=flags, vfs=files.called)
            self._db.set_busy_timeout(round(timeout * 1000))

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Rows:
        with translated():
            return Rows(self._db.execute(sql, tuple(values)))

    def executemany(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with translated():
            self._db.executemany(sql, [tuple(row) for row in rows])

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def close(self) -> None:
        with suppress(apsw.Error):  # Python's keeps to itself that the log could not be carried over
            self._db.close()


class translated:
    """APSW's errors as Python's."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, apsw.ConnectionClosedError):
            raise sqlite3.ProgrammingError(str(error)) from None
        if isinstance(error, (apsw.CorruptError, apsw.NotADBError, apsw.ConstraintError)):
            raise sqlite3.DatabaseError(str(error)) from None
        if isinstance(error, apsw.Error):
            raise sqlite3.OperationalError(f"{type(error).__name__} {error}") from None


class RecordedSqlite:
    """What the journal uses of `sqlite3`."""

    Error = sqlite3.Error
    DatabaseError = sqlite3.DatabaseError
    OperationalError = sqlite3.OperationalError
    ProgrammingError = sqlite3.ProgrammingError
    Connection = sqlite3.Connection
    SQLITE_BUSY = sqlite3.SQLITE_BUSY

    def __init__(self, files: RecordedFiles) -> None:
        self._files = files

    def connect(self, database: str, uri: bool, isolation_level: None, timeout: float = 0.0) -> RecordedConnection:
        return RecordedConnection(database, self._files, timeout)


class RecordedOs:
    """What the journal uses of `os`."""

    O_RDONLY = os.O_RDONLY
    O_RDWR = os.O_RDWR
    O_CREAT = os.O_CREAT
    O_NOFOLLOW = os.O_NOFOLLOW
    O_NONBLOCK = os.O_NONBLOCK

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._names: dict[int, str] = {}
        self.pread = os.pread
        self.close = os.close
        self.stat = os.stat
        self.fstat = os.fstat

    def open(self, path: Path, flags: int, mode: int = 0o777) -> int:
        file = os.open(path, flags, mode)
        self._names[file] = path.name
        if flags & os.O_CREAT and path.suffix != ".lock":  # which holds nothing
            self._disk.opened(path.name, False)
        return file

    def unlink(self, path: Path) -> None:
        os.unlink(path)
        self._disk.unlinked(path.name)

    def rename(self, path: Path, other: Path) -> None:
        os.rename(path, other)
        self._disk.renamed(path.name, other.name)

    def pwrite(self, file: int, data: bytes, offset: int) -> int:
        written = os.pwrite(file, data, offset)
        self._disk.wrote(self._names[file], offset, data[:written])
        return written

    def fsync(self, file: int) -> None:
        if stat.S_ISDIR(os.fstat(file).st_mode):
            good = self._disk.folder_synced()
        else:
            good = self._disk.synced(self._names[file])
        if not good:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


def record(patch: pytest.MonkeyPatch, disk: Disk) -> RecordedFiles:
    """From now on journals are on this disk."""
    creation._whole_schema()  # is in memory, and no file of this disk
    files = RecordedFiles(disk)
    sqlite, system = RecordedSqlite(files), RecordedOs(disk)
    for module in WITH_SQLITE:
        patch.setattr(module, "sqlite3", sqlite)
    for module in WITH_OS:
        patch.setattr(module, "os", system)
    # Where undoing a statement fails too, APSW has two errors and can raise one.
    patch.setattr(sys, "unraisablehook", lambda _: None)
    return files


def reader(files: RecordedFiles, path: Path) -> RecordedConnection:
    """Someone who reads a journal as it is now."""
    connection = RecordedConnection(f"{path.as_uri()}?mode=ro", files, 0.0)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM events").fetchall()
    return connection


def put(folder: Path, files: dict[str, bytes]) -> Path:
    """Write what a cut left, on a disk of this machine."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder
