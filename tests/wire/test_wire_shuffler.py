"""The shuffler driver against a scripted machine on a pty; the machine's frames are not made by the driver's codec."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from drivers.device import DeviceMessage, Mark
from drivers.faults import DeviceSilent
from drivers.link import LinkTiming
from drivers.messages import (
    CardsInserted,
    Cleared,
    Jammed,
    LidOpened,
    LinkLost,
    LinkUp,
    NoiseReceived,
    PacketDispensed,
    ReportsLost,
    ShufflerHello,
    ShuffleStarted,
)
from drivers.orders import DispenseOrder, LampStates, NoOrder, ShuffleOrder
from drivers.shuffler_link.shuffler import Shuffler
from tests.simulators.shuffler_host import shuffler_frame, shuffler_messages
from tests.wire.conftest import Running
from tests.wire.peer import Received

ACK, RESEND, SHUFFLE, DISPENSE = 0x81, 0x82, 0x83, 0x84


class Machine:
    """A shuffler that says HELLO, holds what is not acknowledged, and remembers what it was reported."""

    def __init__(self, peer: Any, boot: int = 0x1A2B, next_sequence: int = 1) -> None:
        self.peer = peer
        self.boot = boot
        self.next = next_sequence
        self.kept: dict[int, bytes] = {}
        self.orders: list[tuple[int, bytes]] = []
        self.mute = False
        self._rest = b""
        peer.answer = self._receive

    def payloads_of(self, kind: int) -> list[bytes]:
        return [payload for sent_before, payload in self.orders if sent_before == kind]

    def say(self, kind: int, payload: bytes = b"", lost: bool = False) -> int:
        sequence = self.next
        self.next = (self.next + 1) & 0xFFFF
        self.kept[sequence] = shuffler_frame(kind, payload, sequence)
        if not lost:
            self.peer.send(self.kept[sequence])
        return sequence

    def hello(self) -> None:
        payload = self.boot.to_bytes(4, "big") + b"\x01\x01" + (0).to_bytes(4, "big") + b"\x01M\x01F"
        self.peer.send(shuffler_frame(1, payload, self.next))

    def _receive(self, octets: bytes) -> None:
        *frames, self._rest = (self._rest + octets).split(b"\0")
        for kind, _, payload in shuffler_messages(frames):
            self.orders.append((kind, payload))
            if not self.mute:
                self._obey(kind, payload)

    def _obey(self, kind: int, payload: bytes) -> None:
        if kind == RESEND:
            boot, begin = int.from_bytes(payload[:4], "big"), int.from_bytes(payload[4:], "big")
            self.hello()
            for sequence, frame in self.kept.items():
                if boot != self.boot or (sequence - begin) & 0xFFFF < 0x8000:
                    self.peer.send(frame)
        elif kind == ACK:
            up_to = int.from_bytes(payload, "big")
            self.kept = {n: f for n, f in self.kept.items() if (up_to - n) & 0xFFFF >= 0x8000}


@pytest.fixture
def shuffler_at(quick: LinkTiming) -> Any:
    def build(port: Path, mark: Mark | None = None, **seconds: Any) -> Shuffler:
        timings: dict[str, Any] = {
            "hello_wait_seconds": 0.2,
            "resend_repeat_seconds": 0.05,
            "probe_seconds": 0.3,
            "order_repeat_seconds": 0.05,
        }
        return Shuffler(port=str(port), mark=mark, link_timing=quick, **{**timings, **seconds})

    return build


@pytest.fixture
def machine(peer: Any) -> Machine:
    return Machine(peer)


@pytest.fixture
def shuffler(peer: Any, shuffler_at: Any) -> Shuffler:
    found: Shuffler = shuffler_at(peer.path)
    return found


@pytest.fixture
async def received(machine: Machine, shuffler: Shuffler, running: Running) -> AsyncIterator[Received]:
    """What comes of a shuffler that runs, after its HELLO."""
    async with running(shuffler) as received:
        await received.until(lambda: received.of(ShufflerHello))
        yield received


async def test_it_opens_with_resend_and_is_up_with_hello(machine: Machine, received: Received) -> None:
    assert isinstance(received.messages[0], LinkUp) and received.messages[0].tries == 1
    assert received.messages[1] == ShufflerHello(0x1A2B, "batch", 1, 0, "M", "F")
    assert machine.orders[0] == (RESEND, bytes(6))


async def test_no_ack_before_durable(peer: Any, machine: Machine, shuffler: Shuffler, received: Received) -> None:
    machine.say(8)
    machine.say(7, b"\x00\x12")
    await received.until(lambda: received.of(CardsInserted))
    assert received.reports[-1] == DeviceMessage("shuffler", CardsInserted(18), Mark(0x1A2B, 2))
    for frame in list(machine.kept.values()):  # the machine's own retransmission
        peer.send(frame)
    await received.until(lambda: len(machine.payloads_of(RESEND)) > 1)
    assert machine.payloads_of(ACK) == []
    shuffler.durable(Mark(0x1A2B, 1))
    await received.until(lambda: machine.payloads_of(ACK) == [b"\x00\x01"])
    shuffler.durable(Mark(0x1A2B, 2))
    await received.until(lambda: not machine.kept)
    assert len(received.of(LidOpened, CardsInserted)) == 2


async def test_an_ack_that_was_lost_is_sent_again(
    peer: Any, machine: Machine, shuffler: Shuffler, received: Received
) -> None:
    machine.say(8)
    await received.until(lambda: received.of(LidOpened))
    machine.mute = True
    shuffler.durable(Mark(0x1A2B, 1))
    await received.until(lambda: machine.payloads_of(ACK))
    machine.mute = False
    peer.send(machine.kept[1])
    await received.until(lambda: not machine.kept)
    assert len(received.of(LidOpened)) == 1


async def test_after_a_restart_it_resumes_after_the_mark(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer, next_sequence=65534)
    for count in (1, 2, 3, 4):
        machine.say(7, count.to_bytes(2, "big"), lost=True)
    async with running(shuffler_at(peer.path, Mark(0x1A2B, 65535))) as received:
        await received.until(lambda: len(received.of(CardsInserted)) == 2)
        assert machine.orders[0] == (RESEND, bytes.fromhex("00 00 1a 2b 00 00"))
        assert [(h.message, h.mark) for h in received.reports[-2:]] == [
            (CardsInserted(3), Mark(0x1A2B, 0)),
            (CardsInserted(4), Mark(0x1A2B, 1)),
        ]
        await received.until(lambda: list(machine.kept) == [0, 1])  # the mark was durable, so it is acknowledged


async def test_another_boot_resumes_from_that_machines_oldest(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer, boot=0x99, next_sequence=5)
    machine.say(7, b"\x00\x05", lost=True)
    machine.say(7, b"\x00\x06", lost=True)
    shuffler = shuffler_at(peer.path, Mark(0x1A2B, 400))
    async with running(shuffler) as received:
        await received.until(lambda: len(received.of(CardsInserted)) == 2)
        assert [h.mark for h in received.reports[-2:]] == [Mark(0x99, 5), Mark(0x99, 6)]
        shuffler.durable(Mark(0x1A2B, 401))
        shuffler.durable(Mark(0x99, 6))
        await received.until(lambda: machine.payloads_of(ACK))
        assert machine.payloads_of(ACK) == [b"\x00\x06"]
        assert received.of(ReportsLost) == []


async def test_a_machine_restarted_under_an_open_port_is_read_from_one(machine: Machine, received: Received) -> None:
    machine.say(8)
    machine.say(8)
    await received.until(lambda: len(received.of(LidOpened)) == 2)
    machine.boot, machine.next, machine.kept = 0x77, 1, {}
    machine.hello()
    machine.say(8)
    await received.until(lambda: len(received.of(LidOpened)) == 3)
    assert received.reports[-1].mark == Mark(0x77, 1)
    assert len(received.of(ShufflerHello)) == 2 and not received.of(LinkLost)


async def test_a_new_boot_is_noticed_even_if_its_hello_was_noise(
    machine: Machine, shuffler: Shuffler, received: Received
) -> None:
    for _ in range(3):
        machine.say(8)
    await received.until(lambda: len(received.of(LidOpened)) == 3)
    shuffler.durable(Mark(0x1A2B, 3))
    await received.until(lambda: not machine.kept)
    machine.boot, machine.next = 0x77, 1
    machine.say(7, b"\x00\x01")  # its number was received before, from the other boot
    await received.until(lambda: received.of(CardsInserted))
    assert received.reports[-1].mark == Mark(0x77, 1) and 1 in machine.kept


async def test_a_gap_is_asked_for_and_filled_in_order(machine: Machine, received: Received) -> None:
    machine.say(7, b"\x00\x01", lost=True)
    machine.say(7, b"\x00\x02")
    await received.until(lambda: len(received.of(CardsInserted)) == 2)
    assert received.of(CardsInserted) == [CardsInserted(1), CardsInserted(2)]
    assert machine.payloads_of(RESEND)[-1] == bytes.fromhex("00 00 1a 2b 00 01")


async def test_an_order_is_repeated_until_it_is_answered(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer)
    shuffler = shuffler_at(peer.path)
    shuffler.order(ShuffleOrder(7))
    async with running(shuffler) as received:
        await received.until(lambda: len(machine.payloads_of(SHUFFLE)) >= 3)
        assert machine.orders[0][0] == RESEND  # greeted before ordered
        machine.say(3, (6).to_bytes(4, "big"))  # another order's answer
        await received.until(lambda: received.of(ShuffleStarted))
        orders = len(machine.payloads_of(SHUFFLE))
        await received.until(lambda: len(machine.payloads_of(SHUFFLE)) > orders)
        machine.say(3, (7).to_bytes(4, "big"))
        await received.until(lambda: len(received.of(ShuffleStarted)) == 2)
        answered = len(machine.payloads_of(SHUFFLE))
        shuffler.order(ShuffleOrder(7))
        resends = len(machine.payloads_of(RESEND))
        await received.until(lambda: len(machine.payloads_of(RESEND)) > resends)  # a probe later
        assert len(machine.payloads_of(SHUFFLE)) == answered
        shuffler.order(DispenseOrder(8, 3))
        await received.until(lambda: machine.payloads_of(DISPENSE))
        assert machine.payloads_of(DISPENSE)[0] == bytes.fromhex("00 00 00 08 03")
        machine.say(5, bytes.fromhex("00 00 00 08 03 31 1d 0a"))
        await received.until(lambda: received.of(PacketDispensed))
        assert received.messages[-1] == PacketDispensed(8, ("As", "Kd", "Tc"))


async def test_no_order_stops_the_repeating(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer)
    shuffler = shuffler_at(peer.path)
    shuffler.order(ShuffleOrder(7))
    async with running(shuffler) as received:
        await received.until(lambda: machine.payloads_of(SHUFFLE))
        shuffler.order(NoOrder())
        orders, resends = len(machine.payloads_of(SHUFFLE)), len(machine.payloads_of(RESEND))
        await received.until(lambda: len(machine.payloads_of(RESEND)) > resends)
        assert len(machine.payloads_of(SHUFFLE)) == orders


async def test_a_jam_holds_the_order_until_it_is_cleared(
    machine: Machine, shuffler: Shuffler, received: Received
) -> None:
    shuffler.order(DispenseOrder(9, 3))
    await received.until(lambda: machine.payloads_of(DISPENSE))
    machine.say(0x0B, (9).to_bytes(4, "big"))
    await received.until(lambda: received.of(Jammed))
    orders, resends = len(machine.payloads_of(DISPENSE)), len(machine.payloads_of(RESEND))
    await received.until(lambda: len(machine.payloads_of(RESEND)) > resends)
    assert len(machine.payloads_of(DISPENSE)) == orders
    machine.say(0x0E)
    await received.until(lambda: received.of(Cleared) and len(machine.payloads_of(DISPENSE)) > orders)


async def test_a_silent_machine_is_lost_once_and_blamed(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer)
    machine.mute = True
    async with running(shuffler_at(peer.path)) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost("port is open, but no answer for 0.2 s", "silent")]
        resends = len(machine.payloads_of(RESEND))
        await received.until(lambda: len(machine.payloads_of(RESEND)) > resends)
        machine.mute = False
        await received.until(lambda: received.of(LinkUp))
        (up,) = received.of(LinkUp)
        assert up.tries >= 2 and up.outage_seconds > 0.2
        assert len(received.of(LinkLost)) == 1


def test_a_machine_is_asked_before_it_is_silent_however_late_that_is(
    shuffler_at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    shuffler = shuffler_at("nowhere", hello_wait_seconds=2.0, resend_repeat_seconds=0.5, probe_seconds=5.0)
    monkeypatch.setattr(shuffler, "_ask", lambda: asked.append(True))
    assert shuffler._tend(100.0) == 0.5 and asked, "the station was stopped meanwhile"
    shuffler._tend(101.9)
    with pytest.raises(DeviceSilent, match="no answer for 2 s"):
        shuffler._tend(102.0)


async def test_a_machine_that_falls_silent_in_idle_is_noticed(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer)
    async with running(shuffler_at(peer.path)) as received:
        await received.until(lambda: len(machine.payloads_of(RESEND)) >= 3)  # probes, answered
        assert [type(message) for message in received.messages] == [LinkUp, ShufflerHello]
        machine.mute = True
        await received.until(lambda: received.of(LinkLost))


async def test_hang_up_and_return_under_the_same_name_loses_nothing(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer)
    shuffler = shuffler_at(peer.path)
    shuffler.order(DispenseOrder(3, 3))
    async with running(shuffler) as received:
        await received.until(lambda: machine.payloads_of(DISPENSE))
        machine.say(8)
        await received.until(lambda: received.of(LidOpened))
        peer.unplug()
        await received.until(lambda: received.of(LinkLost))
        orders = len(machine.payloads_of(DISPENSE))
        machine.say(7, b"\x00\x04", lost=True)  # while no one was there
        peer.plug()
        await received.until(lambda: received.of(CardsInserted))
        await received.until(lambda: len(machine.payloads_of(DISPENSE)) > orders)
        assert len(received.of(LinkLost)) == 1 and len(received.of(LinkUp)) == 2 and len(received.of(LidOpened)) == 1
        assert bytes.fromhex("00 00 1a 2b 00 02") in machine.payloads_of(RESEND)


async def test_babble_is_counted_and_not_answered(peer: Any, shuffler_at: Any, running: Any) -> None:
    machine = Machine(peer)
    async with running(shuffler_at(peer.path, probe_seconds=5.0)) as received:
        await received.until(lambda: received.of(ShufflerHello))
        sent_before = len(machine.orders)
        for _ in range(10):
            peer.send(b"\x55" * 50 + b"\0")
        await received.until(lambda: sum(m.count for m in received.of(NoiseReceived)) == 510)
        assert len(received.of(NoiseReceived)) <= 3 and len(machine.orders) == sent_before


def test_an_order_of_another_device_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="shuffler cannot be ordered"):
        Shuffler(port="nowhere").order(LampStates((False,) * 8))
