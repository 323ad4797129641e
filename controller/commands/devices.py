"""`dealer-station devices`: what is plugged in, with the driver that fits, as lines ready for station.toml."""

import argparse
import json
from collections.abc import Callable, Iterator
from typing import Any

from controller.command_line.output import say
from controller.commands import device_recordings, prove
from drivers.inventory import Inventory, Plugged, look
from drivers.registry import all_drivers, all_makes, make_of
from drivers.udev import keep_off_rules, open_rules

NOTHING = """\
No serial port and no USB device of a known make is plugged in.
`dmesg --follow` shows whether the machine notices one; a virtual machine or a container must be handed it first.
A device behind a serial server is not seen here: port = "socket://HOST:PORT" or "rfc2217://HOST:PORT".
Without any device: dealer-station simulate"""

RULES: dict[str, Callable[[], str]] = {"70": lambda: open_rules(all_makes()), "91": keep_off_rules}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Lists serial ports and the USB devices of known makes with the driver that fits. It opens no serial port, and "
        "asks a USB device for its name alone, also while a station runs."
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--rules",
        choices=RULES,
        help="print a file of udev rules instead: who may open the devices of the makes that "
        "are installed (70), and that brltty keeps off their converters (91)",
    )
    parser.set_defaults(
        work=lambda options: say(RULES[options.rules]()) if options.rules else print_devices(options.json)
    )
    what = parser.add_subparsers(metavar="WHAT")
    prove.add_prove(what.add_parser("prove", help="a device against the compatibility kit, with a person's help"))
    prove.add_verify(what.add_parser("verify", help="the signed report of a proof"))
    device_recordings.add_recorder(
        what.add_parser("record", help="write what the wire of a device carries into a file")
    )
    device_recordings.add_replay(what.add_parser("replay", help="play such a file into the codec, and compare"))


def run(options: argparse.Namespace) -> int:
    work: Callable[[argparse.Namespace], int] = options.work
    return work(options)


def print_devices(as_json: bool, find: Callable[[], Inventory] = look) -> int:
    """Print what is plugged in; returns the exit code, 0 also where nothing is."""
    found = find()
    return say(json.dumps(_shape(found), ensure_ascii=False) if as_json else "\n".join(toml_lines(found)))


def toml_lines(found: Inventory) -> Iterator[str]:
    """A fragment of station.toml: certain lines as they are, and alternatives behind ``#``."""
    if not found.plugged:
        yield from _commented(NOTHING.splitlines())
    claims = [section(plugged_device.fits[0]) for plugged_device in found.plugged if len(plugged_device.fits) == 1]
    for place, plugged_device in enumerate(found.plugged):
        if place:
            yield ""
        yield from _commented(device_lines(plugged_device))
        if len(plugged_device.fits) == 1:
            taken = block(plugged_device.fits[0], plugged_device.port)
            if claims.count(section(plugged_device.fits[0])) == 1:
                yield from taken
            else:
                yield f"# A table has one {section(plugged_device.fits[0])}, and more than one fits. Take one:"
                yield from _commented(taken)
        elif plugged_device.fits:
            yield "# It is unknown what is at its other end. Take the lines of one:"
            for number, driver in enumerate(plugged_device.fits):
                yield from _commented([*([""] if number else []), *block(driver, plugged_device.port)])
        else:
            yield "# No driver fits it."
    if found.trouble is not None:
        yield f"# {_one_line(found.trouble)}"


def device_lines(device: Plugged) -> list[str]:
    """The lines about a device: what it is, and each obstacle to using it."""
    named = " ".join(part for part in (device.make, device.name) if part)
    number = f"serial number {device.serial_number}" if device.serial_number else None
    return [", ".join(part for part in (named, device.usb_id, number, device.device) if part), *device.remarks]


def block(driver: str, port: str | None) -> list[str]:
    """The lines of station.toml for a driver at its port."""
    at = [f"port = {json.dumps(port, ensure_ascii=False)}"] if port is not None else []
    return [f"[{section(driver)}]", f'driver = "{driver}"', *at, *make_of(driver).example]


def section(driver: str) -> str:
    """The section of station.toml that a driver belongs into."""
    return f"devices.{all_drivers()[driver]}"


def _commented(text: list[str]) -> Iterator[str]:
    return (f"# {_one_line(line)}".rstrip() for line in text)


def _one_line(text: str) -> str:
    """One line of comment: text from a device must neither end the comment nor control a terminal."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _shape(found: Inventory) -> dict[str, Any]:
    return {
        "devices": [
            {
                "wire": plugged_device.wire,
                "port": plugged_device.port,
                "device": plugged_device.device,
                "usb_id": plugged_device.usb_id,
                "make": plugged_device.make,
                "name": plugged_device.name,
                "serial_number": plugged_device.serial_number,
                "fits": [{"section": section(driver), "driver": driver} for driver in plugged_device.fits],
                "remarks": plugged_device.remarks,
            }
            for plugged_device in found.plugged
        ],
        "trouble": found.trouble,
    }
