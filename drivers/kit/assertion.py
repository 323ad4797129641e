"""An assertion about a device, the acts of the person who helps, and the bench on which both meet. No I/O here."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from drivers.device import Device, DeviceMessage, Mark
from drivers.messages import LinkLost, LinkUp, Message, NoiseReceived
from drivers.orders import Order
from drivers.wiring import Wiring

M = TypeVar("M")

UP_SECONDS = 40.0  # the longest pause between two tries to open a port, and the greeting
REPORT_SECONDS = 5.0  # a report that takes longer counts as none, where nothing else is expected

ACTS = {
    "plug": "Put the plug of the cable back in.",
    "unplug": "Pull the plug of the cable to this computer.",
    "clear": "Take all chips off the sensors, and let the button go.",
    "place": "Place a chip on the sensor of seat {seats}, and leave it there.",
    "place all": "Place a chip on the sensor of each seat: {seats}.",
    "place together": "Place chips on the sensors of the seats {seats} at the same moment.",
    "lift": "Take the chip off the sensor of seat {seats}.",
    "pass": "Pass a chip over the sensor of seat {seats}: on it and off at once.",
    "pass ten": "Pass a chip over the sensor of seat {seats} ten times, as fast as you can.",
    "hold": "Press the button, and keep it pressed.",
    "release": "Let the button go.",
    "place and press": "Place a chip on the sensor of seat {seats}, and press the button at once.",
    "lamps": "Which lamps are lit? Type the seats, and lock for the lamp of the button, such as: 1 3 lock. Or: none",
    "load": "Put cards into the shoe, {seats} at least, shuffled.",
    "load deck": "Put all cards into the shuffler, those of its tray too, and close it.",
    "load blank": "Change a card of the deck for a blank one, and put all cards into the shuffler.",
    "load short": "Put all cards but one into the shuffler, and type the one, such as 8s or Td.",
    "load double": "Change a card for a double of another, put all into the shuffler, and type the double.",
    "whole deck": "Make the deck whole again.",
    "put back": "Put the cards that you took back into the shuffler.",
    "take packet": "Take the packet out of the tray.",
    "type packet": "Take the packet out of the tray, and type its cards from the top, such as: 8s Td Ah",
    "tray": "Is there a packet in the tray? Type yes or no.",
    "open lid": "Open the lid of the shuffler.",
    "close lid": "Close the lid of the shuffler.",
    "lid ten times": "Open and close the lid of the shuffler ten times.",
    "jam": "Make the shuffler jam while it shuffles, such as with a bent card.",
    "clear jam": "Clear the jam.",
    "packet, unplug": "Pull the plug of the cable to this computer as the packet comes.",
    "draw": "Draw a card, and type it, such as 8s or Td.",
    "draw five": "Draw five cards as fast as you can, and type them in order, such as: 8s Td Ah 2c Ks",
    "draw, unplug": "Draw a card and pull the plug of the cable as the card leaves the shoe. Type the card.",
    "try to draw": "Try to draw a card. Type it, or none if the shoe gives none.",
    "draw unread": "Draw a card that the shoe cannot read, such as a blank one.",
    "draw two": "Pull two cards out of the shoe at once.",
    "draw cut card": "Put the cut card in front, and draw it.",
    "clear error": "If the shoe shows an error, clear it by hand.",
    "switch off and on": "Switch the device off and on again, at its power, not at the cable to this computer.",
    "pages": "What does the sign show? Type its pages, with | between them. Or: nothing",
    "end": "Watch all pages of the sign. Do they end with the word END? Type yes or no.",
    "again": "Type again to repeat it, or nothing to continue.",
}
"""The acts that a person is asked for."""

TYPED = {"lamps", "draw", "draw five", "draw, unplug", "try to draw", "pages", "end", "again"} | {
    "load short", "load double", "type packet", "tray"
}  # fmt: skip
"""The acts at which something is typed."""

UNDONE_BY = {
    "unplug": "plug", "draw, unplug": "plug", "draw unread": "clear error", "draw two": "clear error",
    "packet, unplug": "plug", "open lid": "close lid", "jam": "clear jam",
    **dict.fromkeys(("load blank", "load short", "load double"), "whole deck"),
    **dict.fromkeys(("place", "place all", "place together", "hold", "place and press"), "clear"),
}  # fmt: skip
"""The act that must follow before the next assertion, if this assertion does not include it."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One thing for a person to do. `seats` are the seats meant, or a number."""

    name: str
    seats: tuple[int, ...] = ()

    def __str__(self) -> str:
        return ACTS[self.name].format(seats=" ".join(map(str, self.seats)))


Person = Callable[[Instruction], Awaitable[str]]
"""Asks a person for an act; returns the typed text, once the act is done."""


class NotSo(Exception):
    """An assertion is false; the text says what was expected, and what was found."""


