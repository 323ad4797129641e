"""The simulated shoe: its serial line, which loses where a wire would, and the golden frames of the Angel Eye II-EX."""

import asyncio
import fcntl
import os
import struct
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import serial

from simulators.devices.line import SimulatedLine
from simulators.devices.shoe import Shoe
from simulators.felt.cards import card_from_text
from simulators.felt.deck import SHOE
from simulators.pace import Pace, pace_from_text
from tests.made_up_time import in_made_up_time, unhurried
from tests.simulators.decks import Deck


async def test_pyserial_opens_it_raw_and_it_outlives_its_hosts(tmp_path: Path) -> None:
    received = asyncio.StreamReader()
    line = SimulatedLine(tmp_path / "shoe", 4800, False, received.feed_data)
    line.open()
    every_byte = bytes(range(256))
    for _ in range(2):
        with serial.Serial(str(tmp_path / "shoe"), 4800, timeout=0, exclusive=True) as host:
            host.write(every_byte)
            line.send(every_byte)
            assert host.read(1000) == every_byte
            assert await received.readexactly(256) == every_byte
    assert (tmp_path / "shoe").is_symlink()
    line.close()
    assert not (tmp_path / "shoe").is_symlink()


async def test_what_no_one_reads_is_lost_and_what_was_sent_to_a_closed_port_is_gone(tmp_path: Path) -> None:
    line = SimulatedLine(tmp_path / "shoe", 4800, False, lambda chunk: None)
    line.open()
    for _ in range(400):
        line.send(b"x" * 100)
        await asyncio.sleep(0)
    assert line.lost_bytes > 20000
    with serial.Serial(str(tmp_path / "shoe"), 4800, timeout=0, exclusive=True) as host:
        line.send(b"now")
        received = host.read(65536)
        assert received == b"now"
    line.close()


async def test_what_was_sent_is_at_the_host_before_anything_else_is_sent(tmp_path: Path) -> None:
    """Else a card would be reported on the wire after a question on another one that was asked later."""
    line = SimulatedLine(tmp_path / "shoe", 4800, False, lambda chunk: None)
    line.open()
    with serial.Serial(str(tmp_path / "shoe"), 4800, timeout=0, exclusive=True) as host:
        for _ in range(2000):
            line.send(b"a card")
            waiting = struct.unpack("i", fcntl.ioctl(host.fileno(), termios.FIONREAD, b"\0\0\0\0"))[0]
            assert waiting == 6
            assert host.read(100) == b"a card"
            await asyncio.sleep(0)
    line.close()


@unhurried
async def test_a_paced_line_takes_its_time_both_ways(tmp_path: Path) -> None:
    arrived: list[float] = []
    loop = asyncio.get_running_loop()
    line = SimulatedLine(tmp_path / "shoe", 4800, True, lambda chunk: arrived.append(loop.time()))
    line.open()
    host = os.open(tmp_path / "shoe", os.O_RDWR | os.O_NONBLOCK)
    began = loop.time()
    line.send(b"a" * 24)
    os.write(host, b"b" * 24)
    received = b""
    chunks = 0
    while len(received) < 24:
        await asyncio.sleep(0.002)
        try:
            received += os.read(host, 100)
            chunks += 1
        except BlockingIOError:
            pass
    assert loop.time() - began >= 0.048, "24 bytes at 480 a second"
    assert chunks > 3, "a frame comes in pieces"
    await asyncio.sleep(0.01)
    assert arrived[0] - began >= 0.049
    os.close(host)
    line.close()


EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 b8 03 34 46")
LOCKED = bytes.fromhex("05 35 4c 81 03 46 42")
START = bytes.fromhex("05 43 53 03 31 33")
LOCK_COMMAND = bytes.fromhex("02 4f 50 4c 4b 30 32 03 31 42")
UNLOCK_COMMAND = bytes.fromhex("02 4f 50 4c 4b 30 31 03 31 38")


class Bench:
    """A running shoe and what it has put on its wire."""

    def __init__(self, pace: Pace) -> None:
        self.deck = Deck(SHOE)
        self.sent: list[bytes] = []
        self.rings = 0
        self.third_copy = asyncio.Event()
        self.shoe = Shoe(self.deck, pace, self._transmit, self._ring)

    def _transmit(self, frame: bytes) -> None:
        self.sent.append(frame)
        if len(self.sent) == 3:
            self.third_copy.set()

    def _ring(self) -> None:
        self.rings += 1

    def load(self, first: str, cut_card_before_last: int | None = None) -> None:
        wanted = [card_from_text(text) for text in first.split()]
        self.shoe.load(wanted + [card for card in self.deck.at(SHOE) if card not in wanted], cut_card_before_last)

    @property
    def cut_card(self) -> tuple[int, bool]:
        """How many cards are in the shoe, and whether the cut card has come out."""
        return self.deck.count(SHOE), self.shoe.cut_card_out

    async def draw(self, count: int = 1) -> list[bytes]:
        """Draw cards; what went over the wire since."""
        for _ in range(count):
            await self.shoe.draw("seat 1")
        return await self.taken()

    async def taken(self) -> list[bytes]:
        for _ in range(3):
            await asyncio.sleep(0)
        taken = list(self.sent)
        self.sent.clear()
        return taken


