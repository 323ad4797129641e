"""Reads the values of a request, and reports what is wrong with them."""

import re
from datetime import date, datetime, timedelta
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from controller.console.answers import json_answer
from controller.system.times import as_utc

A_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z", re.ASCII)
MOST_STRETCH = timedelta(days=2)

Otherwise = TypeVar("Otherwise", int, None)


class Malformed(Exception):
    """A request that cannot be read: the key it breaks at, and what was expected there."""

    def __init__(self, key: str, expected: str, status: int = 400) -> None:
        super().__init__(f"{key}: {expected}")
        self.key, self.expected, self.status = key, expected, status


async def malformed(request: Request, error: Exception) -> Response:
    """The answer to a request that cannot be read, or that broke off."""
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)
    assert isinstance(error, Malformed)
    return json_answer({"error": "malformed", "key": error.key, "expected": error.expected}, error.status)


async def json_body(request: Request, most: int) -> bytes:
    """The body, of at most `most` bytes. Raises Malformed or ClientDisconnect."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        # A page of another origin cannot send this type without asking first, and it is never let.
        raise Malformed("content-type", "application/json", 415)
    received = bytearray()
    async for part in request.stream():
        received += part
        if len(received) > most:
            raise Malformed("(body)", f"at most {most} bytes", 413)
    return bytes(received)


def number(request: Request, key: str, most: int, otherwise: Otherwise) -> int | Otherwise:
    """A whole number of the query, from 1. Raises Malformed."""
    text = request.query_params.get(key)
    return otherwise if text is None else whole(text, key, most)


def whole(text: str, key: str, most: int) -> int:
    """A whole number from 1. Raises Malformed."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
        raise Malformed(key, f"a whole number from 1 to {most}")
    return int(text)


def numbers(request: Request, key: str, most: int) -> tuple[int, ...]:
    """Whole numbers of the query with commas between them, none where it has none. Raises Malformed."""
    text = request.query_params.get(key)
    return () if text is None else tuple(whole(part, key, most) for part in text.split(","))


def query_day(request: Request) -> date | None:
    """The day of the query, if there is one. Raises Malformed."""
    text = request.query_params.get("day")
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise Malformed("day", "a day, such as 2026-01-31") from None


def query_moment(request: Request, key: str, otherwise: str | None = None) -> str:
    """A time in the query, as UTC to the millisecond, in the journal's format. Raises Malformed."""
    text = request.query_params.get(key, otherwise)
    try:
        if text is None or not A_MOMENT.fullmatch(text):
            raise ValueError
        return as_utc(datetime.fromisoformat(text))
    except ValueError:
        raise Malformed(key, "a time in UTC, such as 2026-01-31T16:00:00Z") from None


def stretch(request: Request) -> tuple[str, str]:
    """The time from `since` until `until` of the query; without them, a day. Raises Malformed."""
    since = query_moment(request, "since")
    try:
        most = as_utc(datetime.fromisoformat(since) + MOST_STRETCH)
        until = query_moment(request, "until", as_utc(datetime.fromisoformat(since) + timedelta(days=1)))
    except OverflowError:
        raise Malformed("since", "a day that can be") from None
    if not since < until <= most:
        raise Malformed("until", f"after {since}, and at most {MOST_STRETCH.days} days after it")
    return since, until
