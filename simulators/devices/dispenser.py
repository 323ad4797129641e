"""A continuous shuffler-dispenser: it shuffles all the time, and the dealer draws single cards from it."""

import asyncio
import struct

from simulators.devices import shuffler_frames as frames
from simulators.devices.card_machine import (
    CONTINUOUS,
    DAMAGED,
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
