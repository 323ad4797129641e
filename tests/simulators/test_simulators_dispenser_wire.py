"""The simulated shuffler-dispenser: its frames, its link over a pty, its faults, and which cards it gives."""

import asyncio
import os
import random
import struct
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from simulators.devices import card_machine as machines
from simulators.devices.card_machine import BAUD, MACHINE, MachineState
from simulators.devices.dispenser import Dispenser
from simulators.devices.line import SimulatedLine
from simulators.felt.cards import FULL_DECK, Card, card_from_text
from simulators.felt.deck import CardsLost
from simulators.pace import pace_from_text
from tests.simulators.decks import Deck, Orders
from tests.simulators.shuffler_host import (
    CARD,
    CLEARED,
    DAMAGED_CARD,
    HELLO,
    INSERTED,
    JAM,
    LID_CLOSED,
    LID_OPENED,
    STATUS,
    Host,
    shuffler_frame,
    shuffler_messages,
)

BOOT = 0xCAFE0002
CARD_12_ACE_OF_HEARTS = bytes.fromhex("03 01 06 05 0c 21 ed ea 00")
INSERTED_11_EIGHTEEN = bytes.fromhex("03 01 07 02 0b 04 12 ee e6 00")
CLEARED_19 = bytes.fromhex("03 01 0e 04 13 cb 27 00")


class Bench:
    """A dispenser without a wire; unless `deaf`, every message is acknowledged."""

    def __init__(self, decks: int = 8, stack: str = "", deaf: bool = False) -> None:
        self.deck = Deck(MACHINE, decks)
        self.sent: list[bytes] = []
        self.filmed: list[tuple[str, bool]] = []
        self.left = 0
        stacked = [stacked_order(stack, decks)] if stack else []
        orders = Orders(5, stacked, decks)
        self.machine = Dispenser(self.deck, orders, pace_from_text("max"), BOOT, self._transmitted, lambda: None)
        self.machine.report = lambda kind, on: self.filmed.append((kind, on))
        self.machine.leaving = self._leaving
        self.machine.chance = random.Random(1)
        self._deaf = deaf

    @property
    def received(self) -> list[tuple[int, bytes]]:
        """Kind and payload of what it has reported since the last look."""
        sent, self.sent = self.sent, []
        return [(kind, payload) for kind, _, payload in shuffler_messages([frame.rstrip(b"\0") for frame in sent])]

    async def draw(self, count: int = 1) -> list[Card | None]:
        return [await self.machine.draw("seat 1") for _ in range(count)]

    def _leaving(self) -> None:
        self.left += 1

    def _transmitted(self, frame: bytes) -> None:
        self.sent.append(frame)
        for kind, sequence, _ in shuffler_messages([frame.rstrip(b"\0")]):
            if kind != HELLO and not self._deaf:
                asyncio.get_running_loop().call_soon(self.machine.receive, ack(sequence))


@asynccontextmanager
async def running(decks: int = 8, stack: str = "", deaf: bool = False) -> AsyncIterator[Bench]:
    """Up, and its power-up received."""
    bench = Bench(decks, stack, deaf)
    task = asyncio.create_task(bench.machine.run())
    await asyncio.sleep(0)
    assert [kind for kind, _ in bench.received] == [HELLO, STATUS]
    try:
        yield bench
    finally:
        task.cancel()
        bench.machine.link.close()


@asynccontextmanager
async def on_a_wire(directory: Path) -> AsyncIterator[tuple[Dispenser, Host]]:
    machine = Dispenser(
        Deck(MACHINE, 8), Orders(5, decks=8), pace_from_text("max"), BOOT, lambda chunk: line.send(chunk), lambda: None
    )
    line = SimulatedLine(directory / "shuffler", BAUD, False, machine.receive)
    line.open()
    host = Host(directory / "shuffler")
    task = asyncio.create_task(machine.run())
    try:
        yield machine, host
    finally:
        task.cancel()
        machine.link.close()
        os.close(host.descriptor)
        line.close()


def stacked_order(first: str, decks: int) -> list[Card]:
    """All cards of so many decks, these first."""
    wanted = [card_from_text(text) for text in first.split()]
    rest = list(FULL_DECK) * decks
    for card in wanted:
        rest.remove(card)
    return wanted + rest


def ack(sequence: int) -> bytes:
    return shuffler_frame(0x81, struct.pack(">H", sequence))


