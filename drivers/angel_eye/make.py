"""The Angel Eye, as the registry has it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from drivers.device import Device, Mark
from drivers.make import Blot, Decode, DeviceMake, DeviceWire, MakeContext, SectionKeys, ShoeSettings

if TYPE_CHECKING:
    from drivers.passive import PassiveSerialReader


@dataclass(frozen=True)
class AngelEyeSettings(ShoeSettings):
    driver: ClassVar = "angel-eye"
    port: str

    def open(self, wire: DeviceWire) -> Device:
        from drivers.angel_eye.shoe import AngelEye

        return AngelEye(port=wire.serial(self.port), mark=wire.mark, tap=wire.tap)


def _read(section: SectionKeys, context: MakeContext) -> AngelEyeSettings:
    return AngelEyeSettings(port=section.text("port"))


def _codec() -> Decode:
    from drivers.angel_eye.codec import AngelEyeCodec

    return AngelEyeCodec().receive


def _blot() -> Blot:
    from drivers.angel_eye.codec import AngelEyeBlot

    return AngelEyeBlot().receive


def _passive(settings: AngelEyeSettings, mark: Mark | None) -> "PassiveSerialReader":
    from drivers.angel_eye.passive import AngelEyePassive

    return AngelEyePassive(mark)


MAKE = DeviceMake(kind="shoe", settings=AngelEyeSettings, read=_read, codec=_codec, blot=_blot, passive=_passive)
