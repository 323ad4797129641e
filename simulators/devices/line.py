"""A serial line as the far end of a pty: bit rate, lossy buffer, stable name."""

import asyncio
import fcntl
import os
import struct
import termios
import tty
from collections.abc import Callable
from pathlib import Path

RECEIVE_BUFFER_BYTES = 3500  # below the 4096 of the terminal's own buffer, so that a flush at open clears everything
TICK_SECONDS = 0.002
BITS_A_BYTE = 10  # start, eight data or seven and parity, stop


class SerialLine:
    """The device's end of a wire without flow control: what the host does not read in time is lost.

    `heard` gets the bytes the host wrote, after the time the wire takes when `paced`. One slave descriptor stays open,
    so that the line outlives every host; the symbolic link keeps its name while the number of the pty changes.
    """

    def __init__(self, link: Path, baud: int, paced: bool, heard: Callable[[bytes], None]) -> None:
        self.link = link
        self.lost_bytes = 0
        self._rate = baud / BITS_A_BYTE
        self._paced = paced
        self._heard = heard
        self._pending = bytearray()
        self._sent_until = 0.0
        self._arrived_until = 0.0
        self._ticking: asyncio.TimerHandle | None = None
        self._master, self._slave = os.openpty()

    def open(self) -> None:
        """Publish the symbolic link and begin to listen. Needs a running loop."""
        tty.setraw(self._slave, termios.TCSANOW)
        os.set_blocking(self._master, False)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(self._slave))
        asyncio.get_running_loop().add_reader(self._master, self._readable)

    def close(self) -> None:
        """Take the link away and hang up."""
        if self._ticking:
            self._ticking.cancel()
        asyncio.get_running_loop().remove_reader(self._master)
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)

    def send(self, chunk: bytes) -> None:
        """Put bytes on the wire; they leave at the bit rate when paced, else at once."""
        if not self._paced:
            self._write(chunk)
            return
        self._pending += chunk
        if self._ticking is None:
            loop = asyncio.get_running_loop()
            self._sent_until = loop.time()
            self._ticking = loop.call_later(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        count = min(len(self._pending), int((loop.time() - self._sent_until) * self._rate))
        self._write(bytes(self._pending[:count]))
        del self._pending[:count]
        self._sent_until += count / self._rate
        self._ticking = loop.call_later(max(TICK_SECONDS, 1 / self._rate), self._tick) if self._pending else None

    def _write(self, chunk: bytes) -> None:
        waiting: int = struct.unpack("i", fcntl.ioctl(self._slave, termios.FIONREAD, b"\0\0\0\0"))[0]
        room = max(0, RECEIVE_BUFFER_BYTES - waiting)
        try:
            written = os.write(self._master, chunk[:room]) if chunk[:room] else 0
        except BlockingIOError:
            written = 0
        self.lost_bytes += len(chunk) - written

    def _readable(self) -> None:
        chunk = os.read(self._master, 65536)
        if not self._paced:
            self._heard(chunk)
            return
        loop = asyncio.get_running_loop()
        self._arrived_until = max(self._arrived_until, loop.time()) + len(chunk) / self._rate
        loop.call_at(self._arrived_until, self._heard, chunk)
