"""The drivers of the sign: on a pty that keeps what it is sent, and on USB behind a backend of this test's own."""

import re
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
import usb.core

from drivers.alpha.serial_sign import SerialSign
from drivers.alpha.sign import AlphaSign
from drivers.betabrite.sign import BetaBrite
from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp, NoiseReceived
from drivers.orders import NoOrder, SignFace
from tests.wire.peer import Peer
from tests.wire.usb_device import OneDevice

PAGES = ("JACKPOT {amount}", "PRÉMIO {amount}")
PACKET = re.compile(rb"\x00{5}\x01Z00\x02([^\x03\x04]*)\x03([0-9A-F]{4})\x04")


class Far(Protocol):
    """The far end of a sign; `got` is what it was sent."""

    got: bytearray

    @property
    def absence(self) -> str: ...

    def plug(self) -> None: ...
    def unplug(self) -> None: ...
    def send(self, octets: bytes) -> None: ...
    def stop_reading(self) -> None: ...


class FarUsb(OneDevice):
    """Has bulk endpoints; `takes` octets of a transfer."""

    vendor, product, ends, kind, packet = 0x8765, 0x1234, (0x02, 0x82), 2, 64
    absence = "no USB device 8765:1234 is plugged in"

    def __init__(self) -> None:
        super().__init__()
        self.got = bytearray()
        self.takes: int | None = None
        self.transfers: list[bytes] = []
        self.says: list[bytes] = []

    def plug(self) -> None:
        self.plugged = True

    def unplug(self) -> None:
        self.plugged = False

    def send(self, octets: bytes) -> None:
        self.says.append(octets)

    def stop_reading(self) -> None:
        self.takes = 20

    def bulk_write(self, dev_handle: str, ep: int, intf: int, data: Any, timeout: int) -> int:
        assert ep == 0x02
        self.check_plugged()
        if self.takes is not None:
            return min(self.takes, len(data))
        self.transfers.append(bytes(data))
        self.got += bytes(data)
        return len(data)

    def bulk_read(self, dev_handle: str, ep: int, intf: int, buff: Any, timeout: int) -> int:
        assert ep == 0x82 and len(buff) == 64
        self.check_plugged()
        if not self.says:
            raise usb.core.USBTimeoutError("Operation timed out", -7, 110)
        return self.put(self.says.pop(0), buff)


class FarLine(Peer):
    """The far end of a serial line."""

    @property
    def absence(self) -> str:
        return f"no device at {self.path}"


@pytest.fixture(params=["serial", "usb"])
async def far(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Far]:
    far: Far = FarUsb() if request.param == "usb" else FarLine(tmp_path / "port")
    far.plug()
    yield far
    far.unplug()


@pytest.fixture
def far_usb() -> FarUsb:
    return FarUsb()


@pytest.fixture
def sign_of(quick: LinkTiming) -> Callable[..., AlphaSign]:
    def build(far: Far, pause: float = 0.0, open_backend: Callable[[], object] | None = None) -> AlphaSign:
        given: dict[str, Any] = {"packet_pause_seconds": pause, "write_wait_seconds": 0.1, "link_timing": quick}
        if isinstance(far, FarLine):
            return SerialSign(port=str(far.path), baud=115200, **given)
        return BetaBrite(open_backend=open_backend or (lambda: far), look_seconds=0.01, **given)

    return build


def commands(far: Far) -> list[bytes]:
    for packet in PACKET.finditer(bytes(far.got)):
        assert b"%04X" % sum(b"\x02" + packet[1] + b"\x03") == packet[2]
    return [packet[1] for packet in PACKET.finditer(bytes(far.got))]


async def test_at_an_opening_everything_is_written(far: Far, sign_of: Any, running: Any) -> None:
    sign = sign_of(far)
    sign.order(SignFace(PAGES, "600.003,50"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(far)) == 5)
        assert [type(message) for message in received.messages] == [LinkUp]
        assert commands(far) == [
            b"E$AAU0100FF00BAU0100FF00JBL007D0000",
            b"GJ600.003,50",
            b"AA\x1b b\x1c2JACKPOT \x1c3\x10J\x1c2",
            b"AB\x1b b\x1c2PREMIO \x1c3\x10J\x1c2",
            b"E.TUAB",
        ]
        assert far.got == b"".join(packet[0] for packet in PACKET.finditer(bytes(far.got)))
        if isinstance(far, FarUsb):
            await received.until(lambda: len(far.transfers) == 10)
            assert far.transfers[1::2] == [b""] * 5, "an empty transfer ends each message"


