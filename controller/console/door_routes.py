"""The paths of the log-in: who is logged in on this screen, log-in, log-out, and the log of entries."""

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Scope

from controller.console.answers import answer_to_question, json_answer
from controller.console.door import Door, Reply
from controller.console.requests import Malformed, json_body, number
from controller.engine.outcomes import NotFound

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
Entries = Callable[[int], Awaitable[bytes | NotFound]]


def token_of(request: Request) -> str | None:
    """The token of the screen that asks."""
    return request.cookies.get(_cookie(request))


def is_signed_in(door: Door | None, scope: Scope) -> bool:
    """Whether somebody is logged in on the screen that asks."""
    return door is not None and door.is_anybody_on(token_of(Request(scope)))


def answered(reply: Reply) -> Response:
    """An answer of the door as HTTP has it."""
    response = json_answer(reply.body, reply.status)
    if "seconds" in reply.body:
        response.headers["retry-after"] = str(reply.body["seconds"])
    return response


def door_routes(door: Door | None, entries: Entries) -> list[Route]:
    """The routes; `entries` gives the last entries. Without a door nobody logs in, and whoever is named is believed."""
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
        Route("/entries", _entries(door, entries)),
    ]


async def _believed(request: Request) -> Response:
    return answered(Reply(200, {"pins": False, "persons": []}))


async def _off(request: Request) -> Response:
    return answered(Reply(409, PINS_OFF))


def _who(door: Door) -> Handler:
    async def who(request: Request) -> Response:
        return answered(Reply(200, door.who(token_of(request))))

    return who


def _log_in(door: Door) -> Handler:
    async def log_in(request: Request) -> Response:
        try:
            asked = msgspec.json.decode(await json_body(request, MOST_BODY_BYTES), type=LogIn)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            # Not the decoder's words: they could repeat what was typed.
            raise Malformed("(body)", '{"name": "…", "pin": "…"}, and nothing else') from None
        if not (0 < len(asked.name) <= MOST_TEXT and 0 < len(asked.pin) <= MOST_TEXT):
            raise Malformed("(body)", f"a name and a PIN of 1 to {MOST_TEXT} characters")
        address = "" if request.client is None else request.client.host
        reply = await door.log_in(token_of(request), asked.name, asked.pin, address)
        response = answered(reply)
        if reply.token is not None:
            response.set_cookie(_cookie(request), reply.token, path="/", httponly=True, samesite="strict")
        return response

    return log_in


def _log_out(door: Door) -> Handler:
    async def log_out(request: Request) -> Response:
        left = door.log_out(token_of(request), request.path_params.get("name"))
        response = answered(Reply(200, left))
        if not left["persons"]:
            response.delete_cookie(_cookie(request), path="/", httponly=True, samesite="strict")
        return response

    return log_out


def _entries(door: Door, ask: Entries) -> Handler:
    async def entries(request: Request) -> Response:
        refused = door.supervisor(token_of(request))
        if refused is not None:
            return answered(refused)
        return answer_to_question(await ask(number(request, "last", MOST_ENTRIES, USUAL_ENTRIES)))

    return entries


def _cookie(request: Request) -> str:
    # A browser keeps cookies by host and not by port: two stations on one computer have one each.
    server = request.scope.get("server")
    return COOKIE if not server or server[1] is None else f"{COOKIE}_{server[1]}"
