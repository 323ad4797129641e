"""Connections that hold the console up: requests that never come whole, and more connections than it can have."""

import asyncio
import errno
import json
import os
import resource
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
import uvicorn
from msgspec.structs import force_setattr
from structlog.testing import capture_logs
from uvicorn.server import ServerState

from controller.console import turns
from controller.console.acceptor import Acceptor
from controller.console.app import make_app
from controller.console.connections import Connection, ConnectionLimits, Connections
from controller.console.gate import Gate
from controller.console.listening import bound_socket
from controller.console.server import ConsoleServer
from controller.console.streams import MOST_OF_PERSON, MOST_OF_SCREEN, MOST_OF_STRANGERS
from controller.console.turns import Turns
from simulators.broker import free_port
from tests.console.gates import PINS, apart, quick_gate
from tests.console.test_console_page import Face

PATIENCE_SECONDS = 60.0
HALF = b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n"
ASK = HALF + b"\r\n"
POST = b"POST /inputs HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
STREAM = b"GET /stream HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: %s\r\ndealer-station-key: %s\r\n\r\n"
INPUT = {"input_id": "1", "step_id": "1/begin", "actor": "ana", "kind": "begin_round"}

Address = tuple[str, int]


class Still(Face):
    """A table that changes when a test says so."""

    def __init__(self) -> None:
        super().__init__("live")
        self.shown = b"{}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event = asyncio.Event()

    def projection(self) -> bytes:
        return self.shown

    def strangers(self) -> bytes:
        return self.shown

    async def changed(self, since: bytes, shown: Callable[[], bytes]) -> bytes:
        self._loop = asyncio.get_running_loop()
        while (now := shown()) == since:
            await self._event.wait()
        return now

    def change(self, shown: bytes) -> None:
        """From the test's thread, while someone follows the stream."""
        assert self._loop is not None
        self.shown = shown
        self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        self._event.set()
        self._event = asyncio.Event()


@contextmanager
def served(limits: ConnectionLimits, gate: Gate | None = None, face: Face | None = None) -> Iterator[Address]:
    """A console in a thread of its own."""
    address = ("127.0.0.1", free_port())
    face = face or Still()
    server = ConsoleServer(make_app(face, face.answer, "127.0.0.1", gate), address, gate, limits)
    thread = threading.Thread(target=lambda: asyncio.run(server.run()))
    thread.start()
    try:
        while True:
            with suppress(ConnectionRefusedError), connected(address):
                break
        yield address
    finally:
        server.stop()
        thread.join()


@contextmanager
def connected(address: Address, begins: bytes = b"") -> Iterator[socket.socket]:
    """A connection on which this was reported."""
    with socket.create_connection(address, PATIENCE_SECONDS) as connection:
        connection.sendall(begins)
        yield connection


def asked(address: Address, method: str, path: str, body: object, cookie: str = "", key: str = "") -> bytes:
    """The whole answer to a request on a connection of its own."""
    text = json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nconnection: close\r\n"
    head += f"cookie: {cookie}\r\ndealer-station-key: {key}\r\ncontent-length: {len(text)}\r\n\r\n"
    with connected(address, head.encode() + text) as connection:
        answer = bytearray()
        while part := connection.recv(65536):
            answer += part
        return bytes(answer)


@contextmanager
def stream(address: Address, cookie: str = "", key: str = "", begins: bytes = b"data: {}") -> Iterator[socket.socket]:
    """A stream whose answer has come as far as `begins`; without the key it is a stranger's."""
    with connected(address, STREAM % (cookie.encode(), key.encode())) as connection:
        receives(connection, begins)
        yield connection


def log_in(address: Address, name: str) -> tuple[str, str]:
    """The cookie and the key of a screen on which someone has just logged in."""
    head, _, body = asked(address, "POST", "/session", {"name": name, "pin": PINS[name]}).decode().partition("\r\n\r\n")
    cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-cookie:"))[12:].strip()
    return cookie, json.loads(body)["key"]


def receives(connection: socket.socket, what: bytes) -> None:
    """Wait until this has come."""
    answer = b""
    while what not in answer:
        part = connection.recv(65536)
        assert part, answer
        answer += part


def hung_up(connection: socket.socket) -> None:
    """Wait until the other side has closed the connection."""
    with suppress(ConnectionResetError):
        while connection.recv(65536):
            pass


