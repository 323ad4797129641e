"""The shoe driver against a scripted shoe on a pty."""

import time
from collections.abc import AsyncIterator
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

from drivers.angel_eye.dialogue import ShoeTiming
from drivers.angel_eye.shoe import AngelEye
from drivers.device import DeviceMessage, Mark
from drivers.link import LinkTiming
from drivers.messages import (
    CardDrawn,
    CutCardSeen,
    LinkLost,
    LinkUp,
    NoiseReceived,
    PresetChanged,
    ReportsLost,
    ShoeLocked,
)
from drivers.orders import NoOrder, ShoeLock
from tests.wire.conftest import Running
from tests.wire.peer import Received

LOCK = bytes.fromhex("02 4f 50 4c 4b 30 32 03 31 42")
UNLOCK = bytes.fromhex("02 4f 50 4c 4b 30 31 03 31 38")
EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 b8 03 34 46")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")
LOCKED = bytes.fromhex("05 35 4c 81 03 46 42")
PRESET_4 = bytes.fromhex("05 34 4d 03 37 41")


class FarShoe:
    """Answers each command with 06; None is silence."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.answer: bytes | None = b"\x06"
        self.commands: list[bytes] = []
        peer.answer = self._receive

    def _receive(self, octets: bytes) -> None:
        for at in range(0, len(octets), 10):
            self.commands.append(octets[at : at + 10])
            if self.answer is not None:
                self.peer.send(self.answer)


@pytest.fixture
def shoe_at(quick: LinkTiming) -> Any:
    # A command whose answer is late is given again, and the second answer is noise: only silence is waited for briefly.
    def build(port: Path, answer: float = 5.0) -> AngelEye:
        return AngelEye(port=str(port), timing=ShoeTiming(answer=answer, retry=0.03, copies=0.0), link_timing=quick)

    return build


@pytest.fixture
def far(peer: Any) -> FarShoe:
    return FarShoe(peer)


@pytest.fixture
def shoe(peer: Any, shoe_at: Any) -> AngelEye:
    found: AngelEye = shoe_at(peer.path)
    return found


@pytest.fixture
async def received(far: FarShoe, shoe: AngelEye, running: Running) -> AsyncIterator[Received]:
    """What comes of a shoe that runs, after it was locked."""
    async with running(shoe) as received:
        await received.until(lambda: received.of(ShoeLocked))
        yield received


async def test_it_is_up_when_the_lock_is_acknowledged(far: FarShoe, received: Received) -> None:
    assert isinstance(received.messages[0], LinkUp)
    assert received.messages[1:] == [ShoeLocked(True)] and far.commands == [LOCK]


async def test_a_card_sent_three_times_is_drawn_once(peer: Any, shoe: AngelEye, received: Received) -> None:
    for octet in EIGHT_OF_SPADES * 3:
        peer.send(bytes([octet]))
    peer.send(CUT_CARD * 3)
    await received.until(lambda: received.of(CutCardSeen))
    assert received.reports[-3:] == [
        DeviceMessage("shoe", CardDrawn("8s"), Mark(0, 1)),
        DeviceMessage("shoe", ReportsLost(1), Mark(0, 2)),
        DeviceMessage("shoe", CutCardSeen(), Mark(0, 3)),
    ]


async def test_the_lock_follows_the_order_and_someone_elses_hand_is_undone(
    peer: Any, far: FarShoe, shoe: AngelEye, received: Received
) -> None:
    shoe.order(ShoeLock(False))
    shoe.order(ShoeLock(False))
    await received.until(lambda: received.of(ShoeLocked)[-1] == ShoeLocked(False))
    assert far.commands == [LOCK, UNLOCK]
    peer.send(LOCKED)
    await received.until(lambda: len(far.commands) == 3 and received.of(ShoeLocked)[-1] == ShoeLocked(False))
    assert far.commands[2] == UNLOCK


async def test_the_lock_is_wanted_still_after_a_return(
    peer: Any, far: FarShoe, shoe: AngelEye, received: Received
) -> None:
    shoe.order(ShoeLock(False))
    await received.until(lambda: far.commands[-1] == UNLOCK)
    peer.unplug()
    await received.until(lambda: received.of(LinkLost))
    far.commands.clear()
    peer.plug()
    await received.until(lambda: len(received.of(LinkUp)) == 2)
    assert far.commands == [UNLOCK]
    assert len(received.of(LinkLost)) == 1


async def test_copies_that_straddle_a_reconnect_are_copies(peer: Any, received: Received) -> None:
    peer.send(EIGHT_OF_SPADES)
    await received.until(lambda: received.of(CardDrawn))
    peer.unplug()
    await received.until(lambda: received.of(LinkLost))
    peer.plug()
    await received.until(lambda: len(received.of(LinkUp)) == 2)
    peer.send(EIGHT_OF_SPADES + CUT_CARD)
    await received.until(lambda: received.of(CutCardSeen))
    assert received.of(CardDrawn) == [CardDrawn("8s")]


async def test_a_shoe_that_answers_nothing_is_silent(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    far.answer = None
    async with running(shoe_at(peer.path, answer=0.05)) as received:
        await received.until(lambda: len(far.commands) >= 6)
        assert received.messages == [LinkLost("port is open, but no answer for 0.15 s", "silent")]
        far.answer = b"\x06"
        await received.until(lambda: received.of(LinkUp))


async def test_a_shoe_that_falls_silent_is_noticed_at_the_next_order(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path, answer=0.05)
    async with running(shoe) as received:
        await received.until(lambda: received.of(ShoeLocked))
        far.answer = None
        shoe.order(ShoeLock(False))
        await received.until(lambda: received.of(LinkLost))


async def test_babble_is_noise_and_the_next_report_is_received(peer: Any, received: Received) -> None:
    peer.send(b"\x00\x06\x05\x31\x44" + EIGHT_OF_SPADES[:6] + b"\x05" + PRESET_4)
    await received.until(lambda: received.of(PresetChanged))
    await received.until(lambda: sum(m.count for m in received.of(NoiseReceived)) == 12)
    assert not received.of(CardDrawn)


async def test_a_card_is_reported_within_the_read_callback_and_a_tenth_of_a_millisecond(
    peer: Any, shoe_at: Any, running: Any
) -> None:
    """No task is between the wire and `receive`."""
    FarShoe(peer)
    shoe = shoe_at(peer.path)
    async with running(shoe) as received:
        await received.until(lambda: received.of(ShoeLocked))
        took = []
        for n in range(200):
            report = card_report(n % 9 + 1)
            count, started = len(received.reports), time.perf_counter()
            shoe._receive(report)
            took.append(time.perf_counter() - started)
            assert len(received.reports) == count + 1
        assert sorted(took)[100] < 100e-6


def card_report(sequence: int) -> bytes:
    body = b"%dD\x81\xb8\x03" % sequence
    return b"\x05" + body + b"%02X" % reduce(xor, body)


def test_an_order_of_another_device_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="shoe cannot be ordered"):
        AngelEye(port="nowhere").order(NoOrder())
