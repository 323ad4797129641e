"""The devices of a configuration, each with its port or USB backend, and the meaning of their contacts."""

import importlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import structlog

from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.config.section import Mistake
from controller.engine.state.current import Make
from controller.journal.records import DeviceMark
from controller.rulebook.parts.faults import DeviceName
from drivers.device import Device, Mark
from drivers.make import DeviceSettings, DeviceWire, SimulatedUsb
from drivers.registry import make_of, origin_of
from drivers.tap import End, Tap
from drivers.wiring import Wiring

if TYPE_CHECKING:
    from drivers.ports.usb import UsbBackend

log = structlog.get_logger()
Tapping = Callable[[str, str], Tap | None]
"""The tap on the wire of a device, by the names of device and driver."""


def wiring_of(config: Config) -> Wiring | None:
    """None where the table has no slots."""
    return None if config.slots is None else config.slots.wiring


def devices_of(config: Config, marks: Mapping[DeviceName, DeviceMark], tap: Tapping) -> dict[DeviceName, Device]:
    """The devices by name; each resumes after its mark. Only configured makes are imported. Raises BadConfiguration."""
    return {
        name: device_of(config, name, settings, _mark(marks.get(name)), tap(name, settings.driver))
        for name, settings in _chosen(config)
    }


def device_of(
    config: Config, name: DeviceName, settings: DeviceSettings, mark: Mark | None = None, tap: Tap | None = None
) -> Device:
    """One device of the configuration, which resumes after its mark. Raises BadConfiguration."""
    wire = DeviceWire(
        folder=config.path.parent,
        mark=mark,
        tap=tap,
        usb_backend=lambda usb: _usb_backend(config, name, usb),
    )
    return _passive(config, name, settings, wire) if config.mode == "shadow" else settings.open(wire)


def device_settings(config: Config, name: DeviceName) -> DeviceSettings | None:
    """None where the table has no such device."""
    return dict(_chosen(config)).get(name)


def _passive(config: Config, name: DeviceName, settings: DeviceSettings, wire: DeviceWire) -> Device:
    from drivers.passive import PassiveSerial, PassiveSerialReader, PassiveUsb  # the ports of both kinds

    make = make_of(settings.driver)
    assert make.passive is not None, "as the configuration was read"
    reader = make.passive(settings, wire.mark)
    if not isinstance(reader, PassiveSerialReader):
        return PassiveUsb(name=make.kind, reader=reader, usbmon=Path(config.taps[name]), tap=wire.tap)
    ports: dict[End, str] = {"device": wire.serial(vars(settings)["port"]), "host": wire.serial(config.taps[name])}
    return PassiveSerial(name=make.kind, ports=ports, reader=reader, tap=wire.tap)


def makes_of(config: Config) -> dict[DeviceName, Make]:
    """The makes whose code drives the configured devices. Raises OSError."""
    makes = {}
    for name, settings in _chosen(config):
        origin = origin_of(settings.driver)
        makes[name] = Make(settings.driver, origin.package, origin.version, origin.sha256)
    return makes


def log_makes(makes: Mapping[DeviceName, Make]) -> None:
    """A line for each device that is configured."""
    for name, make in makes.items():
        log.info("make", device=name, **msgspec.structs.asdict(make))


def _chosen(config: Config) -> Iterator[tuple[DeviceName, DeviceSettings]]:
    chosen: tuple[tuple[DeviceName, DeviceSettings | None], ...] = (
        ("shuffler", config.shuffler),
        ("shoe", config.shoe),
        ("sign", config.sign),
        ("slots", config.slots),
    )
    return ((name, settings) for name, settings in chosen if settings is not None)


def _mark(mark: DeviceMark | None) -> Mark | None:
    return None if mark is None else Mark(boot=mark.boot, sequence=mark.sequence)


def _usb_backend(config: Config, device: DeviceName, usb: SimulatedUsb | None) -> "Callable[[], UsbBackend]":
    """The machine's own USB, or the simulation's, loaded by the name in its configuration."""
    if usb is None:
        from drivers.ports.usb import libusb_backend

        return libusb_backend
    module, _, name = usb.backend.partition(":")
    try:
        open_backend: Callable[[str], UsbBackend] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        wrong = Mistake(f"devices.{device}.usb_backend", usb.backend, "the name of a module and a function in it")
        raise BadConfiguration(config.path, [wrong]) from None
    socket = str(usb.socket)
    return lambda: open_backend(socket)
