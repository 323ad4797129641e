"""The simulated shuffler, spoken to over its pty by a client written from the link's specification."""

import asyncio
import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from simulators.devices import shuffler as machines
from simulators.devices.line import SimulatedLine
from simulators.devices.shuffler import BAUD, MACHINE, TRAY, Shuffler
from simulators.pace import Pace, pace_from_text
from tests.made_up_time import in_made_up_time
from tests.simulators.decks import Deck, Orders
from tests.simulators.shuffler_host import (
    CLEARED,
    DONE,
    HELLO,
    INSERTED,
    JAM,
    PACKET,
    STARTED,
    STATUS,
    Host,
    Message,
    shuffler_frame,
    shuffler_messages,
)

BOOT = 0xCAFE0001


@asynccontextmanager
async def machine(directory: Path, pace: Pace | None = None) -> AsyncIterator[tuple[Shuffler, Host, Deck]]:
    pace = pace or pace_from_text("max")
    deck = Deck(MACHINE)
    lines: list[SimulatedLine] = []
    shuffler = Shuffler(deck, Orders(5), pace, BOOT, lambda chunk: lines[0].send(chunk), lambda: None)
    lines.append(SimulatedLine(directory / "shuffler", BAUD, pace.wires, shuffler.receive))
    lines[0].open()
    host = Host(directory / "shuffler")
    task = asyncio.create_task(shuffler.run())
    try:
        yield shuffler, host, deck
    finally:
        task.cancel()
        shuffler.link.close()
        os.close(host.descriptor)
        lines[0].close()


async def shuffled(host: Host, order: int = 1) -> None:
    host.send(0x83, struct.pack(">I", order))
    host.ack((await host.receive(DONE))[1])


async def unacknowledged(shuffler: Shuffler, host: Host) -> list[Message]:
    """What the machine has reported and no one taken, once it has done all that it was reported; HELLO is behind it.

    What was acknowledged it may have sent once more before it received so.
    """
    for hellos in (1, 2):
        host.send(0x82, struct.pack(">IH", BOOT, shuffler.link.next_sequence))
        await host.until(lambda hellos=hellos: [kind for kind, _, _ in host.messages].count(HELLO) == hellos)  # type: ignore[misc]
        for _ in range(30):  # turns of the loop; at `max` nothing takes time
            await asyncio.sleep(0)
    messages = [message for message in host.messages if message[0] != HELLO and message[1] not in host.acknowledged]
    host.messages.clear()
    return messages


def dispense(number: int, count: int) -> bytes:
    return struct.pack(">IB", number, count)


async def test_power_up_says_hello_with_boot_id_mode_and_next_sequence(tmp_path: Path) -> None:
    async with machine(tmp_path) as (_, host, _deck):
        _, sequence, payload = await host.receive(HELLO)
        assert sequence == 1
        assert payload == struct.pack(">IBBI", BOOT, 1, 1, 0) + b"\x07BENCH-1\x031.0"
        _, sequence, payload = await host.receive(STATUS)
        assert (sequence, payload) == (1, struct.pack(">BHBI", 0, 52, 0, 0))


async def test_shuffle_then_packets_from_the_top_each_waiting_for_an_empty_tray(tmp_path: Path) -> None:
    async with machine(tmp_path) as (shuffler, host, deck):
        host.send(0x83, struct.pack(">I", 7))
        assert (await host.receive(STARTED))[2] == struct.pack(">I", 7)
        _, sequence, payload = await host.receive(DONE)
        assert payload == struct.pack(">IH", 7, 52)
        host.ack(sequence)
        top = deck.at(MACHINE)[:3]
        host.send(0x84, dispense(8, 3))
        _, sequence, payload = await host.receive(PACKET)
        expected = bytes("cdhs".index(card.suit) << 4 | card.rank for card in top)
        assert payload == struct.pack(">IB", 8, 3) + expected
        host.ack(sequence)
        host.send(0x84, dispense(9, 2))
        assert not await unacknowledged(shuffler, host), "the tray is full"
        deck.move_top(TRAY, "seat 1", 3)
        shuffler.packet_taken()
        assert (await host.receive(PACKET))[2][:5] == struct.pack(">IB", 9, 2)


