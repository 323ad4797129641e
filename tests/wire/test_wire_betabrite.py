"""The sign on USB, through the real pyusb, against a scripted device behind a backend of this test's own."""

import threading
from typing import Any

import pytest
import usb.core

from drivers.betabrite.sign import BetaBrite
from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp, NoiseReceived
from drivers.orders import NoOrder, SignFace
from tests.wire.usb_device import OneDevice

PAGES = ("JACKPOT {amount}", "PRÉMIO {amount}")


class FarSign(OneDevice):
    """Has bulk endpoints; `takes` octets of a transfer."""

    vendor, product, ends, kind, packet = 0x8765, 0x1234, (0x02, 0x82), 2, 64

    def __init__(self) -> None:
        super().__init__()
        self.takes: int | None = None
        self.transfers: list[bytes] = []
        self.says: list[bytes] = []

    @property
    def messages(self) -> list[bytes]:
        return [transfer for transfer in self.transfers if transfer]

    @property
    def commands(self) -> list[bytes]:
        return [message[10 : message.index(b"\x03")] for message in self.messages]

    def bulk_write(self, dev_handle: str, ep: int, intf: int, data: Any, timeout: int) -> int:
        assert ep == 0x02
        self.check_plugged()
        if self.takes is not None:
            return min(self.takes, len(data))
        self.transfers.append(bytes(data))
        return len(data)

    def bulk_read(self, dev_handle: str, ep: int, intf: int, buff: Any, timeout: int) -> int:
        assert ep == 0x82 and len(buff) == 64
        self.check_plugged()
        if not self.says:
            raise usb.core.USBTimeoutError("Operation timed out", -7, 110)
        return self.put(self.says.pop(0), buff)


@pytest.fixture
def far() -> FarSign:
    return FarSign()


@pytest.fixture
def sign(far: FarSign, quick: LinkTiming) -> BetaBrite:
    return BetaBrite(open_backend=lambda: far, packet_pause_seconds=0.0, look_seconds=0.01, link_timing=quick)


async def test_everything_is_written_and_an_empty_transfer_ends_each_message(
    far: FarSign, sign: BetaBrite, running: Any
) -> None:
    sign.order(SignFace(PAGES, "600.003,50"))
    async with running(sign) as received:
        await received.until(lambda: len(far.transfers) == 10)
        assert far.commands == [
            b"E$AAU0100FF00BAU0100FF00JBL007D0000",
            b"GJ600.003,50",
            b"AA\x1b b\x1c2JACKPOT \x1c3\x10J\x1c2",
            b"AB\x1b b\x1c2PREMIO \x1c3\x10J\x1c2",
            b"E.TUAB",
        ]
        assert far.transfers[1::2] == [b""] * 5
        assert [type(message) for message in received.messages] == [LinkUp]


async def test_a_message_of_whole_packets_is_ended_too(far: FarSign, sign: BetaBrite, running: Any) -> None:
    sign.order(SignFace((), ""))
    async with running(sign) as received:
        await received.until(lambda: len(far.transfers) == 6)
        sign.order(SignFace((), "9" * (64 - 18)))
        await received.until(lambda: len(far.transfers) == 8)
        assert len(far.transfers[6]) == 64 and far.transfers[7] == b""


async def test_a_new_amount_is_one_string_and_overtaken_ones_are_not_sent(
    far: FarSign, sign: BetaBrite, running: Any
) -> None:
    sign.order(SignFace(PAGES, "start"))
    async with running(sign) as received:
        await received.until(lambda: len(far.messages) == 5)
        for amount in range(200):
            sign.order(SignFace(PAGES, str(amount)))
        await received.until(lambda: far.commands[-1] == b"GJ199")
        assert len(far.commands) <= 7


async def test_unplugged_in_idle_and_back_with_its_whole_face(far: FarSign, sign: BetaBrite, running: Any) -> None:
    sign.order(SignFace(PAGES, "1,00"))
    async with running(sign) as received:
        await received.until(lambda: len(far.messages) == 5)
        far.plugged = False
        await received.until(lambda: received.of(LinkLost))
        assert received.of(LinkLost) == [LinkLost("unplugged", "unplugged")]
        sign.order(SignFace(PAGES, "9,00"))
        far.transfers.clear()
        far.plugged = True
        await received.until(lambda: len(far.messages) == 5)
        assert far.commands[1] == b"GJ9,00" and len(received.of(LinkUp)) == 2


async def test_absent_is_a_state(far: FarSign, sign: BetaBrite, running: Any) -> None:
    far.plugged = False
    async with running(sign) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost("no USB device 8765:1234 is plugged in", "unplugged")]


async def test_a_sign_that_takes_only_a_part_is_lost(far: FarSign, quick: LinkTiming, running: Any) -> None:
    far.takes = 20
    sign = BetaBrite(open_backend=lambda: far, write_wait_seconds=0.1, link_timing=quick)
    sign.order(SignFace(PAGES, "1,00"))
    async with running(sign) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost("takes nothing for 0.1 s", "silent")]


async def test_what_a_sign_says_unasked_is_noise(far: FarSign, sign: BetaBrite, running: Any) -> None:
    sign.order(SignFace((), ""))
    async with running(sign) as received:
        await received.until(lambda: received.of(LinkUp))
        far.says.append(b"\x15")
        await received.until(lambda: received.of(NoiseReceived))
        assert received.of(NoiseReceived) == [NoiseReceived(1)]


async def test_the_port_is_closed_at_the_end_also_while_it_is_being_opened(
    far: FarSign, quick: LinkTiming, running: Any
) -> None:
    active_round = threading.Event()

    def open_slowly() -> FarSign:
        active_round.wait(2)
        return far

    sign = BetaBrite(open_backend=open_slowly, link_timing=quick)
    async with running(sign):
        pass
    active_round.set()
    for thread in [thread for thread in threading.enumerate() if thread.name.startswith("usb sign")]:
        thread.join(2)
    assert far.opened == 0


def test_mistakes_are_refused_at_once(sign: BetaBrite) -> None:
    with pytest.raises(ValueError, match="address"):
        BetaBrite(address="0")
    with pytest.raises(ValueError, match="at most"):
        sign.order(SignFace(("x",) * 26, "1"))
    with pytest.raises(TypeError, match="sign cannot be ordered"):
        sign.order(NoOrder())