def test_a_request_that_dribbles_is_hung_up_on_and_a_stream_is_not() -> None:
    face, limits = Still(), ConnectionLimits()
    with served(limits, face=face) as address, ExitStack() as stack:
        followed = stack.enter_context(stream(address))
        for name in ("head_seconds", "body_seconds"):
            force_setattr(limits, name, 0.2)  # the stream has been asked for by now, however slowly
        body = POST + b"content-length: 99\r\n\r\n["
        second = ASK + HALF
        with capture_logs() as logged:
            for begins in (b"", HALF, body, second):
                hung_up(stack.enter_context(connected(address, begins)))
            with connected(address, HALF) as connection, suppress(ConnectionError):
                while True:
                    connection.sendall(b"x")
                    time.sleep(0.01)
        face.change(b'{"changed":1}')
        receives(followed, b'data: {"changed":1}')
        assert not logged


def test_half_open_connections_make_room_for_each_other_and_an_input_is_answered() -> None:
    with served(ConnectionLimits(new=8, known=2)) as address, ExitStack() as stack, capture_logs() as logged:
        known = stack.enter_context(stream(address))
        opened = [stack.enter_context(connected(address, HALF)) for _ in range(100)]
        for end in opened[:92]:
            hung_up(end)
        for _ in range(20):
            assert asked(address, "POST", "/inputs", INPUT).startswith(b"HTTP/1.1 200")
        known.setblocking(False)
        with pytest.raises(BlockingIOError):
            known.recv(1)
        assert [line["log_level"] for line in logged] == ["warning"], "one line, however many were closed"


def test_strangers_make_room_for_each_other_and_anyone_who_is_logged_in_stays(tmp_path: Path) -> None:
    gate, face = quick_gate(tmp_path), Still()
    with served(ConnectionLimits(new=2, known=4), gate, face) as address, ExitStack() as stack:
        cookie, key = log_in(address, "ana")
        mine = stack.enter_context(stream(address, cookie, key))
        with capture_logs() as logged:
            strangers = [stack.enter_context(stream(address, "dealer_station=guessed")) for _ in range(20)]
            for stranger in strangers[:17]:
                hung_up(stranger)
            assert asked(address, "POST", "/inputs", INPUT, cookie, key).startswith(b"HTTP/1.1 200")
        face.change(b'{"changed":1}')
        receives(mine, b'data: {"changed":1}')
        receives(strangers[-1], b'data: {"changed":1}')
        assert len(logged) == 1


def test_what_is_idle_makes_room_before_what_is_answered() -> None:
    with served(ConnectionLimits(known=2)) as address, ExitStack() as stack:
        streams = [stack.enter_context(stream(address))]
        idle = stack.enter_context(connected(address, ASK))
        receives(idle, b"{}")
        streams.append(stack.enter_context(stream(address)))
        hung_up(idle)
        streams[0].setblocking(False)
        with pytest.raises(BlockingIOError):
            streams[0].recv(1)


def test_without_descriptors_anyone_who_comes_is_hung_up_on_without_a_word_more() -> None:
    bound = bound_socket(("127.0.0.1", 0), "listen")
    bound.setblocking(False)
    bound.listen()
    connections = Connections(ConnectionLimits(), lambda opened: False)
    acceptor = Acceptor(bound, connections)
    crowds: list[None] = []
    connections.crowded = lambda: crowds.append(None)  # type: ignore[method-assign]
    address: Address = bound.getsockname()
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with closing(acceptor), connected(address) as refused, connected(address) as refused_too:
        fillers: list[int] = []
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 8, most))
        try:
            with pytest.raises(OSError, match="Too many open files") as full:
                while True:
                    fillers.append(os.open(os.devnull, os.O_RDONLY))
            assert full.value.errno == errno.EMFILE
            assert [acceptor.accept() for _ in range(3)] == [None] * 3
            hung_up(refused)
            hung_up(refused_too)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))
            for filler in fillers:
                os.close(filler)
        assert len(crowds) == 2, "where no one waits nothing is missing"
        with connected(address) as connection:
            taken = acceptor.accept()
            assert taken is not None
            taken.close()
            hung_up(connection)


