"""The console's connections: how many there may be, how long a request may take to come, and an answer to be read."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

import h11
import msgspec
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.console.request_head import HeadRefusal, RequestHead, parse_head, refused
from controller.console.sessions import Credential
from controller.console.turns import Turns

QUIET_SECONDS = 60.0  # after which the next crowd is another one
NO_ONE = Credential(None, None)

log = structlog.get_logger()


class ConnectionLimits(msgspec.Struct, frozen=True):
    """The largest numbers of connections before and after their first whole request, and the time limits.

    The limits for receiving a head and a body, and for reading an answer, are in seconds. `share` is the part of the
    loop's time for requests of strangers, and `accepting` the part for accepting connections.
    """

    new: int = 64
    known: int = 192
    head_seconds: float = 10.0
    body_seconds: float = 10.0
    unread_seconds: float = 10.0
    share: float = 0.25
    accepting: float = 0.25


class Connections:
    """The connections of one server. `signed_in` says whether a person is logged in on the screen with these
    credentials.
    """

    def __init__(self, limits: ConnectionLimits, signed_in: Callable[[Credential], bool]) -> None:
        self.limits = limits
        self.signed_in = signed_in
        self.coming = Turns(limits.accepting)
        self.strangers = Turns(limits.share)
        self.log_ins = Turns(limits.share)
        self._new: dict[Connection, None] = {}
        self._known: dict[Connection, None] = {}
        self._crowded_at: float | None = None

    @property
    def full(self) -> bool:
        """Whether too many requests of strangers wait for another one to be accepted."""
        return 2 * len(self.strangers) >= self.limits.new

    def admits(self, head: RequestHead) -> bool:
        """Whether a request may be read now: one of a session, a log-in, or one with room. Others wait."""
        return not self.full or head.log_in or self.signed_in(head.credential)

    def came(self, connection: "Connection") -> None:
        """Someone has connected."""
        self._new[connection] = None
        if len(self._new) > self.limits.new:
            self._close(next((other for other in self._new if not other.waiting), connection))

    def asked(self, connection: "Connection") -> None:
        """A whole request has come."""
        if connection not in self._new:
            return
        del self._new[connection]
        self._known[connection] = None
        if len(self._known) > self.limits.known:
            idle_first = sorted(self._known, key=lambda known: known.busy)
            stranger = next((known for known in idle_first if not self.signed_in(known.credential)), None)
            # An answer or a stream of a screen on which a person is logged in makes room for no other one.
            self._close(stranger or (connection if idle_first[0].busy else idle_first[0]))

    def left(self, connection: "Connection") -> None:
        """A connection is no more."""
        self._new.pop(connection, None)
        self._known.pop(connection, None)

    def crowded(self) -> None:
        """Log that there are too many connections, once for each crowd."""
        now = asyncio.get_running_loop().time()
        if self._crowded_at is None or now - self._crowded_at >= QUIET_SECONDS:
            log.warning("too many connections to the console: the oldest on which no one is logged in are closed")
        self._crowded_at = now

    def _close(self, connection: "Connection") -> None:
        self.left(connection)
        connection.transport.abort()
        self.crowded()


class Connection(H11Protocol):
    """One request at a time, and the next one after its answer. A stranger's request is read when its turn comes.

    It is closed when a request takes too long to come, or an answer to be read. An answer may take as long as it likes.
    """

    everybody: ClassVar[Connections]
    credential = NO_ONE  # what the last request showed
    lawful = False  # whether a person is logged in on the screen that sent it
    waiting = False  # for its turn to be read
    _head: bytearray
    _turns: Turns
    _left = 0  # octets of the body that are still to come
    _state: object = None
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether a request is being answered; a stream always is."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Someone has connected."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)
        self._head = bytearray()
        self.everybody.came(self)
        self._limit()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is no more."""
        super().connection_lost(exc)
        self.everybody.left(self)
        self._expect(None)
        self.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Data arrived: of a head, of a body, or after a request."""
        began = time.thread_time()
        self._take(data)
        if not self.lawful:
            self.everybody.coming.charge(time.thread_time() - began)

    def _take(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self._left:
            if data[self._left :].strip(b"\r\n"):
                self.transport.abort()
                return
            data = data[: self._left]
            self._left -= len(data)
            self._read(data)
        elif self.busy:
            if data.strip(b"\r\n"):
                self.transport.abort()  # behind an answer that has begun there is no room for another
        else:
            self._head += data
            head = parse_head(self._head, None if self.server is None else self.server[1])
            if isinstance(head, HeadRefusal):
                self._refuse(head)
            elif head is not None and not self.everybody.admits(head):
                self._refuse(HeadRefusal.BUSY)
            elif head is not None:
                self._begin(head)

    def _begin(self, head: RequestHead) -> None:
        received, self._head = bytes(self._head), bytearray()
        self._turns = self.everybody.log_ins if head.log_in else self.everybody.strangers
        self.credential, self.lawful = head.credential, self.everybody.signed_in(head.credential)
        self._left = max(0, head.octets - len(received))
        self._expect(None)  # what waits for its turn has come in time
        self._read(received[: head.octets])

    def _read(self, data: bytes) -> None:
        if self.lawful:
            super().data_received(data)
            return
        self.waiting = True
        self.transport.pause_reading()
        self._turns.add(lambda: self._turn(data))

    def _turn(self, data: bytes) -> None:
        self.waiting = False
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not self.flow.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def handle_events(self) -> None:
        """Continue after something came, or after an answer."""
        super().handle_events()
        self._limit()

    def pause_writing(self) -> None:
        """The client reads too slowly: it has some seconds to continue."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.everybody.limits.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read everything."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request with 400, unless an answer is impossible: after HEAD, or after another answer."""
        with suppress(h11.LocalProtocolError):
            super().send_400_response(msg)
        self.transport.close()

    def _refuse(self, refusal: HeadRefusal) -> None:
        self.transport.write(refused(refusal))
        self.transport.close()

    def _limit(self) -> None:
        state = self.conn.their_state
        if state is self._state:
            return
        self._state = state
        limits = self.everybody.limits
        self._expect({h11.IDLE: limits.head_seconds, h11.SEND_BODY: limits.body_seconds}.get(state))
        if state in (h11.DONE, h11.MUST_CLOSE):
            self.everybody.asked(self)

    def _expect(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        # Not `close`, which waits for an answer to be read.
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
