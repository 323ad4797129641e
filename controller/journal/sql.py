"""The part of the journal's SQL that its modules share: transactions, and errors of the journal."""

import errno
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from controller.journal.records import JournalCorrupt, JournalInUse, JournalUnavailable

# SQLite and Python count these among what may be better the next time.
_BROKEN_FOR_GOOD = ("Could not decode to UTF-8", "no such table", "no such column")


def read_only(path: Path) -> sqlite3.Connection:
    """Opens a journal's file for reading while another process may write it. Raises OSError if it does not exist."""
    # A file that is opened and closed here would take the locks of this process from SQLite.
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


@contextmanager
def snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """A snapshot of the journal's file for every read in the context. Raises JournalUnavailable, and JournalCorrupt if
    a part cannot be read.
    """
    with journal_errors(path), closing(read_only(path)) as db:
        db.execute("BEGIN")
        try:
            yield db
        except (RecursionError, OverflowError) as error:  # text nested as deep, a number as large as no station writes
            raise _unreadable(path, error) from None


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction: everything in the context, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def journal_errors(path: Path) -> Iterator[None]:
    """Turns the file's errors into the journal's own: unavailable for now, or corrupt."""
    try:
        yield
    except OSError as error:
        raise JournalUnavailable(f"{path}: {error.strerror}") from None
    except (sqlite3.OperationalError, sqlite3.ProgrammingError) as error:
        if any(sign in str(error) for sign in _BROKEN_FOR_GOOD):
            raise JournalCorrupt(f"{path}: {error}") from None
        locked = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY  # Python's own errors have no code
        raise (JournalInUse if locked else JournalUnavailable)(f"{path}: {error}") from None
    except sqlite3.DatabaseError as error:
        raise JournalCorrupt(f"{path}: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:  # SQLite's message quotes the damaged schema
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> JournalCorrupt:
    return JournalCorrupt(f"{path}: what is in it, or in a file beside it, cannot be read: {error}")
