"""The devices in the configuration file: one section each, its keys as its make reads them."""

from typing import TypeVar

from controller.config.section import Section
from drivers.device import DeviceName
from drivers.make import DeviceSettings, MakeContext, ShufflerSettings
from drivers.registry import BadMake, drivers_of, make_of

S = TypeVar("S", bound=DeviceSettings)

USBMON = "/sys/kernel/debug/usb/usbmon"
Taps = dict[str, str]
"""The ports where a shadow table reads what the other controller sends to its devices; for USB, usbmon's folder."""


def read_device(
    devices: Section, kind: DeviceName, context: MakeContext, settings: type[S], taps: Taps | None
) -> S | None:
    """None where there is no section, and for an unknown driver, without which no other key can be judged.

    A make that cannot be used is a mistake too. At a shadow table `taps` gets the port of this device; it is None at
    other tables.
    """
    if (section := devices.optional(kind)) is None:
        return None
    try:
        known = (
            drivers_of(kind)
            if taps is None
            else tuple(driver for driver in drivers_of(kind) if make_of(driver).passive)
        )
        if known:
            return _read(section, kind, known, context, settings, taps)
    except BadMake as bad:
        section.report("driver", section.peek("driver"), f"a driver whose package is whole; {bad}")
        return None
    devices.report(kind, "a section", f"no section: no driver of a {kind} can read beside another controller")
    return None


def _read(
    section: Section,
    kind: DeviceName,
    known: tuple[str, ...],
    context: MakeContext,
    settings: type[S],
    taps: Taps | None,
) -> S | None:
    driver: str = section.choice("driver", known)
    if section.peek("driver") != driver:
        for key in section:
            section.skip(key)
        return None
    make = make_of(driver)
    read = make.read(section, context)
    if taps is not None:
        taps[kind] = section.text("usbmon", default=USBMON) if make.on_usb else section.text("controller_port")
    section.end()
    if not isinstance(read, settings):
        raise BadMake(f"it reads {type(read).__name__}, no {settings.__name__}")
    return read


def read_shuffler(devices: Section, context: MakeContext, article: str, taps: Taps | None) -> ShufflerSettings | None:
    """The shuffler; it must be able to dispense the packets of the game, if it has any."""
    shuffler = read_device(devices, "shuffler", context, ShufflerSettings, taps)
    needed = context.packet_sizes[-1:]
    if shuffler is not None and not set(needed) <= set(shuffler.packet_sizes):
        expected = f"a list with {needed[0]} in it ({article})"
        devices.section("shuffler").report("packet_sizes", list(shuffler.packet_sizes), expected)
    return shuffler
