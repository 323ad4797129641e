"""The paths of the log-in: who is logged in on this screen, log-in, log-out, and the log of entries."""

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Scope

from controller.console.door import Answer, Door

MOST_BODY_BYTES = 1024
MOST_TEXT = 100  # characters of a name or a PIN
MOST_ENTRIES = 1000
USUAL_ENTRIES = 100
COOKIE = "dealer_station"
PINS_OFF = {"error": "pins_off", "expected": "console.pins = true: without it whoever is named is believed"}


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who wants to act, and the PIN."""

    name: str
    pin: str

    def __repr__(self) -> str:
        # A traceback or a log must not show a PIN.
        return "LogIn(…)"


Handler = Callable[[Request], Awaitable[Response]]


def token_of(request: Request) -> str | None:
    """The token of the screen that asks."""
    return request.cookies.get(_cookie(request))


def is_signed_in(door: Door | None, scope: Scope) -> bool:
    """Whether somebody is logged in on the screen that asks."""
    return door is not None and door.is_anybody_on(token_of(Request(scope)))


def answered(answer: Answer) -> Response:
    """An answer of the door as HTTP has it."""
    headers = {"cache-control": "no-store"}
    if "seconds" in answer.body:
        headers["retry-after"] = str(answer.body["seconds"])
    return Response(
        msgspec.json.encode(answer.body), status_code=answer.status, media_type="application/json", headers=headers
    )


def door_routes(door: Door | None) -> list[Route]:
    """The routes; without a door nobody logs in, and whoever is named is believed."""
    if door is None:
        return [
            Route("/session", _believed),
            Route("/session", _off, methods=["POST", "DELETE"]),
            Route("/entries", _off),
        ]
    return [
        Route("/session", _who(door)),
        Route("/session", _log_in(door), methods=["POST"]),
        Route("/session", _log_out(door), methods=["DELETE"]),
        Route("/session/{name}", _log_out(door), methods=["DELETE"]),
        Route("/entries", _entries(door)),
    ]


async def _believed(request: Request) -> Response:
    return answered(Answer(200, {"pins": False, "persons": []}))


async def _off(request: Request) -> Response:
    return answered(Answer(409, PINS_OFF))


def _who(door: Door) -> Handler:
    async def who(request: Request) -> Response:
        return answered(Answer(200, door.who(token_of(request))))

    return who


def _log_in(door: Door) -> Handler:
    async def log_in(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _malformed("content-type", "application/json", 415)
        body = bytearray()
        try:
            async for part in request.stream():
                body += part
                if len(body) > MOST_BODY_BYTES:
                    return _malformed("(body)", f"at most {MOST_BODY_BYTES} bytes", 413)
            asked = msgspec.json.decode(bytes(body), type=LogIn)
        except ClientDisconnect:
            return Response(status_code=400)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            # Not the decoder's words: they could repeat what was typed.
            return _malformed("(body)", '{"name": "…", "pin": "…"}, and nothing else')
        if not (0 < len(asked.name) <= MOST_TEXT and 0 < len(asked.pin) <= MOST_TEXT):
            return _malformed("(body)", f"a name and a PIN of 1 to {MOST_TEXT} characters")
        address = "" if request.client is None else request.client.host
        answer = await door.log_in(token_of(request), asked.name, asked.pin, address)
        response = answered(answer)
        if answer.token is not None:
            response.set_cookie(_cookie(request), answer.token, path="/", httponly=True, samesite="strict")
        return response

    return log_in


def _log_out(door: Door) -> Handler:
    async def log_out(request: Request) -> Response:
        left = door.log_out(token_of(request), request.path_params.get("name"))
        response = answered(Answer(200, left))
        if not left["persons"]:
            response.delete_cookie(_cookie(request), path="/", httponly=True, samesite="strict")
        return response

    return log_out


def _entries(door: Door) -> Handler:
    async def entries(request: Request) -> Response:
        refused = door.supervisor(token_of(request))
        if refused is not None:
            return answered(refused)
        last = request.query_params.get("last", str(USUAL_ENTRIES))
        if not (last.isascii() and last.isdecimal() and len(last) <= 4 and 1 <= int(last) <= MOST_ENTRIES):
            return _malformed("last", f"a whole number from 1 to {MOST_ENTRIES}")
        status, body = await door.entries(int(last))
        return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})

    return entries


def _malformed(key: str, expected: str, status: int = 400) -> Response:
    return answered(Answer(status, {"error": "malformed", "key": key, "expected": expected}))


def _cookie(request: Request) -> str:
    # A browser keeps cookies by host and not by port: two stations on one computer have one each.
    server = request.scope.get("server")
    return COOKIE if not server or server[1] is None else f"{COOKIE}_{server[1]}"
