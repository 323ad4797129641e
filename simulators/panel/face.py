"""The HTTP interface of the panel and of the seats: their pages, the content of these, and the wishes from them."""

import asyncio
import contextlib
import json
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import h11

from simulators.dealer.robot import rings
from simulators.felt.guest import RefusedAnswer
from simulators.http_stream import HttpStream, host_field
from simulators.panel.panel import Panel, RefusedWish
from simulators.panel.requests import PageRequest, RequestRefused, next_request, stream_of
from simulators.play.play import SeatPage
from simulators.start.first_page import PAGE as FIRST_PAGE
from simulators.start.first_page import first_page

PAGE = Path(__file__).parent / "page"
PLAY_PAGE = Path(__file__).parent.parent / "play" / "page"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
}
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "connection": "close",
}
HINT = "/hint.html"  # is framed by the dealer's screen, another page of this computer
FRAMED = {
    **HEADERS,
    "content-security-policy": HEADERS["content-security-policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors http://127.0.0.1:* http://localhost:*"
    ),
}
News = Callable[[], AbstractContextManager[asyncio.Event]]
LOOK_SECONDS = 0.1  # between two looks at the bench for a page
KEEP_ALIVE_SECONDS = 15.0
REQUEST_SECONDS = 10.0
MOST_CALLERS = 64
CODE_LETTERS, CODE_LENGTH = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ", 8  # none that is taken for another
LINKS = "seats.json"


@contextlib.asynccontextmanager
async def panel_served(
    panel: Panel, port: int | None, seats: Mapping[int, SeatPage], pit: str | None = None
) -> AsyncIterator[None]:
    """The panel answers on 127.0.0.1 as long as the body lasts; nowhere without a port. Raises OSError.

    `pit` is the address of the page of the pit that has this table.
    """
    if port is None:
        yield
        return
    pages = Pages(
        files=files_by_address(PAGE, "/") | files_by_address(FIRST_PAGE, "/start"),
        shown={
            "/furnishing": panel.furnishing,
            "/start/furnishing": partial(first_page, panel.setting, bool(seats), pit),
        },
        streams={"/stream": panel.now, "/wires": panel.carried},
        wishes={
            "/robot": ("paused", panel.pause),
            "/actor": ("actor", panel.act),
            "/leave-out": ("number", panel.leave_out),
            "/lock-in": ("pressed", panel.press_lock_in),
            "/speed": ("speed", panel.change_speed),
            "/chip": ("seat", panel.drop_chip),
            "/fault": ("fault", panel.wish),
            "/hit": ("wanted", panel.ask_for_hit),
            "/preset": ("preset", panel.begin_preset),
        },
    )
    if seats:
        pages.add_seats(seats)
    face = PanelFace(pages, (f"127.0.0.1:{port}", f"localhost:{port}"), panel.news)
    async with face.at("127.0.0.1", port):
        yield


