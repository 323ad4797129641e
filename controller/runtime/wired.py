"""The devices of a configuration, each with its port or USB backend, and which of their contacts means what."""

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from controller.config.devices import (
    NUMATO_LINES,
    Adu218Settings,
    AlphaSignSettings,
    BetaBriteSettings,
    NumatoSettings,
    SimulatedUsb,
)
from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.config.section import Mistake
from controller.journal.records import DeviceMark
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.translation import Wiring
from drivers.device import Device, Mark
from drivers.tap import Tap

if TYPE_CHECKING:
    from drivers.ports.usb import UsbBackend

Tapping = Callable[[str, str], Tap | None]
"""The tap on the wire of a device, by the names of device and driver."""


def wiring_of(config: Config) -> Wiring | None:
    """None where the table has no slots."""
    match config.slots:
        case Adu218Settings() as slots:
            return Wiring(seats=slots.seats, button_input=slots.button_input, lock_lamp_relay=slots.lock_lamp_relay)
        case NumatoSettings() as slots:
            return Wiring(
                seats=slots.seats,
                button_input=slots.button_input,
                lock_lamp_relay=slots.lock_lamp_output,
                lamps=slots.lamps,
                lines=NUMATO_LINES,
            )
        case None:
            return None


def devices_of(config: Config, marks: Mapping[DeviceName, DeviceMark], tap: Tapping) -> dict[DeviceName, Device]:
    """By name; each resumes after its mark. Only makes that are configured are imported. Raises BadConfiguration."""
    resume = {name: Mark(boot=mark.boot, sequence=mark.sequence) for name, mark in marks.items()}
    found: list[Device] = []
    if config.shuffler is not None:
        from drivers.shuffler_link.shuffler import Shuffler

        port, wire = _port(config, config.shuffler.port), tap("shuffler", "shuffler-link")
        found.append(Shuffler(port=port, mark=resume.get("shuffler"), tap=wire))
    if config.shoe is not None:
        from drivers.angel_eye.shoe import AngelEye

        port, wire = _port(config, config.shoe.port), tap("shoe", "angel-eye")
        found.append(AngelEye(port=port, mark=resume.get("shoe"), tap=wire))
    if config.sign is not None:
        found.append(_sign(config, config.sign, tap))
    if config.slots is not None:
        found.append(_slots(config, config.slots, tap))
    return {device.name: device for device in found}


def _sign(config: Config, sign: AlphaSignSettings | BetaBriteSettings, tap: Tapping) -> Device:
    match sign:
        case AlphaSignSettings():
            from drivers.alpha.serial_sign import SerialSign

            port = _port(config, sign.port)
            return SerialSign(port=port, framing=sign.format, address=sign.address, tap=tap("sign", "alpha"))
        case BetaBriteSettings():
            from drivers.betabrite.sign import BetaBrite as BetaBriteSign

            backend = _usb_backend(config, "sign", sign.usb)
            return BetaBriteSign(open_backend=backend, address=sign.address, tap=tap("sign", "betabrite"))


def _slots(config: Config, slots: Adu218Settings | NumatoSettings, tap: Tapping) -> Device:
    match slots:
        case Adu218Settings():
            from drivers.adu218.slots import Slots

            backend = _usb_backend(config, "slots", slots.usb)
            return Slots(button=slots.button_input, open_backend=backend, tap=tap("slots", "adu218"))
        case NumatoSettings():
            from drivers.numato.slots import Numato as NumatoSlots

            lamps = [*slots.lamps.values(), slots.lock_lamp_output]
            return NumatoSlots(
                port=_port(config, slots.port),
                seats=slots.seats,
                button=slots.button_input,
                lamps=lamps,
                tap=tap("slots", "numato"),
            )


def _port(config: Config, port: str) -> str:
    return port if "://" in port else str(config.path.parent / port)


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
