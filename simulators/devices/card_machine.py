"""The common part of every machine on the shuffler's link: cards, a lid, jams, power, and numbered messages."""

import random
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import IntEnum
from typing import ClassVar

from simulators.devices import shuffler_frames as frames
from simulators.devices.numbered_link import ShufflerLink, hello_payload
from simulators.devices.spoiling import Spoiling
from simulators.felt.cards import FULL_DECK, Card
from simulators.felt.deck import OrdersOf, Pieces
from simulators.pace import Pace

BAUD = 115200
INSERT_SECONDS = 1.5  # drawing the cards in and counting them

HOPPER, MACHINE = "hopper", "machine"
BATCH, CONTINUOUS = 1, 2
MODEL, FIRMWARE = "BENCH-1", "1.0"
JAM, JAM_PACKET, MISREAD, DAMAGED = "jam", "jam packet", "misread", "damaged"
LID_OPEN, RESTART = "lid_open", "restart"
UNREAD = 0xFF


class MachineState(IntEnum):
    """The state in STATUS; JAMMED until the dealer has cleared the machine."""

    IDLE = 0
    SHUFFLING = 1
    READY = 2
    DISPENSING = 3
    JAMMED = 4


class CardMachine(Spoiling, ABC):
    """A machine that shuffles; `bell` rings when a hand is wanted, or it has put cards out.

    `leaving` is called when cards are about to come out, `report` when a fault strikes or is over. It jams at the next
    occasion, or the next cards it puts out are misread or damaged.
    """

    mode: ClassVar[int]  # as HELLO sends it
    inlet: ClassVar[str]  # where cards are that were put in
    rest: ClassVar[MachineState]  # its state at power-up, when cards have come in, and after a jam

    def __init__(
        self,
        deck: Pieces[Card],
        orders: OrdersOf[Card],
        pace: Pace,
        boot: int,
        transmit: Callable[[bytes], None],
        bell: Callable[[], None],
    ) -> None:
        super().__init__()
        self.link = ShufflerLink(boot, transmit)
        self.state = self.rest
        self.last_order = 0
        self.lid_open = False
        self.lid_locked = False
        self.leaving: Callable[[], None] = lambda: None
        self.chance = random.Random(0)
        self._lid_loose = False
        self._deck = deck
        self._orders = orders
        self._pace = pace
        self._bell = bell
        self._reader = frames.FrameReader()

    @property
    def noise(self) -> int:
        """The number of noise frames from the host."""
        return self._reader.noise

    @property
    def jammed(self) -> bool:
        """Whether a hand must clear the machine."""
        return self.state is MachineState.JAMMED

    @abstractmethod
    async def run(self) -> None:
        """Power up and work until cancelled."""

    def restart(self, boot: int) -> None:
        """Power lost and back with another boot id: orders and messages are forgotten."""
        self.report(RESTART, True)
        self._reader = frames.FrameReader()
        self.link.restart(boot)
        self.lid_locked = False
        self.last_order = 0
        if self.jammed:
            self.report(JAM, False)
        self.state = self.rest
        self._power_up()

    def clear_jam(self) -> None:
        """The dealer's hand: the machine works again."""
        if self.jammed:
            self.state = self.rest
            self.link.post(frames.CLEARED)
            self.report(JAM, False)

    def receive(self, chunk: bytes) -> None:
        """Bytes from the host."""
        for frame in self._reader.feed(chunk):
            self._obey(frame)

    async def insert(self, places: list[str]) -> int:
        """The dealer puts the cards of these places in; returns their number."""
        count = self._deck.gather(places, self.inlet)
        await self._pace.machine(INSERT_SECONDS)
        if count:
            if not self.jammed:
                self.state = self.rest
            self.link.post(frames.CARDS_INSERTED, struct.pack(">H", count))
        return count

    def open_lid(self) -> bool:
        """Opens the lid unless it is locked; an open machine gives no cards."""
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
            self.report(LID_OPEN, True)
            self._bell()

    def hold_lid(self) -> bool:
        """Keep the lid from opening by itself; returns whether it would have opened."""
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
                self.report(LID_OPEN, False)

    def _obey(self, frame: frames.Frame) -> None:
        match frame.kind:
            case frames.ACK:
                self.link.acknowledged(int.from_bytes(frame.payload, "big"))
            case frames.RESEND:
                boot, first = struct.unpack(">IH", frame.payload)
                self._hello()
                self.link.resend(boot, first)
            case frames.LOCK:
                self.lid_locked = True
            case frames.UNLOCK:
                self.lid_locked = False
                if self._lid_loose and not self.lid_open:
                    self.loosen_lid()

    def _jams(self, order: int, *kinds: str) -> bool:
        """Whether the machine jams now, at this order (0: at none)."""
        if not any(self._spoilt[kind] for kind in kinds):
            return False
        for kind in kinds:
            self._spoilt[kind] = 0
        self.report(JAM, True)
        self.state = MachineState.JAMMED
        self.link.post(frames.JAM, struct.pack(">I", order))
        self._bell()
        return True

    def _power_up(self) -> None:
        self._hello()
        self._report_status()

    def _hello(self) -> None:
        decks, order = self._deck.size // len(FULL_DECK), self.last_order
        self.link.say(frames.HELLO, hello_payload(self.link.boot, self.mode, decks, order, MODEL, FIRMWARE))

    def _report_status(self) -> None:
        inside = self._deck.count(HOPPER, MACHINE)
        self.link.post(frames.STATUS, struct.pack(">BHBI", self.lid_open, inside, self.state, self.last_order))
