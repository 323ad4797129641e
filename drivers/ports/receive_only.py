"""A tty that is opened for reading alone: the kernel refuses to write to its descriptor."""

import asyncio
import os
import termios
from collections.abc import Callable

from drivers.faults import PortLost
from drivers.ports import causes
from drivers.ports.causes import SERIAL
from drivers.ports.serial import LineSettings

READ_OCTETS = 4096
PARITY = {"N": 0, "E": termios.PARENB, "O": termios.PARENB | termios.PARODD}
CHARACTER = {7: termios.CS7, 8: termios.CS8}


class ReceiveOnly:
    """An open tap. Opening it raises the control lines of its adapter, which a receive-only tap does not connect.

    Earlier octets are discarded. `lost` gets the failure that ends it.
    """

    def __init__(
        self,
        device: str,
        port: str,
        settings: LineSettings,
        receive: Callable[[bytes], None],
        lost: "asyncio.Future[PortLost]",
    ) -> None:
        """Raises PortLost."""
        self._device, self._port, self._receive, self._lost = device, port, receive, lost
        self._loop = asyncio.get_running_loop()
        try:
            self._descriptor = os.open(port, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as refusal:
            raise self._why(f"cannot open {port}: {refusal.strerror}", refusal) from None
        try:
            if others := causes.holders(port):
                raise PortLost(device, causes.in_use(port, others), "in_use")
            _set(self._descriptor, settings)
        except termios.error as refusal:
            os.close(self._descriptor)
            raise PortLost(device, f"{port} is no serial port: {refusal.args[-1]}") from None
        except BaseException:
            os.close(self._descriptor)
            raise
        self._loop.add_reader(self._descriptor, self._readable)

    def close(self) -> None:
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _readable(self) -> None:
        try:
            octets = os.read(self._descriptor, READ_OCTETS)
        except BlockingIOError:
            return
        except OSError as hang_up:
            self._lose(self._why(f"{self._port} hung up ({hang_up.strerror})", hang_up))
            return
        if octets:
            self._receive(octets)
        else:
            self._lose(PortLost(self._device, f"{self._port} hung up", "unplugged"))

    def _lose(self, failure: PortLost) -> None:
        self._loop.remove_reader(self._descriptor)
        if not self._lost.done():
            self._lost.set_result(failure)

    def _why(self, reason: str, refusal: OSError) -> PortLost:
        return PortLost(self._device, reason, SERIAL.get(refusal.errno, "unknown"))


def _set(descriptor: int, settings: LineSettings) -> None:
    """Sets the port to deliver each octet as it comes, at this rate and in this format. Raises termios.error."""
    _, _, _, _, _, _, special = termios.tcgetattr(descriptor)
    speed = getattr(termios, f"B{settings.baud}")
    control = termios.CREAD | termios.CLOCAL | CHARACTER[settings.data_bits] | PARITY[settings.parity]
    special[termios.VMIN], special[termios.VTIME] = 1, 0
    termios.tcsetattr(descriptor, termios.TCSANOW, [0, 0, control, 0, speed, speed, special])
    termios.tcflush(descriptor, termios.TCIFLUSH)
