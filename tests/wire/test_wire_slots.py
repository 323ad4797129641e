"""The slots driver, through the real pyusb, against a scripted ADU218 behind a backend of this test's own."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import usb.core

from drivers.adu218 import wire
from drivers.adu218.slots import Slots
from drivers.adu218.wire import SETTLE_TRIES, AduTiming
from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp, NoiseReceived, SlotsRead
from drivers.orders import LampStates, NoOrder
from drivers.ports import usb as usb_port
from tests.made_up_time import until
from tests.wire.conftest import Running, silence_is_blamed_on
from tests.wire.peer import Received
from tests.wire.usb_device import OneDevice

TIMING = AduTiming(drain=0.005, answer=0.08, silence=0.1)
NO_COUNTS = (0,) * 8


class Adu(OneDevice):
    """Answers queue up in order; `delays` makes the next answers to a command late, in seconds."""

    vendor, product, ends, kind, packet = 0x0A07, 0x00DA, (0x01, 0x81), 3, 8

    def __init__(self) -> None:
        super().__init__()
        self.mute = False
        self.inputs = 0
        self.relays = 0
        self.counters = [0] * 8
        self.commands: list[str] = []
        self.delays: dict[str, list[float]] = {}
        self.stuck_relays = False
        self.meanwhile: dict[str, Callable[[], None]] = {}  # what happens on the table just before a command
        self._answers: list[tuple[float, bytes]] = []
        self._lock = threading.Lock()

    def leave(self, text: str) -> None:
        self._answers.append((0.0, b"\x01" + text.encode().ljust(7, b"\0")))

    def chip(self, seat_input: int, there: bool) -> None:
        with self._lock:
            self.inputs = self.inputs | 1 << seat_input if there else self.inputs & ~(1 << seat_input)
            self.counters[seat_input] = (self.counters[seat_input] + there) & 0xFFFF

    def press(self) -> None:
        """The dealer's button, and let go at once."""
        self.chip(7, True)
        self.chip(7, False)

    def take(self, report: bytes) -> None:
        assert len(report) == 8 and report[0] == 1
        command = report[1:].rstrip(b"\0").decode()
        self.meanwhile.pop(command, lambda: None)()
        with self._lock:
            self.commands.append(command)
            answer = self._obey(command)
            if answer is not None and not self.mute:
                delays = self.delays.get(command, [])
                due = time.monotonic() + (delays.pop(0) if delays else 0.0)
                if self._answers:
                    due = max(due, self._answers[-1][0])
                self._answers.append((due, b"\x01" + answer.encode().ljust(7, b"\0")))

    def give(self, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        while True:
            self.check_plugged()
            with self._lock:
                if self._answers and self._answers[0][0] <= time.monotonic():
                    return self._answers.pop(0)[1]
            if time.monotonic() >= deadline:
                raise usb.core.USBTimeoutError("Operation timed out", -7, 110)
            time.sleep(0.0005)

    def _obey(self, command: str) -> str | None:
        if command.startswith("MK"):
            if not self.stuck_relays:
                self.relays = int(command[2:])
            return None
        if command in ("DB0", "DB1", "DB2"):
            return None
        if command.startswith("RE"):
            return f"{self.counters[int(command[2:])]:05d}"
        return {"PI": f"{self.inputs:03d}", "PK": f"{self.relays:03d}", "DB": "0"}[command]

    def intr_write(self, dev_handle: str, ep: int, intf: int, data: Any, timeout: int) -> int:
        assert ep == 0x01
        self.check_plugged()
        self.take(bytes(data))
        return len(data)

    def intr_read(self, dev_handle: str, ep: int, intf: int, buff: Any, timeout: int) -> int:
        assert ep == 0x81
        return self.put(self.give(timeout / 1000), buff)


@pytest.fixture
def adu() -> Adu:
    return Adu()


@pytest.fixture
def slots(adu: Adu, quick: LinkTiming) -> Slots:
    return Slots(
        button=7,
        open_backend=lambda: adu,
        poll_seconds=0.002,
        lamps_again_seconds=0.05,
        timing=TIMING,
        link_timing=quick,
    )


def levels(*high: int) -> tuple[bool, ...]:
    return tuple(n in high for n in range(8))


@pytest.fixture
async def received(slots: Slots, running: Running) -> AsyncIterator[Received]:
    """What comes of slots that run, after their first reading."""
    async with running(slots) as received:
        await received.until(lambda: received.of(SlotsRead))
        yield received


async def test_at_an_opening_levels_and_counters_are_read(adu: Adu, slots: Slots, running: Any) -> None:
    adu.leave("255")  # left over from an earlier program
    adu.leave("10449")
    adu.chip(3, True)
    async with running(slots) as received:
        await received.until(lambda: received.of(SlotsRead))
        assert isinstance(received.messages[0], LinkUp)
        assert received.messages[1:] == [SlotsRead(levels(3), (0, 0, 0, 1, 0, 0, 0, 0))]
    assert adu.commands[:3] == ["DB0", "PK", "PI"]
    assert not any(command.startswith("RC") for command in adu.commands)
    await until(lambda: adu.opened == 0)


async def test_counters_are_read_only_when_a_level_changes(
    adu: Adu, slots: Slots, running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "STALL_SECONDS", float("inf"))  # a busy machine makes no poll late
    async with running(slots) as received:
        await received.until(lambda: received.of(SlotsRead))
        adu.commands.clear()
        await received.until(lambda: len(adu.commands) > 10)
        assert set(adu.commands) == {"PI"}
        adu.chip(0, True)
        await received.until(lambda: len(received.of(SlotsRead)) == 2)
        adu.chip(0, False)
        await received.until(lambda: len(received.of(SlotsRead)) == 3)
        assert received.of(SlotsRead)[1:] == [
            SlotsRead(levels(0), (1, *NO_COUNTS[1:]), NO_COUNTS),
            SlotsRead(levels(), (1, *NO_COUNTS[1:]), (1, *NO_COUNTS[1:])),
        ]


async def test_a_chip_between_two_polls_shows_at_the_next_change(adu: Adu, received: Received) -> None:
    def change() -> None:
        adu.counters[4] += 1
        adu.chip(7, True)

    adu.meanwhile["PI"] = change
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    assert received.messages[-1] == SlotsRead(levels(7), (0, 0, 0, 0, 1, 0, 0, 1), NO_COUNTS)


async def test_a_press_that_came_and_went_while_no_answer_came_is_reported_once_one_comes(
    adu: Adu, received: Received
) -> None:
    adu.meanwhile["PI"] = adu.press
    adu.delays["PI"] = [0.12]
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    assert received.messages[-1] == SlotsRead(levels(), (*NO_COUNTS[:7], 1), NO_COUNTS)


async def test_at_rest_it_is_asked_seldom_and_as_a_round_begins_the_counters_report_what_came_and_went_before(
    adu: Adu, slots: Slots, running: Any
) -> None:
    slots.order(LampStates(levels(), in_play=False))
    async with running(slots) as received:
        await received.until(lambda: received.of(SlotsRead))
        adu.commands.clear()
        began = time.monotonic()
        await received.until(lambda: adu.commands.count("PI") > 4)
        assert time.monotonic() - began > 0.5, "the least that is possible: two polls of each second read the counters"
        adu.counters[1] += 1
        slots.order(LampStates(levels()))
        await received.until(lambda: len(received.of(SlotsRead)) == 2)
        assert received.messages[-1] == SlotsRead(levels(), (0, 1, *NO_COUNTS[2:]), NO_COUNTS)


async def test_levels_and_counters_of_one_reading_belong_together(adu: Adu, received: Received) -> None:
    def change() -> None:
        adu.meanwhile["RE6"] = lambda: adu.chip(2, True)  # after its counter was read
        adu.chip(0, True)

    adu.meanwhile["PI"] = change
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    assert received.messages[-1] == SlotsRead(levels(0, 2), (1, 0, 1, 0, 0, 0, 0, 0), NO_COUNTS)


async def test_art_10_3_a_chip_that_an_adu218_senses_before_the_press_is_never_reported_after_it(
    adu: Adu, slots: Slots, running: Any
) -> None:
    adu.chip(0, True)  # the chip of the round before
    async with running(slots) as received:
        await received.until(lambda: received.of(SlotsRead))

        def still_moving(steps: int) -> None:
            if steps:
                adu.chip(5, steps % 2 == 0)
                adu.meanwhile["RE4"] = lambda: still_moving(steps - 1)
                return
            adu.chip(0, False)
            adu.chip(0, True)
            adu.chip(7, True)

        adu.meanwhile["RE4"] = lambda: still_moving(SETTLE_TRIES - 1)  # after the counter of input 0 was read
        adu.chip(3, True)
        await received.until(lambda: any(read.counters[7] for read in received.of(SlotsRead)))
        pressed = next(read for read in received.of(SlotsRead) if read.counters[7])
        assert pressed.counters[0] == 2, "the chip that was placed before the press"


async def test_a_press_that_came_and_went_while_the_counters_were_read_is_reported(
    adu: Adu, received: Received
) -> None:
    def change() -> None:
        adu.meanwhile["RE4"] = adu.press
        adu.chip(3, True)

    adu.meanwhile["PI"] = change
    await received.until(lambda: len(received.of(SlotsRead)) == 2)
    assert received.messages[-1] == SlotsRead(levels(3), (0, 0, 0, 1, 0, 0, 0, 1), NO_COUNTS)


async def test_anyone_who_asks_has_received_what_is_there_by_then(adu: Adu, slots: Slots, running: Any) -> None:
    adu.chip(0, True)
    async with running(slots) as received:
        await received.until(lambda: received.of(SlotsRead))
        adu.chip(0, False)
        adu.chip(0, True)  # no level changes, and nothing would be read
        await slots.read_again()
        assert received.messages[-1] == SlotsRead(levels(0), (2, *NO_COUNTS[1:]), (1, *NO_COUNTS[1:]))


async def test_at_the_start_anyone_who_asks_waits_for_the_first_reading(adu: Adu, slots: Slots, running: Any) -> None:
    adu.chip(2, True)
    async with running(slots) as received:
        await slots.read_again()
        assert received.messages[-1] == SlotsRead(levels(2), (0, 0, 1, *NO_COUNTS[3:]))


async def test_at_the_start_anyone_who_asks_waits_for_the_first_try_and_no_longer(
    adu: Adu, slots: Slots, running: Any
) -> None:
    adu.plugged = False
    async with running(slots) as received:
        await slots.read_again()
        assert received.of(LinkLost)
        await slots.read_again()
    await slots.read_again()  # nothing reads it any more


async def test_no_one_waits_for_a_device_that_is_away(adu: Adu, slots: Slots, received: Received) -> None:
    adu.mute = True
    await slots.read_again()
    assert received.of(LinkLost)
    await slots.read_again()


async def test_lamps_are_set_and_kept(adu: Adu, slots: Slots, received: Received) -> None:
    assert not any(command.startswith("MK") for command in adu.commands)
    slots.order(LampStates(levels(0, 7)))
    await received.until(lambda: adu.relays == 129)
    adu.relays = 0  # the watchdog tripped
    await received.until(lambda: adu.relays == 129)
    slots.order(LampStates(levels()))
    await received.until(lambda: adu.relays == 0)


async def test_lamps_that_are_right_already_are_not_set_again(adu: Adu, slots: Slots, running: Any) -> None:
    adu.relays = 129
    slots.order(LampStates(levels(0, 7)))
    async with running(slots) as received:
        await received.until(lambda: adu.commands.count("PK") > 2)
        assert not any(command.startswith("MK") for command in adu.commands)


async def test_a_lamp_that_does_not_obey_is_ordered_again_without_haste(adu: Adu, slots: Slots, running: Any) -> None:
    adu.stuck_relays = True
    slots.order(LampStates(levels(1)))
    began = time.monotonic()
    async with running(slots) as received:
        await received.until(lambda: adu.commands.count("MK002") == 3)
        assert time.monotonic() - began >= 0.1, "twice the time between two orders"


async def test_unplugged_in_the_middle_of_a_poll_and_back(adu: Adu, slots: Slots, running: Any) -> None:
    slots.order(LampStates(levels(2)))
    async with running(slots) as received:
        await received.until(lambda: adu.relays == 4)
        adu.plugged = False
        await received.until(lambda: received.of(LinkLost))
        assert received.of(LinkLost) == [LinkLost("unplugged", "unplugged")]
        adu.relays = 0
        adu.chip(1, True)
        await asyncio.sleep(0.1)
        adu.plugged = True
        await received.until(lambda: adu.relays == 4)
        assert len(received.of(LinkLost)) == 1 and len(received.of(LinkUp)) == 2
        assert received.messages[-1] == SlotsRead(levels(1), (0, 1, 0, 0, 0, 0, 0, 0))


async def test_absent_is_a_state(adu: Adu, slots: Slots, running: Any) -> None:
    adu.plugged = False
    async with running(slots) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost("no USB device 0a07:00da is plugged in", "unplugged")]