def octet(card: Card) -> bytes:
    return bytes(["cdhs".index(card.suit) << 4 | card.rank])


async def test_the_golden_frames_of_a_card_of_cards_put_in_and_of_a_cleared_jam() -> None:
    async with running(stack="Ah") as bench:
        bench.machine.link.next_sequence = 12
        assert await bench.draw() == [card_from_text("Ah")]
        assert bench.sent == [CARD_12_ACE_OF_HEARTS]
        await bench.draw(17)
        bench.sent.clear()
        bench.machine.link.next_sequence = 11
        assert await bench.machine.insert(["seat 1"]) == 18
        assert bench.sent == [INSERTED_11_EIGHTEEN]
        bench.machine.state = MachineState.JAMMED
        bench.machine.link.next_sequence = 19
        bench.machine.clear_jam()
        assert bench.sent[1:] == [CLEARED_19]
        assert bench.deck.count(MACHINE) == 416


async def test_power_up_says_hello_continuous_with_its_decks(tmp_path: Path) -> None:
    async with on_a_wire(tmp_path) as (_, host):
        _, sequence, payload = await host.receive(HELLO)
        assert sequence == 1
        assert payload == struct.pack(">IBBI", BOOT, 2, 8, 0) + b"\x07BENCH-1\x031.0"
        _, sequence, payload = await host.receive(STATUS)
        assert (sequence, payload) == (1, struct.pack(">BHBI", 0, 416, MachineState.READY, 0))


async def test_each_card_drawn_is_reported_and_cards_put_back_are_counted(tmp_path: Path) -> None:
    async with on_a_wire(tmp_path) as (machine, host):
        host.ack((await host.receive(STATUS))[1])
        for number in range(7):
            card = await machine.draw(f"seat {number + 1}")
            assert card is not None
            assert await host.receive(CARD) == (CARD, number + 2, octet(card))
            host.ack(number + 2)
        assert await machine.insert(["seat 1", "seat 2"]) == 2
        assert (await host.receive(INSERTED))[2] == struct.pack(">H", 2)
        assert await machine.insert([f"seat {seat}" for seat in range(1, 8)]) == 5
        assert (await host.receive(INSERTED))[2] == struct.pack(">H", 5)


async def test_a_killed_host_gets_the_cards_it_missed(tmp_path: Path) -> None:
    async with on_a_wire(tmp_path) as (machine, host):
        host.ack((await host.receive(STATUS))[1])
        drawn = [await machine.draw("seat 1") for _ in range(3)]
        host.ack((await host.receive(CARD))[1])
        await host.until(lambda: len(machine.link._unacknowledged) == 2)
        os.close(host.descriptor)  # killed with two cards on their way
        again = Host(tmp_path / "shuffler")
        host.descriptor = again.descriptor
        again.send(0x82, struct.pack(">IH", BOOT, 3))
        hello = await again.receive(HELLO)
        assert (hello[1], hello[2][4], hello[2][6:10]) == (5, 2, bytes(4)), "the next number, continuous, no order"
        assert [await again.receive(CARD) for _ in range(2)] == [
            (CARD, number, octet(card)) for number, card in zip((3, 4), drawn[1:], strict=True) if card
        ]


async def test_a_host_with_another_boot_id_gets_at_once_what_was_not_acknowledged() -> None:
    async with running(deaf=True) as bench:
        _, second = await bench.draw(2)
        bench.machine.receive(ack(2))
        bench.sent.clear()
        bench.machine.receive(shuffler_frame(0x82, struct.pack(">IH", 0, 0)))
        assert second is not None
        assert bench.received[1:] == [(CARD, octet(second))], "behind HELLO"


async def test_it_ignores_orders_to_shuffle_and_dispense() -> None:
    async with running() as bench:
        bench.machine.receive(shuffler_frame(0x83, struct.pack(">I", 1)))
        bench.machine.receive(shuffler_frame(0x84, struct.pack(">IB", 2, 3)))
        assert bench.machine.noise == 0, "frames it knows"
        assert await bench.draw() != [None]
        assert [kind for kind, _ in bench.received] == [CARD]
        assert bench.machine.last_order == 0


