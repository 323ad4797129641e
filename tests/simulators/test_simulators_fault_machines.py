"""The shoe's, the sign's and the slots' own faults: what they say on their wires, and what is really in them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from simulators.devices.adu218 import Adu218
from simulators.devices.sensors import Sensors
from simulators.devices.shoe import CUT_CARD, OVERDRAWN, UNREADABLE, Shoe
from simulators.devices.sign import SimulatedSign
from simulators.felt.cards import card_from_text
from simulators.felt.deck import SHOE
from simulators.pace import pace_from_text
from tests.made_up_time import in_made_up_time
from tests.simulators.decks import Deck


class DealingShoe:
    """A running shoe and what it has put on its wire, one copy of each report."""

    def __init__(self) -> None:
        self.deck = Deck(SHOE)
        self.sent: list[bytes] = []
        self.filmed: list[tuple[str, bool]] = []
        self.shoe = Shoe(self.deck, pace_from_text("max"), self.sent.append, lambda: None)
        self.shoe.report = lambda kind, on: self.filmed.append((kind, on))

    async def reports(self) -> list[bytes]:
        await asyncio.sleep(0.005)
        sent, self.sent[:] = list(self.sent), []
        assert sent[0::3] == sent[1::3] == sent[2::3], "three copies of each"
        return [frame[1:-3] for frame in sent[::3]]

    async def draw(self, count: int = 1) -> list[bytes]:
        for _ in range(count):
            await self.shoe.draw("seat 1")
        return await self.reports()

    def clear_error(self) -> None:
        command = b"\x02OPEC00\x03"
        checksum = 0
        for byte in command:
            checksum ^= byte
        self.shoe.receive(command + b"%02X" % checksum)
        assert self.sent.pop(0) == b"\x06"


@asynccontextmanager
async def shoe(first: str = "8s 9s Td Jd Qd Kd") -> AsyncIterator[DealingShoe]:
    table = DealingShoe()
    task = asyncio.create_task(table.shoe.run())
    wanted = [card_from_text(text) for text in first.split()]
    table.shoe.load(wanted + [card for card in table.deck.at(SHOE) if card not in wanted])
    assert await table.reports() == [b"CS"]
    try:
        yield table
    finally:
        task.cancel()


@in_made_up_time
async def test_lost_reports_use_their_numbers() -> None:
    async with shoe() as table:
        table.shoe.spoil("lost", 2)
        assert await table.draw(3) == [b"3D\x83\x9a"], "the third card, with the third number"
        assert table.filmed == [("lost", True)] * 2
        assert table.deck.count("seat 1") == 3


@pytest.mark.parametrize(("kind", "error"), [(UNREADABLE, 1), (OVERDRAWN, 2)])
@in_made_up_time
async def test_a_card_in_error_and_those_after_it_until_the_host_clears_it(kind: str, error: int) -> None:
    async with shoe() as table:
        table.shoe.spoil(kind)
        assert await table.draw() == [b"1E" + bytes([0xC0 | error])]
        assert table.shoe.error == error
        assert await table.draw() == [b"2d\x92\xb9"], "state 1: drawn in error"
        table.clear_error()
        assert await table.reports() == [b"3e" + bytes([0xC0 | error])]
        assert await table.draw() == [b"4D\x83\x9a"]
        assert table.filmed == [(kind, True)]


@in_made_up_time
async def test_the_cut_card_comes_between_two_cards() -> None:
    async with shoe() as table:
        await table.draw()
        table.shoe.spoil(CUT_CARD)
        assert await table.draw(2) == [b"2C", b"3D\x82\xb9", b"4D\x83\x9a"]
        assert table.deck.count("seat 1") == 3


@in_made_up_time
async def test_a_shoe_that_restarts_is_unlocked_and_counts_from_one() -> None:
    async with shoe() as table:
        table.shoe.locked = True
        await table.draw(2)
        table.shoe.restart()
        assert await table.reports() == [b"CS"]
        assert not table.shoe.locked
        assert await table.draw() == [b"1D\x81\x9a"]
        assert table.filmed == [("restart", True)]


def sign_with_text() -> tuple[SimulatedSign, list[str], list[bytes], list[tuple[str, bool]]]:
    shown: list[str] = []
    replies: list[bytes] = []
    filmed: list[tuple[str, bool]] = []
    sign = SimulatedSign(shown.append)
    sign.transmit = replies.append
    sign.report = lambda kind, on: filmed.append((kind, on))
    sign.receive(packet(b"E$AAU0100FF00"))
    sign.receive(packet(b"AA\x1b bPOT"))
    return sign, shown, replies, filmed


def packet(field: bytes) -> bytes:
    return b"\0" * 5 + b"\x01Z00\x02" + field + b"\x04"


def test_a_sign_that_says_nak_is_noise_and_shows_what_it_was_sent() -> None:
    sign, shown, replies, filmed = sign_with_text()
    sign.refuse(2)
    for text in (b"one", b"two", b"three"):
        sign.receive(packet(b"AA\x1b b" + text))
    assert replies == [b"\x15"] * 2
    assert shown[-3:] == ["one", "two", "three"]
    assert filmed == [("nak", True)] * 2


def test_a_sign_without_memory_is_dark_until_it_is_configured_again() -> None:
    sign, shown, _, filmed = sign_with_text()
    sign.lose_memory()
    assert shown[-1] == ""
    sign.receive(packet(b"E$AAU0100FF00"))
    sign.receive(packet(b"AA\x1b bback"))
    assert shown[-1] == "back"
    assert filmed == [("memory_lost", True), ("memory_lost", False)]


def test_a_sign_that_restarts_is_dark_for_a_moment_and_has_lost_half_a_packet() -> None:
    sign, shown, _, filmed = sign_with_text()
    whole = packet(b"AA\x1b bnew")
    sign.receive(whole[:12])
    sign.restart()
    sign.receive(whole[12:])
    assert shown == ["POT", "", "POT"]
    assert filmed == [("restart", True)]


class Slot:
    """The sensor of input 2 on an ADU218."""

    def __init__(self) -> None:
        self.adu = Adu218(pace_from_text("max"))
        self.sensors = Sensors(self.adu.sense)

    @property
    def now(self) -> tuple[bool, int]:
        return self.adu.levels[2], self.adu.counters[2]


def test_a_stuck_sensor_shows_its_old_level_until_it_is_calm() -> None:
    slot = Slot()
    slot.sensors.sense(2, True)
    slot.sensors.stick(2)
    slot.sensors.sense(2, False)
    assert slot.now == (True, 1)
    slot.sensors.calm(2)
    assert slot.now == (False, 1)


@pytest.mark.parametrize("lying", [False, True])
def test_what_passes_between_two_polls_moves_the_counter_alone(lying: bool) -> None:
    slot = Slot()
    slot.sensors.sense(2, lying)
    before = slot.adu.counters[2]
    slot.sensors.pass_by(2)
    assert slot.now == (lying, before + 1)


@in_made_up_time
async def test_a_bouncing_sensor_comes_to_rest_at_what_is_on_it() -> None:
    slot = Slot()
    slot.sensors.bounce(2)
    await asyncio.sleep(0.01)
    slot.sensors.sense(2, True)
    await asyncio.sleep(0.15)
    level, count = slot.now
    assert level
    assert 9 <= count <= 11


@in_made_up_time
async def test_that_a_bouncing_sensor_is_at_rest_again_is_reported_once_also_where_another_fault_ends_it() -> None:
    slot, filmed = Slot(), list[str]()
    slot.sensors.bounce(2, lambda: filmed.append("rest"))
    await asyncio.sleep(0.01)
    assert filmed == []
    await asyncio.sleep(0.15)
    assert filmed == ["rest"]
    slot.sensors.bounce(2, lambda: filmed.append("stuck"))
    slot.sensors.stick(2)
    slot.sensors.calm(2)
    assert filmed == ["rest", "stuck"]


@in_made_up_time
async def test_a_storm_is_a_thousand_times_a_second() -> None:
    slot = Slot()
    slot.sensors.storm(2)
    await asyncio.sleep(0.2)
    slot.sensors.calm(2)
    level, count = slot.now
    assert not level
    assert 150 < count < 300
    await asyncio.sleep(0.01)
    assert slot.now == (False, count)


@in_made_up_time
async def test_a_watchdog_that_is_not_fed_opens_the_relays_and_reads_zero() -> None:
    lamps: list[tuple[int, bool]] = []
    adu = Adu218(pace_from_text("max"), lambda relay, on: lamps.append((relay, on)))
    adu.write(b"\x01SK7\0\0\0\0")
    adu.write(b"\x01WD1\0\0\0\0")
    await asyncio.sleep(0.6)
    adu.write(b"\x01WD\0\0\0\0\0")
    assert adu.answers.pop() == b"\x011\0\0\0\0\0\0", "any command feeds it"
    await asyncio.sleep(0.6)
    assert lamps == [(7, True)]
    await asyncio.sleep(0.5)
    assert lamps == [(7, True), (7, False)]
    adu.write(b"\x01WD\0\0\0\0\0")
    assert adu.answers.pop() == b"\x010\0\0\0\0\0\0"
