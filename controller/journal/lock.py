"""The lock of a journal: it has one station, since two writers could each be right and still break the chain."""

import fcntl
from pathlib import Path
from typing import IO

from controller.journal.records import JournalInUse, JournalUnavailable
from controller.system.files import own_file
from controller.system.occupants import lock_holder


def take_lock(path: Path) -> IO[bytes]:
    """Takes the lock of a journal; closing the file that is returned frees it.

    Raises JournalInUse, JournalUnavailable.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = own_file(path.with_suffix(path.suffix + ".lock"))
    except OSError as error:
        raise JournalUnavailable(f"{path} cannot be opened: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        by = lock_holder(path.with_suffix(path.suffix + ".lock")) or "another station"
        raise JournalInUse(f"{path} is in use by {by}") from None
    return lock
