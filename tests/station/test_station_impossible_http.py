"""Impossible messages on the HTTP face: each is named and refused, none moves the table, none ends the daemon."""

import contextlib
import errno
import json
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.station.processes import Daemon, ended_at_last, lone_daemon, patiently
from tests.station.screen import Stream, entered, get_table, post, request

MOST_BODY = 64 * 1024
_POSTING = b"POST /inputs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
INPUT: dict[str, Any] = {"input_id": "i", "step_id": "open/1", "actor": "ana", "kind": "open_table"}
WAGER: dict[str, Any] = {**INPUT, "kind": "wager", "seat": 1, "wager": "ante", "amount": 10_000}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    daemon = lone_daemon(tmp_path_factory.mktemp("http"))
    with ended_at_last(daemon):
        daemon.start()
        daemon.wait_answering()
        yield daemon


@pytest.fixture(autouse=True)
def nothing_moves(daemon: Daemon) -> Iterator[None]:
    """After each message the daemon is up and the table is as it was; devices come and go by themselves."""
    before = get_table(daemon.address)
    yield
    after = get_table(daemon.address)
    for name in ("open", "step", "round", "jackpot", "journal", "slots"):
        assert after[name] == before[name]


@pytest.mark.parametrize(
    ("body", "key"),
    [
        pytest.param(b"", "(body)", id="nothing"),
        pytest.param(b"hello", "(body)", id="no JSON"),
        pytest.param(b"\xff\xfe\x00{}", "(body)", id="no UTF-8"),
        pytest.param(b"[]", "(body)", id="no input in the list"),
        pytest.param(b"null", "(body)", id="null"),
        pytest.param(b"{}", "(body)", id="an empty object"),
        pytest.param(b"[" * 30_000, "[0]", id="deep lists"),
        pytest.param(b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "(body)", id="deep objects"),
        pytest.param(json.dumps({**INPUT, "kind": "jump"}).encode(), "kind", id="an unknown kind"),
        pytest.param(json.dumps({**INPUT, "kind": 7}).encode(), "kind", id="a number for a kind"),
        pytest.param(json.dumps({**INPUT, "actor": None}).encode(), "actor", id="null for a text"),
        pytest.param(json.dumps({**INPUT, "input_id": ""}).encode(), "input_id", id="an empty input_id"),
        pytest.param(json.dumps({**INPUT, "input_id": "x" * 101}).encode(), "input_id", id="a long input_id"),
        pytest.param(json.dumps({**INPUT, "colour": "red"}).encode(), "(body)", id="a field too many"),
        pytest.param(json.dumps({**WAGER, "seat": "1"}).encode(), "seat", id="a text for a number"),
        pytest.param(json.dumps({**WAGER, "amount": 1.5}).encode(), "amount", id="half a minor unit"),
        pytest.param(json.dumps({**WAGER, "amount": True}).encode(), "amount", id="true for a number"),
        pytest.param(json.dumps({**WAGER, "amount": float("nan")}).encode(), "(body)", id="not a number"),
        pytest.param(json.dumps({**WAGER, "amount": [10_000]}).encode(), "amount", id="a list for a number"),
        pytest.param(json.dumps([INPUT, INPUT]).encode(), "input_id", id="one input_id twice in a list"),
        pytest.param(
            json.dumps([{**INPUT, "input_id": str(n)} for n in range(129)]).encode(), "(body)", id="129 inputs"
        ),
        pytest.param(json.dumps([[INPUT]]).encode(), "[0]", id="a list in the list"),
        pytest.param(
            json.dumps({**INPUT, "input_id": "@"}).encode().replace(b"@", b"\\ud800"), "(body)", id="half a character"
        ),
    ],
)
def test_a_malformed_body_is_answered_400_with_the_key(daemon: Daemon, body: bytes, key: str) -> None:
    status, answer = request(daemon.address, "POST", "/inputs", body)
    problem = json.loads(answer)
    assert (status, problem["error"], problem["key"]) == (400, "malformed", key), problem
    assert problem["expected"]


