"""Who waits until a device's sensors have been read once more, by a reading that begins after they asked."""

import asyncio


class NextReading:
    """All on the event loop's thread."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []
        self._under_way: list[asyncio.Future[None]] = []

    async def wait(self) -> None:
        """Until such a reading has been told, or the link is lost."""
        asked = asyncio.get_running_loop().create_future()
        self._waiting.append(asked)
        await asked

    def begins(self) -> bool:
        """A reading begins; whether anybody waits for it."""
        self._under_way, self._waiting = self._under_way + self._waiting, []
        return bool(self._under_way)

    def told(self) -> None:
        """What it showed has been told."""
        for asked in self._under_way:
            if not asked.done():  # whoever asked may have gone
                asked.set_result(None)
        self._under_way = []

    def lost(self) -> None:
        """No reading comes."""
        self.begins()
        self.told()
