"""The line of the watch: what answers and is no station, what is silent, what someone keyed in to steer a terminal."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from controller.__main__ import main
from controller.commands import watch as watching
from controller.commands.watch import Address, followed
from controller.commands.watched import Sight
from simulators.broker import free_port
from tests.engine.playing import Play
from tests.watch.test_watch_table import seen

SETTING = ("application/json", b'{"terms": {"game": "g"}}')
JSON, STREAM = "application/json", "text/event-stream"


@contextmanager
def answering(*streams: tuple[str, bytes], setting: tuple[str, bytes] = SETTING) -> Iterator[Address]:
    """A server whose /stream gives these bodies, one a connection, then refuses."""
    left = list(streams)

    class Face(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = setting if self.path == "/setting" else left.pop(0) if left else ("text/plain", b"")
            self.send_response(200 if kind != "text/plain" else 404)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Face)
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    try:
        yield ("127.0.0.1", server.server_port)
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def sights(address: Address, count: int) -> list[Sight]:
    """So many sights, without a pause."""
    following = followed(address, pause=lambda _: None)
    return [next(following) for _ in range(count)]


def event(table: object) -> bytes:
    return b"data: " + json.dumps(table).encode() + b"\n\n"


TABLE = {"schema": 1, "journal": "a"}


def test_tables_come_over_as_many_connections_as_it_takes() -> None:
    first, second = TABLE, {**TABLE, "journal": "b"}
    with answering((STREAM, event(first) + b": keep-alive\n\n" + event(second)), (STREAM, event(first))) as address:
        assert sights(address, 5) == [
            Sight("g", first), Sight("g", second), Sight(away="the station has ended the stream"), Sight("g", first),
            Sight(away="the station has ended the stream"),
        ]  # fmt: skip


def test_a_station_that_stays_away_is_reported_once() -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt

    sights: list[Sight] = []
    with pytest.raises(KeyboardInterrupt):
        for sight in followed(("127.0.0.1", free_port()), pause):
            sights.append(sight)
    assert sights == [Sight(away="Connection refused")]


@pytest.mark.parametrize(
    ("setting", "stream", "reason"),
    [
        (("text/html", b"<p>hello</p>"), (STREAM, b""), "no dealer station: /setting gives 200 text/html"),
        ((JSON, b'{"terms": []}'), (STREAM, b""), "/setting names no game"),
        (SETTING, (JSON, b"{}"), "/stream gives 200 application/json, expected 200 text/event-stream"),
        (SETTING, (STREAM, b"data: {\n\n"), "/stream is not JSON"),
        (SETTING, (STREAM, b"data: \xff\n\n"), "/stream is not JSON"),
        (SETTING, (STREAM, event({"schema": 2})), "schema 2, expected 1"),
        (SETTING, (STREAM, event([])), "schema None, expected 1"),
    ],
)
def test_what_is_no_station_is_named(setting: tuple[str, bytes], stream: tuple[str, bytes], reason: str) -> None:
    with answering(stream, setting=setting) as address:
        [sight] = sights(address, 1)
        assert sight.away is not None and reason in sight.away


def test_a_silent_station_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ANSWER_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert sights(silent.getsockname()[:2], 1) == [Sight(away="it is silent")]


SIGNS = [
    ('"\\u001b[2J"', "\ufffd[2J"),
    ('"\x1b]0;x\x07"', "\ufffd]0;x\ufffd"),
    ('"a\\nb\\u0085\\u202ec\u202ed"', "a\ufffdb\ufffd\ufffdc\ufffdd"),
    ('"In\u00eas \\"\\\\n\\u00e9 \u9673\u3000"', 'Inês "\\né 陳\u3000'),
]


@pytest.mark.parametrize(("written", "read"), SIGNS)
def test_nothing_that_was_keyed_in_steers_the_terminal(written: str, read: str) -> None:
    body = f'data: {{"schema":1,"name":{written}}}\n\n'.encode()
    with answering((STREAM, body)) as address:
        assert sights(address, 1)[0].table["name"] == read


def test_once_prints_one_view_and_exits(capfd: pytest.CaptureFixture[str]) -> None:
    table = seen(Play())
    with answering((STREAM, event(table))) as (_, port):
        assert main(["watch", "--url", f"http://127.0.0.1:{port}/", "--once"]) == 0
    assert capfd.readouterr().out.splitlines()[0] == "site/t1  g, MOP  SIMULATION"
    free = free_port()
    assert main(["watch", "--url", f"http://127.0.0.1:{free}", "--once"]) == 69
    assert capfd.readouterr().err == f"dealer-station: http://127.0.0.1:{free}: Connection refused\n"


WRONG = [
    "127.0.0.1:8080",
    "https://h:1",
    "http://h",
    "http://h:1/table",
    "http://u@h:1",
    "http://h:99999",
    "http://[::1",
]


@pytest.mark.parametrize("url", WRONG)
def test_an_address_that_is_none_is_refused(url: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["watch", "--url", url])
    assert left.value.code == 2
    assert "is not http://HOST:PORT" in capfd.readouterr().err


def test_the_screen_shows_the_table_and_what_happened_above_an_absent_station() -> None:
    from rich.console import Console
    from rich.text import Text

    from controller.commands.watch_screen import drawn

    def written(draw: Callable[[], object], width: int = 100) -> Sequence[str]:
        console = Console(width=width, color_system=None, force_terminal=False)
        with console.capture() as capture:
            console.print(draw())
        return [line.rstrip() for line in capture.get().splitlines()]

    play = Play().to_wagers().bet(3, ante=10_000, pair_plus=200)
    sight = Sight("fortune-3-card-poker-2025", seen(play))
    lines = written(lambda: drawn(sight, "since 12:00:00 it is silent", [Text("12:00:00 round 1 begins")]))
    assert lines[0] == "since 12:00:00 it is silent"
    assert lines[1] == " SIMULATION  site/t1  fortune-3-card-poker-2025, MOP   round 1, wagers, from the shuffler"
    [at] = [number for number, line in enumerate(lines) if line.startswith("  seat 3  ante 100.00")]
    assert lines[at + 1].strip() == "pair plus 2.00"
    assert lines[-1] == "12:00:00 round 1 begins"
    narrow = written(lambda: drawn(sight, None, []), 40)
    assert [line for line in narrow if line.startswith("  3 ante 100.00")] and max(map(len, narrow)) <= 40
    assert written(lambda: drawn(None, "since 12:00:00 Connection refused", []))[0].startswith("since")


def test_the_screen_keeps_its_head_above_the_table_and_what_happened() -> None:
    from io import StringIO

    from rich.console import Console
    from rich.text import Text

    from controller.commands.watch_screen import TerminalScreen

    play, out = Play(), StringIO()
    head = [Text("screen http://127.0.0.1:18080/")]
    with TerminalScreen(
        head, Console(file=out, force_terminal=True, color_system=None, width=100, height=40)
    ) as screen:
        screen.show(Sight("fortune-3-card-poker-2025", seen(play)))
        out.truncate(0)
        screen.show(Sight("fortune-3-card-poker-2025", seen(play.to_wagers().bet(3, ante=10_000))))
    lines = [line.strip() for line in out.getvalue().split("\x1b[?1049l")[0].splitlines()]
    assert lines[0].endswith("screen http://127.0.0.1:18080/")
    assert any(line.startswith("seat 3  ante 100.00") for line in lines)
    assert any(line[2:3] == line[5:6] == ":" for line in lines), "what happened"
