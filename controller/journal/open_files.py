"""The files of an open journal: locked for one station, and watched for changes by others. All calls block."""

import fcntl
import os
from pathlib import Path
from typing import IO

from controller.journal.records import JournalInUse, JournalUnavailable
from controller.journal.write_ahead_log import WrittenLog
from controller.system.files import identity, own_file
from controller.system.occupants import lock_holder


def take_lock(path: Path) -> IO[bytes]:
    """Takes the lock of a journal; closing the file that is returned frees it. A journal has one station: two writers
    could each be right and still break the chain.

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


class OpenFiles:
    """The file of an open journal and its log, as the station has left them."""

    def __init__(self, path: Path, log: Path) -> None:
        self._path = path
        self._log = log
        self._opened = {file: identity(file) for file in (path, log)}
        self._transactions = 0  # since the last look at the log
        self.accept()

    @property
    def log_is_removed(self) -> bool:
        """Whether the log is gone while the other files are unchanged."""
        return identity(self._log) is None and identity(self._path) == self._opened[self._path]

    def check_names(self) -> None:
        """Raises JournalUnavailable if a file was removed or replaced: the file can be put back."""
        for file, opened in self._opened.items():
            if identity(file) != opened:
                raise JournalUnavailable(f"{file} was removed or replaced while the station runs: put it back")

    def wrote(self) -> None:
        """The station has ended a transaction, perhaps without a change."""
        self._transactions += 1

    def fault(self, least: int) -> str | None:
        """A fault of the log, as `WrittenLog.fault`, since the last check."""
        most, self._transactions = self._transactions, 0
        return self._log_written.fault(least, most)

    @property
    def log_end(self) -> int:
        """The number of bytes of the log in use."""
        return self._log_written.end

    @property
    def carried_over(self) -> bool:
        """Whether another program may have checkpointed the log, which writes to the file."""
        return _state(self._path) != self._state

    def accept(self) -> None:
        """Accept the present content of the file and the log as the station's."""
        self._log_written, self._transactions = WrittenLog(self._log), 0
        self._log_written.fault(0, 0)
        self.checkpointed()

    def checkpointed(self) -> None:
        """The station has written to the file."""
        self._state = _state(self._path)


def _state(path: Path) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns
