"""A serial line as the far end of a pty: bit rate, lossy buffer, stable name."""

import asyncio
import fcntl
import os
import select
import struct
import termios
import tty
from collections.abc import Callable
from pathlib import Path

from simulators.devices.wire_faults import WireFaults
from simulators.devices.wire_log import WireLog

RECEIVE_BUFFER_BYTES = 3500  # below the 4096 of the terminal's own buffer, so that a flush at open clears everything
TICK_SECONDS = 0.002
BITS_A_BYTE = 10  # start, eight data or seven and parity, stop


class SimulatedLine:
    """The device's end of a wire without flow control: octets that the host does not read in time are lost.

    `receive` gets the bytes the host wrote, after the time the wire takes when `paced`. One slave descriptor stays
    open, so that the line outlives every host; the symbolic link keeps its name while the number of the pty changes.
    `faults` change what the device sends, or what it receives if it only `listens`.
    """

    def __init__(
        self, link: Path, baud: int, paced: bool, receive: Callable[[bytes], None], listens: bool = False
    ) -> None:
        self.link = link
        self.lost_bytes = 0
        self.plugged = True
        self.log = WireLog()
        self.faults = WireFaults(receive, babble=self._put) if listens else WireFaults(self._put)
        self._listens = listens
        self._rate = baud / BITS_A_BYTE
        self._paced = paced
        self._receive = self.faults.pass_on if listens else receive
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
        """Removes the link and hangs up."""
        self.faults.close()
        if self.plugged:
            self._hang_up()

    def unplug(self) -> None:
        """Pulls the cable: the host sees a hang-up and the name disappears; octets on their way are lost."""
        if self.plugged:
            self.plugged = False
            self.faults.forget()
            self._hang_up()
            self.faults.report("unplug", True)

    def plug(self) -> None:
        """Put the cable back: another pty under the same name."""
        if not self.plugged:
            self._master, self._slave = os.openpty()
            self.plugged = True
            self.open()
            self.faults.report("unplug", False)

    def send(self, chunk: bytes) -> None:
        """Put a report on the wire; it leaves at the bit rate when paced, else at once."""
        if self._listens:
            self._put(chunk)
        else:
            self.faults.pass_on(chunk)

    def _put(self, chunk: bytes) -> None:
        if not self.plugged:
            self.lost_bytes += len(chunk)
            return
        self.log.carried(True, chunk)
        if not self._paced:
            self._write(chunk)
            return
        self._pending += chunk
        if self._ticking is None:
            loop = asyncio.get_running_loop()
            self._sent_until = loop.time()
            self._ticking = loop.call_later(TICK_SECONDS, self._tick)

    def _hang_up(self) -> None:
        if self._ticking:
            self._ticking.cancel()
            self._ticking = None
        self._pending.clear()
        asyncio.get_running_loop().remove_reader(self._master)
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)

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
        # A thread of the kernel carries it over, on a busy machine a while later; polling the host's end waits for it.
        select.select([self._slave], [], [], 0)
        self.lost_bytes += len(chunk) - written

    def _readable(self) -> None:
        chunk = os.read(self._master, 65536)
        self.log.carried(False, chunk)
        if not self._paced:
            self._receive(chunk)
            return
        loop = asyncio.get_running_loop()
        self._arrived_until = max(self._arrived_until, loop.time()) + len(chunk) / self._rate
        loop.call_at(self._arrived_until, self._receive, chunk)
