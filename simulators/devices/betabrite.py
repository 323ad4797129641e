"""A BetaBrite Prism: the sign behind a USB port; a message is a transfer followed by an empty one."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from simulators.devices.make import OnUsb, SimulatedSignMake
from simulators.devices.sign import SimulatedSign
from simulators.devices.talks import SignTalk
from simulators.devices.usb_port import SimulatedUsbPort
from simulators.devices.wire_faults import WireFaults
from simulators.pace import Pace
from simulators.usb_backend import BETABRITE as IDENTITY
from simulators.usb_descriptors import FULL_SPEED, of_make

PACKET_BYTES = 64
ON_BENCH = {"usb_backend": "simulators.usb_backend:open_betabrite", "usb_socket": "sign.sock"}
TOML = f"""\
[devices.sign]
driver = "betabrite"
usb_backend = "{ON_BENCH["usb_backend"]}"
usb_socket = "{ON_BENCH["usb_socket"]}"
address = "00"
"""


class BetaBrite:
    """A UsbDevice. A message without an empty transfer after it is not shown; the sign has its own power supply.

    `faults` spoil what the sign receives.
    """

    def __init__(self, sign: SimulatedSign) -> None:
        self.answers: deque[bytes] = deque()
        self.arrived: Callable[[], None] = lambda: None
        self.faults = WireFaults(sign.receive, babble=self.say)
        self._message = b""
        sign.transmit = self.say

    def write(self, report: bytes) -> None:
        """A bulk transfer, which may have been cut into any number of packets."""
        self._message += report
        if not report and self._message:
            message, self._message = self._message, b""
            self.faults.pass_on(message)

    def say(self, chunk: bytes) -> None:
        """Gives the host something to read."""
        self.answers.append(chunk)
        self.arrived()

    def lose_power(self) -> None:
        """The cable has been pulled: half a message is lost."""
        self._message = b""


class BetaBritePort(SimulatedUsbPort):
    """The port of a BetaBrite; its `faults` apply to whole messages."""

    def __init__(self, sign: SimulatedSign, path: Path) -> None:
        device = BetaBrite(sign)
        super().__init__(device, path, packet_bytes=PACKET_BYTES)
        self.faults = device.faults


def _place(folder: Path, pace: Pace, sign: SimulatedSign) -> BetaBritePort:
    return BetaBritePort(sign, folder / "sign.sock")


MAKE = SimulatedSignMake(
    TOML,
    _place,
    talk=SignTalk,
    played_at=ON_BENCH,
    on_usb=lambda: OnUsb("sign.sock", of_make(IDENTITY, FULL_SPEED, 0)),
)
