"""The Numato driver against a scripted board on a pty."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp, NoiseReceived, SlotsRead
from drivers.numato.slots import Numato, NumatoTiming
from drivers.orders import LampStates, NoOrder
from tests.wire.conftest import Running, silence_is_blamed_on
from tests.wire.peer import Received

SEATS, BUTTON, OUTPUTS = (0, 1, 2), 14, (7, 8, 9, 15)
DIRECTIONS = 0xFFFF & ~sum(1 << line for line in OUTPUTS)
TIMING = NumatoTiming(drain=0.01, answer=0.1, silence=0.2)


class FarBoard:
    """Echoes, obeys and prompts. `delays` makes the next answers to a command late; None is never."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.levels = 0
        self.lit = 0
        self.mute = False
        self.commands: list[str] = []
        self.again: dict[str, bytes] = {}  # what the next answer to a command is followed by
        self.delays: dict[str, list[float | None]] = {}
        self._typed = b""
        self._free_at = 0.0  # a board answers in order
        peer.answer = self._receive

    def change(self, levels: int, notify: bool = True) -> None:
        if notify:
            self.peer.send(f"# {levels:04X} {self.levels:04X} {DIRECTIONS:04X}\n\r".encode())
        self.levels = levels

    def _receive(self, octets: bytes) -> None:
        *lines, self._typed = (self._typed + octets).split(b"\r")
        for line in lines:
            command = line.decode()
            self.commands.append(command)
            delays = self.delays.get(command, [])
            delay = delays.pop(0) if delays else 0.0
            if delay is None or self.mute:
                continue
            value = self._obey(command)
            answer = (command + "\n\r" + (value + "\n\r" if value else "") + ">").encode()
            answer += self.again.pop(command, b"")
            loop = asyncio.get_running_loop()
            self._free_at = max(self._free_at, loop.time() + delay)
            if self._free_at > loop.time():
                loop.call_at(self._free_at, self.peer.send, answer)
            else:
                self.peer.send(answer)

    def _obey(self, command: str) -> str | None:
        if command.startswith("gpio writeall "):
            self.lit = int(command.split()[2], 16)
        return {
            "gpio readall": f"{self.levels | self.lit:04x}",
            "ver": "00000008",
            "gpio notify on": "gpio notify enabled",
        }.get(command)


@pytest.fixture
def numato_at(quick: LinkTiming) -> Any:
    def build(port: Path, **seconds: Any) -> Numato:
        seconds = {"poll_seconds": 0.005, "lamps_again_seconds": 5.0, "timing": TIMING, **seconds}
        return Numato(port=str(port), seats=SEATS, button=BUTTON, lamps=OUTPUTS, link_timing=quick, **seconds)

    return build


def levels(*high: int) -> tuple[bool, ...]:
    return tuple(line in high for line in range(16))


def counters(**rises: int) -> tuple[int, ...]:
    return tuple(rises.get(f"line{line}", 0) for line in range(16))


@pytest.fixture
def board(peer: Any) -> FarBoard:
    return FarBoard(peer)


@pytest.fixture
async def received(board: FarBoard, numato_at: Any, running: Running) -> AsyncIterator[Received]:
    """What comes of a board that runs, after its first reading."""
    async with running(numato_at(board.peer.path)) as received:
        await received.until(lambda: received.of(SlotsRead))
        yield received


async def test_at_an_opening_the_board_is_set_up_and_read(peer: Any, numato_at: Any, running: Any) -> None:
    board = FarBoard(peer)
    board.levels = 0b1011  # line 3 is used for nothing
    peer.send(b"left over\n\r>")
    async with running(numato_at(peer.path)) as received:
        await received.until(lambda: received.of(SlotsRead))
        assert isinstance(received.messages[0], LinkUp)
        assert received.messages[1:] == [SlotsRead(levels(0, 1), counters())]
    assert board.commands[:6] == [
        "",
        "gpio iomask ffff",
        f"gpio iodir {DIRECTIONS:04x}",
        f"gpio iomask {0xFFFF & ~DIRECTIONS:04x}",
        "gpio notify on",
        "gpio readall",
    ]


