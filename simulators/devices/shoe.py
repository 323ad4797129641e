"""An Angel Eye II-EX shoe, which reports every card drawn three times, and a reader of tiles on the same wire."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Generic

from simulators.devices import shoe_frames as frames
from simulators.devices.spoiling import Spoiling
from simulators.devices.wire_faults import LOST
from simulators.felt.cards import Card
from simulators.felt.deck import SHOE, P, Pieces
from simulators.felt.tiles import Tile
from simulators.pace import Pace

BAUD = 4800
COPIES = 3
COPY_SECONDS = 0.05  # between the copies of one report
DRAW_SECONDS = 0.35  # a card passing the reader

DRAWN_FOR_PLAYER, DRAWN_TILE = 0, 6  # kinds of a `D` report: the shoe thinks in baccarat, and 6 is free in its list
DRAWN_LOCKED, DRAWN_IN_ERROR = 0, 1  # kinds of a `d` report
CANNOT_READ, OVERDRAW = 1, 2
UNREADABLE, OVERDRAWN, CUT_CARD = "unreadable", "overdraw", "cut_card"


class Reader(Spoiling, ABC, Generic[P]):
    """Reports are numbered 1 to 9 over and over; one lost is lost for good. `bell` rings when the lock changes.

    `drawn_as` is the kind of a `D` report. `leaving` is called when a card is about to pass the reader. Faults make the
    next card unreadable or overdrawn, put a cut card before it, or lose reports. `cut_card_out` is whether the cut card
    has come out since the cards were put in.
    """

    drawn_as: int

    def __init__(
        self, deck: Pieces[P], pace: Pace, transmit: Callable[[bytes], None], bell: Callable[[], None]
    ) -> None:
        super().__init__()
        self.locked = False
        self.error: int | None = None
        self.cut_card_out = False
        self.leaving: Callable[[], None] = lambda: None
        self._deck = deck
        self._pace = pace
        self._transmit = transmit
        self._bell = bell
        self._reader = frames.CommandReader()
        self._reports: deque[bytes] = deque()
        self._waiting = asyncio.Event()
        self._sequence = 0
        self._drawn = 0
        self._behind_cut_card: int | None = None
        self._power_ups = 0

    async def run(self) -> None:
        """Powers up and sends the reports that wait, until cancelled."""
        self._power_up()
        while True:
            await self._waiting.wait()
            self._waiting.clear()
            while self._reports:
                report = self._reports.popleft()
                power_ups = self._power_ups
                for _ in range(COPIES):
                    if power_ups == self._power_ups:
                        self._transmit(report)
                        if self._pace.wires:
                            await asyncio.sleep(COPY_SECONDS)

    def restart(self) -> None:
        """Restart after a power loss: unlocked, no error, numbers from 1; unsent reports are lost."""
        self.report("restart", True)
        self._reports.clear()
        self._reader = frames.CommandReader()
        self.locked, self.error = False, None
        self._sequence = self._drawn = 0
        self._power_up()
        self._bell()

    def receive(self, chunk: bytes) -> None:
        """Bytes from the host."""
        for command in self._reader.feed(chunk):
            if isinstance(command, int):
                self._transmit(bytes([frames.NAK, command]))
            else:
                self._transmit(bytes([frames.ACK]))
                self._obey(command)

    def load(self, order: list[P], cut_card_before_last: int | None = None) -> None:
        """Puts the shuffled cards, which are at the shoe, into it in this order, and a cut card at this distance from
        the end.
        """
        self._deck.arrange(SHOE, order)
        self._drawn = 0
        self._behind_cut_card = cut_card_before_last
        self.cut_card_out = False

    async def draw(self, place: str) -> P:
        """The dealer draws the next card and places it at `place`."""
        await self._pace.machine(DRAW_SECONDS)
        self.leaving()
        if self._strikes(CUT_CARD) | self._cut_card_comes():
            self._report("C")
        card = self._deck.move_top(SHOE, place)[0]
        self._drawn += 1
        if self.locked or self.error is not None:
            kind = DRAWN_LOCKED if self.locked else DRAWN_IN_ERROR
            self._report("d", self._content(kind, card))
        elif self._strikes(OVERDRAWN):
            self._fail(OVERDRAW)
        elif self._strikes(UNREADABLE):
            self._fail(CANNOT_READ)
        else:
            self._report("D", self._content(self.drawn_as, card))
        return card

    @abstractmethod
    def _content(self, kind: int, piece: P) -> bytes:
        """The content of a report about the piece that was drawn."""

    def _cut_card_comes(self) -> bool:
        if self._behind_cut_card is None or self._deck.count(SHOE) > self._behind_cut_card:
            return False
        self._behind_cut_card = None
        self.cut_card_out = True
        return True

    def _obey(self, command: frames.ShoeCommand) -> None:
        if command.letters == "LK":
            locked = command.number == 2
            if locked != self.locked:
                self.locked = locked
                self._report("L", bytes([locked]))
                self._bell()
        elif self.error is not None:
            cleared, self.error = self.error, None
            self._report("e", bytes([0x40 | cleared]))

    def _power_up(self) -> None:
        self._power_ups += 1
        self._reports.appendleft(frames.report(frames.START_SEQUENCE, "S"))
        self._waiting.set()

    def _fail(self, error: int) -> None:
        self.error = error
        self._report("E", bytes([0x40 | error]))

    def _report(self, code: str, content: bytes = b"") -> None:
        self._sequence = self._sequence % 9 + 1
        if not self._strikes(LOST):
            self._reports.append(frames.report(str(self._sequence), code, content))
            self._waiting.set()


class Shoe(Reader[Card]):
    """The shoe: cards."""

    drawn_as = DRAWN_FOR_PLAYER

    def _content(self, kind: int, piece: Card) -> bytes:
        return frames.card_content(kind, self._drawn, piece)


class TileReader(Reader[Tile]):
    """A reader of tiles: the stack is before it, and each tile passes it on its way to a place."""

    drawn_as = DRAWN_TILE

    def _content(self, kind: int, piece: Tile) -> bytes:
        return frames.tile_content(kind, self._drawn, piece)
