"""Requests to the panel: one HTTP request read, and refused when it is not from the panel's own page."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

MOST_HEAD_BYTES = 16 * 1024
MOST_BODY_BYTES = 4096


class Refused(Exception):
    """The request is not answered as it wished: HTTP status and what was expected."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


@dataclass(frozen=True, slots=True)
class Request:
    """Method, path without its query, header fields with names in lower case, and the body of a POST."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""

    def wish(self) -> dict[str, Any]:
        """The JSON object of a POST. Raises Refused."""
        if self.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            # A page of another origin cannot send this type without asking first, and it is never let.
            raise Refused(415, "content-type: application/json expected")
        try:
            wish = json.loads(self.body)
        except (ValueError, RecursionError):
            wish = None
        if not isinstance(wish, dict):
            raise Refused(400, "a JSON object expected")
        return wish


async def read_request(reader: asyncio.StreamReader, port: int) -> Request:
    """The next request to a panel on this port of the loopback. Raises Refused, OSError, EOFError."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.LimitOverrunError:
        raise Refused(431, f"at most {MOST_HEAD_BYTES} bytes of header expected") from None
    first, *lines = head.split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise Refused(400, "METHOD PATH HTTP/1.1 expected")
    fields = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in fields}
    request = Request(words[0], urlsplit(words[1]).path, headers)
    _refuse_foreign(request, port)
    if request.method != "POST":
        return request
    length = headers.get("content-length", "")
    if not length.isascii() or not length.isdecimal() or len(length) > 9:
        raise Refused(411, "content-length expected")
    if int(length) > MOST_BODY_BYTES:
        raise Refused(413, f"at most {MOST_BODY_BYTES} bytes expected")
    return Request(request.method, request.path, headers, await reader.readexactly(int(length)))


def _refuse_foreign(request: Request, port: int) -> None:
    """A page elsewhere, or one whose name is made to point here, is not heard; a link may be followed to the page."""
    host = request.headers.get("host", "")
    if host not in (f"127.0.0.1:{port}", f"localhost:{port}"):
        raise Refused(421, f"host 127.0.0.1:{port} expected")
    origin = request.headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        raise Refused(403, "a page of another origin is not heard")
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site") and (
        request.method != "GET" or request.headers.get("sec-fetch-mode") != "navigate"
    ):
        raise Refused(403, "a page of another origin is not heard")
