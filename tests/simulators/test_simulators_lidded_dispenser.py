"""The shuffler of black-jack/21: packets through an open lid, a lid with a will of its own, a lamp at a jam."""

import asyncio
import random
import struct

import pytest

from simulators.devices.card_machine import HOPPER, JAM, MACHINE, MachineState
from simulators.devices.dispenser import LiddedDispenser, LidShut
from simulators.pace import pace_from_text
from tests.simulators.decks import Deck, Orders
from tests.simulators.shuffler_host import (
    CARD,
    CLEARED,
    HELLO,
    INSERTED,
    LID_CLOSED,
    LID_OPENED,
    STATUS,
    shuffler_frame,
    shuffler_messages,
)
from tests.simulators.shuffler_host import JAM as JAMMED

BOOT = 0xCAFE0003


class Machine(LiddedDispenser):
    """Without a wire, every message acknowledged; `reports` is what it has reported since the last look."""

    def __init__(self, place: str) -> None:
        self.cards = Deck(place, 4)
        self.sent: list[tuple[int, bytes]] = []
        self.lamps: list[bool] = []
        super().__init__(self.cards, Orders(5, decks=4), pace_from_text("max"), BOOT, self._on_frame, lambda: None)
        self.habit = random.Random(3)
        self.lamp = self.lamps.append

    def reports(self) -> list[tuple[int, bytes]]:
        sent, self.sent = self.sent, []
        return [message for message in sent if message[0] not in (HELLO, STATUS)]

    def _on_frame(self, frame: bytes) -> None:
        for kind, sequence, payload in shuffler_messages([frame.rstrip(b"\0")]):
            self.sent.append((kind, payload))
            if kind != HELLO:
                self._loop_later(sequence)

    def _loop_later(self, sequence: int) -> None:
        asyncio.get_running_loop().call_soon(self.receive, shuffler_frame(0x81, struct.pack(">H", sequence)))


async def test_it_is_loaded_in_packets_through_the_lid_that_an_empty_machine_opens() -> None:
    machine = Machine("discard")
    machine.round_over()
    await machine.insert_packet("discard", 104)
    await machine.insert_packet("discard", 104)
    assert machine.cards.count(HOPPER) == 208, "in the window"
    machine.close_lid()
    assert machine.reports() == [
        (LID_OPENED, b""),
        (INSERTED, b"\0\x68"),
        (INSERTED, b"\0\x68"),
        (LID_CLOSED, b""),
    ]
    assert machine.cards.count(MACHINE) == 208
    assert await machine.draw("seat 1") is not None
    machine.link.close()


async def test_nothing_goes_in_while_the_lid_is_shut() -> None:
    machine = Machine(MACHINE)
    await machine.draw("seat 1")
    with pytest.raises(LidShut):
        await machine.insert(["seat 1"])
    with pytest.raises(LidShut):
        await machine.insert_packet("seat 1", 1)
    machine.link.close()


async def test_after_a_round_the_lid_opens_or_stays_shut_and_sometimes_for_several_rounds() -> None:
    machine = Machine(MACHINE)
    opened = []
    for _ in range(300):
        machine.round_over()
        opened.append(machine.lid_open)
        machine.close_lid()
    in_a_row = "".join("o" if lid else "s" for lid in opened)
    assert 100 < sum(opened) < 270
    assert "oso" in in_a_row and "sss" in in_a_row
    machine.link.close()


async def test_with_few_cards_left_it_always_opens() -> None:
    machine = Machine(MACHINE)
    machine.cards.move_top(MACHINE, "discard", 110)
    for _ in range(100):
        machine.round_over()
        assert machine.lid_open
        machine.close_lid()
    machine.link.close()


async def test_an_open_lid_gives_no_card_and_the_cards_in_the_window_come_after_it_is_closed() -> None:
    machine = Machine(MACHINE)
    machine.cards.move_top(MACHINE, "discard", 207)
    machine.round_over()
    await machine.insert(["discard"])
    assert await machine.draw("seat 1") is None
    machine.close_lid()
    for _ in range(208):
        assert await machine.draw("seat 1") is not None
    machine.link.close()


async def test_a_jam_lights_its_lamp_and_the_chief_inspector_opens_the_lid_to_clear_it() -> None:
    machine = Machine(MACHINE)
    machine.spoil(JAM)
    assert await machine.draw("seat 1") is None
    assert machine.lamps == [True]
    machine.round_over()
    assert not machine.lid_open, "jammed it does not open by itself"
    machine.clear_jam()
    assert machine.lamps == [True, False]
    assert [kind for kind, _ in machine.reports()] == [JAMMED, LID_OPENED, CLEARED, LID_CLOSED]
    assert machine.state is MachineState.READY
    assert await machine.draw("seat 1") is not None
    assert [kind for kind, _ in machine.reports()] == [CARD]
    machine.link.close()


async def test_a_restart_puts_the_lamp_out_and_all_cards_can_be_taken_out() -> None:
    machine = Machine(MACHINE)
    machine.spoil(JAM)
    await machine.draw("seat 1")
    machine.restart(77)
    assert machine.lamps == [True, False]
    assert machine.take_out("discard") == 208
    assert machine.sent[-1] == (STATUS, struct.pack(">BHBI", 0, 0, MachineState.READY, 0))
    machine.link.close()
