"""Accepts the console's connections, in a share of the loop's time, and never runs out of descriptors."""

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress

from controller.console.connections import Connections
from controller.console.request_head import KEY, LOG_IN, MOST_HEAD_OCTETS, HeadRefusal, RequestHead, parse_head, refused

WAITING = 4096  # connections that the system holds until they are accepted
AT_ONCE, REFUSED_AT_ONCE = 4, 64  # in one turn
BUSY = refused(HeadRefusal.BUSY)
RECEIVED_OCTETS = 32 * 1024  # that the system holds of a connection, about: what one brings to its turn


class Acceptor:
    """Accepts connections at a bound socket from `start` to `close`. A client that has already hung up costs little."""

    def __init__(self, bound: socket.socket, connections: Connections) -> None:
        self._socket = bound
        self._connections = connections
        self._turns = connections.coming
        self._reserve: int | None = os.open(os.devnull, os.O_RDONLY)
        self._tasks: set[asyncio.Task[object]] = set()
        self._make: Callable[[], asyncio.Protocol] | None = None

    def start(self, make: Callable[[], asyncio.Protocol]) -> None:
        """Accept connections from now on, and make a protocol for each."""
        self._make = make
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_OCTETS)
        self._socket.listen(WAITING)
        self._listen()

    def close(self) -> None:
        """Stop accepting, and release the address."""
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
        asyncio.get_running_loop().remove_reader(self._socket)
        self._turns.add(self._accept_some)

    def _accept_some(self) -> None:
        begun = hung_up = 0
        while begun < AT_ONCE and hung_up < REFUSED_AT_ONCE and self._make is not None:
            accepted = self.accept()
            if accepted is None:
                break
            if self._is_wanted(accepted):
                self._begin(accepted)
                begun += 1
            else:
                accepted.close()
                hung_up += 1
        self._listen()

    def _is_wanted(self, accepted: socket.socket) -> bool:
        """Whether the other end is still connected, and its request is read or may wait."""
        try:
            received = accepted.recv(MOST_HEAD_OCTETS, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            if not received or not self._connections.full:
                return bool(received)
            if received.startswith(LOG_IN):
                return True
            if KEY.encode() in received.lower():  # what has no key is of no session: it is not looked at further
                head = parse_head(received, self._socket.getsockname()[1])
                if not isinstance(head, RequestHead) or self._connections.admits(head):
                    return True
            accepted.send(BUSY, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def _begin(self, accepted: socket.socket) -> None:
        assert self._make is not None
        loop = asyncio.get_running_loop()
        task = loop.create_task(_connect(loop, self._make, accepted))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def accept(self) -> socket.socket | None:
        """The next connection; None if none waits, or if none can be accepted: then the waiting one is closed."""
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


async def _connect(loop: asyncio.AbstractEventLoop, make: Callable[[], asyncio.Protocol], end: socket.socket) -> None:
    with suppress(OSError):
        end.setblocking(False)
        await loop.connect_accepted_socket(make, end)
