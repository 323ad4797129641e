"""The streams of a server. Each stays open, so their number is limited for each screen, each person and all
strangers.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from controller.console.gate import Gate
from controller.console.pin_trial import PinReply
from controller.console.session_routes import credential_of, respond
from controller.system.tasks import ProgramStops

KEEP_ALIVE_SECONDS = 15.0
MOST_OF_SCREEN = 8  # a browser opens at most six connections to one origin
MOST_OF_PERSON = 24  # three screens
MOST_OF_STRANGERS = 16
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}

Changed = Callable[[bytes], Awaitable[bytes]]


class Streams:
    """The streams that are open. Behind a `gate` the newest of a screen or a person with too many is refused.

    If strangers have too many, their oldest is ended.
    """

    def __init__(self, gate: Gate | None) -> None:
        self._gate = gate
        self.open: dict[Stream, None] = {}

    def answer(self, request: Request, shown: bytes, changed: Changed) -> Response:
        """The public table and each change of it, as server-sent events; or a refusal (429)."""
        credential = credential_of(request)
        names = [] if self._gate is None else self._gate.names(credential)
        holders = {f"person {name}": MOST_OF_PERSON for name in names}
        if names:
            holders = {f"screen {credential.token}": MOST_OF_SCREEN, **holders}
        for holder, most in holders.items():
            if sum(holder in stream.holders for stream in self.open) >= most:
                whose = "this screen" if holder.startswith("screen") else holder.removeprefix("person ")
                reason = f"{whose} has {most} streams open"
                expected = "a stream that is closed before"
                return respond(PinReply(429, {"error": "too_many_streams", "reason": reason, "expected": expected}))
        if not names and self._gate is not None:
            strangers = [stream for stream in self.open if not stream.holders]
            for stranger in strangers[: len(strangers) - MOST_OF_STRANGERS + 1]:
                stranger.end()
        return Stream(self, frozenset(holders), _events(shown, changed))


class Stream(StreamingResponse):
    """An open stream, owned by the persons logged in on its screen; by a stranger if there are none."""

    def __init__(self, streams: Streams, holders: frozenset[str], events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type="text/event-stream", headers=HEADERS)
        self.holders = holders
        self._streams = streams
        self._task: asyncio.Task[object] | None = None
        streams.open[self] = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        self._task = asyncio.current_task()
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.open.pop(self, None)

    def end(self) -> None:
        """Close the stream, since a newer one replaces it."""
        self._streams.open.pop(self, None)
        if self._task is not None:
            self._task.cancel()


async def _events(shown: bytes, changed: Changed) -> AsyncIterator[bytes]:
    yield b"data: " + shown + b"\n\n"
    while True:
        try:
            async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                shown = await changed(shown)
        except ProgramStops:
            return
        except TimeoutError:
            yield b": keep-alive\n\n"
        else:
            yield b"data: " + shown + b"\n\n"
