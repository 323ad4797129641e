"""The board as it is inside, on the bench. It shares no code with the driver, so that a mistake is made once only."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simulators.devices.line import SimulatedLine
from simulators.devices.make import PlacedBoard, SimulatedSlotsMake, input_of_seat, seats_toml
from simulators.devices.spoiling import Report
from simulators.pace import Pace

BAUD = 9600
TOML = """\
[devices.slots]
driver = "plain-board"
port = "slots"
button_input = 7
lock_lamp = 7

"""


class SimulatedBoard:
    """Answers every line whose checksum is right, and is silent to any other."""

    def __init__(self, transmit: Callable[[bytes], None], lamp: Callable[[int, bool], None]) -> None:
        self.relays = [False] * 8
        self.levels = [False] * 8
        self.counters = [0] * 8
        self._transmit, self._lamp = transmit, lamp
        self._typed = b""

    def sense(self, number: int, level: bool) -> None:
        """Something outside drives an input."""
        if level and not self.levels[number]:
            self.counters[number] = (self.counters[number] + 1) % 65536
        self.levels[number] = level

    def receive(self, chunk: bytes) -> None:
        """Octets from the host."""
        *lines, self._typed = (self._typed + chunk).split(b"\r")
        for line in lines:
            text, _, check = line.partition(b"*")
            if check == self._check(text):
                self._obey(text.decode("ascii", "replace"))

    def lose_power(self) -> None:
        """Lamps are dark and counters are 0 afterwards."""
        self.counters, self._typed = [0] * 8, b""
        self._light(0)

    def _obey(self, text: str) -> None:
        if text[:1] == "L" and len(text) == 5:
            self._light(int(text[3:], 16))
        elif text[:1] == "R" and len(text) == 2:
            levels = sum(level << at for at, level in enumerate(self.levels))
            text += f" {levels:02x}" + "".join(f" {count:04x}" for count in self.counters)
        else:
            return
        answer = text.encode("ascii")
        self._transmit(answer + b"*" + self._check(answer) + b"\r")

    @staticmethod
    def _check(text: bytes) -> bytes:
        return f"{sum(text) % 256:02x}".encode("ascii")

    def _light(self, lamps: int) -> None:
        for line in range(8):
            on = bool(lamps >> line & 1)
            if self.relays[line] != on:
                self.relays[line] = on
                self._lamp(line, on)


class BoardLine(SimulatedLine):
    """The cable, which is also the board's power."""

    def __init__(self, board: SimulatedBoard, link: Path, paced: bool) -> None:
        super().__init__(link, BAUD, paced, board.receive)
        self._board = board

    def unplug(self) -> None:
        super().unplug()
        self._board.lose_power()


def _lamps(section: Mapping[str, Any]) -> tuple[dict[int, int], int]:
    return input_of_seat(section), section["lock_lamp"]


def _place(folder: Path, pace: Pace, lamp: Callable[[int, bool], None], report: Report) -> PlacedBoard:
    board = SimulatedBoard(lambda chunk: line.send(chunk), lamp)
    line = BoardLine(board, folder / "slots", pace.wires)

    def restart() -> None:
        report("restart", True)
        board.lose_power()

    return PlacedBoard(board, line, restart)


MAKE = SimulatedSlotsMake(lambda seats: TOML + seats_toml(seats), _lamps, _place)
