"""A batch shuffler: hopper, machine and tray with real cards, told what to do over its link."""

import asyncio
import random
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from simulators.devices import shuffler_frames as frames
from simulators.devices.shuffler_link import ShufflerLink, hello_payload
from simulators.devices.wire_faults import Tell, nobody
from simulators.felt.cards import FULL_DECK
from simulators.felt.deck import Deck, Orders
from simulators.pace import Pace

BAUD = 115200
SHUFFLE_SECONDS = 20.0
DISPENSE_SECONDS = 1.2  # a packet, however many cards
INSERT_SECONDS = 1.5  # drawing the cards in and counting them

HOPPER, MACHINE, TRAY = "hopper", "machine", "tray"
BATCH, DECKS = 1, 1
MODEL, FIRMWARE = "BENCH-1", "1.0"
JAM, JAM_PACKET, MISREAD, DAMAGED, SHORT = "jam", "jam packet", "misread", "damaged", "short"
LID_OPEN, RESTART = "lid_open", "restart"
UNREAD = 0xFF


class State(IntEnum):
    """As STATUS sends it; JAMMED until the dealer has cleared the machine."""

    IDLE = 0
    SHUFFLING = 1
    READY = 2
    DISPENSING = 3
    JAMMED = 4


@dataclass(frozen=True, slots=True)
class Order:
    """An order taken: its number, how many cards to dispense (0: shuffle), and the last order before it."""

    number: int
    count: int
    before: int


