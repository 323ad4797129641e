"""Serves the pit's page over HTTP: the state of tables, their archive, floor plans, and who may read them."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from controller.config.console import LogInSettings
from controller.console.answers import answer_to_question, json_answer
from controller.console.files import (
    INDEX,
    MODE,
    MODULES,
    PAGE,
    FixedPaths,
    mode_words,
    preloads,
    routes_of,
    words_file,
)
from controller.console.gate import Gate
from controller.console.headers import SecurityHeaders
from controller.console.readings import Readings
from controller.console.requests import Malformed, json_body, malformed
from controller.console.server import ConsoleServer
from controller.console.session_routes import credential_of, respond, session_routes
from controller.console.sessions import SessionLimits
from controller.console.streams import Streams
from controller.engine.outcomes import NotFound
from controller.engine.state.events import SignInEvent
from controller.floor.broker import Broker
from controller.pit.alarms import Alarms
from controller.pit.backlog import Backlog
from controller.pit.links_watch import LinksWatch
from controller.pit.live import Live
from controller.pit.plans import MOST_CELLS, Plan
from controller.pit.plans import StoredPlans as PlansOfDatabase
from controller.pit.readings import ArchiveReader
from controller.rulebook.roles import People
from controller.system.addresses import bracketed
from controller.system.tasks import ProgramStops, ended
from controller.tlog.notes import VerifierKey

PICTURE = Path(__file__).parent / "picture"
SHARED = re.compile(r'href="/page/([a-z_/]+\.js)"')
UNKNOWN = {"error": "no_table", "expected": "a table of which the pit has received a message"}

MOST_PLAN_BYTES = 256 * 1024

Handler = Callable[[Request], Awaitable[Response]]
Screens = dict[str, str]
"""The addresses of a table's own pages by name: start, screen, display, panel."""

log = structlog.get_logger()


class Archived(Protocol):
    """The questions that the page asks the archive; answers are JSON."""

    async def of_table(self, site: str, table: str) -> bytes | NotFound:
        """The last rounds of a table, its alarms, and its curves."""

    async def alarms(self) -> bytes | NotFound:
        """The last alarms of all tables, newest first."""

    async def pots(self) -> bytes | NotFound:
        """The pots of the last day, hour by hour, and the hits of the last 31 days, newest first."""

    async def hours(self) -> bytes | NotFound:
        """The figures of all tables in the last day, hour by hour, the amounts won, and the rounds of each table."""


class Plans(Protocol):
    """The floor plans of persons."""

    async def of(self, person: str) -> Plan | NotFound:
        """The plan of a person."""

    async def replace(self, person: str, plan: Plan) -> Plan | NotFound:
        """Returns the plan that is now stored: this one, or one that another screen had changed before it."""


@asynccontextmanager
async def served(
    address: tuple[str, int],
    broker: Broker,
    database: str,
    people: People | None = None,
    log_in: LogInSettings | None = None,
    witness: VerifierKey | None = None,
    links: LinksWatch | None = None,
    alarms: Alarms | None = None,
    screens: Mapping[str, Screens] = {},
) -> AsyncIterator[None]:
    """Serves the page during the body; without persons, in a simulation, everybody may look. Raises CannotListen.

    A failure of the page also ends the body, and is raised in a group: otherwise sessions would no longer expire.
    """
    gate = None
    if people is not None and log_in is not None:
        limits = SessionLimits(log_in.dealer_idle, log_in.idle, log_in.longest)
        gate = Gate(people, log_in.pin_file, limits, _log)
    backlog, reader = Backlog(database), ArchiveReader(database)
    live = Live(witness, links, alarms, backlog)
    server = ConsoleServer(
        make_picture(live, reader, PlansOfDatabase(database), address[0], gate, screens), address, gate
    )
    try:
        async with asyncio.TaskGroup() as group:
            works = [group.create_task(live.listen(broker)), group.create_task(backlog.run())]
            if gate is not None:
                works.append(group.create_task(gate.keep()))
            serving = group.create_task(server.run())
            try:
                await server.answers()
                yield
            finally:
                live.close()
                server.stop()
                for work in works:
                    await ended(work)
                await asyncio.wait([serving])  # else a group that is left early cuts it off
    finally:
        server.close()
        await reader.close()