async def test_an_order_is_carried_out_once_and_an_older_one_never(tmp_path: Path) -> None:
    async with machine(tmp_path) as (shuffler, host, deck):
        await shuffled(host, 10)
        for number in (11, 11, 10, 4):
            host.send(0x84, dispense(number, 3))
        host.ack((await host.receive(PACKET))[1])
        deck.move_top(TRAY, "seat 1", 3)
        shuffler.packet_taken()
        host.send(0x84, dispense(11, 3))
        assert not await unacknowledged(shuffler, host)
        assert deck.count(MACHINE) == 49


async def test_an_order_is_taken_that_comes_before_anything_else_when_the_one_before_is_over() -> None:
    deck = Deck(MACHINE)
    sequences: list[int] = []
    replies = {
        CLEARED: shuffler_frame(0x83, struct.pack(">I", 1)),
        DONE: shuffler_frame(0x84, dispense(2, 3)),
        PACKET: shuffler_frame(0x84, dispense(3, 3)),
    }

    def answer_at_once(chunk: bytes) -> None:
        for kind, _, _ in shuffler_messages(chunk.split(b"\0")):
            sequences.append(kind)
            shuffler.receive(replies.pop(kind, b""))

    def clear_at_once() -> None:
        asyncio.get_running_loop().call_soon(shuffler.clear_jam)

    shuffler = Shuffler(deck, Orders(5), pace_from_text("max"), BOOT, answer_at_once, clear_at_once)
    shuffler.spoil(machines.JAM)
    task = asyncio.create_task(shuffler.run())
    shuffler.receive(shuffler_frame(0x83, struct.pack(">I", 1)))
    for _ in range(100):  # turns of the loop; at `max` nothing takes time
        await asyncio.sleep(0)
    deck.move_top(TRAY, "seat 1", 3)
    shuffler.packet_taken()
    for _ in range(100):
        await asyncio.sleep(0)
    task.cancel()
    shuffler.link.close()
    assert sequences == [HELLO, STATUS, STARTED, JAM, CLEARED, STARTED, DONE, PACKET, PACKET]


async def test_a_killed_host_gets_what_it_missed_from_its_mark_on(tmp_path: Path) -> None:
    async with machine(tmp_path) as (_, host, _deck):
        await shuffled(host, 1)
        host.send(0x84, dispense(2, 3))
        _, missed, payload = await host.receive(PACKET)
        os.close(host.descriptor)  # killed before it could acknowledge
        again = Host(tmp_path / "shuffler")
        host.descriptor = again.descriptor
        again.send(0x82, struct.pack(">IH", BOOT, missed))
        hello = await again.receive(HELLO)
        assert hello[1] == missed + 1, "the next to be assigned"
        assert hello[2][6:10] == struct.pack(">I", 2), "last order"
        assert await again.receive(PACKET) == (PACKET, missed, payload)
        again.send(0x82, struct.pack(">IH", BOOT, missed - 1))
        await again.receive(HELLO)
        assert (await again.receive(DONE))[1] == missed - 1, "acknowledged, but still pending"


