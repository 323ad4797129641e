"""Connections that hold the console up: requests that never come whole, and more connections than it can have."""

import asyncio
import errno
import json
import os
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from msgspec.structs import force_setattr
from structlog.testing import capture_logs

from controller.console.app import make_app
from controller.console.connections import ConnectionLimits, Listener
from controller.console.gate import Gate
from controller.console.listening import bound_socket
from controller.console.server import ConsoleServer
from simulators.broker import free_port
from tests.console.gates import LIMITS, PEOPLE, PINS, QUICK, keep_pins
from tests.console.test_console_page import Face

PATIENCE_SECONDS = 20.0
HALF = b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n"
STREAM = b"GET /stream HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: %s\r\n\r\n"
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

    async def changed(self, since: bytes) -> bytes:
        self._loop = asyncio.get_running_loop()
        while self.shown == since:
            await self._event.wait()
            self._event.clear()
        return self.shown

    def change(self, shown: bytes) -> None:
        """From the test's thread, while somebody follows the stream."""
        assert self._loop is not None
        self.shown = shown
        self._loop.call_soon_threadsafe(self._event.set)


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
def connected(address: Address, said: bytes = b"") -> Iterator[socket.socket]:
    """A connection on which this was said."""
    with socket.create_connection(address, PATIENCE_SECONDS) as one:
        one.sendall(said)
        yield one


def asked(address: Address, method: str, path: str, body: object, cookie: str = "", key: str = "") -> bytes:
    """The whole answer to a request on a connection of its own."""
    text = json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nconnection: close\r\n"
    head += f"cookie: {cookie}\r\ndealer-station-key: {key}\r\ncontent-length: {len(text)}\r\n\r\n"
    with connected(address, head.encode() + text) as one:
        answer = bytearray()
        while part := one.recv(65536):
            answer += part
        return bytes(answer)


def log_in(address: Address, name: str) -> tuple[str, str]:
    """The cookie and the key of a screen on which somebody has just logged in."""
    head, _, body = asked(address, "POST", "/session", {"name": name, "pin": PINS[name]}).decode().partition("\r\n\r\n")
    cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-cookie:"))[12:].strip()
    return cookie, json.loads(body)["key"]


def heard(one: socket.socket, what: bytes) -> None:
    """Wait until this has come."""
    answer = b""
    while what not in answer:
        part = one.recv(65536)
        assert part, answer
        answer += part


def hung_up(one: socket.socket) -> None:
    """Wait until the other side has closed the connection."""
    with suppress(ConnectionResetError):
        while one.recv(65536):
            pass


def test_a_request_that_dribbles_is_hung_up_on_and_a_stream_is_not() -> None:
    face, limits = Still(), ConnectionLimits()
    with served(limits, face=face) as address, ExitStack() as stack:
        stream = stack.enter_context(connected(address, STREAM % b""))
        heard(stream, b"data: {}")
        for name in ("head_seconds", "body_seconds"):
            force_setattr(limits, name, 0.2)  # the stream has been asked for by now, however slowly
        body = (
            b"POST /inputs HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n["
        )
        second = b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n" + HALF
        with capture_logs() as logged:
            for said in (b"", HALF, body, second):
                hung_up(stack.enter_context(connected(address, said)))
            with connected(address, HALF) as one, suppress(ConnectionError):
                while True:
                    one.sendall(b"x")
                    time.sleep(0.01)
        face.change(b'{"changed":1}')
        heard(stream, b'data: {"changed":1}')
        assert not logged


def test_half_open_connections_make_room_for_each_other_and_an_input_is_answered() -> None:
    with served(ConnectionLimits(new=8, known=2)) as address, ExitStack() as stack, capture_logs() as logged:
        known = stack.enter_context(connected(address, STREAM % b""))
        heard(known, b"data: {}")
        held = [stack.enter_context(connected(address, HALF)) for _ in range(100)]
        for one in held[:92]:
            hung_up(one)
        for _ in range(20):
            assert asked(address, "POST", "/inputs", INPUT).startswith(b"HTTP/1.1 200")
        known.setblocking(False)
        with pytest.raises(BlockingIOError):
            known.recv(1)
        assert [line["log_level"] for line in logged] == ["warning"], "one line, however many were closed"


def test_strangers_make_room_for_each_other_and_whoever_is_logged_in_stays(tmp_path: Path) -> None:
    keep_pins(tmp_path / "pins.json", PINS)

    gate = Gate(PEOPLE, tmp_path / "pins.json", LIMITS, lambda _: None, QUICK)
    face = Still()
    with served(ConnectionLimits(new=2, known=4), gate, face) as address, ExitStack() as stack:
        cookie, key = log_in(address, "ana")
        mine = stack.enter_context(connected(address, STREAM % cookie.encode()))
        heard(mine, b"data: {}")
        strangers = []
        with capture_logs() as logged:
            for _ in range(20):
                strangers.append(stack.enter_context(connected(address, STREAM % b"dealer_station=guessed")))
                heard(strangers[-1], b"data: {}")
            for one in strangers[:17]:
                hung_up(one)
            assert asked(address, "POST", "/inputs", INPUT, cookie, key).startswith(b"HTTP/1.1 200")
        face.change(b'{"changed":1}')
        heard(mine, b'data: {"changed":1}')
        heard(strangers[-1], b'data: {"changed":1}')
        assert len(logged) == 1


def test_what_is_idle_makes_room_before_what_is_answered() -> None:
    with served(ConnectionLimits(known=2)) as address, ExitStack() as stack:
        streams = [stack.enter_context(connected(address, STREAM % b""))]
        heard(streams[0], b"data: {}")
        idle = stack.enter_context(connected(address, b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"))
        heard(idle, b"{}")
        streams.append(stack.enter_context(connected(address, STREAM % b"")))
        hung_up(idle)
        heard(streams[1], b"data: {}")
        streams[0].setblocking(False)
        with pytest.raises(BlockingIOError):
            streams[0].recv(1)


def test_without_descriptors_whoever_comes_is_hung_up_on_without_a_word_more() -> None:
    crowds: list[None] = []
    listener = Listener(bound_socket(("127.0.0.1", 0), "listen"), lambda: crowds.append(None))
    listener.listen()
    listener.setblocking(False)
    address: Address = listener.getsockname()
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with listener, connected(address) as refused, connected(address) as refused_too:
        fillers: list[int] = []
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 8, most))
        try:
            with pytest.raises(OSError) as full:
                while True:
                    fillers.append(os.open(os.devnull, os.O_RDONLY))
            assert full.value.errno == errno.EMFILE
            for _ in range(3):
                with pytest.raises(BlockingIOError):
                    listener.accept()
            hung_up(refused)
            hung_up(refused_too)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))
            for filler in fillers:
                os.close(filler)
        assert len(crowds) == 2, "where nobody waits nothing is wanting"
        with connected(address) as one:
            listener.accept()[0].close()
            hung_up(one)
