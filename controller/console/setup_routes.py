"""The paths of the set-up, for a technician who is logged in: another configuration, the wires, devices tried out."""

from typing import Any, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.console.answers import json_answer
from controller.console.gate import Gate
from controller.console.pin_trial import PinReply
from controller.console.requests import Malformed, json_body
from controller.console.session_routes import credential_of, respond
from controller.rulebook.roles import TECHNICIAN

MOST_BODY_BYTES = 256 * 1024


class Wires(Protocol):
    """The wires of the station's devices."""

    def as_shown(self) -> dict[str, Any]:
        """The last frames, newest first, without any card, and the possible tests."""

    def try_out(self, what: str, by: str) -> float | None:
        """Tests a device; returns the number of seconds, or None while the table is open. Raises KeyError."""


class Setup(Protocol):
    """The station's configuration, as the technician's pages read it."""

    @property
    def wires(self) -> Wires:
        """The state of each device's wire."""

    async def shown(self) -> dict[str, Any]:
        """The configuration's text, its path, whether another is proposed, and the plugged-in devices. Raises
        OSError.
        """

    async def proposed(self, text: str, by: str | None) -> list[dict[str, str]]:
        """The mistakes of another configuration; without any, and if it is proposed, it is stored. Raises OSError."""


class ProposedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A configuration to check, and whether to propose it."""

    configuration: str
    propose: bool = False


class Trial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A test that a device makes for some seconds."""

    what: str


def setup_routes(setup: Setup | None, gate: Gate | None) -> list[Route]:
    """The routes, where there is a configuration to show."""
    if setup is None:
        return []

    def technician(request: Request) -> str | PinReply:
        return TECHNICIAN if gate is None else gate.technician(credential_of(request))

    async def shown(request: Request) -> Response:
        who = technician(request)
        return respond(who) if isinstance(who, PinReply) else json_answer(await setup.shown())

    async def propose(request: Request) -> Response:
        who = technician(request)
        if isinstance(who, PinReply):
            return respond(who)
        try:
            wish = msgspec.json.decode(await json_body(request, MOST_BODY_BYTES), type=ProposedFile)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise Malformed("(body)", f'{{"configuration": "…", "propose": true}}; {error}') from None
        mistakes = await setup.proposed(wish.configuration, who if wish.propose else None)
        return json_answer({"mistakes": mistakes, "proposed": wish.propose and not mistakes})

    async def wires(request: Request) -> Response:
        who = technician(request)
        return respond(who) if isinstance(who, PinReply) else json_answer(setup.wires.as_shown())

    async def try_out(request: Request) -> Response:
        who = technician(request)
        if isinstance(who, PinReply):
            return respond(who)
        offered = setup.wires.as_shown()["trials"]
        try:
            what = msgspec.json.decode(await json_body(request, MOST_BODY_BYTES), type=Trial).what
            seconds = setup.wires.try_out(what, who)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, KeyError):
            raise Malformed("what", f"one of {', '.join(offered)}") from None
        return json_answer({"error": "table_open"}, 409) if seconds is None else json_answer({"seconds": seconds})

    return [
        Route("/setup", shown),
        Route("/setup", propose, methods=["POST"]),
        Route("/setup/wires", wires),
        Route("/setup/test", try_out, methods=["POST"]),
    ]
