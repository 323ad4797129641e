"""Faults of a serial wire, seen from the host's end with raw reads of the pty."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from simulators.devices.line import SimulatedLine
from simulators.devices.wire_faults import LATE_SECONDS, WireFaults
from tests.made_up_time import unhurried, until

REPORT = bytes(range(1, 21))
PATIENCE_SECONDS = 60.0
BRIEFLY = 0.0002


class Line:
    """A serial line, the host's descriptor, and what was notified of its faults."""

    def __init__(self, directory: Path, listens: bool, baud: int = 115200, paced: bool = False) -> None:
        self.received: list[bytes] = []
        self.filmed: list[tuple[str, bool]] = []
        self.line = SimulatedLine(directory / "line", baud, paced, self.received.append, listens)
        self.line.faults.report = lambda kind, on: self.filmed.append((kind, on))
        self.line.open()
        self.host = self.open_host()

    def open_host(self) -> int:
        return os.open(self.line.link, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)

    async def reads(self, least: int = 0, seconds: float = 0.02) -> list[bytes]:
        """Whatever comes within the time, one item a read; a busy machine gets longer for `least` bytes."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        pieces: list[bytes] = []
        while (now := loop.time()) < deadline or (sum(map(len, pieces)) < least and now < deadline + PATIENCE_SECONDS):
            try:
                pieces.append(os.read(self.host, 65536))
            except BlockingIOError:
                await asyncio.sleep(0.0002)
        return pieces

    async def receives(self, reports: int) -> None:
        """The device has received so many."""
        await until(lambda: len(self.received) >= reports, BRIEFLY)


@asynccontextmanager
async def serial_line(directory: Path, listens: bool = False, **more: Any) -> AsyncIterator[Line]:
    wire = Line(directory, listens, **more)
    try:
        yield wire
    finally:
        os.close(wire.host)
        wire.line.close()


@unhurried
async def test_split_comes_in_two_reads(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.begin("split")
        wire.line.send(REPORT)
        pieces = await wire.reads(len(REPORT))
        assert len(pieces) == 2
        assert b"".join(pieces) == REPORT
        wire.line.faults.end("split")
        wire.line.send(REPORT)
        assert await wire.reads(len(REPORT)) == [REPORT]
        assert wire.filmed == [("split", True), ("split", False)]


@unhurried
async def test_bytewise_is_a_byte_at_a_time() -> None:
    pieces: list[bytes] = []
    faults = WireFaults(pieces.append)
    faults.begin("bytewise")
    faults.pass_on(REPORT)
    faults.end("bytewise")
    faults.pass_on(b"after")
    await until(lambda: b"after" in pieces, BRIEFLY)
    assert pieces == [bytes([byte]) for byte in REPORT] + [b"after"]


@unhurried
async def test_bytewise_keeps_its_order_on_the_wire(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.begin("bytewise")
        wire.line.send(REPORT)
        wire.line.faults.end("bytewise")
        wire.line.send(b"after")
        assert b"".join(await wire.reads(len(REPORT) + 5)) == REPORT + b"after"


@unhurried
async def test_babble_is_noise_around_whole_reports(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.begin("babble")
        noise = b"".join(await wire.reads(6))
        wire.line.send(REPORT)
        received = b"".join(await wire.reads(len(REPORT) + 6))
        assert REPORT in received
        assert len(noise) >= 6
        assert len(received) > len(REPORT) + 5
        wire.line.faults.end("babble")
        await wire.reads()  # what was reported before the end
        assert not await wire.reads(seconds=0.1)


@unhurried
async def test_corrupt_is_another_value_in_one_byte(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.spoil("corrupt", 2)
        for wrong in (1, 1, 0):
            wire.line.send(REPORT)
            received = b"".join(await wire.reads(len(REPORT)))
            assert len(received) == len(REPORT)
            assert sum(a != b for a, b in zip(received, REPORT, strict=True)) == wrong
        assert wire.filmed == [("corrupt", True)] * 2


@unhurried
async def test_lost_and_doubled_reports(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.spoil("lost")
        wire.line.send(b"one")
        wire.line.faults.spoil("doubled")
        wire.line.send(b"two")
        wire.line.send(b"three")
        assert b"".join(await wire.reads(11)) == b"twotwothree"
        wire.line.faults.spoil("lost")
        assert wire.line.faults.spare("lost")
        assert not wire.line.faults.spare("lost")
        wire.line.send(b"four")
        assert b"".join(await wire.reads(4)) == b"four"


@unhurried
async def test_late_is_late_and_never_overtaken(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.begin("late")
        wire.line.send(b"one")
        assert not await wire.reads(seconds=LATE_SECONDS - 0.05)
        wire.line.faults.end("late")
        wire.line.send(b"two")
        assert b"".join(await wire.reads(6)) == b"onetwo"


@unhurried
async def test_mute_is_an_open_port_and_silence(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.begin("mute")
        wire.line.send(REPORT)
        os.write(wire.host, b"are you there")
        await wire.receives(1)
        assert not await wire.reads()
        assert wire.received == [b"are you there"], "it receives, and does not answer"
        wire.line.faults.end("mute")
        assert not await wire.reads(), "what was sent meanwhile is lost"
        wire.line.send(REPORT)
        assert await wire.reads(len(REPORT)) == [REPORT]


@pytest.mark.parametrize("paced", [False, True])
@unhurried
async def test_unplugged_hangs_up_and_returns_under_the_same_name(tmp_path: Path, paced: bool) -> None:
    async with serial_line(tmp_path, paced=paced) as wire:
        name = os.readlink(wire.line.link)
        os.write(wire.host, b"half a comm")
        wire.line.send(REPORT)
        wire.line.unplug()
        wire.line.unplug()
        assert not wire.line.link.is_symlink()
        with pytest.raises(OSError, match=r"hang-up|Input/output") as hung_up:
            while os.read(wire.host, 100):
                pass
            raise OSError(5, "an empty read is a hang-up too")
        assert hung_up.value.errno == 5
        wire.line.send(REPORT)
        assert wire.line.lost_bytes >= len(REPORT)
        spare = os.openpty()  # so that the number changes
        wire.line.plug()
        assert wire.line.link.is_symlink()
        if os.readlink(wire.line.link) == name:
            assert name not in [os.ttyname(end) for end in spare], "free again, and taken again"
        os.close(wire.host)
        wire.host = wire.open_host()
        wire.line.send(REPORT)
        os.write(wire.host, b"hello")
        assert b"".join(await wire.reads(len(REPORT))) == REPORT
        await until(lambda: wire.received[-1:] == [b"hello"], BRIEFLY)
        assert wire.filmed == [("unplug", True), ("unplug", False)]
        for end in spare:
            os.close(end)


@unhurried
async def test_a_line_can_be_closed_while_it_is_unplugged(tmp_path: Path) -> None:
    async with serial_line(tmp_path) as wire:
        wire.line.faults.begin("late")
        wire.line.faults.begin("babble")
        wire.line.send(REPORT)
        wire.line.unplug()


@unhurried
async def test_a_device_that_only_listens_receives_badly(tmp_path: Path) -> None:
    async with serial_line(tmp_path, listens=True) as wire:
        wire.line.faults.spoil("lost")
        os.write(wire.host, b"one")
        await wire.reads()
        assert wire.received == []
        wire.line.faults.begin("bytewise")
        os.write(wire.host, b"two")
        await wire.receives(3)
        assert wire.received == [b"t", b"w", b"o"]
        wire.line.send(b"noise")
        assert await wire.reads(5) == [b"noise"], "what it says is no report of a device and comes whole"
        wire.line.faults.begin("babble")
        assert await wire.reads(3)
