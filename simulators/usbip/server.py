"""The exporting side of USB/IP on 127.0.0.1: the list of devices, an import, and the transfers of its host."""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable

from simulators.usbip import packets
from simulators.usbip.cables import TransferFailed
from simulators.usbip.exported import DevicePulled, ExportedDevice
from simulators.usbip.packets import BadPacket, TransferRequest

NOT_AVAILABLE = 1


class UsbIpServer:
    """`devices` are those that are plugged in. `observed` is called with the name of a device, what happened, and its
    values.
    """

    def __init__(self, devices: Callable[[], Iterable[ExportedDevice]], observed: Callable[..., None]) -> None:
        self._devices = devices
        self._observed = observed
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    async def open(self, port: int) -> int:
        """Begin to listen; returns the port: a free one for 0."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def close(self) -> None:
        """Hang up on every host."""
        if self._server is not None:
            self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            await self._answer(reader, writer)
        except (OSError, EOFError, BadPacket, asyncio.CancelledError):
            pass
        finally:
            self._serving.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, code, _ = packets.OPERATION.unpack(await reader.readexactly(packets.OPERATION.size))
        if code == packets.ASK_LIST:
            writer.write(packets.device_list([device.identity for device in self._devices() if device.drop is None]))
            await writer.drain()
        elif code == packets.ASK_IMPORT:
            bus_id = (await reader.readexactly(packets.BUS_ID_BYTES)).split(b"\0")[0].decode("latin-1")
            free = [device for device in self._devices() if device.drop is None and device.identity.bus_id == bus_id]
            if not free:
                writer.write(packets.operation(packets.ANSWER_IMPORT, NOT_AVAILABLE))
                await writer.drain()
                return
            await self._imported(free[0], reader, writer)
        else:
            raise BadPacket(f"operation {code:04x}")

    async def _imported(
        self, device: ExportedDevice, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        transfers = HostTransfers(device, writer)
        device.drop = transfers.hang_up
        try:
            await device.function.attach()
            writer.write(packets.operation(packets.ANSWER_IMPORT) + device.identity.octets)
            self._observed(device.name, "attached")
            await transfers.run(reader)
        except TransferFailed:
            writer.write(packets.operation(packets.ANSWER_IMPORT, NOT_AVAILABLE))
        finally:
            transfers.close()
            device.detached()
            self._observed(device.name, "detached")


class HostTransfers:
    """The transfers of one host on one device; those of an endpoint are done in turn, unless they are cancelled."""

    def __init__(self, device: ExportedDevice, writer: asyncio.StreamWriter) -> None:
        self._device = device
        self._writer = writer
        self._turns: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pending: dict[int, asyncio.Task[None]] = {}

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Serve the host until it hangs up. Raises OSError, EOFError, BadPacket."""
        while True:
            *head, rest = packets.COMMAND.unpack(await reader.readexactly(packets.COMMAND.size))
            if head[0] == packets.SUBMIT:
                request, follow = packets.read_submit(tuple(head), rest)
                if follow:
                    request = TransferRequest(
                        request.sequence, request.endpoint, follow, request.setup, await reader.readexactly(follow)
                    )
                task = asyncio.create_task(self._transfer(request))
                self._pending[request.sequence] = task
            elif head[0] == packets.UNLINK:
                task_taken = self._pending.pop(int.from_bytes(rest[:4], "big"), None)
                if task_taken is not None:
                    task_taken.cancel()
                self._writer.write(packets.unlinked(head[1], task_taken is not None))
            else:
                raise BadPacket(f"command {head[0]}")

    def hang_up(self) -> None:
        """The host finds the device gone, and gets no more answers from it."""
        self.close()
        self._writer.transport.abort()

    def close(self) -> None:
        """End the transfers."""
        for task in self._pending.values():
            task.cancel()
        self._pending.clear()

    async def _transfer(self, request: TransferRequest) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            async with self._turns[request.endpoint]:
                try:
                    count, octets = await self._device.transfer(request)
                    answer = packets.submitted(request, 0, count, octets)
                except TransferFailed as failure:
                    answer = packets.submitted(request, failure.status, 0)
                except DevicePulled:
                    self.hang_up()
                    return
            if self._pending.pop(request.sequence, None) is not None:
                self._writer.write(answer)
