"""A serial line behind a network address, read and written by two threads, since pyserial has no descriptor for it."""

import errno
import queue
import socket
import threading
from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

import serial

from drivers.faults import Cause, PortLost
from drivers.ports.causes import root_of, why_unreachable
from drivers.ports.line import SerialPort
from drivers.tap import OpenTap
from drivers.unheld import unheld

READ_WAIT_SECONDS = 0.1  # how long closing may take to be noticed
WRITE_WAIT_SECONDS = 5.0  # a server that takes nothing for so long is gone
READ_OCTETS = 4096
GONE_SECONDS = 20.0  # without an acknowledgement, after which the connection is lost
KEEPALIVE_IDLE_SECONDS, KEEPALIVE_EVERY_SECONDS = 8, 4

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


async def connect_served_port(device: str, address: str, baud: int, data_bits: int, parity: str) -> serial.Serial:
    """Connect to socket://host:port or rfc2217://host:port. Raises PortLost."""

    def connect() -> serial.Serial:
        line = serial.serial_for_url(
            address,
            baudrate=baud,
            bytesize=data_bits,
            parity=parity,
            timeout=READ_WAIT_SECONDS,
            write_timeout=None if address.startswith("rfc2217:") else WRITE_WAIT_SECONDS,  # pyserial has none there
        )
        try:
            vars(line)["_socket"] = _Watched(vars(line)["_socket"])
            line.reset_input_buffer()
        except OSError:
            line.close()
            raise
        return line

    try:
        return await unheld(connect, lambda line: line.close(), f"{device} connect")
    except (OSError, ValueError) as refusal:
        cause, why = why_unreachable(root_of(refusal))
        raise PortLost(device, f"cannot connect to {address}: {why}", cause) from None


class _Watched:
    """A connection that the kernel ends where its other end has gone without a word; it remembers why it failed.

    pyserial keeps its sockets to itself, and over RFC 2217 drops the system's errors.
    """

    failure: OSError | None = None

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, KEEPALIVE_EVERY_SECONDS)
        # In idle it replaces the number of probes; for what was sent it bounds the wait for its acknowledgement.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(GONE_SECONDS * 1000))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def recv(self, octets: int) -> bytes:
        return self._noticing(lambda: self._connection.recv(octets))

    def send(self, octets: bytes) -> int:
        return self._noticing(lambda: self._connection.send(octets))

    def sendall(self, octets: bytes) -> None:
        self._noticing(lambda: self._connection.sendall(octets))

    def _noticing(self, call: Callable[[], _Result]) -> _Result:
        try:
            return call()
        except OSError as error:
            if error.errno not in (None, errno.EAGAIN) and self.failure is None:  # None: nothing came for a while
                self.failure = error
            raise


class ServedPort(SerialPort):
    """An open line to a serial server."""

    def __init__(
        self, device: str, address: str, line: serial.Serial, receive: Callable[[bytes], None], tap: OpenTap
    ) -> None:
        super().__init__(device, address, receive, tap)
        self._line = line
        self._connection: _Watched = vars(line)["_socket"]
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
                    self._on_loop(self._received, octets)
        except (OSError, ValueError, TypeError, AttributeError) as hang_up:  # pyserial raises any of them once closed
            self._on_loop(self._hung_up, f"hung up ({hang_up})", self._why_lost(hang_up))
        finally:
            self._outgoing.put(None)
            self._line.close()

    def _write(self) -> None:
        try:
            while (octets := self._outgoing.get()) is not None:
                self._tap.sent(octets)  # before a fast answer to them is received
                self._line.write(octets)
                self._on_loop(self._sent)
        except (OSError, ValueError, TypeError, AttributeError) as hang_up:
            self._on_loop(self._hung_up, f"takes nothing more ({hang_up})", self._why_lost(hang_up))

    def _received(self, octets: bytes) -> None:
        if not self._closing.is_set():
            self._tap.received(octets)
            self._receive(octets)

    def _sent(self) -> None:
        self._unsent -= 1
        if not self._unsent:
            self._drained.now()

    def _on_loop(self, call: Callable[[*_Arguments], None], *arguments: *_Arguments) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop has closed before this thread
            self._closing.set()

    def _why_lost(self, error: BaseException) -> Cause:
        """The other end hangs up without an error of the system."""
        cause, _ = why_unreachable(self._connection.failure or root_of(error))
        return "hung_up" if cause == "unknown" else cause
