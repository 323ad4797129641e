"""Reads rounds, alarms, slips and the register from the journal for a screen; one request after the other.

Reading a hundred rounds takes a while, and shares a processor and Python's lock with the table.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.console.answers import answer_to_question
from controller.console.gate import Gate
from controller.console.pin_trial import PinReply
from controller.console.requests import number, numbers, query_day, stretch, whole
from controller.console.session_routes import credential_of, respond
from controller.engine.outcomes import NotFound

MOST_ROUNDS = 100  # that can be recalled at once, as the trade demands
MOST_NUMBER = 2**53  # of a round or a slip: what a reader of JSON takes exactly
MOST_ALARMS = 1000
USUAL_ALARMS = 100
MOST_AT_ONCE = 8  # questions, the one that is answered among them
BUSY = PinReply(503, {"error": "busy", "seconds": 1})

JournalQuestion = Callable[[], Awaitable[bytes | NotFound]]


class Recalled(Protocol):
    """Reads of the console from a journal, as JSON; the table does not wait for them."""

    async def rounds(self, last: int, before: int | None) -> bytes | NotFound:
        """The last rounds confirmed, or the last before one, newest first."""

    async def found(self, query: str, on: tuple[int, ...]) -> bytes | NotFound:
        """The rounds that match a query, newest first, in a part of the events; and the event at which to continue
        the search.
        """

    async def figures(self, since: str, until: str, dealer: str | None) -> bytes | NotFound:
        """The figures of a period, of one dealer or of all, with their curves."""

    async def slip(self, number: int) -> bytes | NotFound:
        """The payment slip of a jackpot hit."""

    async def alarms(self, last: int) -> bytes | NotFound:
        """The last alarms raised, newest first."""

    async def register(self, day: date | None) -> bytes | NotFound:
        """Errors and corrections of a day, or the last ones."""


class Readings:
    """Answers one question at a time, and lets only a few wait."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)
        self._there = 0

    async def answer(self, question: JournalQuestion) -> Response:
        """The answer, when it is this question's turn; a refusal at once if too many wait."""
        if self._there >= MOST_AT_ONCE:
            return respond(BUSY)
        self._there += 1
        try:
            async with self._turn:
                return answer_to_question(await question())
        finally:
            self._there -= 1


def reading_routes(journal: Recalled, gate: Gate | None, readings: Readings) -> list[Route]:
    """The routes; behind a gate they answer a screen on which someone is logged in, the register a supervisor."""

    async def answer(request: Request, question: JournalQuestion) -> Response:
        refused = None if gate is None else gate.stranger(credential_of(request))
        return await readings.answer(question) if refused is None else respond(refused)

    async def rounds(request: Request) -> Response:
        last = number(request, "last", MOST_ROUNDS, MOST_ROUNDS)
        before = number(request, "before", MOST_NUMBER, None)
        return await answer(request, lambda: journal.rounds(last, before))

    async def found(request: Request) -> Response:
        query, on = request.query_params.get("query", ""), numbers(request, "on", MOST_NUMBER)
        return await answer(request, lambda: journal.found(query, on))

    async def figures(request: Request) -> Response:
        since, until = stretch(request)
        dealer = request.query_params.get("dealer")
        return await answer(request, lambda: journal.figures(since, until, dealer))

    async def slip(request: Request) -> Response:
        asked = whole(request.path_params["number"], "number", MOST_NUMBER)
        return await answer(request, lambda: journal.slip(asked))

    async def alarms(request: Request) -> Response:
        last = number(request, "last", MOST_ALARMS, USUAL_ALARMS)
        return await answer(request, lambda: journal.alarms(last))

    async def register(request: Request) -> Response:
        of = query_day(request)
        refused = None if gate is None else gate.supervisor(credential_of(request))
        return await readings.answer(lambda: journal.register(of)) if refused is None else respond(refused)

    return [
        Route("/rounds", rounds),
        Route("/rounds/found", found),
        Route("/figures", figures),
        Route("/slips/{number}", slip),
        Route("/alarms", alarms),
        Route("/register", register),
    ]
