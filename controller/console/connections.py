"""The console's connections: how many there may be, and how long a request may take to come."""

import asyncio
import errno
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, cast

import h11
import msgspec
import structlog
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

WAITING = 2048  # connections that the system holds until they are accepted
AT_ONCE = 32  # accepted in one turn of the loop: those over the limit are closed only some turns later
QUIET_SECONDS = 60.0  # after which the next crowd is another one

log = structlog.get_logger()


class ConnectionLimits(msgspec.Struct, frozen=True):
    """How many connections may be there before and after their first whole request; seconds for a head and a body."""

    new: int = 64
    known: int = 192
    head_seconds: float = 10.0
    body_seconds: float = 10.0


class Connections:
    """The connections of one server. `signed_in` says whether a person is logged in on the screen that asked."""

    def __init__(self, limits: ConnectionLimits, signed_in: Callable[[Scope], bool]) -> None:
        self.limits = limits
        self._signed_in = signed_in
        self._new: dict[Connection, None] = {}
        self._known: dict[Connection, None] = {}
        self._crowded_at = -QUIET_SECONDS

    def came(self, connection: "Connection") -> None:
        """Somebody has connected."""
        self._new[connection] = None
        if len(self._new) > self.limits.new:
            self._close(next(iter(self._new)))

    def asked(self, connection: "Connection") -> None:
        """A whole request has come."""
        if connection not in self._new:
            return
        del self._new[connection]
        self._known[connection] = None
        if len(self._known) > self.limits.known:
            idle_first = sorted(self._known, key=lambda one: one.busy)
            self._close(next((one for one in idle_first if not self._signed_in(cast(Scope, one.scope))), idle_first[0]))

    def left(self, connection: "Connection") -> None:
        """A connection is no more."""
        self._new.pop(connection, None)
        self._known.pop(connection, None)

    def crowded(self) -> None:
        """Say so in the log, once for each crowd."""
        now = time.monotonic()
        if now - self._crowded_at >= QUIET_SECONDS:
            log.warning("too many connections to the console: the oldest on which nobody is logged in are closed")
        self._crowded_at = now

    def _close(self, connection: "Connection") -> None:
        self.left(connection)
        connection.transport.abort()
        self.crowded()


class Connection(H11Protocol):
    """A connection that is closed when a request takes too long to come. An answer may take as long as it likes."""

    everybody: ClassVar[Connections]
    _coming: object = None
    _deadline: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether a request is being answered; a stream always is."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        self.everybody.came(self)
        self._limit()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is no more."""
        super().connection_lost(exc)
        self.everybody.left(self)
        self._expect(None)

    def handle_events(self) -> None:
        """Go on after something came, or after an answer."""
        super().handle_events()
        self._limit()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, if there is room for an answer: none behind HEAD, or behind another answer."""
        with suppress(h11.LocalProtocolError):
            super().send_400_response(msg)
        self.transport.close()

    def _limit(self) -> None:
        coming = self.conn.their_state
        if coming is self._coming:
            return
        self._coming = coming
        limits = self.everybody.limits
        self._expect({h11.IDLE: limits.head_seconds, h11.SEND_BODY: limits.body_seconds}.get(coming))
        if coming in (h11.DONE, h11.MUST_CLOSE):
            self.everybody.asked(self)

    def _expect(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        # Not `close`, which waits for an answer to be read.
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class Listener(socket.socket):
    """A bound socket that never runs out of descriptors: whom it cannot take it hangs up on, and calls `crowded`."""

    def __init__(self, bound: socket.socket, crowded: Callable[[], None]) -> None:
        super().__init__(bound.family, bound.type, bound.proto, bound.detach())
        self._crowded = crowded
        self._reserve = open(os.devnull)

    def listen(self, backlog: int = WAITING, /) -> None:
        """Let connections wait; asyncio means with its `backlog` how many it accepts at once, too."""
        super().listen(max(backlog, WAITING))

    def accept(self) -> tuple[socket.socket, object]:
        """A connection. Raises BlockingIOError where none waits, or none can be taken."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
        # asyncio would go on trying, with a traceback each time.
        self._reserve.close()
        with suppress(OSError):
            super().accept()[0].close()
            self._crowded()
        with suppress(OSError):
            self._reserve = open(os.devnull)
        raise BlockingIOError

    def close(self) -> None:
        """Give the address back."""
        self._reserve.close()
        super().close()
