"""The response of a USB device to its transfers: an FTDI converter, a CDC ACM port, a board of the bench, an idle
one.
"""

import asyncio
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import IntEnum

from simulators.usb_descriptors import UsbDescriptors
from simulators.usbip.cables import PtyCable, SocketCable, TransferFailed
from simulators.usbip.packets import BROKEN, SETUP

STANDARD, CLASS, VENDOR = 0, 1, 2
TO_INTERFACE, TO_ENDPOINT = 1, 2
HALT = 0


class StandardRequest(IntEnum):
    """Standard requests (USB 2.0, table 9-4)."""

    GET_STATUS = 0
    CLEAR_FEATURE = 1
    SET_FEATURE = 3
    SET_ADDRESS = 5
    GET_DESCRIPTOR = 6
    GET_CONFIGURATION = 8
    SET_CONFIGURATION = 9
    GET_INTERFACE = 10
    SET_INTERFACE = 11


class AcmRequest(IntEnum):
    """Requests of a CDC ACM port (USB CDC PSTN 1.2, table 13)."""

    SET_LINE_CODING = 0x20
    GET_LINE_CODING = 0x21
    SET_CONTROL_LINE_STATE = 0x22
    SEND_BREAK = 0x23


class FtdiRequest(IntEnum):
    """Requests of an FT232R (ftdi_sio.h)."""

    RESET = 0
    MODEM_CONTROL = 1
    FLOW_CONTROL = 2
    SET_BAUD = 3
    SET_DATA = 4
    GET_MODEM_STATUS = 5
    SET_EVENT_CHARACTER = 6
    SET_ERROR_CHARACTER = 7
    SET_LATENCY = 9
    GET_LATENCY = 10
    SET_BIT_MODE = 11
    READ_EEPROM = 0x90


SET_IDLE = 0x0A  # of HID 1.11, 7.2.4

Observed = Callable[..., None]
"""Acts of a host on the device that the device's driver on the bench does not see, by name."""


class UsbFunction(ABC):
    """A device with its standard requests (USB 2.0, 9.4). `observed` is called with settings that a host makes by
    control transfers.

    `halted` are endpoints that a host or a fault has halted. Transfers raise TransferFailed.
    """

    def __init__(self, descriptors: UsbDescriptors, observed: Observed) -> None:
        self.descriptors = descriptors
        self.halted: set[int] = set()
        self._observed = observed
        self._configured = 0

    async def attach(self) -> None:
        """A host has imported the device."""
        self._configured = 0

    def detach(self) -> None:
        """The host is gone."""
        self.halted.clear()
        self._configured = 0

    @abstractmethod
    async def out(self, endpoint: int, octets: bytes) -> None:
        """An OUT transfer."""

    @abstractmethod
    async def into(self, endpoint: int, size: int) -> bytes:
        """An IN transfer: waits until there is data. A cancelled transfer has taken none."""

    async def control(self, setup: bytes, octets: bytes) -> bytes:
        """Handles a control transfer; returns the octets for the host."""
        kind, number, value, index, length = SETUP.unpack(setup)
        of, whom = kind >> 5 & 3, kind & 0x1F
        if of == STANDARD:
            answer = await self._standard(number, whom, value, index)
        else:
            answer = self.special(of, number, value, index, octets)
        if answer is None:
            raise TransferFailed(BROKEN)  # a stall, which the next setup packet ends (USB 2.0, 8.5.3.4)
        return answer[:length] if kind & 0x80 else b""

    def special(self, of: int, number: int, value: int, index: int, octets: bytes) -> bytes | None:
        """A request of a class or of the vendor; None for a stall."""
        return None

    async def clear_halt(self, endpoint: int) -> None:
        """A host has cleared the halt."""
        self.halted.discard(endpoint)

    async def _standard(self, number: int, whom: int, value: int, index: int) -> bytes | None:
        match number:
            case StandardRequest.GET_DESCRIPTOR:
                return self.descriptors.read(value >> 8, value & 0xFF)
            case StandardRequest.SET_CONFIGURATION:
                self._configured = value
                self.halted.clear()
            case StandardRequest.GET_CONFIGURATION:
                return bytes([self._configured])
            case StandardRequest.GET_STATUS:
                return struct.pack("<H", whom == TO_ENDPOINT and (index & 0xFF) in self.halted)
            case StandardRequest.CLEAR_FEATURE if whom == TO_ENDPOINT and value == HALT:
                await self.clear_halt(index & 0xFF)
            case StandardRequest.SET_FEATURE if whom == TO_ENDPOINT and value == HALT:
                self.halted.add(index & 0xFF)
            case StandardRequest.GET_INTERFACE:
                return b"\0"
            case (
                StandardRequest.CLEAR_FEATURE
                | StandardRequest.SET_FEATURE
                | StandardRequest.SET_ADDRESS
                | StandardRequest.SET_INTERFACE
            ):
                pass
            case _:
                return None
        return b""