async def test_a_jam_has_no_order_and_gives_no_card_until_it_is_cleared() -> None:
    async with running(stack="8d 8d") as bench:
        bench.machine.spoil(machines.JAM)
        assert await bench.draw() == [None]
        assert bench.received == [(JAM, bytes(4))]
        assert bench.machine.jammed
        assert await bench.draw() == [None]
        assert bench.received == [], "reported once"
        bench.machine.clear_jam()
        assert bench.received == [(CLEARED, b"")]
        assert await bench.draw() == [card_from_text("8d")], "the card that was stuck"
        assert bench.filmed == [("jam", True), ("jam", False)]


async def test_a_jam_at_a_card_is_at_the_one_about_to_leave() -> None:
    async with running() as bench:

        def jam_the_second() -> None:
            bench.left += 1
            if bench.left == 2:
                bench.machine.spoil(machines.JAM_PACKET)

        bench.machine.leaving = jam_the_second
        first, second = await bench.draw(2)
        assert first is not None and second is None
        assert [kind for kind, _ in bench.received] == [CARD, JAM]


async def test_a_card_it_cannot_read_and_one_that_is_damaged() -> None:
    async with running(stack="8d Kc 2s") as bench:
        bench.machine.spoil(machines.MISREAD)
        assert await bench.draw() == [card_from_text("8d")]
        assert bench.received == [(CARD, b"\xff")]
        bench.machine.spoil(machines.DAMAGED)
        await bench.draw(2)
        assert bench.received == [(DAMAGED_CARD, b"\0\x02"), (CARD, b"\x0d"), (CARD, b"\x32")]
        assert bench.filmed == [("misread", True), ("damaged", True)]


async def test_an_open_lid_gives_no_card() -> None:
    async with running() as bench:
        bench.machine.leaving = bench.machine.loosen_lid
        assert await bench.draw() == [None]
        assert [kind for kind, _ in bench.received] == [LID_OPENED, STATUS]
        bench.machine.leaving = lambda: None
        assert await bench.draw() == [None]
        bench.machine.close_lid()
        assert [kind for kind, _ in bench.received] == [LID_CLOSED, STATUS]
        assert await bench.draw() != [None]
        assert bench.filmed == [("lid_open", True), ("lid_open", False)]


async def test_restart_forgets_what_was_not_acknowledged_and_continues() -> None:
    async with running(deaf=True) as bench:
        await bench.draw(2)
        assert [kind for kind, _ in bench.received] == [CARD, CARD]
        bench.machine.spoil(machines.JAM)
        await bench.draw()
        bench.machine.restart(77)
        assert not bench.machine.jammed
        hello, status = bench.received[1:]
        assert hello[1][:10] == struct.pack(">IBBI", 77, 2, 8, 0)
        assert status == (STATUS, struct.pack(">BHBI", 0, 414, MachineState.READY, 0))
        assert await bench.draw() != [None]
        frame = shuffler_messages([bench.sent[-1].rstrip(b"\0")])[0]
        assert frame[:2] == (CARD, 2), "numbered from 1 again: STATUS, then this"
        assert bench.filmed == [("jam", True), ("restart", True), ("jam", False)]


async def test_a_card_that_leaves_while_it_restarts_comes_behind_its_hello() -> None:
    async with running() as bench:
        bench.machine.leaving = lambda: bench.machine.restart(9)
        assert await bench.draw() != [None]
        assert [kind for kind, _ in bench.received] == [HELLO, STATUS, CARD]


async def test_it_gives_no_card_that_it_cannot_name() -> None:
    async with running(deaf=True) as bench:
        await bench.draw(31)
        waiting = asyncio.create_task(bench.machine.draw("seat 1"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
        assert bench.deck.count("seat 1") == 31
        bench.machine.receive(ack(1))
        assert await waiting is not None


async def test_any_card_inside_may_come_and_the_same_seed_gives_the_same() -> None:
    async with running() as bench, running() as again:
        drawn = await bench.draw(400)
        assert drawn == await again.draw(400)
        assert max(Counter(drawn).values()) == 8
        assert len(set(drawn)) == 52
        await bench.machine.insert(["seat 1"])
        assert await bench.draw(20) != drawn[:20]
        bench.machine.leaving = lambda: None
        await bench.draw(396)
        with pytest.raises(CardsLost):
            await bench.draw()


async def test_stacked_cards_come_first_and_those_not_inside_are_passed_over() -> None:
    async with running(decks=1, stack="8d Kc 2s 3s") as bench:
        bench.deck.move_card(card_from_text("Kc"), MACHINE, "discard")
        assert await bench.draw(3) == [card_from_text(text) for text in ("8d", "2s", "3s")]
