"""The shoe driver against a scripted shoe on a pty."""

import asyncio
import time
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

from drivers.angel_eye.shoe import Shoe
from drivers.device import Heard, Mark
from drivers.link import LinkTiming
from drivers.messages import (
    CardDrawn,
    CutCardSeen,
    LinkLost,
    LinkUp,
    NoiseHeard,
    PresetChanged,
    ReportsLost,
    ShoeError,
    ShoeErrorCleared,
    ShoeLocked,
    ShoeRefused,
    ShoeStarted,
)
from drivers.orders import NoOrder, ShoeLock

LOCK = bytes.fromhex("02 4f 50 4c 4b 30 32 03 31 42")
UNLOCK = bytes.fromhex("02 4f 50 4c 4b 30 31 03 31 38")
EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 b8 03 34 46")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")
LOCKED = bytes.fromhex("05 35 4c 81 03 46 42")
START = bytes.fromhex("05 43 53 03 31 33")
CANNOT_READ = bytes.fromhex("05 34 45 c1 03 42 33")
CLEAR_1 = bytes.fromhex("02 4f 50 45 43 30 31 03 31 39")
PRESET_4 = bytes.fromhex("05 34 4d 03 37 41")


class FarShoe:
    """Answers each command with what `answers` says, then with 06; None is silence."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.answers: list[bytes | None] = []
        self.always: bytes | None = b"\x06"
        self.commands: list[bytes] = []
        peer.answer = self._hear

    def _hear(self, octets: bytes) -> None:
        for at in range(0, len(octets), 10):
            self.commands.append(octets[at : at + 10])
            answer = self.answers.pop(0) if self.answers else self.always
            if answer is not None:
                self.peer.send(answer)


@pytest.fixture
def shoe_at(quick: LinkTiming) -> Any:
    def build(port: Path, mark: Mark | None = None, **seconds: Any) -> Shoe:
        timings: dict[str, Any] = {
            "answer_wait_seconds": 0.05,
            "retry_seconds": 0.03,
            "copies_seconds": 0.0,
            **seconds,
        }
        return Shoe(port=str(port), mark=mark, link_timing=quick, **timings)

    return build


async def test_it_is_up_when_the_lock_is_acknowledged(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    async with running(shoe_at(peer.path)) as told:
        await told.until(lambda: told.of(ShoeLocked))
        assert isinstance(told.messages[0], LinkUp)
        assert told.messages[1:] == [ShoeLocked(True)] and far.commands == [LOCK]


async def test_a_card_sent_three_times_is_drawn_once(peer: Any, shoe_at: Any, running: Any) -> None:
    FarShoe(peer)
    async with running(shoe_at(peer.path)) as told:
        await told.until(lambda: told.of(LinkUp))
        for octet in EIGHT_OF_SPADES * 3:
            peer.send(bytes([octet]))
        peer.send(CUT_CARD * 3)
        await told.until(lambda: told.of(CutCardSeen))
        assert told.heard[-3:] == [
            Heard("shoe", CardDrawn("8s"), Mark(0, 1)),
            Heard("shoe", ReportsLost(1), Mark(0, 2)),
            Heard("shoe", CutCardSeen(), Mark(0, 3)),
        ]


async def test_reports_missing_since_the_mark_are_lost(peer: Any, shoe_at: Any, running: Any) -> None:
    FarShoe(peer)
    async with running(shoe_at(peer.path, Mark(0, 8))) as told:
        await told.until(lambda: told.of(LinkUp))
        peer.send(CUT_CARD)
        await told.until(lambda: told.of(CutCardSeen))
        assert told.of(ReportsLost) == [ReportsLost(3)]  # 9, 1 and 2


async def test_a_start_report_is_told_and_the_lock_established_again(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    async with running(shoe_at(peer.path)) as told:
        await told.until(lambda: told.of(ShoeLocked))
        peer.send(START * 3)
        await told.until(lambda: len(far.commands) == 2)
        await told.until(lambda: len(told.of(ShoeLocked)) == 2)
        peer.send(EIGHT_OF_SPADES)
        await told.until(lambda: told.of(CardDrawn))
        assert told.of(ShoeStarted) == [ShoeStarted()] and not told.of(ReportsLost)


async def test_the_lock_follows_the_order_and_somebody_elses_hand_is_undone(
    peer: Any, shoe_at: Any, running: Any
) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path)
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        shoe.order(ShoeLock(False))
        shoe.order(ShoeLock(False))
        await told.until(lambda: told.of(ShoeLocked)[-1] == ShoeLocked(False))
        assert far.commands == [LOCK, UNLOCK]
        peer.send(LOCKED)
        await told.until(lambda: len(far.commands) == 3 and told.of(ShoeLocked)[-1] == ShoeLocked(False))
        assert far.commands[2] == UNLOCK


async def test_the_lock_is_wanted_still_after_a_return(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path)
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        shoe.order(ShoeLock(False))
        await told.until(lambda: far.commands[-1] == UNLOCK)
        peer.unplug()
        await told.until(lambda: told.of(LinkLost))
        far.commands.clear()
        peer.plug()
        await told.until(lambda: len(told.of(LinkUp)) == 2)
        assert far.commands == [UNLOCK]
        assert len(told.of(LinkLost)) == 1


async def test_copies_that_straddle_a_reconnect_are_copies(peer: Any, shoe_at: Any, running: Any) -> None:
    FarShoe(peer)
    async with running(shoe_at(peer.path)) as told:
        await told.until(lambda: told.of(LinkUp))
        peer.send(EIGHT_OF_SPADES)
        await told.until(lambda: told.of(CardDrawn))
        peer.unplug()
        await told.until(lambda: told.of(LinkLost))
        peer.plug()
        await told.until(lambda: len(told.of(LinkUp)) == 2)
        peer.send(EIGHT_OF_SPADES + CUT_CARD)
        await told.until(lambda: told.of(CutCardSeen))
        assert told.of(CardDrawn) == [CardDrawn("8s")]


async def test_copies_after_a_restart_are_copies_while_they_can_come(peer: Any, shoe_at: Any, running: Any) -> None:
    FarShoe(peer)
    async with running(shoe_at(peer.path, Mark(0, 1), copies_seconds=5.0)) as told:
        await told.until(lambda: told.of(LinkUp))
        peer.send(EIGHT_OF_SPADES * 2 + CUT_CARD)
        await told.until(lambda: told.of(CutCardSeen))
        assert not told.of(CardDrawn) and told.of(ReportsLost) == [ReportsLost(1)]


async def test_a_shoe_that_answers_nothing_is_silent(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    far.always = None
    async with running(shoe_at(peer.path)) as told:
        await told.until(lambda: len(far.commands) >= 6)
        assert told.messages == [LinkLost("port is open, but no answer for 0.15 s")]
        far.always = b"\x06"
        await told.until(lambda: told.of(LinkUp))


async def test_a_shoe_that_falls_silent_is_noticed_at_the_next_order(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path)
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        far.always = None
        shoe.order(ShoeLock(False))
        await told.until(lambda: told.of(LinkLost))


async def test_idle_probes_when_they_are_wanted(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    async with running(shoe_at(peer.path, idle_probe_seconds=0.02)) as told:
        await told.until(lambda: len(far.commands) >= 4)
        assert told.of(ShoeLocked) == [ShoeLocked(True)]
        far.always = None
        await told.until(lambda: told.of(LinkLost))


async def test_a_refusal_is_named_once_and_the_order_repeated(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    far.answers = [b"\x15\x21", b"\x15\x21", None, b"\x06"]
    async with running(shoe_at(peer.path)) as told:
        await told.until(lambda: told.of(ShoeLocked))
        assert told.messages[1:] == [ShoeRefused(0x21, "busy"), ShoeLocked(True)]
        assert far.commands == [LOCK] * 4


def cleared_report(sequence: int, code: int = 1) -> bytes:
    body = b"%de" % sequence + bytes([0xC0 | code]) + b"\x03"
    return b"\x05" + body + b"%02X" % reduce(xor, body)


async def test_an_error_is_cleared_at_once_while_the_shoe_is_to_be_unlocked(
    peer: Any, shoe_at: Any, running: Any
) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path, retry_seconds=0.5)
    shoe.order(ShoeLock(False))
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        peer.send(CANNOT_READ * 3)
        await told.until(lambda: len(far.commands) == 2)
        assert far.commands == [UNLOCK, CLEAR_1] and not told.of(ShoeErrorCleared)
        peer.send(cleared_report(5) * 3)
        await told.until(lambda: told.of(ShoeErrorCleared))
        assert told.messages[-2:] == [ShoeError(1, "card cannot be read"), ShoeErrorCleared(1)]
        await asyncio.sleep(0.1)
        assert len(far.commands) == 2


async def test_an_error_stays_until_the_shoe_is_to_be_unlocked(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path)
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        peer.send(CANNOT_READ)
        await told.until(lambda: told.of(ShoeError))
        await asyncio.sleep(0.1)
        assert far.commands == [LOCK]
        shoe.order(ShoeLock(False))
        await told.until(lambda: told.of(ShoeLocked)[-1] == ShoeLocked(False))
        assert far.commands[:3] == [LOCK, CLEAR_1, UNLOCK]


async def test_clearing_is_repeated_after_silence_and_refusal_and_given_up_when_it_is_accepted_in_vain(
    peer: Any, shoe_at: Any, running: Any
) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path)
    shoe.order(ShoeLock(False))
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        far.commands.clear()
        far.answers = [None, b"\x15\x21", b"\x15\x21"]
        peer.send(CANNOT_READ)
        await told.until(lambda: len(far.commands) == 6)
        await asyncio.sleep(0.15)
        assert far.commands == [CLEAR_1] * 6  # one unheard, two refused, three accepted
        assert told.of(ShoeRefused) == [ShoeRefused(0x21, "busy")] and not told.of(LinkLost)
        shoe.order(ShoeLock(True))
        await told.until(lambda: told.of(ShoeLocked)[-1] == ShoeLocked(True))
        shoe.order(ShoeLock(False))
        await told.until(lambda: far.commands.count(CLEAR_1) == 9)


@pytest.mark.parametrize("over", [cleared_report(5), START, bytes.fromhex("05 35 44 81 b8 03 34 42")])
async def test_an_error_that_is_over_is_not_cleared(peer: Any, shoe_at: Any, running: Any, over: bytes) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path)
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        peer.send(CANNOT_READ + over)
        await told.until(lambda: told.of(ShoeErrorCleared, ShoeStarted, CardDrawn))
        shoe.order(ShoeLock(False))
        await told.until(lambda: told.of(ShoeLocked)[-1] == ShoeLocked(False))
        await asyncio.sleep(0.1)
        assert CLEAR_1 not in far.commands


async def test_a_shoe_that_answers_no_clearing_is_silent(peer: Any, shoe_at: Any, running: Any) -> None:
    far = FarShoe(peer)
    shoe = shoe_at(peer.path)
    shoe.order(ShoeLock(False))
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        far.always = None
        peer.send(CANNOT_READ)
        await told.until(lambda: told.of(LinkLost))
        far.always = b"\x06"
        await told.until(lambda: len(told.of(LinkUp)) == 2 and far.commands[-1] == UNLOCK)
        assert far.commands[-2] == CLEAR_1


async def test_babble_is_noise_and_the_next_report_is_heard(peer: Any, shoe_at: Any, running: Any) -> None:
    FarShoe(peer)
    async with running(shoe_at(peer.path)) as told:
        await told.until(lambda: told.of(ShoeLocked))
        peer.send(b"\x00\x06\x05\x31\x44" + EIGHT_OF_SPADES[:6] + b"\x05" + PRESET_4)
        await told.until(lambda: told.of(PresetChanged))
        await told.until(lambda: sum(m.count for m in told.of(NoiseHeard)) == 12)
        assert not told.of(CardDrawn)


async def test_a_card_is_told_within_the_read_callback_and_a_tenth_of_a_millisecond(
    peer: Any, shoe_at: Any, running: Any
) -> None:
    """No task stands between the wire and `hear`."""
    FarShoe(peer)
    shoe = shoe_at(peer.path)
    async with running(shoe) as told:
        await told.until(lambda: told.of(ShoeLocked))
        took = []
        for n in range(200):
            report = card_report(n % 9 + 1)
            count, started = len(told.heard), time.perf_counter()
            shoe._receive(report)
            took.append(time.perf_counter() - started)
            assert len(told.heard) == count + 1
        assert sorted(took)[100] < 100e-6


def card_report(sequence: int) -> bytes:
    body = b"%dD\x81\xb8\x03" % sequence
    return b"\x05" + body + b"%02X" % reduce(xor, body)


def test_an_order_of_another_device_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="shoe cannot be ordered"):
        Shoe(port="nowhere").order(NoOrder())
