"""The inside of an Ontrak ADU218: eight inputs with event counters, eight relays, a watchdog."""

import asyncio
import re
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simulators.devices.adu218_played import Adu218Playback
from simulators.devices.make import OnUsb, PlacedBoard, SimulatedSlotsMake, input_of_seat, seats_toml
from simulators.devices.spoiling import Report
from simulators.devices.usb_port import SimulatedUsbPort
from simulators.pace import Pace
from simulators.usb_backend import ADU218 as IDENTITY
from simulators.usb_descriptors import LOW_SPEED, UsbDescriptors, of_make

REPORT_BYTES = 8
ROUND_TRIP_SECONDS = 0.016
ON_BENCH = {"usb_backend": "simulators.usb_backend:open_backend", "usb_socket": "usb.sock"}
TOML = f"""\
[devices.slots]
driver = "adu218"
usb_backend = "{ON_BENCH["usb_backend"]}"
usb_socket = "{ON_BENCH["usb_socket"]}"
button_input = 7
lock_lamp_relay = 7

"""
# No source has its report descriptor: this is the least that HID 1.11 wants for reports of eight octets both ways.
EIGHT_OCTETS = bytes.fromhex("0600ff 0901 a101 1500 26ff00 7508 9508 0901 8102 0901 9102 c0")
WATCHDOG_SECONDS = {1: 1.0, 2: 10.0, 3: 60.0}
COUNTER_RANGE = 65536
COMMAND = re.compile(r"(SK|RK|RPK|RE|RC)([0-7])|(MK)(\d{1,3})|(DB)([0-2]?)|(WD)([0-3]?)|(PK|PI)")


class Adu218:
    """The simulated ADU218. It reports errors only by silence; answers wait in the IN queue until any host reads them.

    `lamp` is called with every relay that changes, `arrived` rings when an answer comes into the queue.
    """

    def __init__(self, pace: Pace, lamp: Callable[[int, bool], None] = lambda relay, closed: None) -> None:
        self.relays = [False] * 8
        self.levels = [False] * 8
        self.counters = [0] * 8
        self.debounce = 0
        self.watchdog = 0
        self.answers: deque[bytes] = deque()
        self.arrived: Callable[[], None] = lambda: None
        self._pace = pace
        self._lamp = lamp
        self._watchdog_timer: asyncio.TimerHandle | None = None

    def sense(self, number: int, level: bool) -> None:
        """A signal from outside drives input `number`; rising edges are counted and wrap at 65535."""
        if level and not self.levels[number]:
            self.counters[number] = (self.counters[number] + 1) % COUNTER_RANGE
        self.levels[number] = level

    def lose_power(self) -> None:
        """The device is unplugged: relays open, counters and settings are forgotten; the inputs are driven from
        outside.
        """
        self.watchdog = 0
        self._feed_watchdog()
        self.counters = [0] * 8
        self.debounce = 0
        self.answers.clear()
        for relay in range(8):
            self._switch(relay, False)

    def trip(self) -> None:
        """The watchdog was not fed in time: the relays open, and it reads 0."""
        self.watchdog = 0
        self._feed_watchdog()
        for relay in range(8):
            self._switch(relay, False)

    def write(self, report: bytes) -> None:
        """An OUT report: 01, an ASCII command, NULs. Anything else gets no answer."""
        text = report[1:REPORT_BYTES].split(b"\0")[0].decode("latin-1")
        found = COMMAND.fullmatch(text) if report[:1] == b"\x01" else None
        if found is None:
            return
        letters, *digits = (group for group in found.groups() if group is not None)
        answer = self._obey(letters, int(digits[0]) if digits and digits[0] else None)
        self._feed_watchdog()
        if answer is not None:
            if self._pace.wires:
                asyncio.get_running_loop().call_later(ROUND_TRIP_SECONDS, self._answer, answer)
            else:
                self._answer(answer)

    def _obey(self, letters: str, number: int | None) -> str | None:
        match letters, number:
            case "SK" | "RK", int(relay):
                self._switch(relay, letters == "SK")
            case "MK", int(mask) if mask < 256:
                for relay in range(8):
                    self._switch(relay, bool(mask >> relay & 1))
            case "PK", None:
                return f"{bits(self.relays):03}"
            case "RPK", int(relay):
                return f"{self.relays[relay]:d}"
            case "PI", None:
                return f"{bits(self.levels):03}"
            case "RE", int(counter):
                return f"{self.counters[counter]:05}"
            case "RC", int(counter):
                count, self.counters[counter] = self.counters[counter], 0
                return f"{count:05}"
            case "DB", None:
                return str(self.debounce)
            case "DB", int(setting):
                self.debounce = setting
            case "WD", None:
                return str(self.watchdog)
            case "WD", int(setting):
                self.watchdog = setting
        return None

    def _answer(self, text: str) -> None:
        self.answers.append((b"\x01" + text.encode("ascii")).ljust(REPORT_BYTES, b"\0"))
        self.arrived()

    def _switch(self, relay: int, closed: bool) -> None:
        if self.relays[relay] != closed:
            self.relays[relay] = closed
            self._lamp(relay, closed)

    def _feed_watchdog(self) -> None:
        if self._watchdog_timer:
            self._watchdog_timer.cancel()
            self._watchdog_timer = None
        if self.watchdog:
            wait = WATCHDOG_SECONDS[self.watchdog]
            self._watchdog_timer = asyncio.get_running_loop().call_later(wait, self.trip)


def bits(flags: list[bool]) -> int:
    """Eight flags as a number, the first in bit 0."""
    return sum(flag << position for position, flag in enumerate(flags))


def _lamps(section: Mapping[str, Any]) -> tuple[dict[int, int], int]:
    return input_of_seat(section), section["lock_lamp_relay"]


def _place(folder: Path, pace: Pace, lamp: Callable[[int, bool], None], report: Report) -> PlacedBoard:
    board = Adu218(pace, lamp)
    port = SimulatedUsbPort(board, folder / "usb.sock")
    return PlacedBoard(board, port, port.restart, board.trip)


def described() -> UsbDescriptors:
    """Identity, interrupt transfers on endpoint 1 and 8 octets at low speed from Ontrak's "Communicating with ADU
    Products Without Using the AduHid.dll", https://www.ontrak.net/Nodll.htm.
    """
    return of_make(IDENTITY, LOW_SPEED, 10, EIGHT_OCTETS)


MAKE = SimulatedSlotsMake(
    lambda seats: TOML + seats_toml(seats),
    _lamps,
    _place,
    has_watchdog=True,
    playback=Adu218Playback,
    played_at=ON_BENCH,
    on_usb=lambda: OnUsb("usb.sock", described()),
)
