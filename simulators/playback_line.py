"""A serial wire that is played: a pty that notices when its host opens and closes it, and the host's octets."""

import asyncio
import errno
import os
import select
import termios
import tty
from collections.abc import Callable
from pathlib import Path

from simulators.playback_wire import Statement, Talk

LOOK_SECONDS = 0.002  # how often a line no one has open, or whose bytes are not taken, is looked at
READ_BYTES = 65536


class PlayedLine:
    """The pty's slave is not kept open here, so that the master sees the host open and close it.

    `bell` rings whenever something may have changed; `strange` is called with a statement that is not in the recording.
    """

    def __init__(
        self, path: Path, begin: Callable[[], Talk], known: Callable[[Statement], bool], strange: Callable[[str], None],
        bell: Callable[[], None],
    ) -> None:  # fmt: skip
        self.openings = 0
        self.closings = 0
        self.talk = begin()
        self.latest = "nothing"
        self._path = path
        self._begin = begin
        self._known = known
        self._strange = strange
        self._bell = bell
        self._master: int | None = None
        self._slave_name = ""
        self._is_open = False
        self._unread = False
        self._looking: asyncio.TimerHandle | None = None

    def plug(self) -> None:
        """Appears under the path, unless it is there already."""
        if self._master is not None:
            return
        self._master, slave = os.openpty()
        tty.setraw(slave, termios.TCSANOW)
        self._slave_name = os.ttyname(slave)
        os.close(slave)  # from now on reading the master fails until someone opens the slave
        os.set_blocking(self._master, False)
        self._path.unlink(missing_ok=True)
        self._path.symlink_to(self._slave_name)
        self._look()

    def unplug(self) -> None:
        """Hangs up, and disappears."""
        if self._master is None:
            return
        if self._looking is not None:
            self._looking.cancel()
        asyncio.get_running_loop().remove_reader(self._master)
        self._path.unlink(missing_ok=True)
        os.close(self._master)
        self._master = None
        self._note_closed()

    def send(self, octets: bytes) -> None:
        """Send octets to the host. Raises OSError if the line cannot be written."""
        assert self._master is not None, "plugged first"
        while octets:
            octets = octets[os.write(self._master, octets) :]
        self._unread = True

    def is_taken(self) -> bool:
        """Whether the host has read everything that was sent."""
        if self._unread and self._master is not None and self._is_open:
            slave = os.open(self._slave_name, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                # Only polling makes the kernel hand over what it still holds between the ends.
                self._unread = bool(select.select([slave], [], [], 0)[0])
            finally:
                os.close(slave)
        else:
            self._unread = False
        return not self._unread

    def _look(self) -> None:
        """Waits for a host: a master without a host is readable for ever, and fails."""
        self._looking = None
        assert self._master is not None
        if self._read():
            asyncio.get_running_loop().add_reader(self._master, self._readable)
        else:
            self._looking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _readable(self) -> None:
        assert self._master is not None
        if not self._read():
            asyncio.get_running_loop().remove_reader(self._master)
            self._look()

    def _read(self) -> bool:
        """Read what there is; False when no host is there."""
        assert self._master is not None
        try:
            octets = os.read(self._master, READ_BYTES)
        except BlockingIOError:
            self._note_open()
            return True
        except OSError as hung_up:
            if hung_up.errno != errno.EIO:
                raise
            self._note_closed()
            return False
        self._note_open()
        for statement in self.talk.receive(octets):
            self.latest = statement.text
            if not self._known(statement):
                self._strange(statement.text)
        self._bell()
        return True

    def _note_open(self) -> None:
        if not self._is_open:
            self._is_open = True
            self.openings += 1
            self._bell()

    def _note_closed(self) -> None:
        if self._is_open:
            self._is_open = False
            self.closings += 1
            self.talk = self._begin()
            self._unread = False
            self._bell()
