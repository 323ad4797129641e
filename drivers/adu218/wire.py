"""Questions and answers with the ADU218: pairs them, and recovers when an answer is lost. Blocking."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from drivers.adu218.codec import (
    CHANNELS,
    COUNTERS,
    DEBOUNCE,
    INPUTS,
    RELAYS,
    REPORT_OCTETS,
    AduAnswer,
    Question,
    ask,
    decode,
    levels,
    set_debounce,
    set_relays,
)
from drivers.faults import DeviceSilent
from drivers.polled_slots import Reading
from drivers.ports.usb import UsbPort
from drivers.waiting import Patience

DEBOUNCE_STEP = 0  # 10 ms: a chip bounces on its sensor, no one places two within that
DRAIN_SECONDS = 0.05  # three round trips of 16 ms: what is left over from an earlier program has come by then
DRAIN_REPORTS = 64  # a device that will not stop talking is not drained for ever
ANSWER_SECONDS = 0.75  # a round trip is about 16 ms, and longer where this computer is busy
SILENCE_SECONDS = 1.0  # how long the answer is waited for that would be behind all others
ASK_TRIES = 2
STALL_SECONDS = 0.1  # between two polls: what came and went meanwhile shows in the counters alone
SETTLE_TRIES = 3  # readings of levels and counters until no level moved meanwhile


@dataclass(frozen=True, slots=True)
class AduTiming:
    """The time limits of the questions, in seconds; shortened in tests."""

    drain: float = DRAIN_SECONDS
    answer: float = ANSWER_SECONDS
    silence: float = SILENCE_SECONDS


class Adu218Wire:
    """An open ADU218. Every method raises PortLost, or DeviceSilent if no question is answered any more."""

    def __init__(
        self,
        device: str,
        open_port: Callable[[], UsbPort],
        button: int,
        timing: AduTiming,
        noise: Callable[[int], None],
    ) -> None:
        self._device = device
        self._button = button
        self._open_port = open_port
        self._timing = timing
        self._noise = noise  # given the octets of each report that answers nothing
        self._opened: UsbPort | None = None
        self._levels: int | None = None
        self._polled = 0.0
        self._abandoned = False

    def greet(self) -> tuple[bool, ...]:
        """Opens the device, drains old answers, sets the debounce time; returns the relays."""
        self._opened = self._open_port()
        for _ in range(DRAIN_REPORTS):
            if self._port.read(REPORT_OCTETS, self._timing.drain) is None:
                break
        self._port.write(set_debounce(DEBOUNCE_STEP), self._timing.answer)
        return self.relays()

    def abandon(self) -> None:
        """Ends a question under way at its next report or deadline; from any thread."""
        self._abandoned = True

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def relays(self) -> tuple[bool, ...]:
        return levels(self._ask(RELAYS))

    def set_relays(self, relays: tuple[bool, ...]) -> tuple[bool, ...]:
        """Sets all relays; returns them as they are afterwards."""
        self._port.write(set_relays(relays), self._timing.answer)
        return self.relays()

    def poll(self, counters: bool = False, rests: bool = False) -> Reading | None:
        """Asks for the inputs. Returns None if no level has changed; else, or with `counters`, the whole reading.

        It is made while no level moves; the button's press is older than the other counters.

        At a table that does not rest a poll that comes late reads the counters, too.
        """
        value, before = self._ask(INPUTS), self._polled
        self._polled = time.monotonic()
        late = not rests and self._polled - before > STALL_SECONDS
        if value == self._levels and not counters and not late:
            return None
        return self._read_all(value)

    @property
    def _port(self) -> UsbPort:
        assert self._opened is not None, "greet comes first"
        return self._opened

    def _read_all(self, value: int) -> Reading:
        """The counter of the button comes first: a chip placed before a press must not be reported after it."""
        pressed = self._ask(COUNTERS[self._button])
        for _ in range(SETTLE_TRIES):
            counters = [pressed if n == self._button else self._ask(COUNTERS[n]) for n in range(CHANNELS)]
            before, pressed = pressed, self._ask(COUNTERS[self._button])
            earlier, value = value, self._ask(INPUTS)
            if (value, pressed) == (earlier, before):
                self._levels = value
                break
        else:
            self._levels = None
        return Reading(levels(value), tuple(counters))

    def _ask(self, question: Question) -> int:
        started = time.monotonic()
        for _ in range(ASK_TRIES):
            if self._port.write(ask(question), self._timing.answer):
                answer = self._await(question, self._timing.answer)
                if answer is not None:
                    return answer.value
            # Answers come in order: behind one of a digit, which nothing else asks for, no other is left over.
            self._port.write(ask(DEBOUNCE), self._timing.answer)
            if self._await(DEBOUNCE, self._timing.silence) is None:
                break
        raise DeviceSilent(self._device, round(time.monotonic() - started, 2))

    def _await(self, question: Question, seconds: float) -> AduAnswer | None:
        """The first answer that fits the question; others belong to earlier questions, or are noise."""
        patience = Patience(seconds)
        while (step := patience.step()) and not self._abandoned:
            report = self._port.read(REPORT_OCTETS, step)
            if report is None:
                continue
            answer = decode(report)
            if isinstance(answer, AduAnswer) and answer.fits(question):
                return answer
            self._noise(len(report))
        return None