@pytest.mark.parametrize(
    "fields",
    [
        {"seat": 10**30}, {"seat": -1}, {"seat": 0}, {"amount": 10**40}, {"amount": -10_000}, {"wager": "jackpot"},
        {"wager": "\x00"}, {"player": "x" * 50_000}, {"kind": "decide", "decision": "double", "hand": 10**20},
        {"kind": "confirm_hit", "hit": 10**25, "step_id": f"hit/{10**25}"}, {"kind": "confirm_hit", "hit": -1},
        {"kind": "reveal", "to": "seat 99999999999999999999"}, {"actor": "zoe"}, {"actor": "\x00"}, {"step_id": ""},
    ],
)  # fmt: skip
def test_a_well_formed_input_that_cannot_be_is_refused_or_stale(daemon: Daemon, fields: dict[str, object]) -> None:
    allowed = {
        "wager": {"seat", "wager", "amount", "player"}, "decide": {"seat", "decision", "hand"},
        "confirm_hit": {"hit"}, "reveal": {"to"},
    }  # fmt: skip
    kind = str(fields.get("kind", "wager"))
    basis = {name: value for name, value in {**WAGER, **fields}.items() if name in {*INPUT, *allowed[kind]}}
    status, answer = post(daemon.address, {**basis, "kind": kind, "input_id": f"odd {sorted(fields.items())}"[:100]})
    assert (status, answer["error"]) in ((422, "refused"), (409, "stale_step")), answer


def test_128_inputs_are_not_too_many_for_a_list(daemon: Daemon) -> None:
    inputs = [{**WAGER, "input_id": f"many {n}"} for n in range(128)]
    assert post(daemon.address, inputs)[1]["error"] == "refused"


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_is_not_marked_as_json_is_not_read(daemon: Daemon, content_type: str) -> None:
    status, _ = request(daemon.address, "POST", "/inputs", json.dumps(INPUT).encode(), content_type)
    assert status == 415


@pytest.mark.parametrize("number", ["0", "-1", "x", "1" * 17, "1" * 5000, "٣"])
def test_a_number_that_no_slip_can_have_is_answered_400(daemon: Daemon, number: str) -> None:
    status, answer = request(daemon.address, "GET", f"/slips/{quote(number)}")
    assert (status, json.loads(answer)["key"]) == (400, "number")


@pytest.mark.parametrize("size", [MOST_BODY + 1, 2_000_000])
def test_a_huge_body_is_answered_413(daemon: Daemon, size: int) -> None:
    # The answer comes before the whole body is read, so that it is written without waiting for the end.
    with socket.create_connection(daemon.address, 10) as line:
        line.sendall(_POSTING % size)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            line.sendall(b" " * size)
        assert line.recv(100).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/inputs", 405), ("DELETE", "/inputs", 405), ("POST", "/table", 405), ("PUT", "/stream", 405),
        ("GET", "/../../etc/passwd", 404), ("GET", "/nothing", 404), ("POST", "/inputs/", 307), ("GET", "/%00", 404),
    ],
)  # fmt: skip
def test_a_wrong_method_or_path_is_answered_so(daemon: Daemon, method: str, path: str, status: int) -> None:
    problem, _ = request(daemon.address, method, path, b"{}" if method == "POST" else None)
    assert problem == status


@pytest.mark.parametrize(
    "octets",
    [
        bytes(range(256)) * 8, b"\r\n\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
        b"POST /inputs HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"POST /inputs HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /table HTTP/1.1\r\n" + b"A: b\r\n" * 20_000,
        _POSTING % 500 + b"{",
    ],
)  # fmt: skip
def test_bytes_that_are_no_http_hurt_no_one(daemon: Daemon, octets: bytes) -> None:
    with socket.create_connection(daemon.address, 5) as line:
        try:
            line.sendall(octets)
            line.shutdown(socket.SHUT_WR)
            line.recv(1000)
        except OSError as ended:  # the station may end the connection before all of it is sent
            assert ended.errno in (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN)


def test_the_stream_shows_each_change_to_every_client(lone: Daemon) -> None:
    lone.start()
    lone.wait_answering()
    shown: list[list[bytes]] = [[], [], []]
    streams = [Stream(lone.address, seen.append) for seen in shown]
    try:
        table = get_table(lone.address)
        assert post(lone.address, entered(table, "open_table"))[0] == 200
        patiently(lambda: all(any(b'"open":true' in text for text in seen) for seen in shown), 20, "the change")
    finally:
        for stream in streams:
            stream.close()
