"""The devices that are plugged into this machine: its serial ports and the USB devices of known makes, and which
drivers fit them.

No serial port is opened: that alone would raise its control lines. A USB device is asked for its name only.
"""

import errno
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import usb.core
import usb.util
from serial.tools.list_ports_common import ListPortInfo

from drivers.make import DeviceMake
from drivers.ports.causes import holders
from drivers.ports.usb import UsbBackend, libusb_backend
from drivers.registry import all_makes

SERIAL_LINKS = Path("/dev/serial")  # udev's by-id and by-path


@dataclass(frozen=True, slots=True)
class Converter:
    """A make of serial converters: which of its products they are, and the kernel's module that gives them a port."""

    make: str
    module: str
    products: tuple[int, ...]


CONVERTERS = {  # by the USB vendor, as the kernel's drivers list them
    0x0403: Converter("FTDI", "ftdi_sio", (0x6001, 0x6010, 0x6011, 0x6014, 0x6015)),
    0x067B: Converter("Prolific", "pl2303", (0x2303, 0x23A3, 0x23C3)),
    0x10C4: Converter("Silicon Labs", "cp210x", (0xEA60, 0xEA70, 0xEA71)),
    0x1A86: Converter("WCH", "ch341", (0x5523, 0x7523)),
}


@dataclass(frozen=True, slots=True)
class Plugged:
    """A serial port or a USB device. `fits` are the drivers that may be right, none where no driver is.

    `port` is the name to configure a serial port by, the steadiest it has; `device` the kernel's own, of the moment.
    `remarks` say what prevents its use, and what to do.
    """

    wire: Literal["serial", "usb"]
    device: str
    make: str
    name: str
    fits: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    usb_id: str | None = None
    serial_number: str | None = None
    port: str | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """All known devices that are plugged in; `trouble` is the reason if USB could not be searched."""

    plugged: tuple[Plugged, ...]
    trouble: str | None = None


def look(
    list_ports: Callable[[], Iterable[ListPortInfo]] | None = None,
    open_backend: Callable[[], UsbBackend] = libusb_backend,
    links: Path = SERIAL_LINKS,
    may_open: Callable[[str], bool] | None = None,
    open_in: Callable[[str], list[str]] = holders,
) -> Inventory:
    """Everything plugged in: serial ports by name, then USB devices. Never raises if it cannot see a part."""
    ports = sorted((list_ports or _listed)(), key=lambda port: (len(port.device), port.device))
    may = may_open or (lambda device: os.access(device, os.R_OK | os.W_OK))
    serial = [_serial(port, ports, links, may(port.device), open_in(port.device)) for port in ports]
    try:
        backend = open_backend()
        if backend is None:
            raise usb.core.NoBackendError("libusb does not load")
        known = [_usb(device, ports, open_in) for device in usb.core.find(find_all=True, backend=backend)]
    except (OSError, ValueError) as refusal:  # USBError is an OSError, NoBackendError a ValueError
        return Inventory(tuple(serial), f"no USB: {refusal}")
    return Inventory((*serial, *_unambiguous([device for device in known if device is not None])))


def _listed() -> Sequence[ListPortInfo]:
    from serial.tools.list_ports import comports

    return list(comports())


def _serial(
    port: ListPortInfo, ports: Sequence[ListPortInfo], links: Path, permitted: bool, open_in: Sequence[str]
) -> Plugged:
    remarks: list[str] = []
    makes, own = all_makes(), _of_vendor(port.vid, is_serial=True)
    fits = tuple(make.driver for make in makes if make.usb is None)
    if port.vid is None or port.pid is None:
        make, name = "", "built-in serial port"
    elif own:
        make, name = port.manufacturer or own[0].driver.capitalize(), port.product or "board"
        fits = tuple(known.driver for known in own if _is_one(known, port.pid, name))
        remarks += [] if fits else _not_this_model(own)
    else:
        converter = CONVERTERS.get(port.vid)
        make = converter.make if converter is not None else port.manufacturer or ""
        name = port.product or "serial port"
    if not permitted:
        remarks.append(
            f"no permission to open {port.device}: as root `adduser NAME dialout`, then log in again; the service of "
            "systemd/dealer-station.service is in that group"
        )
    if open_in:
        remarks.append(f"{port.device} is open in {', '.join(open_in)}: another program takes octets away from it")
    named, why = _steady(port, ports, links)
    return Plugged(
        wire="serial",
        device=port.device,
        make=make,
        name=name,
        fits=fits,
        remarks=(*why, *remarks),
        usb_id=None if port.vid is None or port.pid is None else f"{port.vid:04x}:{port.pid:04x}",
        serial_number=port.serial_number,
        port=named,
    )


