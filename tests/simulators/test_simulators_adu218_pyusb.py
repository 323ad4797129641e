"""The simulated ADU218, reached by the real pyusb through the bench's backend."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import usb.core
import usb.util

from simulators.devices.adu218 import Adu218
from simulators.devices.usb_port import SimulatedUsbPort
from simulators.pace import Pace, pace_from_text
from simulators.usb_backend import open_backend


class Client:
    """What a driver does, in a thread of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.device: Any = None

    async def open(self) -> "Client":
        await asyncio.to_thread(self._open)
        return self

    def _open(self) -> None:
        self.device = usb.core.find(backend=open_backend(str(self.path)), idVendor=0x0A07, idProduct=0x00DA)
        assert self.device is not None
        if self.device.is_kernel_driver_active(0):
            self.device.detach_kernel_driver(0)
        self.device.set_configuration()
        usb.util.claim_interface(self.device, 0)

    async def send(self, command: str) -> None:
        assert await asyncio.to_thread(self.device.write, 0x01, (b"\x01" + command.encode()).ljust(8, b"\0"), 100) == 8

    async def read(self, timeout: int = 100) -> bytes:
        return bytes(await asyncio.to_thread(self.device.read, 0x81, 8, timeout))

    async def ask(self, command: str) -> str:
        await self.send(command)
        report = await self.read()
        assert len(report) == 8
        assert report[0] == 1
        return report[1:].rstrip(b"\0").decode()

    async def close(self) -> None:
        await asyncio.to_thread(usb.util.dispose_resources, self.device)


@asynccontextmanager
async def plugged(
    directory: Path, pace: Pace | None = None
) -> AsyncIterator[tuple[Adu218, SimulatedUsbPort, Client, list[tuple[int, bool]]]]:
    lamps: list[tuple[int, bool]] = []
    adu = Adu218(pace or pace_from_text("max"), lambda relay, closed: lamps.append((relay, closed)))
    port = SimulatedUsbPort(adu, directory / "usb.sock")
    await port.open()
    client = await Client(directory / "usb.sock").open()
    try:
        yield adu, port, client, lamps
    finally:
        await client.close()
        await port.close()


async def test_re2_answers_10449_as_in_the_published_transcript(tmp_path: Path) -> None:
    async with plugged(tmp_path) as (adu, _, client, _lamps):
        adu.counters[2] = 10449
        await client.send("RE2")
        assert await client.read() == b"\x0110449\0\0"


async def test_strings_and_descriptors_are_the_devices(tmp_path: Path) -> None:
    async with plugged(tmp_path) as (_adu, _port, client, _lamps):
        assert await asyncio.to_thread(usb.util.get_string, client.device, 2) == "ADU218 USB Relay I/O Interface"
        assert "0x81" in str(client.device)


async def test_the_kernel_has_the_interface_until_it_is_detached(tmp_path: Path) -> None:
    adu = Adu218(pace_from_text("max"))
    port = SimulatedUsbPort(adu, tmp_path / "usb.sock")
    await port.open()

    def first_contact() -> None:
        device = usb.core.find(backend=open_backend(str(tmp_path / "usb.sock")), idVendor=0x0A07, idProduct=0x00DA)
        assert device.is_kernel_driver_active(0)
        with pytest.raises(usb.core.USBError) as busy:
            device.set_configuration()
        assert busy.value.errno == 16
        device.detach_kernel_driver(0)
        assert not device.is_kernel_driver_active(0)
        device.set_configuration()
        usb.util.dispose_resources(device)

    await asyncio.to_thread(first_contact)
    await port.close()


async def test_relays_inputs_and_counters(tmp_path: Path) -> None:
    async with plugged(tmp_path) as (adu, _, client, lamps):
        await client.send("SK3")
        await client.send("MK129")
        assert await client.ask("PK") == "129"
        assert await client.ask("RPK7") == "1"
        await client.send("RK7")
        assert await client.ask("RPK7") == "0"
        assert lamps == [(3, True), (0, True), (3, False), (7, True), (7, False)]
        adu.sense(0, True)
        adu.sense(7, True)
        adu.sense(7, True)
        assert await client.ask("PI") == "129"
        adu.sense(7, False)
        adu.sense(7, True)
        assert await client.ask("RE7") == "00002", "rising edges, level or not"
        assert await client.ask("RC7") == "00002"
        assert await client.ask("RE7") == "00000"
        adu.counters[1] = 65535
        adu.sense(1, True)
        assert await client.ask("RE1") == "00000", "wraps at 65535"


async def test_settings_are_kept_and_nonsense_is_silence(tmp_path: Path) -> None:
    async with plugged(tmp_path) as (_adu, _, client, _lamps):
        await client.send("DB2")
        assert await client.ask("DB") == "2"
        for nonsense in ("XX", "RE9", "MK999", "SK", "WD7"):
            await client.send(nonsense)
        with pytest.raises(usb.core.USBTimeoutError) as late:
            await client.read(20)
        assert (late.value.backend_error_code, late.value.errno) == (-7, 110)


async def test_a_late_answer_waits_for_anyone_who_reads_next(tmp_path: Path) -> None:
    async with plugged(tmp_path) as (adu, _, client, _lamps):
        adu.counters[4] = 4
        await client.send("RE4")
        successor = await Client(tmp_path / "usb.sock").open()
        assert await successor.read() == b"\x0100004\0\0"
        with pytest.raises(usb.core.USBError) as gone:
            await client.read()
        assert (gone.value.backend_error_code, gone.value.errno) == (-4, 19)
        with pytest.raises(usb.core.USBError):
            await client.send("SK0")
        assert not adu.relays[0]
        assert await successor.ask("PI") == "000"
        await successor.close()


async def test_unplugged_is_no_such_device_and_its_power_is_gone(tmp_path: Path) -> None:
    async with plugged(tmp_path) as (adu, port, client, lamps):
        await client.send("SK7")
        adu.sense(2, True)
        port.unplug()
        with pytest.raises(usb.core.USBError) as gone:
            await client.send("PI")
        assert gone.value.errno == 19
        found = await asyncio.to_thread(usb.core.find, backend=open_backend(str(tmp_path / "usb.sock")))
        assert found is None
        assert lamps == [(7, True), (7, False)]
        port.plug()
        again = await Client(tmp_path / "usb.sock").open()
        assert await again.ask("RE2") == "00000"
        assert await again.ask("PI") == "004", "the chip is still there"
        await again.close()


async def test_a_bench_that_is_gone_is_a_device_that_is_gone(tmp_path: Path) -> None:
    async with plugged(tmp_path) as (_adu, port, client, _lamps):
        await port.close()
        with pytest.raises(usb.core.USBError) as gone:
            await client.send("PI")
        assert gone.value.errno == 19
        assert await asyncio.to_thread(usb.core.find, backend=open_backend(str(tmp_path / "nothing.sock"))) is None


async def test_at_device_timing_a_round_trip_takes_sixteen_milliseconds(tmp_path: Path) -> None:
    async with plugged(tmp_path, pace_from_text("device")) as (_adu, _, client, _lamps):
        began = asyncio.get_running_loop().time()
        await client.ask("PI")
        assert asyncio.get_running_loop().time() - began >= 0.015
