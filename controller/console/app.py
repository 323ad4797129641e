"""The HTTP face: the page, the public projection and the rounds played out, inputs in. It decides nothing."""

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.console.door import Door
from controller.console.door_routes import answered, door_routes, token_of
from controller.console.files import page_files
from controller.console.headers import SecurityHeaders
from controller.engine.inputs import FromPerson

KEEP_ALIVE_SECONDS = 15.0
MOST_BODY_BYTES = 64 * 1024  # a whole round entered at once is under 4 kB
MOST_INPUTS = 128
MOST_ROUNDS = 100  # that can be recalled at once (trade requirement, "Meters kept")
MOST_ALARMS = 1000
USUAL_ALARMS = 100

Otherwise = TypeVar("Otherwise", int, None)

_decode_one = msgspec.json.Decoder(FromPerson).decode
_decode_list = msgspec.json.Decoder(list[FromPerson]).decode


class Closing(Exception):
    """The station stops: a stream ends here, for it has no end of its own."""


class Unavailable(Exception):
    """What was asked for cannot be read now."""


class Face(Protocol):
    """What the station shows this console."""

    def projection(self) -> bytes:
        """The public table as JSON, encoded once for each version."""

    async def changed(self, since: bytes) -> bytes:
        """The projection once it is another than `since`. Raises Closing when the station stops."""

    async def answer(self, inputs: list[FromPerson]) -> tuple[int, bytes]:
        """Decide the inputs, all or nothing: HTTP status and JSON body, once they are durable."""

    def setting(self) -> bytes:
        """What the configuration says of this table, as JSON: it holds until the station is started anew."""

    async def rounds(self, last: int, before: int | None) -> bytes:
        """The last rounds confirmed, or the last before one, newest first, with their figures, as JSON.

        Raises Unavailable.
        """

    async def slip(self, number: int) -> tuple[int, bytes]:
        """The payment slip of a jackpot hit: HTTP status and JSON body."""

    async def alarms(self, last: int) -> tuple[int, bytes]:
        """The last alarms raised, newest first: HTTP status and JSON body."""

    def metrics(self) -> bytes:
        """The station's metrics in Prometheus' text format."""


def make_app(face: Face, host: str, door: Door | None, panel: str = "") -> Starlette:
    """The application; `face` is the station's, `host` the name or address it listens on.

    `panel` is the address of the simulator's page, which a simulated table may have; the console links to it.
    Nobody acts who has not come in by `door`; where there is none, in a simulation, whoever is named is believed.
    """
    named = f"[{host}]" if ":" in host else host  # as a Host header writes it

    told = msgspec.json.encode({**msgspec.json.decode(face.setting()), "panel": panel})

    async def table(request: Request) -> Response:
        return _json(face.projection())

    async def stream(request: Request) -> Response:
        return StreamingResponse(
            _events(face),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    async def inputs(request: Request) -> Response:
        try:
            if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                # A page of another origin cannot send this type without asking first, and it is never let.
                raise Malformed("content-type", "application/json", 415)
            body = await _body(request)
        except ClientDisconnect:
            return Response(status_code=400)
        heard = parse_inputs(body)
        refused = None if door is None else door.refusal(token_of(request), heard)
        if refused is not None:
            return answered(refused)
        status, answer = await face.answer(heard)
        return Response(answer, status_code=status, media_type="application/json")

    async def setting(request: Request) -> Response:
        return _json(told)

    async def rounds(request: Request) -> Response:
        last = _number(request, "last", MOST_ROUNDS, MOST_ROUNDS)
        before = _number(request, "before", 2**53, None)
        try:
            body = await face.rounds(last, before)
        except Unavailable as error:
            told = {"error": "unavailable", "reason": str(error)}
            return Response(msgspec.json.encode(told), status_code=503, media_type="application/json")
        return _json(body)

    async def slip(request: Request) -> Response:
        status, answer = await face.slip(request.path_params["number"])
        return _json(answer, status)

    async def alarms(request: Request) -> Response:
        status, answer = await face.alarms(_number(request, "last", MOST_ALARMS, USUAL_ALARMS))
        return _json(answer, status)

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(face.metrics())

    return Starlette(
        routes=[
            *page_files(face.setting()),
            Route("/setting", setting),
            Route("/rounds", rounds),
            Route("/table", table),
            Route("/stream", stream),
            Route("/inputs", inputs, methods=["POST"]),
            Route("/slips/{number:int}", slip),
            Route("/alarms", alarms),
            Route("/metrics", metrics),
            *door_routes(door),
        ],
        # A page elsewhere whose name is made to point here is not this table's screen.
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=[named, "127.0.0.1", "localhost"]),
        ],
        exception_handlers={Malformed: _malformed},
    )


class Malformed(Exception):
    """A body that is no input: the key it breaks at, and what was expected there."""

    def __init__(self, key: str, expected: str, status: int = 400) -> None:
        super().__init__(f"{key}: {expected}")
        self.key, self.expected, self.status = key, expected, status

    def body(self) -> bytes:
        """The answer to it."""
        return msgspec.json.encode({"error": "malformed", "key": self.key, "expected": self.expected})


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, Malformed)
    return Response(error.body(), status_code=error.status, media_type="application/json")


def _json(body: bytes, status: int = 200) -> Response:
    """What holds at this moment alone."""
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})


def _number(request: Request, key: str, most: int, otherwise: Otherwise) -> int | Otherwise:
    """A whole number of the query, from 1. Raises Malformed."""
    text = request.query_params.get(key)
    if text is None:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) <= 16 and 1 <= int(text) <= most):
        raise Malformed(key, f"a whole number from 1 to {most}")
    return int(text)


async def _body(request: Request) -> bytes:
    received = bytearray()
    async for part in request.stream():
        received += part
        if len(received) > MOST_BODY_BYTES:
            raise Malformed("(body)", f"at most {MOST_BODY_BYTES} bytes", 413)
    return bytes(received)


def parse_inputs(body: bytes) -> list[FromPerson]:
    """One input or a list of them. Raises Malformed."""
    try:
        heard = _decode_list(body) if body.lstrip()[:1] == b"[" else [_decode_one(body)]
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        raise Malformed(path.rstrip("`").removeprefix("$").lstrip(".") or "(body)", reason) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Malformed("(body)", f"JSON: {error}") from None
    if not 1 <= len(heard) <= MOST_INPUTS:
        raise Malformed("(body)", f"1 to {MOST_INPUTS} inputs")
    ids = [input.input_id for input in heard]
    if len(set(ids)) != len(ids) or not all(0 < len(id) <= 100 for id in ids):
        raise Malformed("input_id", "1 to 100 characters, another for each input")
    return heard


async def _events(face: Face) -> AsyncIterator[bytes]:
    shown = face.projection()
    yield b"data: " + shown + b"\n\n"
    while True:
        try:
            async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                shown = await face.changed(shown)
        except Closing:
            return
        except TimeoutError:
            yield b": keep-alive\n\n"
        else:
            yield b"data: " + shown + b"\n\n"
