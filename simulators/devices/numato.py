"""The inside of a Numato 16-channel USB GPIO board: sixteen lines, a prompt, notifications; no event counters.

From public sources, not confirmed on hardware.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simulators import usb_descriptors as usb
from simulators.devices.line import SimulatedLine
from simulators.devices.make import OnUsb, PlacedBoard, SimulatedSlotsMake, seats_toml
from simulators.devices.numato_played import NumatoPlayback
from simulators.devices.spoiling import Report, ignored
from simulators.pace import Pace
from simulators.usb_backend import BULK, INTERRUPT

COMMUNICATIONS, COMMUNICATIONS_DATA = 0x02, 0x0A  # interfaces of USB
BAUD = 1_000_000  # a USB CDC device takes any; this is about as fast as one is
LINES = 16
ALL = 0xFFFF
SCAN_SECONDS = 0.001  # from a change to its notification
MOST_NOTICES = 16  # waiting to be sent; what changes then is notified of by no one
LONGEST_COMMAND = 32
BENCH_SEATS = 7  # its lamps begin behind as many sensors
TOML = """\
[devices.slots]
driver = "numato"
port = "slots"
button_input = 14
lock_lamp_output = 15

"""
VERSION = "A0M10.01"
COMMAND = re.compile(
    r"(gpio (?:iodir|iomask|writeall)) ([0-9a-f]{4})|(gpio (?:set|clear|read)) ([0-9a-f])"
    r"|(id set) ([0-9a-f]{8})|(gpio readall|gpio notify (?:on|off|get)|id get|ver)"
)


class Numato:
    """The simulated board. It answers like a terminal: echo, value, prompt. All lines are inputs until the host sets
    them.

    `lamp` is called with every output that changes, `transmit` with octets for the host. A waiting notification
    interrupts an answer. `relays` are the outputs that are driven high, named as on the ADU218. `report` is called when
    a fault strikes.
    """

    def __init__(
        self, pace: Pace, transmit: Callable[[bytes], None], lamp: Callable[[int, bool], None] = lambda line, on: None
    ) -> None:
        self.relays = [False] * LINES
        self.levels = [False] * LINES
        self.notify = False
        self.identity = "00000001"
        self.report: Report = ignored
        self._pace = pace
        self._transmit = transmit
        self._lamp = lamp
        self._inputs = ALL
        self._mask = ALL
        self._latch = 0
        self._typed = b""
        self._notices: list[bytes] = []

    def sense(self, number: int, level: bool) -> None:
        """A signal from outside drives line `number`, which matters as long as the line is an input."""
        before = self._value()
        self.levels[number] = level
        if self.notify and self._value() != before and len(self._notices) < MOST_NOTICES:
            if not self._notices:
                self._soon(self._send_notices)
            self._notices.append(f"# {self._value():04X} {before:04X} {self._inputs:04X}\n\r".encode())

    def restart(self) -> None:
        """Power lost and back within a moment too short for the host to see the port go."""
        self.report("restart", True)
        self.lose_power()

    def lose_power(self) -> None:
        """The board is unplugged: every line is an input again, and nothing is remembered; the inputs are driven
        from outside.
        """
        self._inputs = self._mask = ALL
        self._latch = 0
        self.notify = False
        self._typed = b""
        self._notices.clear()
        self._light()

    def receive(self, chunk: bytes) -> None:
        """Bytes from the host."""
        for byte in chunk:
            if byte == 0x0D:
                self._prompt(self._typed.decode("latin-1"))
                self._typed = b""
            elif len(self._typed) < LONGEST_COMMAND:
                self._typed += bytes([byte])

    def _prompt(self, command: str) -> None:
        """Echoes the line, carries it out, and prints its value if it has one, and the prompt."""
        found = COMMAND.fullmatch(command.lower())
        words = [group for group in found.groups() if group is not None] if found else []
        value = self._obey(words[0], words[1] if len(words) > 1 else "") if words else None
        answer = f"{command}\n\r" + (f"{value}\n\r" if value is not None else "") + ">"
        octets = answer.encode("latin-1")
        middle = len(octets) - 4
        self._transmit(octets[:middle] + b"".join(self._notices) + octets[middle:])
        self._notices.clear()

    def _obey(self, command: str, argument: str) -> str | None:
        match command:
            case "gpio iomask":
                self._mask = int(argument, 16)
            case "gpio iodir":
                self._inputs = self._masked(self._inputs, int(argument, 16))
            case "gpio writeall":
                self._latch = self._masked(self._latch, int(argument, 16))
            case "gpio set":
                self._latch |= 1 << int(argument, 16)
            case "gpio clear":
                self._latch &= ~(1 << int(argument, 16))
            case "gpio read":
                return str(self._value() >> int(argument, 16) & 1)
            case "gpio readall":
                return f"{self._value():04x}"
            case "gpio notify on" | "gpio notify off":
                self.notify = command.endswith("on")
                return f"gpio notify {'enabled' if self.notify else 'disabled'}"
            case "gpio notify get":
                return f"gpio notify {'enabled' if self.notify else 'disabled'}"
            case "id set":
                self.identity = argument
            case "id get":
                return self.identity
            case "ver":
                return VERSION
        self._light()
        return None

    def _masked(self, old: int, new: int) -> int:
        return old & ~self._mask | new & self._mask

    def _value(self) -> int:
        """The levels of the lines: inputs as driven from outside, outputs as driven by the board."""
        outside = sum(level << line for line, level in enumerate(self.levels))
        return outside & self._inputs | self._latch & ~self._inputs & ALL

    def _light(self) -> None:
        for line in range(LINES):
            on = bool(self._latch & ~self._inputs & 1 << line)
            if self.relays[line] != on:
                self.relays[line] = on
                self._lamp(line, on)

    def _soon(self, call: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        if self._pace.wires:
            loop.call_later(SCAN_SECONDS, call)
        else:
            loop.call_soon(call)

    def _send_notices(self) -> None:
        if self._notices:
            self._transmit(b"".join(self._notices))
            self._notices.clear()


class NumatoLine(SimulatedLine):
    """The board's cable, which is also its power."""

    def __init__(self, board: Numato, link: Path, paced: bool) -> None:
        super().__init__(link, BAUD, paced, board.receive)
        self._board = board

    def unplug(self) -> None:
        """Pull the cable: the host sees a hang-up, and the board is off."""
        super().unplug()
        self._board.lose_power()


