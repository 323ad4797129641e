"""The simulated Numato board, worked by someone else's client of the real one, and by a terminal."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from simulators.devices import numato
from simulators.devices.line import SimulatedLine
from simulators.devices.numato import Numato
from simulators.pace import pace_from_text
from tests.made_up_time import in_made_up_time


@asynccontextmanager
async def plugged(directory: Path, speed: str = "max") -> AsyncIterator[tuple[Numato, list[tuple[int, bool]]]]:
    lamps: list[tuple[int, bool]] = []
    pace = pace_from_text(speed)
    lines: list[SimulatedLine] = []
    board = Numato(pace, lambda chunk: lines[0].send(chunk), lambda line, on: lamps.append((line, on)))
    lines.append(SimulatedLine(directory / "slots", numato.BAUD, pace.wires, board.receive))
    lines[0].open()
    try:
        yield board, lamps
    finally:
        lines[0].close()


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the client is not made for this Python")
@pytest.mark.parametrize("speed", ["max", "device"])
async def test_the_published_client_finds_sixteen_ports_and_works_them(tmp_path: Path, speed: str) -> None:
    import numato_gpio

    readings: list[tuple[int, int]] = []

    def work(board: Numato, sense: Any) -> None:
        client = numato_gpio.NumatoUsbGpio(str(tmp_path / "slots"))
        try:
            assert (client.spec.ports, client.id, client.ver) == (16, 1, numato.VERSION)
            assert client.readall() == 0
            sense(3, True)
            sense(15, True)
            assert client.readall() == 0x8008 and client.read(3) == 1 and client.read(4) == 0
            for line in (8, 15):
                client.setup(line, direction=numato_gpio.Direction.OUT)
            client.write(8, value=1)
            client.write(15, value=1)
            assert [line for line, on in enumerate(board.relays) if on] == [8, 15]
            client.write(8, value=0)
            assert [line for line, on in enumerate(board.relays) if on] == [15]
            client.add_event_detect(5, lambda port, level: readings.append((port, level)))
            client.notify = True
            sense(5, True)
            sense(5, False)
            sense(6, True)  # no one asked to receive it
            assert client.readall() & 0x7FFF == 0x0048
            client.notify = False
            sense(5, True)
            assert client.readall() & 0x7FFF == 0x0068
        finally:
            client.cleanup()

    async with plugged(tmp_path, speed) as (board, lamps):
        loop = asyncio.get_running_loop()

        def sense(number: int, level: bool) -> None:
            async def now() -> None:
                board.sense(number, level)

            asyncio.run_coroutine_threadsafe(now(), loop).result(2)

        await asyncio.to_thread(work, board, sense)
        assert readings == [(5, 1), (5, 0)]
        assert board.relays == [False] * 16, "the client leaves all lines as inputs"
        assert lamps == [(8, True), (15, True), (8, False), (15, False)]


class Terminal:
    """The board without a wire: what is typed, and what it prints."""

    def __init__(self) -> None:
        self.printed = b""
        self.board = Numato(pace_from_text("max"), self._print)

    def type(self, line: str) -> str:
        self.printed = b""
        self.board.receive(line.encode() + b"\r")
        return self.printed.decode()

    def _print(self, chunk: bytes) -> None:
        self.printed += chunk


def test_echo_value_and_prompt() -> None:
    terminal = Terminal()
    assert terminal.type("gpio readall") == "gpio readall\n\r0000\n\r>"
    assert terminal.type("gpio iomask ffff") == "gpio iomask ffff\n\r>"
    assert terminal.type("gpio notify get") == "gpio notify get\n\rgpio notify disabled\n\r>"
    assert terminal.type("id set 0000beef") == "id set 0000beef\n\r>"
    assert terminal.type("id get") == "id get\n\r0000beef\n\r>"
    assert terminal.type("") == "\n\r>"
    for nonsense in ("gpio readal", "gpio set g", "gpio iodir fff", "gpio writeall 10000"):
        assert terminal.type(nonsense) == f"{nonsense}\n\r>"


def test_the_mask_shields_directions_and_outputs() -> None:
    terminal = Terminal()
    terminal.type("gpio iomask ff00")
    terminal.type("gpio iodir 0000")
    terminal.type("gpio writeall ffff")
    assert terminal.board.relays == [False] * 8 + [True] * 8
    terminal.type("gpio iomask 8000")
    terminal.type("gpio writeall 0000")
    assert terminal.board.relays == [False] * 8 + [True] * 7 + [False]
    assert terminal.type("gpio readall") == "gpio readall\n\r7f00\n\r>"


def test_single_lines_are_hexadecimal_digits() -> None:
    terminal = Terminal()
    terminal.type("gpio iodir 0000")
    terminal.type("gpio set F")
    assert terminal.board.relays[15] and terminal.type("gpio read f").endswith("\n\r1\n\r>")
    terminal.type("gpio clear F")
    assert not terminal.board.relays[15]


@in_made_up_time
async def test_a_notification_breaks_into_the_answer_that_is_being_printed() -> None:
    terminal = Terminal()
    terminal.type("gpio notify on")
    terminal.board.sense(0, True)
    assert terminal.type("gpio readall") == "gpio readall\n\r000# 0001 0000 FFFF\n\r1\n\r>"
    terminal.printed = b""
    terminal.board.sense(0, False)
    await asyncio.sleep(0.01)
    assert terminal.printed == b"# 0000 0001 FFFF\n\r"
    terminal.board.sense(0, False)
    terminal.type("gpio iodir fffe")
    terminal.board.sense(0, True)  # an output by now
    await asyncio.sleep(0.01)
    assert b"#" not in terminal.printed


def test_without_power_everything_is_forgotten() -> None:
    terminal = Terminal()
    terminal.type("gpio iodir 0000")
    terminal.type("gpio writeall 0001")
    terminal.type("gpio notify on")
    terminal.board.levels[4] = True
    terminal.board.lose_power()
    assert terminal.board.relays == [False] * 16 and not terminal.board.notify
    assert terminal.type("gpio readall") == "gpio readall\n\r0010\n\r>"