class Shuffler:
    """Carries each order out at most once; `bell` rings when a packet lies in the tray, or a hand is wanted.

    `leaving` is called when a packet is about to be dispensed, `tell` when a fault strikes or is over.
    """

    def __init__(
        self,
        deck: Deck,
        orders: Orders,
        pace: Pace,
        boot: int,
        transmit: Callable[[bytes], None],
        bell: Callable[[], None],
    ) -> None:
        self.link = ShufflerLink(boot, transmit)
        self.state = State.IDLE
        self.last_order = 0
        self.lid_open = False
        self.lid_locked = False
        self.tray_order: int | None = None
        self.leaving: Callable[[], None] = lambda: None
        self.tell: Tell = nobody
        self.chance = random.Random(0)
        self._spoilt: Counter[str] = Counter()
        self._lid_loose = False
        self._working: asyncio.Task[None] | None = None
        self._deck = deck
        self._orders = orders
        self._pace = pace
        self._bell = bell
        self._reader = frames.FrameReader()
        self._taken: Order | None = None
        self._work = asyncio.Event()
        self._tray_empty = asyncio.Event()
        self._tray_empty.set()

    @property
    def noise(self) -> int:
        """How many frames from the host were noise."""
        return self._reader.noise

    @property
    def jammed(self) -> bool:
        """Whether a hand is needed to clear it."""
        return self.state is State.JAMMED

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
                    if self._taken is order:
                        self._taken = None
        finally:
            if self._working:
                self._working.cancel()

    def restart(self, boot: int) -> None:
        """Power lost and back with another boot id: orders, messages and the order of the deck are forgotten."""
        self.tell(RESTART, True)
        if self._working:
            self._working.cancel()
        self._taken = None
        self._work.clear()
        self._reader = frames.FrameReader()
        self.link.restart(boot)
        self.lid_locked = False
        self.last_order = 0
        if self.jammed:
            self.tell(JAM, False)
        self.state = State.IDLE
        self._power_up()

    def spoil(self, kind: str) -> None:
        """The next order jams, the next packet jams, is misread, damaged or short: once."""
        self._spoilt[kind] += 1

    def spare(self, kind: str) -> bool:
        """What has not struck yet does not; whether there was anything."""
        return self._spoilt.pop(kind, 0) > 0

    def clear_jam(self) -> None:
        """The dealer's hand: the machine works again, but the deck has to be shuffled anew."""
        if self.jammed:
            self.state = State.IDLE
            self.link.post(frames.CLEARED)
            self.tell(JAM, False)

    def heard(self, chunk: bytes) -> None:
        """Bytes from the host."""
        for frame in self._reader.feed(chunk):
            self._obey(frame)

    def packet_taken(self) -> None:
        """The dealer has emptied the tray."""
        self.tray_order = None
        self._tray_empty.set()

    async def insert(self, places: list[str]) -> int:
        """The dealer puts the cards of these places into the hopper; how many that was."""
        count = self._deck.gather(places, HOPPER)
        await self._pace.machine(INSERT_SECONDS)
        if count:
            if not self.jammed:
                self.state = State.IDLE
            self.link.post(frames.CARDS_INSERTED, struct.pack(">H", count))
        return count

    def open_lid(self) -> bool:
        """Open the lid unless it is locked; open, the machine takes no orders."""
        if self.lid_locked or self.lid_open:
            return False
        self.lid_open = True
        self.link.post(frames.LID_OPENED)
        self._report_status()
        return True

    def loosen_lid(self) -> None:
        """The lid opens by itself, at once or when it is unlocked."""
        self._lid_loose = not self.lid_open
        if self.open_lid():
            self.tell(LID_OPEN, True)
            self._bell()

    def hold_lid(self) -> bool:
        """The lid does not open by itself any more; whether it still would have."""
        loose, self._lid_loose = self._lid_loose and not self.lid_open, False
        return loose

    def close_lid(self) -> None:
        """Close the lid."""
        if self.lid_open:
            self.lid_open = False
            self.link.post(frames.LID_CLOSED)
            self._report_status()
            if self._lid_loose:
                self._lid_loose = False
                self.tell(LID_OPEN, False)

    def _obey(self, frame: frames.Frame) -> None:
        match frame.kind:
            case frames.ACK:
                self.link.acknowledged(int.from_bytes(frame.payload, "big"))
            case frames.RESEND:
                boot, first = struct.unpack(">IH", frame.payload)
                self._hello()
                self.link.resend(boot, first)
            case frames.SHUFFLE:
                if self._all_inside:
                    self._take(int.from_bytes(frame.payload, "big"), 0)
            case frames.DISPENSE:
                number, count = struct.unpack(">IB", frame.payload)
                if self.state in (State.READY, State.DISPENSING) and 0 < count <= self._deck.count(MACHINE):
                    self._take(number, count)
            case frames.LOCK:
                self.lid_locked = True
            case frames.UNLOCK:
                self.lid_locked = False
                if self._lid_loose and not self.lid_open:
                    self.loosen_lid()

    @property
    def _all_inside(self) -> bool:
        """Whether every card there is lies in the machine, be the deck whole or not."""
        return self._deck.count(HOPPER, MACHINE) == self._deck.count(*self._deck.places)

    def _take(self, number: int, count: int) -> None:
        """Take a new order; one that cannot be begun leaves the last order as it was, so that its repeat is new too."""
        free = self._taken is None and not self.lid_open and not self.jammed
        if number > self.last_order and free:
            self._taken = Order(number, count, self.last_order)
            self.last_order = number
            self._work.set()

    async def _shuffle(self, order: Order) -> None:
        await self.link.room()
        self.state = State.SHUFFLING
        self.link.post(frames.SHUFFLE_STARTED, struct.pack(">I", order.number))
        self._deck.gather([HOPPER], MACHINE)
        await self._pace.machine(SHUFFLE_SECONDS)
        if self._jams(order, JAM):
            return
        self._deck.arrange(MACHINE, self._orders.next())
        await self.link.room()
        self.state = State.READY
        if wrong := frames.deck_check(FULL_DECK, self._deck.at(MACHINE)):
            self.link.post(frames.DECK_CHECK, wrong)
        self.link.post(frames.SHUFFLE_DONE, struct.pack(">IH", order.number, self._deck.count(MACHINE)))

    async def _dispense(self, order: Order) -> None:
        await self._tray_empty.wait()
        await self.link.room()
        self.state = State.DISPENSING
        self.leaving()
        await self._pace.machine(DISPENSE_SECONDS)
        if self._taken is not order or self._jams(order, JAM, JAM_PACKET):
            return
        position = len(FULL_DECK) - self._deck.count(MACHINE) + 1
        too_few = order.count > 1 and self._strikes(SHORT)
        cards = self._deck.move_top(MACHINE, TRAY, order.count - too_few)
        self._tray_empty.clear()
        self.state = State.READY
        self.tray_order = order.number
        content = bytearray(frames.card_byte(card) for card in cards)
        if self._strikes(MISREAD):
            content[self.chance.randrange(len(content))] = UNREAD
        if self._strikes(DAMAGED):
            self.link.post(frames.DAMAGED_CARD, struct.pack(">H", position + self.chance.randrange(len(cards))))
        self.link.post(frames.PACKET, struct.pack(">IB", order.number, len(cards)) + content)
        self._bell()

    def _jams(self, order: Order, *kinds: str) -> bool:
        """Whether the machine jams at this order, which then does not count as taken."""
        if not any(self._spoilt[kind] for kind in kinds):
            return False
        for kind in kinds:
            self._spoilt[kind] = 0
        self.tell(JAM, True)
        self.state = State.JAMMED
        self.last_order = order.before
        self.link.post(frames.JAM, struct.pack(">I", order.number))
        self._bell()
        return True

    def _strikes(self, kind: str) -> bool:
        if not self._spoilt[kind]:
            return False
        self._spoilt[kind] -= 1
        self.tell(kind, True)
        return True

    def _power_up(self) -> None:
        self._hello()
        self._report_status()

    def _hello(self) -> None:
        self.link.say(frames.HELLO, hello_payload(self.link.boot, BATCH, DECKS, self.last_order, MODEL, FIRMWARE))

    def _report_status(self) -> None:
        inside = self._deck.count(HOPPER, MACHINE)
        self.link.post(frames.STATUS, struct.pack(">BHBI", self.lid_open, inside, self.state, self.last_order))
