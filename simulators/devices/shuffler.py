"""A batch shuffler: hopper, machine and tray with real cards, driven over its link."""

import asyncio
import struct
from collections.abc import Callable
from dataclasses import dataclass

from simulators.devices import shuffler_frames as frames
from simulators.devices.card_machine import (
    BATCH,
    BAUD,
    DAMAGED,
    HOPPER,
    JAM,
    JAM_PACKET,
    MACHINE,
    MISREAD,
    UNREAD,
    CardMachine,
    MachineState,
)
from simulators.felt.cards import FULL_DECK, Card
from simulators.felt.deck import OrdersOf, Pieces
from simulators.pace import Pace

SHUFFLE_SECONDS = 20.0
DISPENSE_SECONDS = 1.2  # a packet, however many cards

TRAY = "tray"
SHORT = "short"


@dataclass(frozen=True, slots=True)
class Order:
    """An order taken: its number, how many cards to dispense (0: shuffle), and the last order before it."""

    number: int
    count: int
    before: int


class Shuffler(CardMachine):
    """Carries out each order at most once; `bell` also rings when a packet is in the tray."""

    mode, inlet, rest = BATCH, HOPPER, MachineState.IDLE

    def __init__(
        self,
        deck: Pieces[Card],
        orders: OrdersOf[Card],
        pace: Pace,
        boot: int,
        transmit: Callable[[bytes], None],
        bell: Callable[[], None],
    ) -> None:
        super().__init__(deck, orders, pace, boot, transmit, bell)
        self.tray_order: int | None = None
        self._working: asyncio.Task[None] | None = None
        self._taken: Order | None = None
        self._work = asyncio.Event()
        self._tray_empty = asyncio.Event()
        self._tray_empty.set()

    async def run(self) -> None:
        """Power up and work until cancelled."""
        self._power_up()
        try:
            while True:
                await self._work.wait()
                self._work.clear()
                if (order := self._taken) is not None:
                    self._working = asyncio.create_task(self._dispense(order) if order.count else self._shuffle(order))
                    await asyncio.wait([self._working])
                    if not self._working.cancelled():
                        self._working.result()
        finally:
            if self._working:
                self._working.cancel()

    def restart(self, boot: int) -> None:
        """Power lost and back with another boot id: orders, messages and the order of the deck are forgotten."""
        if self._working:
            self._working.cancel()
        self._taken = None
        self._work.clear()
        super().restart(boot)

    def packet_taken(self) -> None:
        """The dealer has emptied the tray."""
        self.tray_order = None
        self._tray_empty.set()

    def _obey(self, frame: frames.Frame) -> None:
        match frame.kind:
            case frames.SHUFFLE:
                if self._all_inside:
                    self._take(int.from_bytes(frame.payload, "big"), 0)
            case frames.DISPENSE:
                number, count = struct.unpack(">IB", frame.payload)
                if self.state in (MachineState.READY, MachineState.DISPENSING) and 0 < count <= self._deck.count(
                    MACHINE
                ):
                    self._take(number, count)
            case _:
                super()._obey(frame)

    @property
    def _all_inside(self) -> bool:
        """Whether every existing card is in the machine, whether the deck is complete or not."""
        return self._deck.count(HOPPER, MACHINE) == self._deck.count(*self._deck.places)

    def _take(self, number: int, count: int) -> None:
        """Takes a new order. If it cannot begin, the last order stays, so that a repeat is new too."""
        free = self._taken is None and not self.lid_open and not self.jammed
        if number > self.last_order and free:
            self._taken = Order(number, count, self.last_order)
            self.last_order = number
            self._work.set()

    async def _shuffle(self, order: Order) -> None:
        await self.link.room()
        self.state = MachineState.SHUFFLING
        self.link.post(frames.SHUFFLE_STARTED, struct.pack(">I", order.number))
        self._deck.gather([HOPPER], MACHINE)
        await self._pace.machine(SHUFFLE_SECONDS)
        if self._jams_at(order, JAM):
            return
        self._deck.arrange(MACHINE, self._orders.next())
        await self.link.room()
        self.state, self._taken = MachineState.READY, None  # the host may answer what follows at once
        if wrong := frames.deck_check(FULL_DECK, self._deck.at(MACHINE)):
            self.link.post(frames.DECK_CHECK, wrong)
        self.link.post(frames.SHUFFLE_DONE, struct.pack(">IH", order.number, self._deck.count(MACHINE)))

    async def _dispense(self, order: Order) -> None:
        await self._tray_empty.wait()
        await self.link.room()
        self.state = MachineState.DISPENSING
        self.leaving()
        await self._pace.machine(DISPENSE_SECONDS)
        if self._taken is not order or self._jams_at(order, JAM, JAM_PACKET):
            return
        position = len(FULL_DECK) - self._deck.count(MACHINE) + 1
        too_few = order.count > 1 and self._strikes(SHORT)
        cards = self._deck.move_top(MACHINE, TRAY, order.count - too_few)
        self._tray_empty.clear()
        self.state, self._taken = MachineState.READY, None
        self.tray_order = order.number
        content = bytearray(frames.card_byte(card) for card in cards)
        if self._strikes(MISREAD):
            content[self.chance.randrange(len(content))] = UNREAD
        if self._strikes(DAMAGED):
            self.link.post(frames.DAMAGED_CARD, struct.pack(">H", position + self.chance.randrange(len(cards))))
        self.link.post(frames.PACKET, struct.pack(">IB", order.number, len(cards)) + content)
        self._bell()

    def _jams_at(self, order: Order, *kinds: str) -> bool:
        """Whether the machine jams at this order, which then does not count as taken."""
        if not self._jams(order.number, *kinds):
            return False
        self.last_order, self._taken = order.before, None
        return True


__all__ = [
    "BAUD",
    "DAMAGED",
    "DISPENSE_SECONDS",
    "HOPPER",
    "JAM",
    "JAM_PACKET",
    "MACHINE",
    "MISREAD",
    "SHORT",
    "SHUFFLE_SECONDS",
    "TRAY",
    "MachineState",
    "Shuffler",
]  # fmt: skip