def all_of(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    answer = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            answer += part
    return answer


@pytest.mark.parametrize(
    ("sent", "status", "expected"),
    [
        (ASK * 400, b"400", b"one request at a time"),
        (POST + b"content-length: 2\r\n\r\n{}" + ASK, b"400", b"one request at a time"),
        (POST + b"transfer-encoding: chunked\r\n\r\n" + b"1\r\n[\r\n" * 400, b"411", b"Content-Length"),
        (POST + b"content-length: 9999999\r\n\r\n", b"413", b"a body of at most"),
        (b"GET /table HTTP/1.1\r\nhost: " + b"x" * 20_000, b"431", b"a head of at most"),
        (b"GET /table HTTP/1.1\nhost: 127.0.0.1\n\n\r\n\r\n", b"400", b"CR LF"),
    ],
)
def test_what_would_take_more_than_a_turn_is_refused_with_a_reason(sent: bytes, status: bytes, expected: bytes) -> None:
    with served(ConnectionLimits()) as address, connected(address, sent) as connection:
        answers = all_of(connection)
    assert answers.count(b"HTTP/1.1 ") == 1, "what was pipelined has no answer"
    assert answers.startswith(b"HTTP/1.1 " + status) and expected in answers
    assert b"connection: close" in answers


def test_a_request_before_the_answer_to_the_last_closes_the_connection() -> None:
    with served(ConnectionLimits()) as address, stream(address) as connection:
        connection.sendall(b"\r\n" + ASK)
        hung_up(connection)
    with served(ConnectionLimits()) as address:
        with connected(address, POST + b"content-length: 9\r\n\r\n") as connection:
            connection.sendall(b'{"a": "b"' + ASK)
            assert all_of(connection).count(b"HTTP/1.1 ") <= 1
        with connected(address, ASK) as connection:
            receives(connection, b"{}")
            connection.sendall(ASK)
            receives(connection, b"{}")


def test_an_empty_line_behind_a_request_is_no_request() -> None:
    with served(ConnectionLimits()) as address, connected(address, ASK + b"\r\n") as connection:
        receives(connection, b"{}")


class Unread(asyncio.Transport):
    """A transport whose other side does not read."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 4), "sockname": ("127.0.0.1", 8000)})
        self.high: int | None = None
        self.aborted = asyncio.Event()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.high = high

    def abort(self) -> None:
        self.aborted.set()

    close = abort


def test_an_answer_that_is_not_read_is_kept_for_some_seconds_and_one_that_is_read_late_is_not_cut() -> None:
    async def written(reads: bool) -> bool:
        everybody = Connections(ConnectionLimits(unread_seconds=0.05), lambda opened: False)
        transport = Unread()
        config = uvicorn.Config(lambda *_: None, log_config=None, lifespan="off")
        connection = type("Limited", (Connection,), {"everybody": everybody})(config, ServerState(), {})
        connection.connection_made(transport)
        assert transport.high == 0, "whatever the system does not take at once counts"
        connection.pause_writing()
        if reads:
            connection.resume_writing()
        with suppress(TimeoutError):
            await asyncio.wait_for(transport.aborted.wait(), 0.5 if reads else PATIENCE_SECONDS)
        aborted = transport.aborted.is_set()
        connection.connection_lost(None)
        return aborted

    assert apart(written(reads=False)) and not apart(written(reads=True))


def test_strangers_too_many_to_wait_are_refused_with_a_reason_and_a_log_in_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = quick_gate(tmp_path)
    monkeypatch.setattr(turns, "MOST_CREDIT", 0.001)  # so that each waits for a tenth of a second
    with served(ConnectionLimits(new=16, known=100, share=0.0001), gate) as address, ExitStack() as stack:
        strangers = [stack.enter_context(connected(address, ASK)) for _ in range(80)]
        assert log_in(address, "ana")
        answers = [stranger.recv(65536) for stranger in strangers]
    statuses = Counter(answer[9:12] for answer in answers)
    assert statuses.keys() == {b"200", b"503"} and statuses[b"200"] >= 8, statuses
    assert all(b"many requests of strangers wait" in answer for answer in answers if answer[9:12] == b"503")


def test_who_is_logged_in_is_answered_before_strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = quick_gate(tmp_path)
    with served(ConnectionLimits(share=0.0001), gate) as address, ExitStack() as stack:
        cookie, key = log_in(address, "ana")
        monkeypatch.setattr(turns, "MOST_CREDIT", 0.001)  # so that each waits for a tenth of a second
        strangers = [stack.enter_context(connected(address, ASK)) for _ in range(30)]
        assert asked(address, "POST", "/inputs", INPUT, cookie, key).startswith(b"HTTP/1.1 200")
        for stranger in strangers:
            stranger.setblocking(False)
        unanswered = 0
        for stranger in strangers:
            try:
                stranger.recv(1)
            except BlockingIOError:
                unanswered += 1
        assert unanswered, "strangers wait for their turns"
        for stranger in strangers:
            stranger.settimeout(PATIENCE_SECONDS)
            receives(stranger, b"}")


def test_one_piece_of_work_of_strangers_in_each_turn_of_the_loop() -> None:
    async def worked() -> list[int]:
        turn, done, work = 0, list[int](), Turns(share=1.0, clock=lambda: 0.0)
        for _ in range(5):
            work.add(lambda: done.append(turn))
        while len(done) < 5:
            await asyncio.sleep(0)
            turn += 1
        return done

    done = apart(worked())
    assert len(set(done)) == 5, done


def test_what_strangers_took_they_wait_for_and_not_for_ever() -> None:
    async def worked() -> bool:
        work = Turns(share=0.001)
        done = asyncio.Event()
        work.charge(1000.0)
        work.add(done.set)
        for _ in range(3):
            await asyncio.sleep(0)
        soon = done.is_set()
        await asyncio.wait_for(done.wait(), PATIENCE_SECONDS)
        return soon

    assert not apart(worked())


def test_streams_with_the_cookie_alone_end_no_stream_of_a_screen_where_someone_is_logged_in(tmp_path: Path) -> None:
    gate, face = quick_gate(tmp_path), Still()
    with served(ConnectionLimits(), gate, face) as address, ExitStack() as stack:
        cookie, key = log_in(address, "ana")
        mine = stack.enter_context(stream(address, cookie, key))
        others = [stack.enter_context(stream(address, cookie)) for _ in range(260)]
        for other in others[:-MOST_OF_STRANGERS]:
            hung_up(other)
        face.change(b'{"changed":1}')
        receives(mine, b'data: {"changed":1}')
        receives(others[-1], b'data: {"changed":1}')


def test_the_newest_stream_of_a_screen_that_has_too_many_is_refused_and_so_is_a_persons(tmp_path: Path) -> None:
    gate, face = quick_gate(tmp_path), Still()
    with served(ConnectionLimits(), gate, face) as address, ExitStack() as stack:

        def opened(screen: tuple[str, str], begins: bytes = b"data: {}") -> socket.socket:
            return stack.enter_context(stream(address, *screen, begins))

        first = log_in(address, "ana")
        streams = [opened(first) for _ in range(MOST_OF_SCREEN)]
        opened(first, b"this screen has 8 streams open")
        while len(streams) < MOST_OF_PERSON:
            another = log_in(address, "ana")
            streams += [opened(another) for _ in range(MOST_OF_SCREEN)]
        opened(log_in(address, "ana"), b"ana has 24 streams open")
        opened(log_in(address, "rui"))
        face.change(b'{"changed":1}')
        for end in streams:
            receives(end, b'data: {"changed":1}')
        streams.pop().close()
        while opened(another, b"").recv(65536).startswith(b"HTTP/1.1 429"):
            time.sleep(0.01)  # until the station knows that the other one is closed


class ShowsStrangersLess(Still):
    """A table that shows strangers something else."""

    def strangers(self) -> bytes:
        return b'{"stranger":' + self.shown + b"}"


def test_a_stream_shows_a_stranger_less_and_so_does_that_of_a_person_who_has_logged_out(tmp_path: Path) -> None:
    gate, face = quick_gate(tmp_path), ShowsStrangersLess()
    with served(ConnectionLimits(), gate, face) as address, ExitStack() as stack:
        cookie, key = log_in(address, "ana")
        mine = stack.enter_context(stream(address, cookie, key))
        stack.enter_context(stream(address, cookie, begins=b'data: {"stranger":{}}'))
        assert asked(address, "GET", "/table", None, cookie).endswith(b'{"stranger":{}}'), "the cookie alone"
        assert asked(address, "GET", "/table", None, cookie, key).endswith(b"\r\n{}")
        asked(address, "DELETE", "/session", None, cookie, key)
        face.change(b'{"changed":1}')
        receives(mine, b'data: {"stranger":{"changed":1}}')
