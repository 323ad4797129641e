"""A serial line behind a network address, read and written by two threads, since pyserial shows no descriptor of it."""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import TypeVarTuple

import serial

from drivers.faults import PortLost
from drivers.ports.line import SerialPort
from drivers.tap import OpenTap

READ_WAIT_SECONDS = 0.1  # how long closing may take to be noticed
WRITE_WAIT_SECONDS = 5.0  # a server that takes nothing for so long is gone
READ_OCTETS = 4096

_Arguments = TypeVarTuple("_Arguments")


async def connect_served_port(device: str, address: str, baud: int, data_bits: int, parity: str) -> serial.Serial:
    """Connect to socket://host:port or rfc2217://host:port. Raises PortLost."""
    loop = asyncio.get_running_loop()

    def connect() -> serial.Serial:
        line = serial.serial_for_url(
            address,
            baudrate=baud,
            bytesize=data_bits,
            parity=parity,
            timeout=READ_WAIT_SECONDS,
            write_timeout=None if address.startswith("rfc2217:") else WRITE_WAIT_SECONDS,  # pyserial has none there
        )
        line.reset_input_buffer()
        return line

    connecting = loop.run_in_executor(None, connect)
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        connecting.add_done_callback(_close_late)
        raise
    except (OSError, ValueError) as refusal:
        raise PortLost(device, f"cannot connect to {address}: {refusal}", "unreachable") from None


def _close_late(connecting: asyncio.Future[serial.Serial]) -> None:
    if not connecting.cancelled() and connecting.exception() is None:
        connecting.result().close()


class ServedPort(SerialPort):
    """An open line to a serial server."""

    def __init__(
        self, device: str, address: str, line: serial.Serial, hear: Callable[[bytes], None], tap: OpenTap
    ) -> None:
        super().__init__(device, address, hear, tap)
        self._line = line
        self._closing = threading.Event()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unsent = 0
        for work in (self._read, self._write):
            threading.Thread(target=work, name=f"{device} {work.__name__.strip('_')}", daemon=True).start()

    def write(self, octets: bytes) -> None:
        if not self._closing.is_set() and not self._wake.failed:
            self._unsent += 1
            self._outgoing.put(octets)

    @property
    def _waits(self) -> bool:
        return self._unsent > 0

    def close(self) -> None:
        self._closing.set()
        self._outgoing.put(None)
        self._tap.closed("host", "closed")

    def _read(self) -> None:
        try:
            while not self._closing.is_set():
                octets = self._line.read(1)
                while octets and len(octets) < READ_OCTETS and (ready := self._line.in_waiting):
                    octets += self._line.read(ready)
                if octets:
                    self._on_loop(self._heard, octets)
        except (OSError, ValueError, TypeError, AttributeError) as hang_up:  # pyserial raises any of them once closed
            self._on_loop(self._hung_up, f"hung up ({hang_up})")
        finally:
            self._outgoing.put(None)
            self._line.close()

    def _write(self) -> None:
        try:
            while (octets := self._outgoing.get()) is not None:
                self._tap.said(octets)  # before a fast answer to them is heard
                self._line.write(octets)
                self._on_loop(self._sent)
        except (OSError, ValueError, TypeError, AttributeError) as hang_up:
            self._on_loop(self._hung_up, f"takes nothing more ({hang_up})")

    def _heard(self, octets: bytes) -> None:
        if not self._closing.is_set():
            self._tap.heard(octets)
            self._hear(octets)

    def _sent(self) -> None:
        self._unsent -= 1
        if not self._unsent:
            self._drained.now()

    def _on_loop(self, call: Callable[[*_Arguments], None], *arguments: *_Arguments) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop has closed before this thread
            self._closing.set()
