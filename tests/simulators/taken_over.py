"""A person who has taken over from the robot dealer: reads on the panel what is wanted, and enters it."""

import asyncio
import contextlib
import json
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import h11

from simulators.http_stream import asked

Wanted = dict[str, Any]
Entering = Callable[[dict[str, Any]], list[dict[str, Any]]]  # what is entered for what is wanted
LOOK_SECONDS = 0.01


class Person:
    """Enters what is wanted, or what `entering` makes of it, which when it is refused is entered as wanted.

    What is refused all the same is left out where it may be.
    """

    def __init__(self, panel: int, station: tuple[str, int], entering: Entering | None = None) -> None:
        self._panel = ("127.0.0.1", panel)
        self._station = station
        self.entering = entering or (lambda item: [item])
        self._stream: asyncio.StreamReader | None = None
        self._dealt_with: set[int] = set()
        self.seen: list[str] = []  # the kinds that were wanted
        self.refused: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.now: dict[str, Any] = {}

    async def act(self, actor: str) -> None:
        """Choose who acts."""
        assert (await ask(self._panel, "/actor", {"actor": actor}))[0] == 200

    async def press_lock_in(self) -> int:
        """Press the button; the status."""
        return (await ask(self._panel, "/lock-in", {"pressed": True}))[0]

    async def look(self) -> None:
        """Keep `now` up to date with the panel, until cancelled or hung up on."""
        async with asked(self._panel, "GET", "/stream") as (_, panel):
            rest = b""
            with contextlib.suppress(h11.RemoteProtocolError):  # the stream has no end
                async for piece in panel.body():
                    *events, rest = (rest + piece).split(b"\n\n")
                    for event in events:
                        if event.startswith(b"data: "):
                            self.now = json.loads(event[6:])

    async def enter(self, over: Callable[[], bool]) -> None:
        """Enter what is wanted until it is over."""
        while not over():
            for wanted in self.now.get("wanted", []):
                if wanted["number"] not in self._dealt_with and not over():
                    self._dealt_with.add(wanted["number"])
                    self.seen.append(wanted["input"]["kind"])
                    await self._enter(wanted)
            await asyncio.sleep(LOOK_SECONDS)

    async def _enter(self, wanted: Wanted) -> None:
        for item in self.entering(wanted["input"]):
            if await self._is_taken(item) or (item != wanted["input"] and await self._is_taken(wanted["input"])):
                continue
            if wanted["may_be_left_out"]:
                await ask(self._panel, "/leave-out", {"number": wanted["number"]})

    async def _is_taken(self, item: dict[str, Any]) -> bool:
        status, answer = await ask(self._station, "/inputs", [{"input_id": f"person-{uuid.uuid4().hex}", **item}])
        if status != 200:
            self.refused.append((item, answer))
        return status == 200


@contextlib.asynccontextmanager
async def looking(person: Person) -> AsyncIterator[Person]:
    """The person looks at the panel while the body lasts."""
    eyes = asyncio.create_task(person.look())
    try:
        yield person
    finally:
        eyes.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await eyes


async def ask(address: tuple[str, int], path: str, wish: object) -> tuple[int, dict[str, Any]]:
    """POST JSON on a connection of its own: status and answer."""
    fields = {"Content-Type": "application/json"}
    async with asked(address, "POST", path, fields, json.dumps(wish).encode()) as (answer, client):
        return answer.status_code, json.loads(await client.whole())
