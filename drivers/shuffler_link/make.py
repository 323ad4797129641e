"""The shuffler at the end of our own link, as the registry has it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from drivers.device import Device, Mark
from drivers.make import Blot, Decode, DeviceMake, DeviceWire, MakeContext, SectionKeys, ShufflerSettings

if TYPE_CHECKING:
    from drivers.passive import PassiveSerialReader


@dataclass(frozen=True)
class ShufflerLinkSettings(ShufflerSettings):
    driver: ClassVar = "shuffler-link"
    port: str
    packet_sizes: tuple[int, ...]

    def open(self, wire: DeviceWire) -> Device:
        from drivers.shuffler_link.shuffler import Shuffler

        return Shuffler(port=wire.serial(self.port), mark=wire.mark, tap=wire.tap)


def _read(section: SectionKeys, context: MakeContext) -> ShufflerLinkSettings:
    """The sizes of packets that it dispenses; without sizes it gives single cards."""
    known = context.packet_sizes
    sizes = section.list_of("packet_sizes", known, default=known[-1:]) if known else ()
    return ShufflerLinkSettings(port=section.text("port"), packet_sizes=sizes)


def _codec() -> Decode:
    from drivers.shuffler_link.codec import ShufflerCodec

    return ShufflerCodec().receive


def _blot() -> Blot:
    from drivers.shuffler_link.codec import ShufflerBlot

    return ShufflerBlot().receive


def _passive(settings: ShufflerLinkSettings, mark: Mark | None) -> "PassiveSerialReader":
    from drivers.shuffler_link.passive import ShufflerPassive

    return ShufflerPassive(mark)


MAKE = DeviceMake(
    kind="shuffler",
    settings=ShufflerLinkSettings,
    read=_read,
    example=("packet_sizes = [3]  # not for a continuous shuffler",),
    codec=_codec,
    blot=_blot,
    passive=_passive,
)
