"""The high-water mark: how far a journal has certainly come, in a file beside it.

It is written after a commit is on the disk, so it is never ahead of the journal. If a journal ends before its mark, it
was cut off or replaced by an older copy. The mark is synced only now and then: after a power cut it may be old.
"""

import os
import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from controller.journal.records import Head, JournalCorrupt, JournalRewound, epochs_of, names_of
from controller.system.files import ONLY_OWNER, Identity, identity, sync_folder

BYTES = 256  # within one sector: it is written whole or not at all


class HighWater(msgspec.Struct, frozen=True):
    """A journal by its name, and where it ended."""

    journal: str
    commits: int
    event: int
    sequence: int
    hash: bytes

    @classmethod
    def of(cls, journal: str, head: Head) -> "HighWater":
        """The mark of a journal that ends there."""
        return cls(journal=journal, commits=head.commits, event=head.event, sequence=head.sequence, hash=head.hash)


class HighWaterFile:
    """The file of one journal's mark. Raises OSError from any call."""

    unreadable = False  # the file was there, and what is in it is no mark

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self.path = journal.with_name(journal.name + ".mark")
        self._file: int | None = None
        self._opened: Identity | None = None

    def read(self) -> HighWater | None:
        """The mark; None if there is none, or if it cannot be read."""
        try:
            checksum, _, content = self.path.read_bytes().rstrip(b" \n\0").partition(b" ")
        except FileNotFoundError:
            return None
        try:
            if checksum == _check(content):
                return msgspec.json.decode(content, type=HighWater)
        except ValueError:
            pass
        self.unreadable = True
        return None

    def compare(self, db: sqlite3.Connection, mode: str, meta: Mapping[str, bytes], head: Head) -> None:
        """Compare the end of the journal with its mark.

        Raises JournalRewound if events or messages that were on the disk are gone, and JournalCorrupt if the mark is of
        another journal or another event.
        """
        mark, path, file, names = self.read(), self._journal, self.path, names_of(meta)
        if mark is None:
            if not file.exists() and mode == "live" and head.commits:
                raise JournalRewound(f"{path} has no {file.name} beside it: it may be an older copy")
            return
        epochs = dict(zip(names, epochs_of(meta), strict=False))  # by the name before each
        if mark.journal in epochs and mark.event <= epochs[mark.journal].event:
            return  # it was not synced since
        if mark.journal != names[-1] and mark.journal.partition(".")[0] == names[0]:
            raise JournalRewound(f"{path} is of the epoch {names[-1]}, and {file} of {mark.journal}")
        if mark.journal != names[-1]:
            raise JournalCorrupt(f"{file} is of another journal than {path}. Remove it if this journal is meant")
        if (mark.commits, mark.event, mark.sequence) > (head.commits, head.event, head.sequence):
            raise JournalRewound(
                f"{path} ends at event {head.event} and message {head.sequence}, and event {mark.event} and "
                f"message {mark.sequence} were on the disk: it is an older copy, or its end was cut off"
            )
        hash = db.execute("SELECT hash FROM events WHERE id = ?", (mark.event,)).fetchone()
        if hash is not None and hash[0] != mark.hash:  # one that is missing is found and named by `restore`
            raise JournalCorrupt(f"{path}: event {mark.event} is not the one that {file} knows")

    def write(self, mark: HighWater, sync: bool = False) -> None:
        """Raise the mark, or set it for another journal."""
        content = msgspec.json.encode(mark)
        if self._opened is not None and identity(self.path) != self._opened:
            self.close()  # removed or replaced while the station runs
        if self._file is None:
            fresh = not self.path.exists()
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, ONLY_OWNER)
            if fresh:
                sync_folder(self.path.parent)  # a live journal without its mark is taken for a copy
            self._opened = identity(self.path)
        os.pwrite(self._file, (_check(content) + b" " + content).ljust(BYTES - 1) + b"\n", 0)
        if sync:
            os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = self._opened = None


def _check(content: bytes) -> bytes:
    return b"%08x" % zlib.crc32(content)
