"""The simulated bus: the devices of a bench while the bench has them, their twins, and their faults."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from simulators.devices.make import SORTS, make_of
from simulators.setting import Setting
from simulators.usb_descriptors import UsbDescriptors
from simulators.usbip.cables import PtyCable, SocketCable
from simulators.usbip.exported import ExportedDevice
from simulators.usbip.functions import AcmFunction, BoardFunction, FtdiFunction, IdleFunction, UsbFunction

LOOK_SECONDS = 0.1
FTDI_OCTETS, BOARD_OCTETS = 256, 64  # that a closed port keeps
STALL, NAK, SHORT, CUT, RENUMBER, TWIN, CLAIMS, OVERLONG = (
    "stall", "nak", "short", "cut", "renumber", "twin", "claims", "overlong",
)  # fmt: skip
COUNTED, SWITCHED, ONCE = (STALL, SHORT), (NAK, TWIN, OVERLONG), (CUT, RENUMBER)


@dataclass(frozen=True, slots=True)
class BenchWire:
    """A device of the bench: its name, its wire in the bench's folder, its identity on USB, and its bit rate."""

    name: str
    path: Path
    described: UsbDescriptors
    baud: int | None = None

    @property
    def is_socket(self) -> bool:
        """A USB device in a socket of its own, which is no serial port."""
        return self.path.suffix == ".sock"


def bench_wires(setting: Setting, folder: Path) -> list[BenchWire]:
    """The devices of a table, each as it would be connected. Raises ValueError for a make with no descriptors here."""
    wires = []
    for kind, driver in setting.makes.items():
        on_usb = make_of(SORTS[kind], driver).on_usb
        if on_usb is None:
            raise ValueError(f"{kind} {driver!r} has no USB descriptors")
        bus = on_usb()
        wires.append(BenchWire(kind, folder / bus.place, bus.described, bus.baud))
    return wires


class SimulatedBus:
    """The devices by name, as long as the bench has them plugged in, and their twins. Each has a number of its own."""

    def __init__(self, wires: list[BenchWire], observed: Callable[..., None]) -> None:
        self.devices: dict[str, ExportedDevice] = {}
        self.twins: dict[str, ExportedDevice] = {}
        self._wires = {wire.name: wire for wire in wires}
        self._claims: dict[str, UsbDescriptors] = {}
        self._cables: dict[str, PtyCable | SocketCable] = {}
        self._observed = observed
        self._numbers = 1

    def plugged(self) -> list[ExportedDevice]:
        """Everything that is on the bus now."""
        return [*self.devices.values(), *self.twins.values()]

    async def follow(self) -> None:
        """Plugs and unplugs devices as the bench does, until cancelled."""
        while True:
            for wire in self._wires.values():
                await self._look(wire)
            await asyncio.sleep(LOOK_SECONDS)

    def close(self) -> None:
        for cable in self._cables.values():
            cable.close()

    def obey(self, text: str) -> str:
        """A line of the fault socket, as `sign:stall=2` or `shoe:nak=off`; the answer to it."""
        if text == "list":
            kinds = (*COUNTED, *SWITCHED, *ONCE, CLAIMS)
            return json.dumps([f"{name}:{kind}" for name in self._wires for kind in kinds])
        name, _, act = text.partition(":")
        kind, _, value = act.partition("=")
        device = self.devices.get(name)
        if name not in self._wires:
            return f"error: {name!r} is none of {', '.join(self._wires)}"
        if device is None:
            return f"error: {name} is not plugged in"
        if kind in COUNTED and (not value or value.isdecimal()):
            setattr(device, {STALL: "stalls", SHORT: "shorts"}[kind], int(value or 1))
        elif kind in SWITCHED and value in ("", "off"):
            self._switch(device, kind, value != "off")
        elif kind in ONCE and not value:
            self._once(device, kind)
        elif kind == CLAIMS and (value in self._wires or value == "off"):
            self._plug(self._wires[name], None if value == "off" else self._wires[value].described)
        else:
            return f"error: {text!r} is no fault of a USB device; `list` names them"
        return "ok"

    def _switch(self, device: ExportedDevice, kind: str, on: bool) -> None:
        if kind == NAK:
            device.nak(on)
        elif kind == OVERLONG:
            described = self._wires[device.name].described
            self._plug(self._wires[device.name], described.overlong if on else None, idle=False)
        elif on:
            described = self._wires[device.name].described
            self.twins[device.name] = ExportedDevice(
                f"{device.name} twin", self._number(), IdleFunction(described, self._of(f"{device.name} twin"))
            )
        elif (twin := self.twins.pop(device.name, None)) is not None:
            twin.pull()

    def _once(self, device: ExportedDevice, kind: str) -> None:
        if kind == CUT:
            device.cuts = True
        else:
            device.pull()
            device.number = self._number()

    async def _look(self, wire: BenchWire) -> None:
        if wire.is_socket:
            cable = self._cables.setdefault(wire.name, SocketCable(wire.path))
            assert isinstance(cable, SocketCable)
            there = await cable.plugged()
            if there and wire.name not in self.devices:
                self._plug(wire)
            elif not there:
                self._unplug(wire.name)
        elif wire.name not in self._cables and wire.path.exists():
            pty = PtyCable(wire.path, BOARD_OCTETS if wire.baud is None else FTDI_OCTETS)
            pty.on_hang_up(lambda: self._unplug(wire.name))
            self._cables[wire.name] = pty
            self._plug(wire)

    def _plug(self, wire: BenchWire, instead: UsbDescriptors | None = None, idle: bool = True) -> None:
        """Plugs the device in, or plugs it in again; with other descriptors it is `idle`, or works as usual."""
        if (before := self.devices.pop(wire.name, None)) is not None:
            before.pull()
        number = before.number if before is not None else self._number()
        function = self._function(wire, instead or wire.described)
        if instead is not None and idle:
            function = IdleFunction(instead, self._of(wire.name))
        self.devices[wire.name] = ExportedDevice(wire.name, number, function)

    def _unplug(self, name: str) -> None:
        if (device := self.devices.pop(name, None)) is not None:
            device.pull()
            if not self._wires[name].is_socket:
                del self._cables[name]

    def _function(self, wire: BenchWire, described: UsbDescriptors) -> UsbFunction:
        cable, observed = self._cables[wire.name], self._of(wire.name)
        if isinstance(cable, SocketCable):
            return BoardFunction(described, observed, SocketCable(wire.path))
        if wire.baud is None:
            return AcmFunction(described, observed, cable)
        return FtdiFunction(described, observed, cable, wire.baud)

    def _of(self, name: str) -> Callable[..., None]:
        return lambda what, **values: self._observed(name, what, **values)

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers
