"""The shuffler's own faults: what it says on its wire, and what is really in it."""

import asyncio
import random
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from simulators.devices import shuffler as machines
from simulators.devices.shuffler import HOPPER, MACHINE, TRAY, MachineState, Shuffler
from simulators.felt.cards import Card, card_from_text
from simulators.pace import pace_from_text
from tests.made_up_time import in_made_up_time
from tests.simulators.decks import Deck, Orders
from tests.simulators.shuffler_host import shuffler_frame, shuffler_messages

HELLO, STATUS, STARTED, DONE, PACKET, LID_OPENED, LID_CLOSED = 1, 2, 3, 4, 5, 8, 9
DECK_CHECK, JAM, DAMAGED_CARD, CLEARED = 0x0A, 0x0B, 0x0D, 0x0E
BOOT = 7


class Machine:
    """A running shuffler without a wire: every message is acknowledged and kept."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.frames: list[tuple[int, bytes]] = []
        self.sequences: list[int] = []
        self.filmed: list[tuple[str, bool]] = []
        self.shuffler = Shuffler(deck, Orders(5), pace_from_text("max"), BOOT, self._transmitted, lambda: None)
        self.shuffler.report = lambda kind, on: self.filmed.append((kind, on))
        self.shuffler.chance = random.Random(1)

    def _transmitted(self, frame: bytes) -> None:
        for kind, sequence, payload in shuffler_messages([frame.rstrip(b"\0")]):
            self.frames.append((kind, payload))
            self.sequences.append(sequence)
            if kind != HELLO:
                acknowledge = shuffler_frame(0x81, struct.pack(">H", sequence))
                asyncio.get_running_loop().call_soon(self.shuffler.receive, acknowledge)

    async def obey(self, kind: int, payload: bytes = b"") -> list[tuple[int, bytes]]:
        """Send an order; what the machine reported since the last one."""
        self.shuffler.receive(shuffler_frame(kind, payload))
        await asyncio.sleep(0.01)
        frames, self.frames = self.frames, []
        return frames

    async def shuffle(self, order: int) -> list[tuple[int, bytes]]:
        return await self.obey(0x83, struct.pack(">I", order))

    async def dispense(self, order: int, count: int = 3) -> list[tuple[int, bytes]]:
        return await self.obey(0x84, struct.pack(">IB", order, count))

    def take_packet(self) -> list[Card]:
        cards = self.deck.move_top(TRAY, "seat 1", self.deck.count(TRAY))
        self.shuffler.packet_taken()
        return cards


@asynccontextmanager
async def machine(deck: Deck | None = None) -> AsyncIterator[Machine]:
    running = Machine(deck or Deck(MACHINE))
    task = asyncio.create_task(running.shuffler.run())
    await asyncio.sleep(0)
    try:
        yield running
    finally:
        task.cancel()
        await asyncio.wait([task])
        running.shuffler.link.close()


def octet(card: Card) -> int:
    return "cdhs".index(card.suit) << 4 | card.rank


def order(number: int) -> bytes:
    return struct.pack(">I", number)


@in_made_up_time
async def test_a_jam_in_the_deal_gives_no_packet_and_no_more_orders_until_it_is_cleared() -> None:
    async with machine() as table:
        await table.shuffle(1)
        table.shuffler.spoil(machines.JAM)
        assert await table.dispense(2) == [(JAM, order(2))]
        assert table.shuffler.jammed
        assert table.filmed == [("jam", True)]
        assert await table.dispense(3) == []
        assert await table.shuffle(4) == []
        table.shuffler.clear_jam()
        assert table.filmed == [("jam", True), ("jam", False)]
        assert await table.dispense(5) == [(CLEARED, b"")], "the deck has to be shuffled again"
        assert [kind for kind, _ in await table.shuffle(6)] == [STARTED, DONE]
        assert table.deck.count(MACHINE) == 52


@in_made_up_time
async def test_a_jam_in_the_shuffle_and_the_same_order_again() -> None:
    async with machine() as table:
        table.shuffler.spoil(machines.JAM)
        assert (await table.shuffle(9))[-2:] == [(STARTED, order(9)), (JAM, order(9))]
        table.shuffler.clear_jam()
        assert await table.shuffle(9) == [(CLEARED, b""), (STARTED, order(9)), (DONE, order(9) + b"\0\x34")]


@in_made_up_time
async def test_a_jam_at_a_card_waits_for_the_packet() -> None:
    async with machine() as table:
        table.shuffler.spoil(machines.JAM_PACKET)
        assert (await table.shuffle(1))[-1][0] == DONE
        assert await table.dispense(2) == [(JAM, order(2))]


@in_made_up_time
async def test_short_misread_and_damaged_packets() -> None:
    async with machine() as table:
        await table.shuffle(1)
        top = table.deck.at(MACHINE)
        table.shuffler.spoil(machines.SHORT)
        assert await table.dispense(2) == [(PACKET, order(2) + bytes([2, octet(top[0]), octet(top[1])]))]
        assert table.take_packet() == top[:2]
        assert table.deck.at(MACHINE)[0] == top[2], "the third stays in the machine"
        table.shuffler.spoil(machines.MISREAD)
        ((kind, payload),) = await table.dispense(3)
        right = bytes(map(octet, top[2:5]))
        assert kind == PACKET
        assert sorted(a == b for a, b in zip(payload[5:], right, strict=True)) == [False, True, True]
        assert payload.count(b"\xff") == 1
        assert table.take_packet() == top[2:5]
        table.shuffler.spoil(machines.DAMAGED)
        (damaged, position), packet = await table.dispense(4)
        assert damaged == DAMAGED_CARD
        assert 6 <= int.from_bytes(position, "big") <= 8, "counted from the first card dealt"
        assert packet == (PACKET, order(4) + bytes([3, *map(octet, top[5:8])]))
        assert [kind for kind, _ in table.filmed] == ["short", "misread", "damaged"]
        table.take_packet()
        assert await table.dispense(5) == [(PACKET, order(5) + bytes([3, *map(octet, top[8:11])]))], "once each"


@in_made_up_time
async def test_a_lid_opens_by_itself_or_once_it_is_unlocked() -> None:
    async with machine() as table:
        await table.obey(0x85)
        table.shuffler.loosen_lid()
        assert table.filmed == []
        frames = await table.obey(0x86)
        assert [kind for kind, _ in frames] == [LID_OPENED, STATUS]
        assert frames[1][1][0] == 1
        assert table.filmed == [("lid_open", True)]
        assert await table.shuffle(1) == []
        table.shuffler.close_lid()
        assert table.filmed == [("lid_open", True), ("lid_open", False)]
        assert [kind for kind, _ in await table.shuffle(1)] == [LID_CLOSED, STATUS, STARTED, DONE]


@in_made_up_time
async def test_restart_forgets_orders_messages_and_the_order_of_the_deck() -> None:
    async with machine() as table:
        await table.shuffle(100)
        await table.dispense(101)
        table.shuffler.restart(8)
        hello, status = await table.obey(0x86)
        assert hello[0] == HELLO
        assert hello[1][:10] == struct.pack(">IBBI", 8, 1, 1, 0), "another boot id, last order 0"
        assert status == (STATUS, struct.pack(">BHBI", 0, 49, MachineState.IDLE, 0))
        assert table.sequences[-2:] == [1, 1]
        assert table.deck.count(TRAY) == 3, "the packet is still in the tray"
        assert await table.dispense(102) == []
        table.take_packet()
        await table.shuffler.insert(["seat 1"])
        table.frames.clear()
        assert (await table.shuffle(5))[-1] == (DONE, order(5) + b"\0\x34"), "any order is newer than none"


@in_made_up_time
async def test_restart_in_the_middle_of_a_shuffle_and_of_a_packet() -> None:
    async with machine() as table:
        table.shuffler.leaving = lambda: table.shuffler.restart(9)
        await table.shuffle(1)
        frames = await table.dispense(2)
        assert [kind for kind, _ in frames] == [HELLO, STATUS], "no packet of an order that is forgotten"
        assert not table.deck.count(TRAY)
        table.shuffler.leaving = lambda: None
        table.shuffler._pace = pace_from_text("device")
        assert await table.shuffle(3) == [(STARTED, order(3))]
        table.shuffler.restart(10)
        table.shuffler._pace = pace_from_text("max")
        assert [kind for kind, _ in await table.shuffle(4)] == [HELLO, STATUS, STARTED, DONE]


@in_made_up_time
async def test_a_missing_card_is_reported_before_shuffle_done() -> None:
    deck = Deck(HOPPER)
    lost = deck.lose_one(card_from_text("Qh"))
    async with machine(deck) as table:
        frames = await table.shuffle(1)
        assert frames[-2:] == [
            (DECK_CHECK, struct.pack(">HHBBB", 52, 51, 1, octet(lost), 0)),
            (DONE, order(1) + b"\0\x33"),
        ]
        deck.repair()
        assert [kind for kind, _ in await table.shuffle(2)] == [STARTED, DONE]


@in_made_up_time
async def test_a_doubled_card_is_reported_with_the_one_it_replaces() -> None:
    deck = Deck(MACHINE)
    gone, double = deck.double_one()
    async with machine(deck) as table:
        frames = await table.shuffle(1)
        assert frames[-2:] == [
            (DECK_CHECK, struct.pack(">HHBBBB", 52, 52, 1, octet(gone), 1, octet(double))),
            (DONE, order(1) + b"\0\x34"),
        ]