async def test_levels_and_rises_are_reported_at_each_change(board: FarBoard, received: Received) -> None:
    board.change(0b001)
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    board.change(0b011, notify=False)
    await received.until(lambda: len(received.of(SlotsRead)) == 3)
    board.change(0b010)
    await received.until(lambda: len(received.of(SlotsRead)) == 4)
    await asyncio.sleep(0.05)
    assert received.of(SlotsRead)[1:] == [
        SlotsRead(levels(0), counters(line0=1), counters()),
        SlotsRead(levels(0, 1), counters(line0=1, line1=1), counters(line0=1)),
        SlotsRead(levels(1), counters(line0=1, line1=1), counters(line0=1, line1=1)),
    ]


async def test_a_chip_between_two_polls_is_counted(peer: Any, numato_at: Any, running: Any) -> None:
    board = FarBoard(peer)
    async with running(numato_at(peer.path, poll_seconds=0.05)) as received:
        await received.until(lambda: received.of(SlotsRead))
        board.change(0b100)
        board.change(0)
        await received.until(lambda: len(received.of(SlotsRead)) == 2)
        assert received.messages[-1] == SlotsRead(levels(), counters(line2=1), counters())


async def test_a_notification_inside_an_answer(peer: Any, board: FarBoard, received: Received) -> None:
    board.delays["gpio readall"] = [None]
    await received.until(lambda: not board.delays["gpio readall"])
    notice = f"# 0002 0000 {DIRECTIONS:04X}\n\r".encode()
    board.levels = 2
    peer.send(b"gpio readall\n\r00" + notice + b"02\n\r>")
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    assert received.messages[-1] == SlotsRead(levels(1), counters(line1=1), counters())
    assert not received.of(NoiseReceived, LinkLost)


async def test_art_10_3_a_chip_that_a_numato_board_senses_before_the_press_is_never_reported_after_it(
    peer: Any, numato_at: Any, running: Any
) -> None:
    board = FarBoard(peer)
    board.levels = 1  # the chip of the round before
    async with running(numato_at(peer.path)) as received:
        await received.until(lambda: received.of(SlotsRead))
        board.delays["gpio readall"] = [None]
        await received.until(lambda: not board.delays["gpio readall"])
        board.change(0)
        board.change(1)
        board.change(1 | 1 << BUTTON)
        peer.send(f"gpio readall\n\r{board.levels:04x}\n\r>".encode())
        await received.until(lambda: len(received.of(SlotsRead)) == 2)
        assert received.messages[-1] == SlotsRead(levels(0, BUTTON), counters(line0=1, line14=1), counters())


async def test_at_the_start_anyone_who_asks_waits_for_the_first_reading(
    peer: Any, numato_at: Any, running: Any
) -> None:
    FarBoard(peer).levels = 1
    numato = numato_at(peer.path)
    async with running(numato) as received:
        await numato.read_again()
        assert received.messages[-1] == SlotsRead(levels(0), counters())


async def test_anyone_who_asks_has_received_what_is_there_by_then(peer: Any, numato_at: Any, running: Any) -> None:
    board = FarBoard(peer)
    board.levels = 1
    numato = numato_at(peer.path, poll_seconds=5.0)
    async with running(numato) as received:
        await received.until(lambda: received.of(SlotsRead))
        board.change(0)
        board.change(1)
        await numato.read_again()
        assert received.messages[-1] == SlotsRead(levels(0), counters(line0=1), counters())
        board.mute = True
        await numato.read_again()
        assert received.of(LinkLost)


@pytest.mark.parametrize("place", [0, 15, 19])
async def test_a_notification_of_what_the_answer_does_not_show_yet(
    peer: Any, board: FarBoard, received: Received, place: int
) -> None:
    board.delays["gpio readall"] = [None]
    await received.until(lambda: not board.delays["gpio readall"])
    notice = f"# 0002 0000 {DIRECTIONS:04X}\n\r".encode()
    board.levels = 2
    old = b"gpio readall\n\r0000\n\r>"
    peer.send(old[:place] + notice + old[place:] if place < 19 else old + notice)
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    await asyncio.sleep(0.2)
    assert received.of(SlotsRead)[1:] == [SlotsRead(levels(1), counters(line1=1), counters())]


