"""Copies of a journal: made while its station runs, and restored in place of a lost one. All calls block."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from controller.journal.auditing import audit, check_rows, unreported
from controller.journal.message_files import MessageFile, files_of
from controller.journal.past import segments_of
from controller.journal.records import JournalCorrupt, JournalUnavailable, WrongJournal
from controller.journal.sealing import BadSealKey, Seal
from controller.journal.segments import Segment
from controller.journal.sql import journal_errors, read_only, snapshot
from controller.system.files import ONLY_OWNER, OpenOne, copy_whole, open_one, sync_folder


def back_up(path: Path, copy: Path) -> None:
    """Copy a journal at one moment, including its write-ahead log and its segments.

    Raises JournalUnavailable, also if the copy exists already.
    """
    with journal_errors(path):
        open_one(path).close()
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER))
        with closing(read_only(path)) as journal, closing(sqlite3.connect(copy)) as target:
            journal.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # anyone who reads the copy leaves no log beside it
            _copy_files(target, path, copy, open_one)
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        sync_folder(copy.parent)


def put_back(copy: Path, path: Path, mode: str, seal: Seal, open_copy: OpenOne = open_one) -> None:
    """Puts a backup in the place of a lost journal, after the copied files were verified.

    Only the files that verified rows name are opened, by `open_copy`, and no more of them is read than the rows say.
    Raises JournalUnavailable, JournalCorrupt, WrongJournal, or BadSealKey; then nothing is put there.
    """
    copied = path.with_name(f".{path.name}.restored")
    with journal_errors(path):
        if copied.is_dir() and not copied.is_symlink():
            shutil.rmtree(copied)  # cut off
        copied.mkdir(mode=0o700)
        try:
            names = _copied_and_verified(copy, copied / path.name, mode, seal, open_copy)
            path.with_name(f"{path.name}-wal").unlink(missing_ok=True)  # of the one that is gone
            for name in (*names, path.name):
                os.replace(copied / name, path.with_name(name))
            sync_folder(path.parent)
        finally:
            shutil.rmtree(copied)


def _copied_and_verified(copy: Path, copied: Path, mode: str, seal: Seal, open_copy: OpenOne) -> list[str]:
    """The names of the files beside a journal, which are copied with it and verified."""
    try:
        _copy(copy, copied, open_copy)
        check_rows(copied, mode, seal)
        with snapshot(copied) as db:
            names = _copy_files(db, copy, copied, open_copy)
        audit(copied, mode, seal, unreported)
    except (JournalUnavailable, JournalCorrupt, WrongJournal, BadSealKey) as error:
        raise type(error)(str(error).replace(str(copied), str(copy))) from None
    return names


def _copy_files(db: sqlite3.Connection, path: Path, copy: Path, open_file: OpenOne) -> list[str]:
    """Copies the segments and files of messages that `db` knows and that are beside another journal; returns their
    names.
    """
    beside: list[Segment | MessageFile] = [*segments_of(db), *files_of(db)]
    for attachment in beside:
        _copy(attachment.file(path), attachment.file(copy), open_file, attachment.size)
    return [attachment.file(copy).name for attachment in beside]


def _copy(file: Path, copy: Path, open_file: OpenOne, size: int | None = None) -> None:
    try:
        with open_file(file) as content:
            copy_whole(content, copy, size)
    except FileNotFoundError:
        raise JournalUnavailable(f"{file} is missing: the copy is not whole") from None
    except OSError as error:
        raise JournalUnavailable(f"{file}: {error.strerror}") from None
