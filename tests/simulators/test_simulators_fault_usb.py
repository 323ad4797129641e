"""Faults of the slots' USB wire, seen from the host's end through pyusb."""

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
from simulators.devices.wire_faults import LATE_SECONDS
from simulators.pace import pace_from_text
from simulators.usb_backend import open_backend
from tests.made_up_time import unhurried

LATEST = 10_000  # milliseconds: what is due comes, and a busy machine brings it late


class Slots:
    """An ADU218 in its port, and a host that reads it with pyusb."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "usb.sock"
        self.filmed: list[tuple[str, bool]] = []
        self.lamps: list[tuple[int, bool]] = []
        self.adu = Adu218(pace_from_text("max"), lambda relay, on: self.lamps.append((relay, on)))
        self.port = SimulatedUsbPort(self.adu, self.path)
        self.port.faults.report = lambda kind, on: self.filmed.append((kind, on))
        self.device: Any = None

    def open(self) -> None:
        if self.device is not None:
            usb.util.dispose_resources(self.device)
        self.device = usb.core.find(backend=open_backend(str(self.path)), idVendor=0x0A07, idProduct=0x00DA)
        self.device.detach_kernel_driver(0)
        self.device.set_configuration()

    async def send(self, command: str) -> None:
        await asyncio.to_thread(self.device.write, 0x01, (b"\x01" + command.encode()).ljust(8, b"\0"), 100)

    async def reads(self, timeout: int = 50) -> list[bytes]:
        reports = []
        while True:
            try:
                reports.append(bytes(await asyncio.to_thread(self.device.read, 0x81, 8, timeout)))
            except usb.core.USBTimeoutError:
                return reports

    async def read(self, octets: int) -> list[bytes]:
        """The reports that so many octets come in, however late."""
        reports: list[bytes] = []
        while sum(map(len, reports)) < octets:
            reports.append(bytes(await asyncio.to_thread(self.device.read, 0x81, 8, LATEST)))
        return reports

    async def ask(self, command: str = "PI", timeout: int = 50) -> list[bytes]:
        await self.send(command)
        return await self.reads(timeout)


@asynccontextmanager
async def plugged(directory: Path) -> AsyncIterator[Slots]:
    slots = Slots(directory)
    await slots.port.open()
    await asyncio.to_thread(slots.open)
    try:
        yield slots
    finally:
        await asyncio.to_thread(usb.util.dispose_resources, slots.device)
        await slots.port.close()


ANSWER = b"\x01000\0\0\0\0"


async def test_usb_answers_in_pieces_are_short_transfers(tmp_path: Path) -> None:
    async with plugged(tmp_path) as slots:
        for kind, count in (("split", 2), ("bytewise", 8)):
            slots.port.faults.begin(kind)
            await slots.send("PI")
            pieces = await slots.read(len(ANSWER))
            assert len(pieces) == count
            assert b"".join(pieces) == ANSWER
            slots.port.faults.end(kind)
        await slots.send("PI")
        assert await slots.read(len(ANSWER)) == [ANSWER]


async def test_usb_answers_lost_doubled_and_corrupted_so_that_it_shows(tmp_path: Path) -> None:
    async with plugged(tmp_path) as slots:
        for kind in ("lost", "doubled", "corrupt"):
            slots.port.faults.spoil(kind)
        assert await slots.ask() == []
        wrong, twice = await slots.ask()
        assert wrong == twice
        assert sum(a != b for a, b in zip(wrong, ANSWER, strict=True)) == 1
        assert any(byte & 0x80 for byte in wrong), "no digit has become another digit"
        assert await slots.ask() == [ANSWER]


@unhurried
async def test_usb_late_mute_and_babble(tmp_path: Path) -> None:
    async with plugged(tmp_path) as slots:
        slots.port.faults.begin("late")
        began = asyncio.get_running_loop().time()
        await slots.send("PI")
        assert await slots.read(len(ANSWER)) == [ANSWER]
        assert asyncio.get_running_loop().time() - began >= LATE_SECONDS
        slots.port.faults.end("late")
        slots.port.faults.begin("mute")
        assert await slots.ask("SK3") == await slots.ask() == []
        assert slots.adu.relays[3], "it receives"
        slots.port.faults.end("mute")
        slots.port.faults.begin("babble")
        await asyncio.sleep(0.1)
        slots.port.faults.end("babble")
        noise = await slots.reads()
        assert noise
        assert all(len(report) < 8 for report in noise)


async def test_usb_restart_is_a_power_loss_and_the_device_is_back_soon(tmp_path: Path) -> None:
    async with plugged(tmp_path) as slots:
        await slots.send("SK7")
        slots.adu.counters[2] = 9
        slots.port.restart()
        assert slots.lamps == [(7, True), (7, False)]
        with pytest.raises(usb.core.USBError) as gone:
            await slots.send("PI")
        assert gone.value.errno == 19
        await asyncio.sleep(0.3)
        await asyncio.to_thread(slots.open)
        assert await slots.ask("RE2") == [b"\x0100000\0\0"]
        assert slots.filmed == [("restart", True)]


async def test_usb_unplugged_forgets_what_was_on_its_way(tmp_path: Path) -> None:
    async with plugged(tmp_path) as slots:
        slots.port.faults.begin("late")
        await slots.send("PI")
        slots.port.unplug()
        slots.port.faults.end("late")
        slots.port.plug()
        await asyncio.to_thread(slots.open)
        assert await slots.reads(400) == []
        assert slots.filmed == [("late", True), ("unplug", True), ("late", False), ("unplug", False)]


async def test_usb_pulled_during_a_restart_stays_pulled(tmp_path: Path) -> None:
    async with plugged(tmp_path) as slots:
        slots.port.restart()
        slots.port.unplug()
        await asyncio.sleep(0.3)
        assert await asyncio.to_thread(usb.core.find, backend=open_backend(str(slots.path))) is None
        slots.port.plug()
        await asyncio.to_thread(slots.open)
        assert await slots.ask() == [ANSWER]
