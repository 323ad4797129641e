"""Copies of a journal: taken beside its station, and put in the place of one that is gone. All calls block."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from controller.files import ONLY_OWNER, copy_whole, sync_folder
from controller.journal.auditing import audit
from controller.journal.message_files import files_of
from controller.journal.past import segments_of
from controller.journal.records import JournalUnavailable
from controller.journal.sealing import Seal
from controller.journal.sql import journal_errors, read_only, snapshot


def back_up(path: Path, copy: Path) -> None:
    """Copy a journal as it stands at one moment, with what is still in its log, and its segments.

    Raises JournalUnavailable, also where the copy is there already.
    """
    with journal_errors(path):
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER))
        with closing(read_only(path)) as journal, closing(sqlite3.connect(copy)) as target:
            journal.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # whoever reads the copy leaves no log beside it
            _copy_files(target, path, copy)
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        sync_folder(copy.parent)


def put_back(copy: Path, path: Path, mode: str, seal: Seal) -> None:
    """Put a backup, once it has shown to be good, in the place of a journal that is gone.

    Raises JournalUnavailable, JournalCorrupt, WrongJournal, or BadSealKey.
    """
    audit(copy, mode, seal, lambda done, all: None)
    with journal_errors(path):
        with snapshot(copy) as db:
            _copy_files(db, copy, path)
        path.with_name(f"{path.name}-wal").unlink(missing_ok=True)  # of the one that is gone
        copy_whole(copy, path)


def _copy_files(db: sqlite3.Connection, path: Path, copy: Path) -> None:
    """Copy the segments and files of messages that a journal knows, as `db` sees it, from beside another."""
    for one in [*(one.file(path) for one in segments_of(db)), *(one.file(path) for one in files_of(db))]:
        try:
            copy_whole(one, copy.with_name(copy.name + one.name.removeprefix(path.name)))
        except FileNotFoundError:
            raise JournalUnavailable(f"{one} is missing: the copy is not whole") from None