@in_made_up_time
async def test_unacknowledged_messages_come_again_in_order_after_a_quarter_second() -> None:
    sequences: list[tuple[float, int]] = []

    def note(chunk: bytes) -> None:
        for kind, sequence, _ in shuffler_messages(chunk.split(b"\0")):
            if kind != HELLO:
                sequences.append((asyncio.get_running_loop().time(), sequence))

    shuffler = Shuffler(Deck(MACHINE), Orders(5), pace_from_text("max"), BOOT, note, lambda: None)
    task = asyncio.create_task(shuffler.run())
    await asyncio.sleep(0.1)
    shuffler.open_lid()
    await asyncio.sleep(0.5)
    assert sequences == [
        (0, 1),
        (0.1, 2),
        (0.1, 3),
        *((0.25, number) for number in (1, 2, 3)),
        *((0.5, number) for number in (1, 2, 3)),
    ]
    shuffler.receive(shuffler_frame(0x81, struct.pack(">H", 3)))
    await asyncio.sleep(10)
    assert len(sequences) == 9
    task.cancel()
    shuffler.link.close()


async def test_the_window_holds_thirty_two_and_the_machine_stops_until_it_is_acknowledged(tmp_path: Path) -> None:
    async with machine(tmp_path) as (shuffler, host, _deck):
        await host.receive(STATUS)
        for _ in range(8):  # four messages each
            shuffler.open_lid()
            shuffler.close_lid()
        host.send(0x83, struct.pack(">I", 1))
        messages = await unacknowledged(shuffler, host)
        assert max(message[1] for message in messages) == 32
        assert STARTED not in [message[0] for message in messages]
        host.ack(32)
        assert (await host.receive(STARTED))[1] == 34
        assert (await host.receive(DONE))[1] == 35


async def test_sequences_wrap_after_65535(tmp_path: Path) -> None:
    async with machine(tmp_path) as (shuffler, host, _deck):
        await host.receive(STATUS)
        host.ack(1)
        await unacknowledged(shuffler, host)
        shuffler.link.next_sequence = 65535
        shuffler.open_lid()
        await host.until(lambda: len(host.messages) >= 2)
        assert [message[1] for message in host.messages[:2]] == [65535, 0]
        host.ack(0)
        await host.until(lambda: not shuffler.link._unacknowledged)


async def test_noise_is_counted_and_never_answered_and_bytes_may_come_one_at_a_time(tmp_path: Path) -> None:
    async with machine(tmp_path) as (shuffler, host, _deck):
        await host.receive(STATUS)
        host.ack(1)
        good = shuffler_frame(0x83, struct.pack(">I", 1))
        wrong_crc = bytes([good[0], good[1], good[2] ^ 0x40]) + good[3:]
        for piece in (wrong_crc, b"\x05\x01\x02\0", shuffler_frame(0x90, b""), shuffler_frame(0x83, b"\1"), b"x" * 400):
            os.write(host.descriptor, piece)
        os.write(host.descriptor, b"\0")
        assert not await unacknowledged(shuffler, host)
        assert shuffler.noise >= 5
        host.send(0x83, struct.pack(">I", 1), chunk=1)
        await host.receive(DONE)


async def test_a_shuffle_waits_for_all_cards_and_the_hopper_counts_them(tmp_path: Path) -> None:
    async with machine(tmp_path) as (shuffler, host, deck):
        await shuffled(host, 1)
        host.send(0x84, dispense(2, 3))
        host.ack((await host.receive(PACKET))[1])
        deck.move_top(TRAY, "bank", 3)
        shuffler.packet_taken()
        host.send(0x83, struct.pack(">I", 3))
        assert not await unacknowledged(shuffler, host)
        await shuffler.insert(["bank"])
        assert (await host.receive(INSERTED))[2] == struct.pack(">H", 3)
        host.send(0x83, struct.pack(">I", 3))  # the same order again: it was not taken the first time
        assert (await host.receive(DONE))[2] == struct.pack(">IH", 3, 52)


async def test_at_device_timing_bytes_keep_the_bit_rate(tmp_path: Path) -> None:
    async with machine(tmp_path, Pace(0, 0, True)) as (_, host, _deck):
        began = asyncio.get_running_loop().time()
        await host.receive(STATUS)
        # HELLO and STATUS are 49 bytes: 4.3 ms at 115200 8N1
        assert asyncio.get_running_loop().time() - began > 0.0035
