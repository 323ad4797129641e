"""An open serial line as a driver sees it: the common part of a tty and a served line."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable

from drivers.faults import Cause, PortLost
from drivers.tap import OpenTap
from drivers.waiting import Wake


class SerialPort(ABC):
    """An open serial port: its callback gets the octets received, on the loop's thread, until it is lost or closed."""

    def __init__(self, device: str, port: str, receive: Callable[[bytes], None], tap: OpenTap) -> None:
        self._device = device
        self._port = port
        self._receive = receive
        self._tap = tap
        self._loop = asyncio.get_running_loop()
        self._wake = Wake()
        self._drained = Wake()

    @abstractmethod
    def write(self, octets: bytes) -> None:
        """Sends now or as soon as the line accepts more; never blocks."""

    @property
    @abstractmethod
    def _waits(self) -> bool:
        """Whether written octets have not left this process."""

    @abstractmethod
    def close(self) -> None:
        """Close the port; octets not yet sent are dropped."""

    async def drain(self, seconds: float) -> None:
        """Waits until the written octets have left this process. Raises PortLost, also after `seconds`."""
        deadline = self._loop.time() + seconds
        while self._waits or self._wake.failed:
            left = deadline - self._loop.time()
            if left <= 0:
                self._lose(f"{self._port} takes nothing for {seconds:g} s", "silent")
            await self._drained.pause(left)

    def wake(self) -> None:
        """Ends the present or next `pause`."""
        self._wake.now()

    async def pause(self, seconds: float | None) -> None:
        """Waits for `seconds` (None: without end) or `wake`. Raises PortLost once the line is lost."""
        await self._wake.pause(seconds)

    def _hung_up(self, how: str, cause: Cause) -> None:
        self._tap.closed("device", how)
        self._lose(f"{self._port} {how}", cause)

    def _lose(self, reason: str, cause: Cause) -> None:
        self._tap.closed("host", reason)
        failure = PortLost(self._device, reason, cause)
        self._wake.fail(failure)
        self._drained.fail(failure)