class Bench:
    """One device, opened and closed as a station does, and the person in front of it.

    `cards` is how many cards the accuracy sign-off draws, `packet` how many a shuffler gives at once. A message counts
    as durable as soon as it is received.
    """

    def __init__(
        self,
        open_device: Callable[[Mark | None], Device],
        person: Person,
        wiring: Wiring | None = None,
        cards: int = 52,
        progress: Callable[[str], None] = lambda text: None,
        packet: int = 0,
    ) -> None:
        self.cards, self.progress, self.packet = cards, progress, packet
        self.received: list[DeviceMessage] = []  # since the device was last opened
        self.is_up = False
        self._open_device, self._person, self._wiring = open_device, person, wiring
        self._device: Device | None = None
        self._task: asyncio.Task[None] | None = None
        self._order: Order | None = None
        self._mark: Mark | None = None
        self._arrived = asyncio.Event()
        self._to_undo: dict[str, None] = {}

    @property
    def wiring(self) -> Wiring:
        assert self._wiring is not None, "the table has no slots"
        return self._wiring

    @property
    def ordered(self) -> Order | None:
        """The last order."""
        return self._order

    async def typed_cards(self, act: str) -> list[str]:
        """The typed cards in the form of reports: a person may type 10D."""
        words = (word.replace("10", "T") for word in (await self.ask(act)).split())
        return [word[:-1].upper() + word[-1:].lower() for word in words]

    async def ask(self, act: str, *seats: int) -> str:
        """Asks for an act; returns the text that the person typed."""
        self._to_undo.pop(act, None)
        if act in UNDONE_BY:
            self._to_undo[UNDONE_BY[act]] = None
        return (await self._person(Instruction(act, seats))).strip()

    async def start(self) -> None:
        """Open the device as a station does that resumes; with the last order, if there is one."""
        self.received.clear()
        self.is_up = False
        self._device = self._open_device(self._mark)
        if self._order is not None:
            self._device.order(self._order)
        self._task = asyncio.create_task(self._device.run(self._receive))

    async def stop(self) -> None:
        """Closes the device. Raises the exception of a defect in the driver."""
        if self._task is not None:
            task, self._task, self._device = self._task, None, None
            task.cancel()
            [ended] = await asyncio.gather(task, return_exceptions=True)
            if isinstance(ended, Exception):
                raise ended

    async def up(self, seconds: float = UP_SECONDS) -> None:
        """Waits until the link is up."""
        await self.until(lambda: self.is_up, seconds, "an answer of the device", self._why_down)

    async def ready(self) -> None:
        """Open the device and wait for its answer."""
        await self.start()
        await self.up()

    async def unplug(self, seconds: float = 3 * REPORT_SECONDS, act: str = "unplug") -> None:
        """Ask for the plug to be pulled, and wait until the link is lost."""
        await self.ask(act)
        await self.until(lambda: not self.is_up, seconds, "a lost link")

    async def tidy(self) -> None:
        """Asks the person to undo the effects of an assertion."""
        for act in tuple(self._to_undo):
            await self.ask(act)

    def order(self, wanted: Order | None) -> None:
        """Sets the station's order; None removes it, so that the next opening begins without one."""
        self._order = wanted
        if self._device is not None and wanted is not None:
            self._device.order(wanted)

    async def read_again(self) -> None:
        assert self._device is not None, "ready comes first"
        await self._device.read_again()

    def of(self, kind: type[M]) -> list[M]:
        """The messages of a kind since the device was last opened."""
        return [received.message for received in self.received if isinstance(received.message, kind)]

    async def until(
        self,
        condition: Callable[[], object],
        seconds: float,
        expected: str,
        found: Callable[[], object] = lambda: "none",
    ) -> None:
        """Waits until messages make the condition true. Raises NotSo."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            raise NotSo(f"expected {expected} within {seconds:g} s, found {found()}") from None

    async def pause(self, seconds: float) -> None:
        """Lets time pass, in which something must not happen or must last."""
        self.progress(f"{seconds:g} s")
        await asyncio.sleep(seconds)

    async def no_noise(self, seconds: float, expected: str) -> None:
        """Lets time pass, and checks that the device has sent nothing unreadable since its opening."""
        await self.pause(seconds)
        octets = sum(noise.count for noise in self.of(NoiseReceived))
        self.check(not octets, expected, f"{octets} octets")

    @staticmethod
    def check(condition: object, expected: str, found: object) -> None:
        """Raises NotSo."""
        if not condition:
            raise NotSo(f"expected {expected}, found {found}")

    def _receive(self, message: DeviceMessage) -> None:
        self.received.append(message)
        match message.message:
            case LinkUp():
                self.is_up = True
            case LinkLost():
                self.is_up = False
        if message.mark is not None:
            self._mark = message.mark
            asyncio.get_running_loop().call_soon(self._durable, message.mark)
        self._arrived.set()

    def _durable(self, mark: Mark) -> None:
        if self._device is not None:
            self._device.durable(mark)

    def _why_down(self) -> str:
        lost = self.of(LinkLost)
        return lost[-1].reason if lost else "none"


Check = Callable[[Bench], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Assertion:
    """`sentence` is what must be true of a good device; `person` says in a few words what someone has to do.

    `check` raises NotSo. It begins with a device that is closed, and may leave it open.
    """

    id: str
    sentence: str
    person: str
    check: Check


def message_kinds(messages: list[Message]) -> str:
    """Kinds of messages for a person, without any card."""
    return ", ".join(type(message).__name__ for message in messages) or "nothing"
