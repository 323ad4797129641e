"""Attackers of the console's port, each a process on a core: `python -m tests.soak.attackers KIND PORT CORE`.

They hold and send what a person without a session can, until they are ended.
"""

import contextlib
import os
import resource
import select
import socket
import sys
import time
from collections.abc import Callable, Mapping

HOST = "127.0.0.1"
HEAD = f"host: {HOST}\r\n"
HALF = f"GET /table HTTP/1.1\r\n{HEAD}".encode()
ASK = f"GET /table HTTP/1.1\r\n{HEAD}\r\n".encode()
STREAM = f"GET /stream HTTP/1.1\r\n{HEAD}\r\n".encode()
POST = f"POST /inputs HTTP/1.1\r\n{HEAD}content-type: application/json\r\n"
WHOLE_BODY = f"{POST}content-length: 65536\r\n\r\n".encode() + b"[" * 65536
CHUNKS = f"{POST}transfer-encoding: chunked\r\n\r\n".encode() + b"1\r\n[\r\n" * 1024
PIPELINED = 400
TURN_SECONDS = 0.02
TICK_SECONDS = 1.0


class Crowd:
    """So many connections, opened again whenever one is closed.

    On each `first` is sent, `again` after each answer, and `tick` once a second. Answers are not read where `unread`.
    """

    def __init__(self, count: int, first: bytes, again: bytes = b"", tick: bytes = b"", unread: bool = False) -> None:
        self._count, self._first, self._again, self._tick, self._unread = count, first, again, tick, unread
        self._poll = select.epoll()
        self._open: dict[int, socket.socket] = {}
        self._ticked = time.monotonic()

    def turn(self) -> None:
        """Open what is wanting, answer what came, and send a tick where it is due."""
        for _ in range(min(200, self._count - len(self._open))):
            self._connect()
        for at, what in self._poll.poll(TURN_SECONDS if len(self._open) >= self._count else 0):
            self._came(at, what)
        now = time.monotonic()
        if self._tick and now - self._ticked >= TICK_SECONDS:
            self._ticked = now
            for at in list(self._open):
                self._send(at, self._tick)

    def _connect(self) -> None:
        connection = socket.socket()
        connection.setblocking(False)
        try:
            connection.connect((HOST, PORT))
        except BlockingIOError:
            pass
        except OSError:
            connection.close()
            return
        self._open[connection.fileno()] = connection
        self._poll.register(connection.fileno(), select.EPOLLOUT | select.EPOLLRDHUP)

    def _came(self, at: int, what: int) -> None:
        if what & (select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP):
            self._drop(at)
        elif what & select.EPOLLOUT:
            self._poll.modify(at, select.EPOLLRDHUP | (0 if self._unread else select.EPOLLIN))
            self._send(at, self._first)
        else:
            try:
                answered = self._open[at].recv(1 << 18)
            except OSError:
                answered = b""
            if not answered:
                self._drop(at)
            elif self._again:
                self._send(at, self._again)

    def _send(self, at: int, what: bytes) -> None:
        try:
            self._open[at].send(what)
        except BlockingIOError:
            pass
        except OSError:
            self._drop(at)

    def _drop(self, at: int) -> None:
        self._open.pop(at).close()


class Knocks:
    """Connects and closes."""

    def turn(self) -> None:
        """As often as it goes in a while."""
        until = time.monotonic() + TURN_SECONDS
        while time.monotonic() < until:
            with socket.socket() as connection:
                connection.settimeout(1.0)
                with contextlib.suppress(OSError):
                    connection.connect((HOST, PORT))


KINDS: Mapping[str, Callable[[], list[Crowd | Knocks]]] = {
    "half_open": lambda: [Crowd(2000, HALF)],
    "slowloris": lambda: [Crowd(1500, HALF, tick=b"x")],
    "streams": lambda: [Crowd(3000, STREAM)],
    "bodies": lambda: [Crowd(32, WHOLE_BODY, again=WHOLE_BODY), Crowd(64, CHUNKS, tick=b"1\r\n[\r\n" * 256)],
    "knocks": lambda: [Knocks()],
    "requests": lambda: [Crowd(64, ASK, again=ASK)],
    "pipelined": lambda: [Crowd(200, ASK * PIPELINED, unread=True)],
    "mixed": lambda: [
        Crowd(300, HALF), Crowd(300, HALF, tick=b"x"), Crowd(300, STREAM), Crowd(16, CHUNKS, tick=b"1\r\n[\r\n" * 256),
        Knocks(), Crowd(32, ASK, again=ASK), Crowd(64, ASK * PIPELINED, unread=True),
    ],
}  # fmt: skip


def attack(kind: str) -> None:
    """Attack until ended."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    crowds = KINDS[kind]()
    while True:
        for crowd in crowds:
            crowd.turn()


if __name__ == "__main__":
    KIND, PORT = sys.argv[1], int(sys.argv[2])
    os.sched_setaffinity(0, {int(sys.argv[3])})
    attack(KIND)