@asynccontextmanager
async def shoe(pace: Pace | None = None) -> AsyncIterator[Bench]:
    bench = Bench(pace or pace_from_text("max"))
    task = asyncio.create_task(bench.shoe.run())
    await asyncio.sleep(0)
    try:
        yield bench
    finally:
        task.cancel()


async def test_start_report_and_every_report_three_times() -> None:
    async with shoe() as bench:
        assert await bench.taken() == [START] * 3
        bench.load("8s")
        assert await bench.draw() == [EIGHT_OF_SPADES] * 3


async def test_the_sequence_goes_from_nine_to_one() -> None:
    async with shoe() as bench:
        await bench.taken()
        frames = await bench.draw(11)
        assert [chr(frame[1]) for frame in frames[::3]] == list("12345678912")


async def test_suits_and_ranks_have_the_shoes_own_numbers() -> None:
    async with shoe() as bench:
        await bench.taken()
        bench.load("Ad Kc Ts 2h")
        assert [frame[4] for frame in (await bench.draw(4))[::3]] == [0x91, 0xAD, 0xBA, 0xC2]


async def test_the_cut_card_comes_out_once_before_the_last_twelve_cards() -> None:
    async with shoe() as bench:
        await bench.taken()
        bench.load("8s", 12)
        assert [chr(frame[2]) for frame in (await bench.draw(40))[::3]] == ["D"] * 40
        assert bench.cut_card == (12, False)
        assert (await bench.draw())[::3][0] == b"\x05\x35C\x0375", "number 5, no content"
        assert bench.cut_card == (11, True)
        assert [chr(frame[2]) for frame in (await bench.draw(11))[::3]] == ["D"] * 11
        assert bench.cut_card == (0, True), "until the shoe is loaded again"
        bench.deck.gather(["seat 1"], SHOE)
        bench.shoe.load(bench.deck.at(SHOE), 12)
        assert bench.cut_card == (52, False)
        await bench.draw(41)
        assert bench.cut_card == (11, True)


async def test_a_shoe_without_a_cut_card_never_reports_one() -> None:
    async with shoe() as bench:
        await bench.taken()
        bench.load("8s", 12)
        bench.load("8s")
        assert b"C" not in {frame[2:3] for frame in await bench.draw(52)}
        assert not bench.shoe.cut_card_out


async def test_lock_is_acknowledged_reported_once_and_a_card_drawn_locked_says_so() -> None:
    async with shoe() as bench:
        await bench.taken()
        await bench.draw(4)
        for byte in LOCK_COMMAND:
            bench.shoe.receive(bytes([byte]))
        assert await bench.taken() == [b"\x06", *[LOCKED] * 3]
        assert bench.shoe.locked
        assert bench.rings == 1
        assert (await bench.draw())[0][2:4] == b"d\x85", "kind 0: locked"
        bench.shoe.receive(LOCK_COMMAND)
        assert await bench.taken() == [b"\x06"], "already locked: nothing to report"
        bench.shoe.receive(b"noise" + UNLOCK_COMMAND)
        assert (await bench.taken())[1][2:4] == b"L\x80"


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (LOCK_COMMAND[:8] + b"FF", 0x02),
        (LOCK_COMMAND[:7] + b"\x04" + LOCK_COMMAND[8:], 0x03),
        (b"\x02OPXX02\x03" + b"%02X" % (2 ^ 0x4F ^ 0x50 ^ 0x58 ^ 0x58 ^ 0x30 ^ 0x32 ^ 3), 0x13),
        (b"\x02OPLKzz\x03" + b"%02X" % (2 ^ 0x4F ^ 0x50 ^ 0x4C ^ 0x4B ^ 3), 0x11),
    ],
)
async def test_a_bad_command_is_refused_with_its_code(frame: bytes, code: int) -> None:
    async with shoe() as bench:
        await bench.taken()
        bench.shoe.receive(frame)
        assert await bench.taken() == [bytes([0x15, code])]


@in_made_up_time
async def test_at_device_timing_the_copies_are_fifty_milliseconds_apart() -> None:
    async with shoe(Pace(0, 0, True)) as bench:
        began = asyncio.get_running_loop().time()
        async with asyncio.timeout(2):
            await bench.third_copy.wait()
        assert asyncio.get_running_loop().time() - began == pytest.approx(0.1)