def _toml(seats: int) -> str:
    lamps = "".join(f"{seat} = {seat - 1 + BENCH_SEATS}\n" for seat in range(1, seats + 1))
    return f"{TOML}{seats_toml(seats)}\n[devices.slots.lamps]\n{lamps}"


def _lamps(section: Mapping[str, Any]) -> tuple[dict[int, int], int]:
    return {int(seat): line for seat, line in section["lamps"].items()}, section["lock_lamp_output"]


def _place(folder: Path, pace: Pace, lamp: Callable[[int, bool], None], report: Report) -> PlacedBoard:
    board = Numato(pace, lambda chunk: line.send(chunk), lamp)
    board.report = report
    line = NumatoLine(board, folder / "slots", pace.wires)
    return PlacedBoard(board, line, board.restart)


def described() -> usb.UsbDescriptors:
    """A communications interface and its data.

    Vendor 2a19 in usb.ids and a CDC ACM port by its manual; the product number is an example, since it differs from
    board to board. Functional descriptors by USB CDC PSTN 1.2, 5.3.
    """
    strings = {1: "Numato Systems Pvt. Ltd.", 2: "Numato Lab 16 Channel USB GPIO Module", 3: "NLGP160001"}
    control, data = (COMMUNICATIONS, 2, 1), (COMMUNICATIONS_DATA, 0, 0)
    functional = (
        bytes([5, usb.FUNCTIONAL, 0, 0x10, 0x01])
        + bytes([4, usb.FUNCTIONAL, 2, 2])  # line coding and control lines
        + bytes([5, usb.FUNCTIONAL, 6, 0, 1])
        + bytes([5, usb.FUNCTIONAL, 1, 0, 1])
    )
    return usb.UsbDescriptors(
        usb.FULL_SPEED,
        usb.device(0x0200, COMMUNICATIONS, 8, 0x2A19, 0x0C05, 0x0100, strings),
        usb.configuration(
            2,
            0x80,
            100,
            usb.interface(0, 1, control),
            functional,
            usb.endpoint(0x81, INTERRUPT, 8, 2),
            usb.interface(1, 2, data),
            usb.endpoint(0x82, BULK, 64, 0),
            usb.endpoint(0x02, BULK, 64, 0),
        ),
        strings,
        (control, data),
    )


MAKE = SimulatedSlotsMake(_toml, _lamps, _place, playback=NumatoPlayback, on_usb=lambda: OnUsb("slots", described()))