async def test_a_message_of_whole_packets_is_ended_too(far_usb: FarUsb, sign_of: Any, running: Any) -> None:
    sign = sign_of(far_usb)
    sign.order(SignFace((), ""))
    async with running(sign) as received:
        await received.until(lambda: len(far_usb.transfers) == 6)
        sign.order(SignFace((), "9" * (64 - 18)))
        await received.until(lambda: len(far_usb.transfers) == 8)
        assert len(far_usb.transfers[6]) == 64 and far_usb.transfers[7] == b""


async def test_a_new_amount_is_one_string_and_nothing_else(far: Far, sign_of: Any, running: Any) -> None:
    sign = sign_of(far)
    sign.order(SignFace(PAGES, "1,00"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(far)) == 5)
        sign.order(SignFace(PAGES, "2,00"))
        await received.until(lambda: len(commands(far)) == 6)
        sign.order(SignFace(PAGES, "2,00"))
        sign.order(SignFace(("{amount}", PAGES[1]), "2,00"))
        await received.until(lambda: len(commands(far)) == 7)
        assert [command[:2] for command in commands(far)[5:]] == [b"GJ", b"AA"]


async def test_of_many_amounts_only_the_last_is_sent(far: Far, sign_of: Any, running: Any) -> None:
    sign = sign_of(far, pause=0.03)
    sign.order(SignFace(PAGES, "start"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(far)) == 5)
        sign.order(SignFace(PAGES, "0"))
        await received.until(lambda: len(commands(far)) == 6)
        for amount in range(1, 200):
            sign.order(SignFace(PAGES, str(amount)))
        await received.until(lambda: commands(far)[-1] == b"GJ199")
        assert [command for command in commands(far) if command.startswith(b"GJ")] == [b"GJstart", b"GJ0", b"GJ199"]


async def test_it_comes_back_with_its_whole_face(far: Far, sign_of: Any, running: Any) -> None:
    sign = sign_of(far)
    sign.order(SignFace(PAGES, "1,00"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(far)) == 5)
        far.unplug()
        await received.until(lambda: received.of(LinkLost))
        assert [lost.cause for lost in received.of(LinkLost)] == ["unplugged"]
        sign.order(SignFace(PAGES, "9,00"))
        far.got.clear()
        far.plug()
        await received.until(lambda: len(commands(far)) == 5)
        assert commands(far)[1] == b"GJ9,00"
        assert [type(message) for message in received.messages] == [LinkUp, LinkLost, LinkUp]


async def test_a_sign_that_takes_nothing_is_lost(far: Far, sign_of: Any, running: Any) -> None:
    far.stop_reading()
    sign = sign_of(far)
    sign.order(SignFace(("x" * 30_000,), "1,00"))
    async with running(sign) as received:
        await received.until(lambda: received.of(LinkLost))
        (lost,) = received.of(LinkLost)
        assert lost.reason.endswith("takes nothing for 0.1 s") and lost.cause == "silent"


async def test_an_absent_sign_is_a_state(far: Far, sign_of: Any, running: Any) -> None:
    far.unplug()
    async with running(sign_of(far)) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost(far.absence, "unplugged")]


async def test_what_a_sign_says_unasked_is_noise(far: Far, sign_of: Any, running: Any) -> None:
    sign = sign_of(far)
    sign.order(SignFace((), ""))
    async with running(sign) as received:
        await received.until(lambda: received.of(LinkUp))
        far.send(b"hello")
        await received.until(lambda: received.of(NoiseReceived))
        assert received.of(NoiseReceived) == [NoiseReceived(5)]


async def test_the_port_is_closed_at_the_end_also_while_it_is_being_opened(
    far_usb: FarUsb, sign_of: Any, running: Any
) -> None:
    begun, go = threading.Event(), threading.Event()

    def open_slowly() -> FarUsb:
        begun.set()
        go.wait(60)
        return far_usb

    async with running(sign_of(far_usb, open_backend=open_slowly)) as received:
        await received.until(begun.is_set)
    go.set()
    for thread in [thread for thread in threading.enumerate() if thread.name.startswith("usb sign")]:
        thread.join()
    assert far_usb.opened == 0


@pytest.mark.parametrize("make", [lambda **given: SerialSign(port="nowhere", **given), BetaBrite])
def test_mistakes_are_refused_at_once(make: Callable[..., AlphaSign]) -> None:
    with pytest.raises(ValueError, match="address"):
        make(address="0")
    with pytest.raises(ValueError, match="at most"):
        make().order(SignFace(("x",) * 26, "1"))
    with pytest.raises(ValueError, match="at most"):
        make().order(SignFace((), "1" * 126))
    with pytest.raises(TypeError, match="sign cannot be ordered"):
        make().order(NoOrder())
