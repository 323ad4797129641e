"""What a request holds, and what is wrong with one that cannot be read."""

from datetime import date
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from controller.console.answers import json_answer

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
    """The body, of at most so many bytes. Raises Malformed or ClientDisconnect."""
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


def day(request: Request) -> date | None:
    """The day of the query, if there is one. Raises Malformed."""
    text = request.query_params.get("day")
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise Malformed("day", "a day, such as 2026-01-31") from None