def _log(event: SignInEvent) -> None:
    log.info("at the page", what=event.__struct_config__.tag, **msgspec.to_builtins(event))


def make_picture(
    live: Live,
    archived: Archived,
    plans: Plans,
    host: str,
    gate: Gate | None,
    screens: Mapping[str, Screens] = {},
) -> Starlette:
    """The application. Tables of a simulation have `screens` by SITE/TABLE, to which their pages lead.

    Only persons who have logged in by `gate` see tables; without a gate, in a simulation, everyone does.
    """
    named = bracketed(host)
    readings, streams = Readings(), Streams(gate)

    def behind_gate(handler: Handler) -> Handler:
        async def handled(request: Request) -> Response:
            refused = None if gate is None else gate.stranger(credential_of(request))
            return await handler(request) if refused is None else respond(refused)

        return handled

    async def tables(request: Request) -> Response:
        return json_answer(live.picture())

    async def stream(request: Request) -> Response:
        credential = credential_of(request)

        async def changed(since: bytes) -> bytes:
            if gate is not None and gate.stranger(credential) is not None:
                raise ProgramStops
            return await live.changed(since)

        return streams.answer(request, live.picture(), changed)

    async def table(request: Request) -> Response:
        site, name = request.path_params["site"], request.path_params["table"]
        if (retained := live.retained(site, name)) is None:
            return json_answer(UNKNOWN, 404)
        answer = await readings.answer(lambda: archived.of_table(site, name))
        if answer.status_code != 200:
            return answer
        own = screens.get(f"{site}/{name}", {})
        return json_answer({"retained": retained, "archived": msgspec.Raw(bytes(answer.body)), "screens": own})

    async def now(request: Request) -> Response:
        retained = live.retained(request.path_params["site"], request.path_params["table"])
        return json_answer(UNKNOWN, 404) if retained is None else json_answer(retained)

    async def alarms(request: Request) -> Response:
        return await readings.answer(archived.alarms)

    async def pots(request: Request) -> Response:
        return await readings.answer(archived.pots)

    async def hours(request: Request) -> Response:
        return await readings.answer(archived.hours)

    def person(request: Request) -> str:
        return "" if gate is None else gate.names(credential_of(request))[0]

    async def plan(request: Request) -> Response:
        found = await plans.of(person(request))
        return json_answer(found) if isinstance(found, Plan) else answer_to_question(found)

    async def replace_plan(request: Request) -> Response:
        try:
            wanted = msgspec.json.decode(await json_body(request, MOST_PLAN_BYTES), type=Plan)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            expected = f'{{"revision": 0, "cells": {{"SITE/TABLE": [COLUMN, ROW]}}}}, each below {MOST_CELLS}'
            raise Malformed("(body)", expected) from None
        kept = await plans.replace(person(request), wanted)
        if not isinstance(kept, Plan):
            return answer_to_question(kept)
        return json_answer(kept, 200 if kept.cells == wanted.cells else 409)

    marks = {MODE: mode_words("simulation") if gate is None else b"", MODULES: preloads(PICTURE)}
    return Starlette(
        routes=[
            Route("/tables", behind_gate(tables)),
            Route("/tables/stream", behind_gate(stream)),
            Route("/tables/{site}/{table}", behind_gate(table)),
            Route("/tables/{site}/{table}/now", behind_gate(now)),
            Route("/alarms", behind_gate(alarms)),
            Route("/pots", behind_gate(pots)),
            Route("/hours", behind_gate(hours)),
            Route("/plan", behind_gate(plan)),
            Route("/plan", behind_gate(replace_plan), methods=["PUT"]),
            *session_routes(gate),
            FixedPaths([words_file(modules=_modules()), *routes_of(PAGE, None, {}), *routes_of(PICTURE, "/", marks)]),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=[named, "127.0.0.1", "localhost"]),
        ],
        exception_handlers={Malformed: malformed, ClientDisconnect: malformed},
    )


def _modules() -> Iterator[str]:
    """The texts of the page's modules: its own, and those of the console's page that its index names."""
    of_console = SHARED.findall((PICTURE / INDEX).read_text(encoding="utf-8"))
    for path in (*PICTURE.rglob("*.js"), *(PAGE / name for name in of_console)):
        yield path.read_text(encoding="utf-8")
