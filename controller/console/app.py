"""The HTTP face: the page, the public projection and the rounds played out, inputs in. It decides nothing."""

from collections.abc import Awaitable, Callable
from functools import partial
from types import GenericAlias
from typing import Protocol

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from controller.console.answers import answer_to_inputs, json_answer
from controller.console.files import FixedPaths, page_files
from controller.console.gate import Gate
from controller.console.headers import SecurityHeaders
from controller.console.readings import Readings, Recalled, reading_routes
from controller.console.requests import Malformed, json_body, malformed
from controller.console.session_routes import SCREEN, address_of, credential_of, respond, session_routes
from controller.console.sessions import Credential
from controller.console.setup_routes import Setup, setup_routes
from controller.console.streams import Streams
from controller.console.two_persons import HEADER as PINS
from controller.console.two_persons import pins_in
from controller.engine.decisions.deciders import union_of
from controller.engine.outcomes import NotFound, OutcomeOfAll
from controller.engine.state.persons import PersonInput
from controller.system.addresses import bracketed

MOST_BODY_BYTES = 64 * 1024  # a whole round entered at once is under 4 kB
MOST_INPUTS = 128

_decode_one = msgspec.json.Decoder(union_of(PersonInput)).decode
_decode_list = msgspec.json.Decoder(GenericAlias(list, union_of(PersonInput))).decode


class Face(Recalled, Protocol):
    """The station's interface for this console."""

    def projection(self) -> bytes:
        """The public table as JSON, encoded once for each version."""

    def strangers(self) -> bytes:
        """The part of the table for persons who are not logged in, as JSON, encoded once for each version."""

    async def changed(self, since: bytes, shown: Callable[[], bytes]) -> bytes:
        """The next result of `shown` that differs from `since`. Raises Closing when the station stops."""

    def display(self) -> bytes:
        """What the players' display shows, as JSON."""

    def setting(self) -> bytes:
        """The configuration of this table as JSON; it is constant until the station restarts."""

    async def sign_ins(self, last: int) -> bytes | NotFound:
        """The last log-ins, newest first, as JSON."""

    def metrics(self) -> bytes:
        """The station's metrics in Prometheus' text format."""


Decide = Callable[[list[PersonInput]], Awaitable[OutcomeOfAll]]
"""Decides these inputs, all or none, and returns their outcome once it is durable."""


def make_app(
    face: Face, decide: Decide, host: str, gate: Gate | None, panel: str = "", setup: Setup | None = None
) -> Starlette:
    """The application; `face` and `decide` are the station's, `host` the name or address it listens on.

    `panel` is the address of the simulator's page, which a simulated table may have; the console links to it. `setup`
    is the configuration that a technician may read. With a `gate`, only persons who have logged in can act; without
    one, in a simulation, the person that an input names is trusted.
    """
    named = bracketed(host)  # as a Host header writes it

    whole = {**msgspec.json.decode(face.setting()), "panel": panel}
    content, for_strangers = msgspec.json.encode(whole), msgspec.json.encode({**whole, "people": {}})
    readings, streams = Readings(), Streams(gate)

    def shown_to(credential: Credential) -> bytes:
        return face.strangers() if gate is not None and gate.stranger(credential) is not None else face.projection()

    async def table(request: Request) -> Response:
        return json_answer(shown_to(credential_of(request)))

    def streamed(request: Request, shown: Callable[[], bytes]) -> Response:
        return streams.answer(request, shown(), lambda since: face.changed(since, shown))

    async def stream(request: Request) -> Response:
        return streamed(request, partial(shown_to, credential_of(request)))

    async def display(request: Request) -> Response:
        return streamed(request, face.display)

    async def inputs(request: Request) -> Response:
        received = parse_inputs(await json_body(request, MOST_BODY_BYTES))
        if gate is None:
            return answer_to_inputs(await decide(received))
        credential, pins = credential_of(request), pins_in(request.headers.get(PINS))
        refused = await gate.refusal(credential, received, pins, address_of(request), request.headers.get(SCREEN))
        if refused is not None:
            return respond(refused)
        outcome = await decide(received)
        if isinstance(outcome, list):
            gate.accepted(credential, received)
        return answer_to_inputs(outcome)

    async def setting(request: Request) -> Response:
        known = gate is None or gate.knows(credential_of(request), request.headers.get(SCREEN))
        return json_answer(content if known else for_strangers)

    async def metrics(request: Request) -> Response:
        if gate is not None and not gate.may_measure(request.headers.get("authorization")):
            refused = gate.stranger(credential_of(request))
            if refused is not None:
                return respond(refused)
        return PlainTextResponse(face.metrics())

    return Starlette(
        routes=[
            Route("/setting", setting),
            Route("/table", table),
            Route("/stream", stream),
            Route("/display/stream", display),
            Route("/inputs", inputs, methods=["POST"]),
            Route("/metrics", metrics),
            *reading_routes(face, gate, readings),
            *setup_routes(setup, gate),
            *session_routes(gate, lambda last: readings.answer(lambda: face.sign_ins(last))),
            FixedPaths(page_files(whole["mode"], whole["terms"]["game"])),
        ],
        # A page elsewhere whose name is made to point here is not this table's screen.
        middleware=[
            Middleware(SecurityHeaders, framed=panel),
            Middleware(TrustedHostMiddleware, allowed_hosts=[named, "127.0.0.1", "localhost"]),
        ],
        exception_handlers={Malformed: malformed, ClientDisconnect: malformed},
    )


def parse_inputs(body: bytes) -> list[PersonInput]:
    """One input or a list of them. Raises Malformed."""
    try:
        received = _decode_list(body) if body.lstrip()[:1] == b"[" else [_decode_one(body)]
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        raise Malformed(path.rstrip("`").removeprefix("$").lstrip(".") or "(body)", reason) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Malformed("(body)", f"JSON: {error}") from None
    if not 1 <= len(received) <= MOST_INPUTS:
        raise Malformed("(body)", f"1 to {MOST_INPUTS} inputs")
    ids = [input.input_id for input in received]
    if len(set(ids)) != len(ids) or not all(0 < len(id) <= 100 for id in ids):
        raise Malformed("input_id", "1 to 100 characters, another for each input")
    return received
