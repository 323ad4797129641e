"""Accepts the console's connections, in a share of the loop's time, and never runs out of descriptors."""

import asyncio
import errno
import os
import select
import socket
from collections.abc import Callable
from contextlib import suppress

from controller.console.connections import Connections

WAITING = 4096  # connections that the system holds until they are accepted
AT_ONCE, GONE_AT_ONCE = 4, 64  # accepted in one turn
FULL_SECONDS = 0.02  # until it is looked again whether there is room
RECEIVED_OCTETS = 32 * 1024  # that the system holds of a connection, about: what one brings to its turn


class Acceptor:
    """Accepts at a bound socket from `start` until `close`. Anyone who is gone again by then costs little."""

    def __init__(self, bound: socket.socket, connections: Connections) -> None:
        self._socket = bound
        self._connections = connections
        self._turns = connections.coming
        self._reserve: int | None = os.open(os.devnull, os.O_RDONLY)
        self._tasks: set[asyncio.Task[object]] = set()
        self._make: Callable[[], asyncio.Protocol] | None = None

    def start(self, make: Callable[[], asyncio.Protocol]) -> None:
        """Accept from now on, with a protocol made for each connection."""
        self._make = make
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_OCTETS)
        self._socket.listen(WAITING)
        self._listen()

    def close(self) -> None:
        """Accept no more, and give the address back."""
        if self._socket.fileno() >= 0 and self._make is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
        self._make = None
        self._socket.close()
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None

    def _listen(self) -> None:
        if self._make is not None:
            asyncio.get_running_loop().add_reader(self._socket, self._ready)

    def _ready(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._socket)
        if self._connections.full:
            loop.call_later(FULL_SECONDS, self._listen)
        else:
            self._turns.add(self._accept_some)

    def _accept_some(self) -> None:
        begun = gone = 0
        while begun < AT_ONCE and gone < GONE_AT_ONCE and self._make is not None and not self._connections.full:
            one = self.accept()
            if one is None:
                break
            if _is_gone(one):
                one.close()
                gone += 1
            else:
                self._begin(one)
                begun += 1
        self._listen()

    def _begin(self, one: socket.socket) -> None:
        assert self._make is not None
        loop = asyncio.get_running_loop()
        task = loop.create_task(_connect(loop, self._make, one))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def accept(self) -> socket.socket | None:
        """A connection; None where none waits, or none can be taken, and then the one that waits is hung up on."""
        try:
            return self._socket.accept()[0]
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                return None
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None
        with suppress(OSError):
            self._socket.accept()[0].close()
            self._connections.crowded()
        with suppress(OSError):
            self._reserve = os.open(os.devnull, os.O_RDONLY)
        return None


async def _connect(loop: asyncio.AbstractEventLoop, make: Callable[[], asyncio.Protocol], one: socket.socket) -> None:
    with suppress(OSError):
        one.setblocking(False)
        await loop.connect_accepted_socket(make, one)


def _is_gone(one: socket.socket) -> bool:
    poll = select.poll()
    poll.register(one, select.POLLRDHUP)
    return bool(poll.poll(0))