async def test_a_backend_out_of_reach_is_a_state(quick: LinkTiming, running: Any) -> None:
    def refuse() -> Adu:
        raise ConnectionRefusedError(111, "Connection refused")

    async with running(Slots(button=7, open_backend=refuse, link_timing=quick)) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost("no USB: [Errno 111] Connection refused")]


async def test_silence_is_blamed_on_the_device(adu: Adu, received: Received) -> None:
    await silence_is_blamed_on(adu, received)


@pytest.mark.parametrize("delay", [0.05, 0.12])
@pytest.mark.parametrize("command", ["PI", "RE0", "PK"])
async def test_a_late_answer_answers_no_other_question(
    adu: Adu, slots: Slots, received: Received, command: str, delay: float
) -> None:
    def change() -> None:
        adu.counters[0] = 7
        adu.delays[command] = [delay]
        adu.chip(3, True)

    slots.order(LampStates(levels(6, 7)))
    adu.meanwhile["PI"] = change  # at once: a poll that is late reads the counters
    await received.until(lambda: len(received.of(SlotsRead)) == 2 and not adu.delays[command])
    adu.chip(2, True)
    await received.until(lambda: len(received.of(SlotsRead)) == 3)
    assert received.of(SlotsRead)[1:] == [
        SlotsRead(levels(3), (7, 0, 0, 1, 0, 0, 0, 0), NO_COUNTS),
        SlotsRead(levels(2, 3), (7, 0, 1, 1, 0, 0, 0, 0), (7, 0, 0, 1, 0, 0, 0, 0)),
    ]
    assert not received.of(LinkLost) and adu.relays == 192


async def test_stray_reports_are_noise(adu: Adu, received: Received) -> None:
    adu.leave("10449")
    await received.until(lambda: received.of(NoiseReceived))
    assert received.of(NoiseReceived) == [NoiseReceived(8)] and not received.of(LinkLost)


def test_mistakes_are_refused_at_once(slots: Slots) -> None:
    with pytest.raises(ValueError, match="7 lamps"):
        slots.order(LampStates((True,) * 7))
    with pytest.raises(TypeError, match="slots cannot be ordered"):
        slots.order(NoOrder())


async def test_a_device_that_another_program_has_claimed_names_it(
    adu: Adu, slots: Slots, running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_in = {"/dev/bus/usb/001/005": ["VirtualBoxVM (process 7)"]}
    monkeypatch.setattr(usb_port, "holders", open_in.__getitem__)
    adu.claimed = True
    async with running(slots) as received:
        await received.until(lambda: received.messages)
        reason = "USB device 0a07:00da is in use by another program: VirtualBoxVM (process 7)"
        assert received.messages == [LinkLost(reason, "in_use")]
        adu.claimed = False
        await received.until(lambda: received.of(LinkUp))
