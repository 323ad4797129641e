"""The paths of the log-in: who is logged in on this screen, log-in, log-out, and the sign-ins so far."""

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.console.answers import json_answer
from controller.console.gate import Gate
from controller.console.pin_trial import PinReply
from controller.console.request_head import KEY, cookie_of
from controller.console.requests import Malformed, json_body, number
from controller.console.sessions import Credential
from controller.console.two_persons import MOST_TEXT

MOST_BODY_BYTES = 1024
MOST_SIGN_INS = 1000
USUAL_SIGN_INS = 100
SCREEN = "dealer-station-screen"  # the header by which a known screen is known again
PINS_OFF = {"error": "pins_off", "expected": "console.pins = true: without it no PIN is asked for"}


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who wants to act, and the PIN."""

    name: str
    pin: str

    def __repr__(self) -> str:
        # A traceback or a log must not show a PIN.
        return "LogIn(…)"


Handler = Callable[[Request], Awaitable[Response]]
SignIns = Callable[[int], Awaitable[Response]]


def credential_of(request: Request) -> Credential:
    """The credentials in a request."""
    return Credential(request.cookies.get(_cookie(request)), request.headers.get(KEY))


def address_of(request: Request) -> str:
    """The address from which a request came."""
    return "" if request.client is None else request.client.host


def respond(reply: PinReply) -> Response:
    """An answer of the gate as an HTTP response."""
    response = json_answer(reply.body, reply.status)
    if "seconds" in reply.body:
        response.headers["retry-after"] = str(reply.body["seconds"])
    return response


def session_routes(gate: Gate | None, sign_ins: SignIns | None = None) -> list[Route]:
    """The routes; `sign_ins` answers with the last log-ins, if they are kept.

    Without a gate no one logs in, and the person that an input names is trusted.
    """
    if gate is None:
        return [
            Route("/session", _believed),
            Route("/session", _off, methods=["POST", "DELETE"]),
            Route("/delays/{name}", _off, methods=["DELETE"]),
            Route("/entries", _off),
        ]
    return [
        Route("/session", _who(gate)),
        Route("/session", _log_in(gate), methods=["POST"]),
        Route("/session", _log_out(gate), methods=["DELETE"]),
        Route("/session/{name}", _log_out(gate), methods=["DELETE"]),
        Route("/delays/{name}", _lift(gate), methods=["DELETE"]),
        *([] if sign_ins is None else [Route("/entries", _sign_ins(gate, sign_ins))]),
    ]


async def _believed(request: Request) -> Response:
    return respond(PinReply(200, {"pins": False, "persons": []}))


async def _off(request: Request) -> Response:
    return respond(PinReply(409, PINS_OFF))


def _who(gate: Gate) -> Handler:
    async def who(request: Request) -> Response:
        return respond(PinReply(200, gate.who(credential_of(request))))

    return who


def _log_in(gate: Gate) -> Handler:
    async def log_in(request: Request) -> Response:
        try:
            asked = msgspec.json.decode(await json_body(request, MOST_BODY_BYTES), type=LogIn)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            # Not the decoder's words: they could repeat what was typed.
            raise Malformed("(body)", '{"name": "…", "pin": "…"}, and nothing else') from None
        if not (0 < len(asked.name) <= MOST_TEXT and 0 < len(asked.pin) <= MOST_TEXT):
            raise Malformed("(body)", f"a name and a PIN of 1 to {MOST_TEXT} characters")
        shown = request.headers.get(SCREEN)
        reply = await gate.log_in(credential_of(request), asked.name, asked.pin, address_of(request), shown)
        response = respond(reply)
        if reply.token is not None:
            response.set_cookie(_cookie(request), reply.token, path="/", httponly=True, samesite="strict")
        return response

    return log_in


def _log_out(gate: Gate) -> Handler:
    async def log_out(request: Request) -> Response:
        left = gate.log_out(credential_of(request), request.path_params.get("name"))
        response = respond(PinReply(200, left))
        if not left["persons"]:
            response.delete_cookie(_cookie(request), path="/", httponly=True, samesite="strict")
        return response

    return log_out


def _lift(gate: Gate) -> Handler:
    async def lift(request: Request) -> Response:
        return respond(gate.lift(credential_of(request), request.path_params["name"], address_of(request)))

    return lift


def _sign_ins(gate: Gate, ask: SignIns) -> Handler:
    async def sign_ins(request: Request) -> Response:
        refused = gate.supervisor(credential_of(request))
        if refused is not None:
            return respond(refused)
        return await ask(number(request, "last", MOST_SIGN_INS, USUAL_SIGN_INS))

    return sign_ins


def _cookie(request: Request) -> str:
    server = request.scope.get("server")
    return cookie_of(server[1] if server else None)
