"""A batch shuffler: hopper, machine and tray with real cards, told what to do over its link."""

import asyncio
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from simulators.devices import shuffler_frames as frames
from simulators.devices.shuffler_link import ShufflerLink, hello_payload
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


class State(IntEnum):
    """As STATUS sends it; jammed (4) belongs to the link, this machine does not jam by itself."""

    IDLE = 0
    SHUFFLING = 1
    READY = 2
    DISPENSING = 3


@dataclass(frozen=True, slots=True)
class Order:
    """An order taken: its number, and how many cards to dispense (0: shuffle)."""

    number: int
    count: int


class Shuffler:
    """Carries each order out at most once; `bell` rings when a packet lies in the tray."""

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

    async def run(self) -> None:
        """Power up and work until cancelled."""
        self._hello()
        self._report_status()
        while True:
            await self._work.wait()
            self._work.clear()
            if (order := self._taken) is not None:
                await (self._dispense(order) if order.count else self._shuffle(order))
                self._taken = None

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

    def close_lid(self) -> None:
        """Close the lid."""
        if self.lid_open:
            self.lid_open = False
            self.link.post(frames.LID_CLOSED)
            self._report_status()

    def _obey(self, frame: frames.Frame) -> None:
        match frame.kind:
            case frames.ACK:
                self.link.acknowledged(int.from_bytes(frame.payload, "big"))
            case frames.RESEND:
                boot, first = struct.unpack(">IH", frame.payload)
                self._hello()
                self.link.resend(boot, first)
            case frames.SHUFFLE:
                if self._deck.count(HOPPER, MACHINE) == len(FULL_DECK):
                    self._take(Order(int.from_bytes(frame.payload, "big"), 0))
            case frames.DISPENSE:
                number, count = struct.unpack(">IB", frame.payload)
                if self.state in (State.READY, State.DISPENSING) and 0 < count <= self._deck.count(MACHINE):
                    self._take(Order(number, count))
            case frames.LOCK:
                self.lid_locked = True
            case frames.UNLOCK:
                self.lid_locked = False

    def _take(self, order: Order) -> None:
        """Take a new order; one that cannot be begun leaves the last order as it was, so that its repeat is new too."""
        if order.number > self.last_order and self._taken is None and not self.lid_open:
            self.last_order = order.number
            self._taken = order
            self._work.set()

    async def _shuffle(self, order: Order) -> None:
        await self.link.room()
        self.state = State.SHUFFLING
        self.link.post(frames.SHUFFLE_STARTED, struct.pack(">I", order.number))
        self._deck.gather([HOPPER], MACHINE)
        await self._pace.machine(SHUFFLE_SECONDS)
        self._deck.arrange(MACHINE, self._orders.next())
        await self.link.room()
        self.state = State.READY
        self.link.post(frames.SHUFFLE_DONE, struct.pack(">IH", order.number, self._deck.count(MACHINE)))

    async def _dispense(self, order: Order) -> None:
        await self._tray_empty.wait()
        await self.link.room()
        self.state = State.DISPENSING
        await self._pace.machine(DISPENSE_SECONDS)
        cards = self._deck.move_top(MACHINE, TRAY, order.count)
        self._tray_empty.clear()
        self.state = State.READY
        self.tray_order = order.number
        content = bytes(frames.card_byte(card) for card in cards)
        self.link.post(frames.PACKET, struct.pack(">IB", order.number, len(cards)) + content)
        self._bell()

    def _hello(self) -> None:
        self.link.say(frames.HELLO, hello_payload(self.link.boot, BATCH, DECKS, self.last_order, MODEL, FIRMWARE))

    def _report_status(self) -> None:
        inside = self._deck.count(HOPPER, MACHINE)
        self.link.post(frames.STATUS, struct.pack(">BHBI", self.lid_open, inside, self.state, self.last_order))
