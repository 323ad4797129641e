"""The automatic shuffler at the end of our own link: requests missing messages, and acknowledges only durable ones."""

import asyncio
from enum import Enum
from math import inf

from drivers.device import Device, DeviceName, Mark, Receive
from drivers.faults import DeviceSilent, LineNoise
from drivers.link import Link, LinkTiming
from drivers.messages import Cleared, Jammed, Message, PacketDispensed, ReportsLost, ShuffleDone, ShuffleStarted
from drivers.orders import DispenseOrder, NoOrder, Order, ShuffleOrder
from drivers.ports.serial import LineSettings, SerialLine
from drivers.shuffler_link.codec import BAUD, Hello, Numbered, ShufflerCodec
from drivers.shuffler_link.resend_window import ResendWindow, Verdict
from drivers.tap import Tap

HELLO_WAIT_SECONDS = 2.0  # the machine answers RESEND at once; four of them unanswered is silence
RESEND_REPEAT_SECONDS = 0.5  # twice the machine's own 250 ms of retransmission
PROBE_SECONDS = 5.0  # without any valid frame for so long, RESEND asks whether the machine is there
ORDER_REPEAT_SECONDS = 0.5  # README.md: repeated until answered; the number makes it harmless


class _Answer(Enum):
    AWAITED = "awaited"
    JAMMED = "jammed"  # asked again once the jam is cleared
    GIVEN = "given"


class Shuffler(Device):
    """A Device. `mark` is the last durable one of the journal, None for a journal without a message of a shuffler.

    Orders: ShuffleOrder, DispenseOrder, NoOrder.
    """

    def __init__(
        self,
        *,
        port: str,
        mark: Mark | None = None,
        name: DeviceName = "shuffler",
        baud: int = BAUD,
        hello_wait_seconds: float = HELLO_WAIT_SECONDS,
        resend_repeat_seconds: float = RESEND_REPEAT_SECONDS,
        probe_seconds: float = PROBE_SECONDS,
        order_repeat_seconds: float = ORDER_REPEAT_SECONDS,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        self.name = name
        self._line = SerialLine(name, port, LineSettings(baud), tap)
        self._hello_wait = hello_wait_seconds
        self._resend_repeat = resend_repeat_seconds
        self._probe = probe_seconds
        self._order_repeat = order_repeat_seconds
        self._link = Link(name, link_timing or LinkTiming())
        self._window = ResendWindow(mark)
        self._durable = mark
        self._wanted: ShuffleOrder | DispenseOrder | NoOrder = NoOrder()
        self._answer = _Answer.AWAITED
        self._codec = ShufflerCodec()
        self._greeted = False
        self._last_received = self._asked = self._ordered = 0.0
        self._probed = inf  # when it was asked first whether it is there, while it has not answered

    async def run(self, receive: Receive) -> None:
        await self._link.run(receive, self._converse)

    def order(self, wanted: Order) -> None:
        if not isinstance(wanted, ShuffleOrder | DispenseOrder | NoOrder):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        if wanted != self._wanted:
            self._wanted, self._answer, self._ordered = wanted, _Answer.AWAITED, -inf
            self._line.wake()

    def durable(self, mark: Mark) -> None:
        if mark.boot != self._window.boot:
            return  # of a machine that has been switched off since: it knows nothing of these numbers
        self._durable = mark
        if self._greeted:
            self._line.write(self._codec.ack(mark.sequence))

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()
        self._codec = ShufflerCodec()
        self._greeted = False
        async with self._line.opened(self._receive) as line:
            self._window.reopen()
            self._last_received = loop.time() - self._probe  # so that it must answer within the first HELLO wait
            self._ordered = -inf
            self._ask()
            self._probed = self._asked
            while True:
                await line.pause(self._tend(loop.time()))

    def _tend(self, now: float) -> float:
        """Does what is due; returns the seconds until the next task."""
        silent_since = self._last_received + self._probe
        if now >= self._probed + self._hello_wait:  # not before it was asked, however late this is
            raise DeviceSilent(self.name, self._hello_wait)
        next_ask = self._asked + self._resend_repeat if self._window.asking else silent_since
        if now >= next_ask:
            self._ask()
            next_ask = now + self._resend_repeat
            if now >= silent_since:
                self._probed = min(self._probed, now)
        next_order = inf
        if self._greeted and self._answer is _Answer.AWAITED and not isinstance(self._wanted, NoOrder):
            next_order = self._ordered + self._order_repeat
            if now >= next_order:
                self._send_order(now)
                next_order = now + self._order_repeat
        return min(next_ask, next_order, self._probed + self._hello_wait) - now

    def _ask(self) -> None:
        self._asked = asyncio.get_running_loop().time()
        self._line.write(self._codec.resend(*self._window.ask()))

    def _send_order(self, now: float) -> None:
        self._ordered = now
        match self._wanted:
            case ShuffleOrder(order):
                self._line.write(self._codec.shuffle(order))
            case DispenseOrder(order, count):
                self._line.write(self._codec.dispense(order, count))

    def _receive(self, octets: bytes) -> None:
        for received in self._codec.receive(octets):
            if isinstance(received, LineNoise):
                self._link.noise(received.octets)
                continue
            self._last_received, self._probed = asyncio.get_running_loop().time(), inf
            if isinstance(received, Numbered):
                self._take(received)
            else:
                self._greet(received)

    def _greet(self, hello: Hello) -> None:
        changed = self._window.hello(hello.message.boot, hello.next_sequence)
        if changed:
            self._durable = None
        if changed or not self._greeted:
            self._greeted = True
            self._link.answered()
            self._link.report(hello.message)
        if self._durable is not None:
            self._line.write(self._codec.ack(self._durable.sequence))
        self._line.wake()

    def _take(self, numbered: Numbered) -> None:
        judged = self._window.judge(numbered.sequence)
        if judged.verdict is Verdict.NEW:
            if judged.lost:
                before = Mark(self._window.boot, (numbered.sequence - 1) & 0xFFFF)
                self._link.report(ReportsLost(judged.lost), before)
            self._note_answer(numbered.message)
            self._link.report(numbered.message, Mark(self._window.boot, numbered.sequence))
        elif judged.verdict is not Verdict.WAIT and not self._window.asking:
            self._ask()  # ACK is repeated only in answer to HELLO: a repeated number may be another boot's

    def _note_answer(self, message: Message) -> None:
        wanted = self._wanted
        if isinstance(wanted, NoOrder):
            return
        match message:
            case ShuffleStarted(order) | ShuffleDone(order) | PacketDispensed(order) if order == wanted.order:
                self._answer = _Answer.GIVEN
            case Jammed(order) if order == wanted.order and self._answer is _Answer.AWAITED:
                self._answer = _Answer.JAMMED
            case Cleared() if self._answer is _Answer.JAMMED:
                self._answer = _Answer.AWAITED
                self._line.wake()