async def test_lamps_are_set_at_once_and_again_now_and_then(peer: Any, numato_at: Any, running: Any) -> None:
    board = FarBoard(peer)
    numato = numato_at(peer.path, lamps_again_seconds=0.1)
    async with running(numato) as received:
        await received.until(lambda: received.of(SlotsRead))
        assert not any(command.startswith("gpio writeall") for command in board.commands)
        numato.order(LampStates(levels(7, 15)))
        await received.until(lambda: board.lit == 0x8080)
        board.commands.clear()
        board.lit = 0  # the board has started again
        await received.until(lambda: board.lit == 0x8080)
        assert f"gpio iodir {DIRECTIONS:04x}" in board.commands
        numato.order(LampStates(levels()))
        await received.until(lambda: board.lit == 0)
        assert len(received.of(SlotsRead)) == 1  # outputs read back are no inputs


async def test_unplugged_and_back_counters_begin_again(peer: Any, numato_at: Any, running: Any) -> None:
    board = FarBoard(peer)
    numato = numato_at(peer.path)
    numato.order(LampStates(levels(8)))
    async with running(numato) as received:
        await received.until(lambda: board.lit == 0x100)
        board.change(1)
        await received.until(lambda: received.messages[-1] == SlotsRead(levels(0), counters(line0=1), counters()))
        peer.unplug()
        await received.until(lambda: received.of(LinkLost))
        board.lit = 0
        peer.plug()
        await received.until(lambda: board.lit == 0x100)
        assert received.messages[-1] == SlotsRead(levels(0), counters())
        assert len(received.of(LinkUp)) == 2


async def test_silence_is_blamed_on_the_device(board: FarBoard, received: Received) -> None:
    await silence_is_blamed_on(board, received)


async def test_what_is_no_such_board_is_silent(peer: Any, numato_at: Any, running: Any) -> None:
    peer.answer = lambda octets: peer.send(b"ERROR\r\n>")
    async with running(numato_at(peer.path)) as received:
        await received.until(lambda: received.of(LinkLost))
        assert not received.of(LinkUp)


async def test_an_absent_board_is_a_state(tmp_path: Path, numato_at: Any, running: Any) -> None:
    async with running(numato_at(tmp_path / "nothing")) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost(f"no device at {tmp_path}/nothing", "unplugged")]


@pytest.mark.parametrize("delay", [None, 0.07, 0.17, 0.27])
async def test_a_lost_or_late_answer_answers_no_other_question(
    board: FarBoard, received: Received, delay: float | None
) -> None:
    board.delays["gpio readall"] = [delay]
    await received.until(lambda: not board.delays["gpio readall"])
    board.change(1, notify=False)
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    board.change(3, notify=False)
    await received.until(lambda: len(received.of(SlotsRead)) == 3)
    await asyncio.sleep(0.3)
    assert received.of(SlotsRead)[1:] == [
        SlotsRead(levels(0), counters(line0=1), counters()),
        SlotsRead(levels(0, 1), counters(line0=1, line1=1), counters(line0=1)),
    ]
    assert not received.of(LinkLost)


async def test_a_doubled_answer_is_noise(board: FarBoard, received: Received) -> None:
    board.again["gpio readall"] = b"gpio readall\n\r0007\n\r>"
    await received.until(lambda: received.of(NoiseReceived))
    board.change(2)
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    assert received.messages[-1] == SlotsRead(levels(1), counters(line1=1), counters()) and not received.of(LinkLost)


def test_mistakes_are_refused_at_once(numato_at: Any) -> None:
    numato = numato_at(Path("nowhere"))
    with pytest.raises(ValueError, match="8 lamps, not 16"):
        numato.order(LampStates((True,) * 8))
    with pytest.raises(ValueError, match="lines 0001 have no lamp"):
        numato.order(LampStates(levels(0, 7)))
    with pytest.raises(TypeError, match="slots cannot be ordered"):
        numato.order(NoOrder())
    with pytest.raises(ValueError, match="line 16"):
        Numato(port="nowhere", seats=[16], button=1, lamps=[])
    with pytest.raises(ValueError, match="both"):
        Numato(port="nowhere", seats=[1], button=2, lamps=[2])
