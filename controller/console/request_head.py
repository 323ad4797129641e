"""Checks the head of a request before the request is read: whether it may be read, and who sends it.

A refusal here is final. The sender only decides how soon the request is read: the gate checks it again.
"""

import re
from enum import Enum
from http import HTTPStatus

import msgspec

from controller.console.headers import HEADERS
from controller.console.sessions import Credential

MOST_HEAD_OCTETS = 16 * 1024
MOST_BODY_OCTETS = 256 * 1024
END = b"\r\n\r\n"
LOG_IN = b"POST /session "
COOKIE = "dealer_station"
KEY = "dealer-station-key"  # the header of what the page alone knows: the cookie reaches every port of the computer
_KEY = re.compile(rb"\r\n" + KEY.encode() + rb":[ \t]*([^\r\n \t]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*(?=\r\n)", re.IGNORECASE)
_CODED = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_COOKIES = re.compile(rb"\r\ncookie:([^\r\n]*)", re.IGNORECASE)
_BARE = re.compile(rb"(?<!\r)\n")


class HeadRefusal(Enum):
    """Why a request is refused before it is read: the HTTP status, and what was expected."""

    HEAD_TOO_LARGE = 431, f"a head of at most {MOST_HEAD_OCTETS} octets"
    BARE_LINE_FEED = 400, "lines that end with CR LF"
    TRANSFER_CODING = 411, "a body with its Content-Length, and no Transfer-Encoding"
    BODY_TOO_LARGE = 413, f"a body of at most {MOST_BODY_OCTETS} octets"
    PIPELINED = 400, "one request at a time: the next one after the answer"
    BUSY = 503, "another moment: many requests of strangers wait"


class RequestHead(msgspec.Struct, frozen=True):
    """The head of a request: its length in octets, the credentials of its screen, and whether it is a log-in."""

    octets: int
    credential: Credential
    log_in: bool


def parse_head(received: bytes | bytearray, port: int | None) -> RequestHead | HeadRefusal | None:
    """The head of the request that begins here; None while it is incomplete. `port` is the server's."""
    end = received.find(END)
    if end < 0 or end > MOST_HEAD_OCTETS:
        return HeadRefusal.HEAD_TOO_LARGE if len(received) > MOST_HEAD_OCTETS else None
    head = bytes(received[: end + len(END)])
    if _BARE.search(head):
        return HeadRefusal.BARE_LINE_FEED
    if _CODED.search(head):
        return HeadRefusal.TRANSFER_CODING
    length = _LENGTH.search(head)
    body = 0 if length is None else int(length[1][:20])
    if body > MOST_BODY_OCTETS:
        return HeadRefusal.BODY_TOO_LARGE
    octets = len(head) + body
    if received[octets:].strip(b"\r\n"):
        return HeadRefusal.PIPELINED
    return RequestHead(octets=octets, credential=_credential(head, port), log_in=head.startswith(LOG_IN))


def refused(refusal: HeadRefusal) -> bytes:
    """The answer to a request that is refused before it is read."""
    status, expected = refusal.value
    error = "busy" if status == 503 else "malformed"
    body = msgspec.json.encode({"error": error, "key": "(request)", "expected": expected})
    headers = {**HEADERS, "content-type": "application/json", "content-length": len(body), "connection": "close"}
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {text}" for name, text in headers.items())]
    return "\r\n".join((*lines, "", "")).encode() + body


def cookie_of(port: int | None) -> str:
    """The name of the cookie: a browser keeps cookies by host and not by port, so that each station has its own."""
    return COOKIE if port is None else f"{COOKIE}_{port}"


def _credential(head: bytes, port: int | None) -> Credential:
    key, cookies = _KEY.search(head), _COOKIES.search(head)
    token = None
    for pair in () if cookies is None else cookies[1].split(b";"):
        name, _, value = pair.partition(b"=")
        if name.strip() == cookie_of(port).encode():
            token = value.strip().decode("latin-1")
    return Credential(token, None if key is None else key[1].decode("latin-1"))
