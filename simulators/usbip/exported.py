"""One exported device: its place on the bus, the host that has imported it, and the faults of its transfers."""

import asyncio
from collections.abc import Callable

from simulators.usbip.cables import TransferFailed
from simulators.usbip.functions import UsbFunction
from simulators.usbip.packets import BROKEN, ExportedIdentity, TransferRequest

BUS = 1


class DevicePulled(Exception):
    """The device has been pulled out within a transfer."""


class ExportedDevice:
    """A device at `number` of the bus. `drop` hangs up on the host that has it, if one has.

    `naks` are the endpoints whose transfers wait. `stalls` is how many of the next transfers halt their endpoint,
    `shorts` how many carry only half of their octets.
    """

    def __init__(self, name: str, number: int, function: UsbFunction) -> None:
        self.name = name
        self.number = number
        self.function = function
        self.stalls = self.shorts = 0
        self.cuts = False
        self.drop: Callable[[], None] | None = None
        self._answers = asyncio.Event()
        self._answers.set()
        self._left: dict[int, bytes] = {}

    @property
    def identity(self) -> ExportedIdentity:
        """The identity of a device in a list."""
        of = self.function.descriptors
        return ExportedIdentity(f"{BUS}-{self.number}", BUS, self.number, of.speed, of.device, of.interfaces)

    def pull(self) -> None:
        """The host finds the device gone."""
        if self.drop is not None:
            self.drop()

    def nak(self, for_ever: bool) -> None:
        """Makes every transfer but a control transfer wait from now on, or no longer."""
        if for_ever:
            self._answers.clear()
        else:
            self._answers.set()

    def detached(self) -> None:
        """The host is gone."""
        self.drop = None
        self._left.clear()
        self.function.detach()

    async def transfer(self, request: TransferRequest) -> tuple[int, bytes]:
        """Returns the number of octets transferred, and those to the host. Raises TransferFailed, DevicePulled."""
        endpoint = request.endpoint
        if endpoint & 0x7F == 0:
            octets = await self.function.control(request.setup, request.octets)
            return len(octets) or len(request.octets), octets
        if self.cuts:
            self.cuts = False
            raise DevicePulled
        await self._answers.wait()
        if self.stalls:
            self.stalls -= 1
            self.function.halted.add(endpoint)
        if endpoint in self.function.halted:
            raise TransferFailed(BROKEN)
        return await (self._into(request) if endpoint & 0x80 else self._out(request))

    async def _out(self, request: TransferRequest) -> tuple[int, bytes]:
        octets = request.octets
        if self._is_short(octets):
            octets = octets[: len(octets) // 2]
        await self.function.out(request.endpoint, octets)
        return len(octets), b""

    async def _into(self, request: TransferRequest) -> tuple[int, bytes]:
        octets = self._left.pop(request.endpoint, b"") or await self.function.into(request.endpoint, request.size)
        if len(octets) > request.size:
            octets, self._left[request.endpoint] = octets[: request.size], octets[request.size :]
        if self._is_short(octets):
            half = len(octets) // 2
            octets, self._left[request.endpoint] = octets[:half], octets[half:]
        return len(octets), octets

    def _is_short(self, octets: bytes) -> bool:
        short = self.shorts > 0 and len(octets) > 1
        self.shorts -= short
        return short
