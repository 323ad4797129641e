"""Continuous shuffler-dispensers, from which the dealer draws single cards: one that shuffles all the time, and one
with a lid that opens by itself between two rounds, so that cards go in through it and no other way.
"""

import asyncio
import random
import struct
from collections.abc import Callable

from simulators.devices import shuffler_frames as frames
from simulators.devices.card_machine import (
    CONTINUOUS,
    DAMAGED,
    HOPPER,
    INSERT_SECONDS,
    JAM,
    JAM_PACKET,
    MACHINE,
    MISREAD,
    UNREAD,
    CardMachine,
    MachineState,
)
from simulators.felt.cards import Card
from simulators.felt.deck import CardsLost

DRAW_SECONDS = 0.6  # a card to the exit, and read


class Dispenser(CardMachine):
    """A dispenser: it takes no orders, and reports every card drawn by CARD."""

    mode, inlet, rest = CONTINUOUS, MACHINE, MachineState.READY
    _drawn = 0

    async def run(self) -> None:
        """Power up, and stay up until cancelled."""
        self._power_up()
        await asyncio.Event().wait()

    async def draw(self, place: str) -> Card | None:
        """The dealer draws a card and places it at `place`; no card comes while the machine is jammed or open.

        Without acknowledgements a machine cannot report, and then gives no cards. Raises CardsLost when it
        is empty.
        """
        await self.link.room()
        if self._stopped:
            return None
        self.leaving()
        await self._pace.machine(DRAW_SECONDS)
        if self._stopped or self._jams(0, JAM, JAM_PACKET):
            return None
        inside = self._deck.at(MACHINE)
        if not inside:
            raise CardsLost("a card wanted from the dispenser, which is empty")
        card = self._orders.pick(inside)
        self._deck.move_card(card, MACHINE, place)
        self._drawn += 1
        if self._strikes(DAMAGED):
            self.link.post(frames.DAMAGED_CARD, struct.pack(">H", self._drawn % 65536))
        read = UNREAD if self._strikes(MISREAD) else frames.card_byte(card)
        self.link.post(frames.CARD, bytes([read]))
        return card

    def restart(self, boot: int) -> None:
        """Power lost and back with another boot id: messages are forgotten, and cards are counted again."""
        self._drawn = 0
        super().restart(boot)

    @property
    def _stopped(self) -> bool:
        return self.jammed or self.lid_open


MIX_SECONDS = 3.0  # shuffling what was put in, from the closing of the lid
STAYS_SHUT = 0.3  # chance that the lid does not open after a round
SHUT_ON_END = (0, 0, 1, 2)  # for how many more rounds it then stays shut


class LidShut(AssertionError):
    """Cards were put into a machine whose lid is shut: a fault of the bench itself."""


class LiddedDispenser(Dispenser):
    """The shuffler of black-jack/21 (Portaria 1364/2001, III): loaded in packets, and never opened by the dealer.

    Inserted cards are in the window until the lid is closed, which starts the shuffle. `habit` decides after which
    rounds the lid opens; `lamp` is called when the lamp of a jam changes, `lid_moves` when the lid moves.
    """

    inlet = HOPPER

    habit = random.Random(0)
    lamp: Callable[[bool], None] = staticmethod(lambda on: None)
    lid_moves: Callable[[bool], None] = staticmethod(lambda is_open: None)
    _shut_for = 0
    _mixed_at = 0.0

    def round_over(self) -> None:
        """The round is over: the lid opens by itself, or stays closed once or for several rounds (61).

        A machine with few cards left, or with none, always opens.
        """
        if self.lid_open or self.jammed:
            return
        if self._deck.count(MACHINE) >= self._deck.size // 2:
            if self._shut_for:
                self._shut_for -= 1
                return
            if self.habit.random() < STAYS_SHUT:
                self._shut_for = self.habit.choice(SHUT_ON_END)
                return
        self._shut_for = 0
        self.open_lid()

    async def insert(self, places: list[str]) -> int:
        """The dealer puts the cards of these places into the window. Raises LidShut."""
        if not self.lid_open:
            raise LidShut("cards put into the shuffler with its lid shut")
        return await super().insert(places)

    async def insert_packet(self, place: str, count: int) -> None:
        """The dealer puts a packet of this place's cards into the window. Raises LidShut."""
        if not self.lid_open:
            raise LidShut("a packet put into the shuffler with its lid shut")
        self._deck.move_top(place, self.inlet, count)
        await self._pace.machine(INSERT_SECONDS)
        self.link.post(frames.CARDS_INSERTED, struct.pack(">H", count))

    def open_lid(self) -> bool:
        """Opens the lid unless it is locked; an open machine gives no cards."""
        opened = super().open_lid()
        if opened:
            self.lid_moves(True)
        return opened

    def close_lid(self) -> None:
        """Close the lid: the cards in the window are drawn in and shuffled (60)."""
        if self.lid_open:
            self.lid_moves(False)
        if self.lid_open and self._deck.gather([HOPPER], MACHINE):
            self._mixed_at = asyncio.get_running_loop().time() + MIX_SECONDS * self._pace.machines
        super().close_lid()

    def take_out(self, place: str) -> int:
        """Take all cards out and place them at `place` (55); returns their number."""
        count = self._deck.gather([HOPPER, MACHINE], place)
        self._report_status()
        return count

    def clear_jam(self) -> None:
        """The chief inspector opens the lid, clears the jam and closes the lid (51)."""
        if self.jammed:
            self.open_lid()
            super().clear_jam()
            self.lamp(False)
            self.close_lid()

    def restart(self, boot: int) -> None:
        """Power lost and back: the lamp is out."""
        if self.jammed:
            self.lamp(False)
        super().restart(boot)

    async def draw(self, place: str) -> Card | None:
        """The dealer draws a card and places it at `place`, after the last inserted cards are shuffled."""
        await asyncio.sleep(max(0.0, self._mixed_at - asyncio.get_running_loop().time()))
        return await super().draw(place)

    def _jams(self, order: int, *kinds: str) -> bool:
        jams = super()._jams(order, *kinds)
        if jams:
            self.lamp(True)
        return jams
