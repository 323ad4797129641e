"""Waiting for a reading of a device's sensors that begins after the request."""

import asyncio


class NextReading:
    """All on the event loop's thread."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []
        self._under_way: list[asyncio.Future[None]] = []

    async def wait(self) -> None:
        """Waits until such a reading has been reported, or the link is lost."""
        asked = asyncio.get_running_loop().create_future()
        self._waiting.append(asked)
        await asked

    def begins(self) -> bool:
        """A reading begins; whether anybody waits for it."""
        self._under_way, self._waiting = self._under_way + self._waiting, []
        return bool(self._under_way)

    def reported(self) -> None:
        """The changes that the reading showed have been reported."""
        for asked in self._under_way:
            if not asked.done():  # who asked may have been cancelled
                asked.set_result(None)
        self._under_way = []

    def lost(self) -> None:
        """The wait ends: no reading will come."""
        self.begins()
        self.reported()