class IdleFunction(UsbFunction):
    """A device that never has anything to send: a twin, or one that claims to be another."""

    async def out(self, endpoint: int, octets: bytes) -> None:
        pass

    async def into(self, endpoint: int, size: int) -> bytes:
        await asyncio.Event().wait()
        raise AssertionError("an event that no one sets")


class BoardFunction(UsbFunction):
    """A USB device of the bench, which has its own endpoints, halts and data toggles."""

    def __init__(self, descriptors: UsbDescriptors, observed: Observed, cable: SocketCable) -> None:
        super().__init__(descriptors, observed)
        self._cable = cable
        self._reading: asyncio.Future[bytes | None] | None = None

    async def attach(self) -> None:
        await self._cable.open()

    def detach(self) -> None:
        super().detach()
        self._reading = None
        self._cable.close()

    async def out(self, endpoint: int, octets: bytes) -> None:
        await self._cable.write(octets)

    async def into(self, endpoint: int, size: int) -> bytes:
        while True:
            self._reading = self._reading or asyncio.ensure_future(self._cable.read(size))
            await asyncio.shield(asyncio.wait([self._reading]))  # cancelled, the next transfer has what it brings
            done, self._reading = self._reading, None
            if (received := done.result()) is not None:
                return received

    def special(self, of: int, number: int, value: int, index: int, octets: bytes) -> bytes | None:
        """SET_IDLE of HID is accepted, since usbhid sends it; no report can be requested."""
        return b"" if of == CLASS and number == SET_IDLE else None

    async def clear_halt(self, endpoint: int) -> None:
        await super().clear_halt(endpoint)
        await self._cable.clear_halt(endpoint)


class SerialFunction(UsbFunction):
    """A serial port of either kind over a pty of the bench, which has the bit rate of its device.

    With another bit rate set at the host's end nothing that crosses is readable: it is lost both ways.
    """

    data_in: int

    def __init__(self, descriptors: UsbDescriptors, observed: Observed, cable: PtyCable, baud: int | None) -> None:
        super().__init__(descriptors, observed)
        self._cable = cable
        self._baud = baud
        self._set_baud: int | None = None

    def detach(self) -> None:
        super().detach()
        self._cable.listening = False

    async def out(self, endpoint: int, octets: bytes) -> None:
        if self._agrees:
            self._cable.write(octets)

    def lines(self, dtr: bool, rts: bool) -> None:
        """The host has set DTR and RTS; a port is open while DTR is raised."""
        self._cable.listening = dtr
        self._observed("lines", dtr=dtr, rts=rts)

    def bit_rate(self, baud: int) -> None:
        """The host has set the bit rate."""
        self._set_baud = baud
        self._observed("baud", baud=baud)

    async def taken(self, size: int) -> bytes:
        """The received octets, at least one."""
        while not self._cable.waiting:
            self._cable.received.clear()
            await self._cable.received.wait()
        octets = self._cable.take(size)
        return octets if self._agrees else b""

    @property
    def _agrees(self) -> bool:
        return self._baud is None or self._set_baud is None or abs(self._set_baud / self._baud - 1) < 0.03


