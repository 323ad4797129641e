"""The payments and costs of the table's bets, as its players' display shows them."""

import asyncio
import json
from fractions import Fraction
from typing import Any

from simulators.dealer.http_face import event_content
from simulators.http_stream import BROKEN, asked

KEYS = ("pays", "edges")
SECONDS = 10.0  # until the players' display is looked at again
RETRY_SECONDS = 1.0


class CurrentOffer:
    """`now` is None until the station has answered."""

    def __init__(self, host: str, port: int) -> None:
        self.now: dict[str, Any] | None = None
        self._address = (host, port)

    async def follow(self) -> None:
        """Look at the players' display from time to time, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(SECONDS):
                    self.now = await self._displayed()
            except (*BROKEN, TimeoutError):
                pass  # the station is away, and what it offered stays as it was
            await asyncio.sleep(SECONDS if self.now else RETRY_SECONDS)

    @property
    def edges(self) -> dict[str, Fraction]:
        """The average part of a stake that the house keeps, by wager, if it is certified."""
        edges = self.now["edges"] if self.now else {}
        return {wager: Fraction(edge["percent"]) / 100 for wager, edge in edges.items()}

    async def _displayed(self) -> dict[str, Any]:
        async with asked(self._address, "GET", "/display/stream") as (_, station):
            shown = b""
            async for piece in station.body():
                shown += piece
                if b"\n\n" in shown and (event := event_content(shown.partition(b"\n\n")[0])):
                    display = json.loads(event)
                    return {key: display[key] for key in KEYS}
        raise ValueError("a message of the players' display expected")