def _steady(port: ListPortInfo, ports: Sequence[ListPortInfo], links: Path) -> tuple[str, tuple[str, ...]]:
    """The steadiest name: one that stays with the device, else with its socket, else the kernel's; with the reason
    if it is not the first.
    """
    if port.vid is None:
        return port.device, ()
    by_id, by_path = _link(links / "by-id", port.device), _link(links / "by-path", port.device)
    twins = [other for other in ports if _is_twin(other, port)]
    if by_id is not None and not twins:
        return by_id, ()
    because = f"{twins[0].device} has the same serial number or none" if twins else "udev has not named it by-id"
    if by_path is not None:
        return by_path, (f"named by the socket it is plugged into: {because}",)
    return port.device, (f"{port.device} changes with the order of plugging, and there is no steadier name: {because}",)


def _is_twin(port: ListPortInfo, other: ListPortInfo) -> bool:
    """Whether two ports belong to two devices that udev cannot distinguish."""
    alike = (port.vid, port.pid, port.serial_number) == (other.vid, other.pid, other.serial_number)
    return alike and _socket(port) != _socket(other)


def _socket(port: ListPortInfo) -> str:
    """The socket of the bus where it is plugged in, ``1-2.3``, for every port of the device."""
    return (port.location or port.device).partition(":")[0]


def _link(folder: Path, device: str) -> str | None:
    try:
        found = [link for link in sorted(folder.iterdir()) if os.path.realpath(link) == os.path.realpath(device)]
    except OSError:
        return None  # no udev here
    return str(found[0]) if found else None


def _usb(device: Any, ports: Sequence[ListPortInfo], open_in: Callable[[str], list[str]]) -> Plugged | None:
    """A USB device of a make that matters here and has no serial port; None for any other."""
    vendor, product = int(device.idVendor), int(device.idProduct)
    own = _of_vendor(vendor, is_serial=False)
    fits = tuple(known.driver for known in own if known.usb is not None and known.usb.product in (None, product))
    converter = CONVERTERS.get(vendor)
    if converter is not None and product not in converter.products:
        converter = None
    remarks: list[str] = []
    if not fits and (others := _not_this_model(own)):
        remarks += others
    elif not fits:
        if converter is None and not _of_vendor(vendor, is_serial=True):
            return None
        if any(port.vid == vendor and port.pid == product for port in ports):
            return None
        module = converter.module if converter is not None else "cdc_acm"
        remarks.append(f"the kernel gives it no serial port: as root `modprobe {module}`, and look into `dmesg`")
    if programs := open_in(f"/dev/bus/usb/{device.bus:03}/{device.address:03}"):
        remarks.append(f"it is open in {', '.join(programs)}; brltty takes converters for braille displays")
    make, name, number, refused = _names(device)
    return Plugged(
        wire="usb",
        device=f"bus {device.bus} device {device.address}",
        make=make or (converter.make if converter is not None else ""),
        name=name or next(iter(fits), "device"),
        fits=fits,
        remarks=(*remarks, *refused),
        usb_id=f"{vendor:04x}:{product:04x}",
        serial_number=number,
    )


def _of_vendor(vendor: int | None, is_serial: bool) -> list[DeviceMake]:
    """The makes of a USB vendor, with or without a serial port."""
    known = ((make, make.usb) for make in all_makes())
    return [make for make, usb in known if usb is not None and (usb.vendor, usb.is_serial) == (vendor, is_serial)]


def _is_one(make: DeviceMake, product: int, name: str) -> bool:
    return make.usb is not None and make.usb.product in (None, product) and make.usb.fits(name)


def _not_this_model(makes: Iterable[DeviceMake]) -> list[str]:
    """The model of each driver that fits no product of this number or name."""
    return [f"the driver {make.driver} is for {make.usb.model}" for make in makes if make.usb and make.usb.model]


def _names(device: Any) -> tuple[str, str, str | None, tuple[str, ...]]:
    """Make, name and serial number from the device; and the obstacle to opening it."""
    try:
        languages = usb.util.get_langids(device)
        indices = (device.iManufacturer, device.iProduct, device.iSerialNumber)
        texts = [usb.util.get_string(device, index, languages[0]) if languages else None for index in indices]
    except OSError as refusal:
        return "", "", None, (_refused(refusal),) if refusal.errno != errno.EPIPE else ()  # a stall: it has no names
    finally:
        usb.util.dispose_resources(device)
    return texts[0] or "", texts[1] or "", texts[2] or None, ()


def _refused(refusal: OSError) -> str:
    if refusal.errno in (errno.EACCES, errno.EPERM):
        return (
            "no permission to open it: as root "
            "`dealer-station devices --rules 70 > /etc/udev/rules.d/70-dealer-station.rules`, "
            "`udevadm control --reload`, plug it in again, and look as a member of the group dealer-station"
        )
    return f"it cannot be opened: {refusal.strerror or refusal}"


def _unambiguous(found: list[Plugged]) -> list[Plugged]:
    """The devices, with a remark on those that their driver cannot distinguish."""
    twice = {device.fits for device in found if device.fits and sum(other.fits == device.fits for other in found) > 1}
    remark = "there is more than one, and the driver takes whichever it finds first: unplug the others"
    return [replace(device, remarks=(*device.remarks, remark)) if device.fits in twice else device for device in found]