class AcmFunction(SerialFunction):
    """A CDC ACM port (USB CDC PSTN 1.2, 6.3). It accepts any bit rate and sends no notifications."""

    def __init__(self, descriptors: UsbDescriptors, observed: Observed, cable: PtyCable) -> None:
        super().__init__(descriptors, observed, cable, None)
        self._coding = struct.pack("<IBBB", 9600, 0, 0, 8)

    async def into(self, endpoint: int, size: int) -> bytes:
        if endpoint != 0x82:  # notifications
            await asyncio.Event().wait()
        return await self.taken(min(size, 63))  # a short packet ends it

    def special(self, of: int, number: int, value: int, index: int, octets: bytes) -> bytes | None:
        if of != CLASS:
            return None
        match number:
            case AcmRequest.SET_LINE_CODING if len(octets) == len(self._coding):
                self._coding = octets
                self.bit_rate(struct.unpack_from("<I", octets)[0])
            case AcmRequest.GET_LINE_CODING:
                return self._coding
            case AcmRequest.SET_CONTROL_LINE_STATE:
                self.lines(bool(value & 1), bool(value & 2))
            case AcmRequest.SEND_BREAK:
                pass
            case _:
                return None
        return b""


FRACTIONS = (0.0, 0.5, 0.25, 0.125, 0.375, 0.625, 0.75, 0.875)  # of a divisor, as ftdi_sio.c encodes them
CLEAR_TO_SEND_AND_READY, LINE_STATUS_EMPTY = 0x31, 0x60


class FtdiFunction(SerialFunction):
    """An FT232R, by the requests of drivers/usb/serial/ftdi_sio.h in the Linux kernel.

    Every transfer to the host begins with two octets of status, and an empty one comes at each end of the latency
    timer.
    """

    def __init__(self, descriptors: UsbDescriptors, observed: Observed, cable: PtyCable, baud: int) -> None:
        super().__init__(descriptors, observed, cable, baud)
        self._latency = 16
        self._dtr = self._rts = False

    def detach(self) -> None:
        super().detach()
        self._dtr = self._rts = False
        self._latency = 16

    async def into(self, endpoint: int, size: int) -> bytes:
        status = bytes([CLEAR_TO_SEND_AND_READY, LINE_STATUS_EMPTY])
        try:
            async with asyncio.timeout(self._latency / 1000):
                return status + await self.taken(max(0, min(size, 62) - len(status)))
        except TimeoutError:
            return status

    def special(self, of: int, number: int, value: int, index: int, octets: bytes) -> bytes | None:
        if of != VENDOR:
            return None
        match number:
            case FtdiRequest.RESET:
                if value in (0, 1):  # RESET_SIO, and a purge of what was received
                    self._cable.purge()
            case FtdiRequest.MODEM_CONTROL:
                self._dtr = bool(value & 1) if value & 0x100 else self._dtr
                self._rts = bool(value & 2) if value & 0x200 else self._rts
                self.lines(self._dtr, self._rts)
            case FtdiRequest.SET_BAUD:
                self.bit_rate(ftdi_bit_rate(value, index))
            case FtdiRequest.SET_DATA:
                self._observed("format", bits=value & 0xFF, parity="NOEMS"[min(value >> 8 & 7, 4)])
            case FtdiRequest.SET_LATENCY:
                self._latency = max(1, value & 0xFF)
                self._observed("latency", milliseconds=self._latency)
            case FtdiRequest.GET_LATENCY:
                return bytes([self._latency])
            case FtdiRequest.GET_MODEM_STATUS:
                return bytes([CLEAR_TO_SEND_AND_READY, LINE_STATUS_EMPTY])
            case FtdiRequest.READ_EEPROM:
                return b"\xff\xff"  # a blank EEPROM
            case FtdiRequest.FLOW_CONTROL | FtdiRequest.SET_BIT_MODE:
                pass
            case FtdiRequest.SET_EVENT_CHARACTER | FtdiRequest.SET_ERROR_CHARACTER:
                pass
            case _:
                return None
        return b""


def ftdi_bit_rate(value: int, index: int) -> int:
    """The bit rate that a divisor sets: 3 MHz over its 14 bits and its eighths; 0 and 1 are 3 and 2 MBd."""
    whole, fraction = value & 0x3FFF, FRACTIONS[value >> 14 | (index & 1) << 2]
    if (whole, fraction) == (0, 0.0):
        return 3_000_000
    if (whole, fraction) == (1, 0.0):
        return 2_000_000
    return round(3_000_000 / (whole + fraction))
