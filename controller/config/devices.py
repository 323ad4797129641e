"""The devices in the configuration file: one section each, its keys as its make reads them."""

from typing import TypeVar

from controller.config.section import Section
from drivers.device import DeviceName
from drivers.make import DeviceSettings, MakeContext, ShufflerSettings
from drivers.registry import BadMake, drivers_of, make_of

S = TypeVar("S", bound=DeviceSettings)


def read_device(devices: Section, kind: DeviceName, context: MakeContext, settings: type[S]) -> S | None:
    """None where there is no section, and for an unknown driver, without which no other key can be judged.

    A make that cannot be used is a mistake too.
    """
    if (section := devices.optional(kind)) is None:
        return None
    try:
        return _read(section, kind, context, settings)
    except BadMake as bad:
        section.report("driver", section.peek("driver"), f"a driver whose package is whole; {bad}")
        return None


def _read(section: Section, kind: DeviceName, context: MakeContext, settings: type[S]) -> S | None:
    driver: str = section.choice("driver", drivers_of(kind))
    if section.peek("driver") != driver:
        for key in section:
            section.skip(key)
        return None
    read = make_of(driver).read(section, context)
    section.end()
    if not isinstance(read, settings):
        raise BadMake(f"it reads {type(read).__name__}, no {settings.__name__}")
    return read


def read_shuffler(devices: Section, context: MakeContext, article: str) -> ShufflerSettings | None:
    """One that dispenses the packets of the game, if it has any."""
    shuffler = read_device(devices, "shuffler", context, ShufflerSettings)
    needed = context.packet_sizes[-1:]
    if shuffler is not None and not set(needed) <= set(shuffler.packet_sizes):
        expected = f"a list with {needed[0]} in it ({article})"
        devices.section("shuffler").report("packet_sizes", list(shuffler.packet_sizes), expected)
    return shuffler