@contextlib.asynccontextmanager
async def seats_served(
    seats: Mapping[int, SeatPage], at: tuple[str, int] | None, folder: Path, news: News
) -> AsyncIterator[None]:
    """The pages of the seats, and nothing else, answer at this address of the network as long as the body lasts.

    Each seat has a code; the folder gets the links with them, for its owner alone. Raises OSError.
    """
    if at is None:
        yield
        return
    host = host_field(*at)
    codes = {seat: "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)) for seat in seats}
    pages = Pages(files={f"/{name}": PAGE / name for name in ("elements.js", "stream.js", "words.js")}, codes=codes)
    pages.add_seats(seats, alone=True)
    links = folder / LINKS
    links.unlink(missing_ok=True)
    with os.fdopen(os.open(links, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump({seat: f"http://{host}/play?seat={seat}&code={code}" for seat, code in codes.items()}, file)
    async with PanelFace(pages, (host,), news).at(*at):
        yield


@dataclass(slots=True)
class Pages:
    """The responses: files and JSON by path, streams, and wishes with their one key.

    Requests under `/play/SEAT` need the code of that seat, if it has one.
    """

    files: dict[str, Path]
    shown: dict[str, Callable[[], object]] = field(default_factory=dict)
    streams: dict[str, Callable[[], object]] = field(default_factory=dict)
    wishes: dict[str, tuple[str, Callable[[Any], None]]] = field(default_factory=dict)
    codes: dict[int, str] = field(default_factory=dict)

    def add_seats(self, seats: Mapping[int, SeatPage], alone: bool = False) -> None:
        """The pages of the persons who play; `alone` they lead to no other page."""
        self.files |= files_by_address(PLAY_PAGE, "/play")
        self.shown["/play/seats"] = lambda: list(seats)
        for seat, page in seats.items():
            self.shown[f"/play/{seat}/furnishing"] = partial(page.furnishing, alone)
            self.streams[f"/play/{seat}/stream"] = page.now
            self.wishes[f"/play/{seat}/answer"] = ("answer", page.answer)

    def refuse_stranger(self, request: PageRequest) -> None:
        """Raises RequestRefused if the path is a seat's and its code is missing."""
        for seat, code in self.codes.items():
            given = request.query.get("code", "").encode()
            if request.path.startswith(f"/play/{seat}/") and not secrets.compare_digest(given, code.encode()):
                raise RequestRefused(403, "the code of this seat expected")


class PanelFace:
    """Answers one request on each connection; a stream lasts until either side hangs up."""

    def __init__(self, pages: Pages, hosts: Sequence[str], news: News) -> None:
        self._pages, self._hosts, self._news = pages, hosts, news
        self._callers: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def at(self, host: str, port: int) -> AsyncIterator[None]:
        """Listens at this address as long as the body lasts. Raises OSError."""
        server = await asyncio.start_server(self.serve, host, port)
        try:
            yield
        finally:
            server.close()
            await self.hang_up()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection."""
        task = asyncio.current_task()
        assert task is not None
        if len(self._callers) >= MOST_CALLERS:
            writer.close()
            return
        self._callers.add(task)
        try:
            await self._answer(stream_of(reader, writer))
        except (OSError, EOFError, h11.ProtocolError):
            # He went away; or asked with HEAD, and the answer's body is one too many.
            pass
        except asyncio.CancelledError:
            # The bench ends; asyncio would print what a cancelled connection raises.
            pass
        finally:
            self._callers.discard(task)
            writer.close()

    async def hang_up(self) -> None:
        """End every connection."""
        for caller in self._callers:
            caller.cancel()
        await asyncio.gather(*self._callers, return_exceptions=True)

    async def _answer(self, caller: HttpStream) -> None:
        framing = HEADERS
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                request = await next_request(caller, self._hosts)
                self._pages.refuse_stranger(request)
            if request.method == "GET" and request.path in self._pages.streams:
                await self._stream(caller, self._pages.streams[request.path])
                return
            status, body, media_type = self._reply(request)
            framing = FRAMED if request.path == HINT else HEADERS
        except RequestRefused as refusal:
            status, body, media_type = refusal.status, _json({"error": refusal.reason}), "application/json"
        head = _head(status, media_type, {"content-length": str(len(body))}, framing)
        await caller.send(head, h11.Data(data=body), h11.EndOfMessage())

    def _reply(self, request: PageRequest) -> tuple[int, bytes, str]:
        path = request.path
        if path in self._pages.wishes:
            if request.method != "POST":
                raise RequestRefused(405, "POST expected")
            key, do = self._pages.wishes[path]
            wish = request.wish()
            if set(wish) != {key}:
                raise RequestRefused(400, f"an object with the key {key} alone expected")
            try:
                do(wish[key])
            except RefusedAnswer as refusal:
                return 422, _json({"error": str(refusal), "refusal": str(refusal)}), "application/json"
            except RefusedWish as refusal:
                return 422, _json({"error": str(refusal), "refusal": refusal.key}), "application/json"
            except ValueError as mistake:
                raise RequestRefused(422, str(mistake)) from None
            return 200, b"{}", "application/json"
        if path not in self._pages.files and path not in self._pages.shown:
            raise RequestRefused(404, "no such path")
        if request.method != "GET":
            raise RequestRefused(405, "GET expected")
        if path in self._pages.shown:
            return 200, _json(self._pages.shown[path]()), "application/json"
        file = self._pages.files[path]
        return 200, file.read_bytes(), MEDIA_TYPES[file.suffix]

    async def _stream(self, caller: HttpStream, shown_now: Callable[[], object]) -> None:
        """The content of a page, at once and after every change; a comment if nothing changes for long."""
        await caller.send(_head(200, "text/event-stream", {}))
        shown, sent_at = b"", time.monotonic()
        with self._news() as news:
            while True:
                news.clear()
                now = _json(shown_now())
                if now != shown:
                    await caller.send(h11.Data(data=b"data: " + now + b"\n\n"))
                    shown, sent_at = now, time.monotonic()
                elif time.monotonic() - sent_at >= KEEP_ALIVE_SECONDS:
                    await caller.send(h11.Data(data=b":\n\n"))
                    sent_at = time.monotonic()
                await rings(news, LOOK_SECONDS)


def files_by_address(page: Path, address: str) -> dict[str, Path]:
    """The files of a page by their address: the index at the page's own address, the others below it."""
    under = address.rstrip("/")
    files = {
        f"{under}/{path.relative_to(page).as_posix()}": path for path in page.rglob("*") if path.suffix in MEDIA_TYPES
    }
    return {address: files.pop(f"{under}/index.html"), **files}


def _json(shown: object) -> bytes:
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()


def _head(status: int, media_type: str, length: dict[str, str], headers: Mapping[str, str] = HEADERS) -> h11.Response:
    fields = {"content-type": media_type, **headers, **length}
    return h11.Response(status_code=status, headers=list(fields.items()), reason=HTTPStatus(status).phrase)
