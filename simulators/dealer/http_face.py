"""The station's HTTP interface as a screen uses it: receives projections, posts inputs, and waits for a killed daemon.

Where the station asks for PINs, the person who is named is logged in on this screen as soon as it asks for him, and
his PIN goes with an act as soon as it asks for that.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import h11

from simulators.http_stream import BROKEN, HttpClient, asked

RECONNECT_SECONDS = 0.05
ANSWER_SECONDS = 15.0
LOG_IN = "/session"
LOG_IN_SECONDS = 180.0  # an emulated processor takes a minute for the hash of a PIN, and a second try is another hash
STREAM_SILENCE_SECONDS = 40.0  # the station says something every 15 s
NOT_DURABLE_SECONDS = 0.2

Projection = dict[str, Any]
Input = dict[str, Any]
Pins = Callable[[], dict[str, str]]


@dataclass(frozen=True, slots=True)
class StationAnswer:
    """What the station reported to a post: HTTP status and body; `as_of` is 0 unless accepted."""

    status: int
    body: dict[str, Any]

    @property
    def accepted(self) -> bool:
        """True when every input was taken."""
        return self.status == 200

    @property
    def as_of(self) -> int:
        """The sequence that the projection must reach to show the posted inputs."""
        return max((int(answer.get("as_of", 0)) for answer in self.body.get("answers", [])), default=0)


class StationFace:
    """`view` is the latest projection, `connected` whether the stream is up; `bell` rings at every change of either.

    `watch` is shown every projection that is newer than the one before. `pins` reports the PINs by name when they are
    asked for, and raises ValueError where it cannot.
    """

    def __init__(self, host: str, port: int, bell: Callable[[], None], pins: Pins | None = None) -> None:
        self.view: Projection | None = None
        self.watch: Callable[[Projection], None] = lambda view: None
        self.connected = False
        self._address = (host, port)
        self._bell = bell
        self._pins = pins
        self._cookie = ""
        self._shown: dict[str, str] = {}  # beside the cookie, what a log-in is answered with and this screen shows
        self._posting: HttpClient | None = None
        self._following: HttpClient | None = None
        self.looked_at = 0.0  # when the last look that was answered began, by the loop's clock

    async def follow(self) -> None:
        """Keep the stream open, over every restart of the daemon, until cancelled."""
        while True:
            try:
                async for event in self._events():
                    self._show(json.loads(event))
                    self.connected = True
                    self._bell()
            except BROKEN:
                pass
            self.connected = False
            self._bell()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def look(self) -> None:
        """Asks for the present projection, unless the station is offline.

        It uses a new connection, so the station receives the question after all earlier messages of its devices.
        """
        began = asyncio.get_running_loop().time()
        try:
            async with (
                asyncio.timeout(ANSWER_SECONDS),
                asked(self._address, "GET", "/table", self._credential) as (answer, station),
            ):
                seen = json.loads(await station.whole())
                _check(answer)
        except BROKEN:
            return
        self.looked_at = began
        self._show(seen)

    def _show(self, seen: Projection) -> None:
        """Shows a projection, unless a newer one was seen: stream and single request may overtake each other."""
        before = self.view
        if before is None or seen["journal"] != before["journal"] or seen["version"] >= before["version"]:
            self.view = seen
            self.watch(seen)

    async def post(self, inputs: list[Input]) -> StationAnswer:
        """Posts until there is an answer; after a broken connection it sends the same inputs with the same ids.

        Persons log in first where they must, and give their PIN where an act needs it.
        """
        tried: set[tuple[str, str]] = set()
        given: dict[str, str] = {}
        while True:
            answer = await self._post_until_answered("/inputs", inputs, given)
            error, who = str(answer.body.get("error", "")), str(answer.body.get("who", ""))
            if self._pins is None or error not in ("log_in", "pin") or (error, who) in tried:
                return answer
            tried.add((error, who))
            pin = self._pin_of(who, self._pins)
            if isinstance(pin, StationAnswer):
                return pin
            if error == "pin":
                given[who] = pin
                continue
            refused = await self._log_in(who, pin)
            if refused is not None:
                return refused

    def _pin_of(self, name: str, pins: Pins) -> str | StationAnswer:
        try:
            pin = pins().get(name)
        except ValueError as mistake:
            return StationAnswer(403, {"error": "log_in", "who": name, "reason": str(mistake)})
        if pin is None:
            return StationAnswer(
                403, {"error": "log_in", "who": name, "reason": "the robot dealer has no PIN of this person"}
            )
        return pin

    async def _log_in(self, name: str, pin: str) -> StationAnswer | None:
        """Logs this person in on this screen; returns the reason if the station refuses."""
        answer = await self._post_until_answered(LOG_IN, {"name": name, "pin": pin}, {})
        if not answer.accepted:
            return answer
        self._shown = {f"Dealer-Station-{what.title()}": str(answer.body.get(what, "")) for what in ("key", "screen")}
        if self._following is not None:
            self._following.close()  # opened again, it shows what a stranger is not shown
        return None

    @property
    def _credential(self) -> dict[str, str]:
        return {"Cookie": self._cookie, **self._shown} if self._cookie else {}

    async def _post_until_answered(self, path: str, content: object, pins: dict[str, str]) -> StationAnswer:
        body = json.dumps(content).encode()
        while True:
            try:
                async with asyncio.timeout(LOG_IN_SECONDS if pins or path == LOG_IN else ANSWER_SECONDS):
                    answer = await self._post_once(path, body, pins)
            except BROKEN:
                self._drop_posting()
                await asyncio.sleep(RECONNECT_SECONDS)
                continue
            if answer.status != 503:
                return answer
            await asyncio.sleep(NOT_DURABLE_SECONDS)

    def close(self) -> None:
        """Closes the connection."""
        self._drop_posting()

    async def _post_once(self, path: str, body: bytes, pins: dict[str, str]) -> StationAnswer:
        if self._posting is None:
            self._posting = await HttpClient.connect(*self._address)
        station = self._posting
        given = ",".join(f"{quote(name, safe='')}={pin}" for name, pin in pins.items())
        fields = {
            "Content-Type": "application/json",
            "Dealer-Station-Pin": given,
            **self._credential,
        }
        answer = await station.ask("POST", path, {name: value for name, value in fields.items() if value}, body)
        self._cookie = dict(answer.headers).get(b"set-cookie", self._cookie.encode()).decode().partition(";")[0]
        content = await station.whole()
        if not station.asks_again():
            self._drop_posting()
        return StationAnswer(answer.status_code, json.loads(content))

    async def _events(self) -> AsyncIterator[bytes]:
        fields = {"Accept": "text/event-stream", **self._credential}
        async with asked(self._address, "GET", "/stream", fields) as (answer, station):
            self._following = station
            _check(answer)
            rest = b""
            pieces = station.body()
            while True:
                async with asyncio.timeout(STREAM_SILENCE_SECONDS):
                    piece = await anext(pieces, None)
                if piece is None:
                    return
                *events, rest = (rest + piece).replace(b"\r\n", b"\n").split(b"\n\n")
                latest = [content for event in events if (content := event_content(event))]
                if latest:
                    yield latest[-1]

    def _drop_posting(self) -> None:
        if self._posting:
            self._posting.close()
            self._posting = None


def _check(answer: h11.Response) -> None:
    if answer.status_code != 200:
        raise h11.RemoteProtocolError(f"200 expected, not {answer.status_code}")


def event_content(event: bytes) -> bytes:
    """The `data` lines of one server-sent event; empty for a comment."""
    return b"\n".join(line[5:].lstrip() for line in event.split(b"\n") if line.startswith(b"data:"))
