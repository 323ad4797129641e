"""An Angel Eye II-EX shoe: reads every card drawn from it and reports it three times."""

import asyncio
from collections import deque
from collections.abc import Callable

from simulators.devices import shoe_frames as frames
from simulators.felt.cards import Card
from simulators.felt.deck import Deck
from simulators.pace import Pace

BAUD = 4800
COPIES = 3
COPY_SECONDS = 0.05  # between the copies of one report
DRAW_SECONDS = 0.35  # a card passing the reader

SHOE = "shoe"
DRAWN_FOR_PLAYER = 0  # the shoe thinks in baccarat: kinds of a `D` report
DRAWN_LOCKED, DRAWN_IN_ERROR = 0, 1  # kinds of a `d` report
CANNOT_READ = 1


class Shoe:
    """Reports are numbered 1 to 9 over and over; one lost is lost for good. `bell` rings when the lock changes."""

    def __init__(self, deck: Deck, pace: Pace, transmit: Callable[[bytes], None], bell: Callable[[], None]) -> None:
        self.locked = False
        self.error: int | None = None
        self.unreadable: set[Card] = set()
        self._deck = deck
        self._pace = pace
        self._transmit = transmit
        self._bell = bell
        self._reader = frames.CommandReader()
        self._reports: deque[bytes] = deque()
        self._waiting = asyncio.Event()
        self._sequence = 0
        self._drawn = 0

    async def run(self) -> None:
        """Power up and send what there is to report, until cancelled."""
        self._reports.appendleft(frames.report(frames.START_SEQUENCE, "S"))
        self._waiting.set()
        while True:
            await self._waiting.wait()
            self._waiting.clear()
            while self._reports:
                report = self._reports.popleft()
                for _ in range(COPIES):
                    self._transmit(report)
                    if self._pace.wires:
                        await asyncio.sleep(COPY_SECONDS)

    def heard(self, chunk: bytes) -> None:
        """Bytes from the host."""
        for command in self._reader.feed(chunk):
            if isinstance(command, int):
                self._transmit(bytes([frames.NAK, command]))
            else:
                self._transmit(bytes([frames.ACK]))
                self._obey(command)

    def load(self, order: list[Card]) -> None:
        """Put the shuffled cards, which lie at the shoe, into it in this order."""
        self._deck.arrange(SHOE, order)
        self._drawn = 0

    async def draw(self, place: str) -> Card:
        """The dealer draws the next card and lays it at `place`."""
        await self._pace.machine(DRAW_SECONDS)
        card = self._deck.move_top(SHOE, place)[0]
        self._drawn += 1
        if self.locked or self.error is not None:
            kind = DRAWN_LOCKED if self.locked else DRAWN_IN_ERROR
            self._report("d", frames.card_content(kind, self._drawn, card))
        elif card in self.unreadable:
            self.error = CANNOT_READ
            self._report("E", bytes([0x40 | CANNOT_READ]))
        else:
            self._report("D", frames.card_content(DRAWN_FOR_PLAYER, self._drawn, card))
        return card

    def _obey(self, command: frames.Command) -> None:
        if command.letters == "LK":
            locked = command.number == 2
            if locked != self.locked:
                self.locked = locked
                self._report("L", bytes([locked]))
                self._bell()
        elif self.error is not None:
            cleared, self.error = self.error, None
            self._report("e", bytes([0x40 | cleared]))

    def _report(self, code: str, content: bytes) -> None:
        self._sequence = self._sequence % 9 + 1
        self._reports.append(frames.report(str(self._sequence), code, content))
        self._waiting.set()
