"""Requests to the panel: one HTTP request read, and refused when it is not from the panel's own page."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import h11

from simulators.http_stream import HttpStream

MOST_HEAD_BYTES = 16 * 1024
MOST_BODY_BYTES = 4096


class RequestRefused(Exception):
    """The request is refused: HTTP status and what was expected."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Method, path, query by key, header fields with names in lower case, and the body of a POST."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""
    query: dict[str, str] = field(default_factory=dict)

    def wish(self) -> dict[str, Any]:
        """The JSON object of a POST. Raises RequestRefused."""
        if self.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            # A page of another origin cannot send this type without asking first, and it is never let.
            raise RequestRefused(415, "content-type: application/json expected")
        try:
            wish = json.loads(self.body)
        except (ValueError, RecursionError):
            wish = None
        if not isinstance(wish, dict):
            raise RequestRefused(400, "a JSON object expected")
        return wish


def stream_of(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> HttpStream:
    """A connection to the panel, read in small pieces, so that only the head can be too long."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD_BYTES)
    return HttpStream(connection, reader, writer, 1024)


async def next_request(caller: HttpStream, hosts: Sequence[str]) -> PageRequest:
    """The next request to a page at one of these, such as 127.0.0.1:8080. Raises RequestRefused, OSError, EOFError."""
    try:
        head = await caller.event()
        if not isinstance(head, h11.Request):
            raise EOFError
        headers = {name.decode(): value.decode("latin-1") for name, value in head.headers}
        target = urlsplit(head.target.decode())
        request = PageRequest(head.method.decode(), target.path, headers, query=dict(parse_qsl(target.query)))
        _refuse_foreign(request, hosts)
        if request.method != "POST":
            return request
        length = headers.get("content-length")
        if length is None:
            raise RequestRefused(411, "content-length expected")
        if int(length) > MOST_BODY_BYTES:
            raise RequestRefused(413, f"at most {MOST_BODY_BYTES} bytes expected")
        return replace(request, body=await caller.whole())
    except h11.RemoteProtocolError as mistake:
        raise RequestRefused(mistake.error_status_hint, str(mistake)) from None


def _refuse_foreign(request: PageRequest, hosts: Sequence[str]) -> None:
    """Refuses requests from a page elsewhere, or under a name that was made to point here; a link to the page may be
    followed.
    """
    host = request.headers.get("host", "")
    if host not in hosts:
        raise RequestRefused(421, f"host {hosts[0]} expected")
    origin = request.headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        raise RequestRefused(403, "requests of a page of another origin are refused")
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site") and (
        request.method != "GET" or request.headers.get("sec-fetch-mode") != "navigate"
    ):
        raise RequestRefused(403, "requests of a page of another origin are refused")
