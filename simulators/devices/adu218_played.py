"""The USB wire of the slots, played: the ADU218 answers every question with its state at the place of the playback.

A host asks fifty times a second and at its own moments, so what is played is not each answer but each change of state:
the recording's questions and answers are read into complete readings, relay masks and silences.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from simulators.devices.usb_port import UsbCableSocket
from simulators.playback_file import WireEntry, WireRecording
from simulators.playback_wire import REACTION_SECONDS, PlaybackMove, Playing, lamps_are_set
from simulators.usb_cable import OK, Operation, answer

REPORT_BYTES = 8
COUNTERS = 8
QUESTION = re.compile(r"PI|PK|DB|WD|RE[0-7]")
ANSWER = {"P": re.compile(r"\d{3}"), "R": re.compile(r"\d{5}"), "D": re.compile(r"\d"), "W": re.compile(r"\d")}
LATE_SECONDS = 0.2  # a round trip takes 16 ms; a host that has waited so long does not take the answer for one
MASK = re.compile(r"MK(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Reading:
    """All inputs and their counters as the host read them."""

    levels: int
    counters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """The host opened the device, which then was in this state; None: it never reported."""

    reading: Reading | None
    relays: int


@dataclass(frozen=True, slots=True)
class Relays:
    """The device reports relays in a state that the host did not set: it has lost their state."""

    relays: int


@dataclass(frozen=True, slots=True)
class Mask:
    """The host set the relays."""

    relays: int


@dataclass(frozen=True, slots=True)
class Silence:
    """The device answers nothing, or answers again."""

    silent: bool


@dataclass(frozen=True, slots=True)
class Noise:
    """A report that is no answer, a number of seconds after the last question."""

    report: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class Closing:
    """The device was unplugged, or the host closed it."""

    unplugged: bool


Change = Opening | Reading | Relays | Mask | Silence | Noise | Closing


def command(report: bytes) -> str:
    """The letters and digits of a report, either way."""
    return report[1:REPORT_BYTES].split(b"\0")[0].decode("latin-1")


def changes(entries: list[WireEntry]) -> list[tuple[WireEntry, Change]]:
    """The changes, each with the line of the recording at which the host knew it."""
    reader = _Reader()
    for entry in entries:
        reader.take(entry)
    return reader.finished()


class _Reader:
    def __init__(self) -> None:
        self._found: list[tuple[WireEntry, Change]] = []
        self._begin()

    def _begin(self) -> None:
        self._asked: tuple[WireEntry, str] | None = None
        self._silent = False
        self._relays: int | None = None
        self._counters: dict[int, int] = {}
        self._settling: tuple[WireEntry, Reading] | None = None  # read, unless the host reads the counters once more
        self._early: list[Noise] = []
        self._opening: int | None = None  # where in what was found the present conversation began

    def take(self, entry: WireEntry) -> None:
        if entry.source == "link":
            self._link(entry)
        elif entry.source == "host":
            self._ask(entry, command(entry.octets))
        else:
            asked, question = self._asked or (entry, "")
            text = command(entry.octets)
            fits = entry.octets[:1] == b"\x01" and question and ANSWER[question[0]].fullmatch(text)
            if not fits or entry.t - asked.t > LATE_SECONDS:
                noise = Noise(entry.octets, entry.t - asked.t)
                if question.startswith("RE"):
                    self._early.append(noise)  # out of step: an earlier answer, which must not come before its reading
                else:
                    self._found.append((entry, noise))
                return
            self._asked = None
            if self._silent:
                self._found.append((entry, Silence(False)))
                self._silent = False
            self._answer(entry, question, int(text))

    def finished(self) -> list[tuple[WireEntry, Change]]:
        self._settle()
        return self._found

    def _link(self, entry: WireEntry) -> None:
        if entry.edge == "refused":
            return
        self._settle()
        if entry.edge == "open":
            self._begin()
            self._opening = len(self._found)
            self._found.append((entry, Opening(None, 0)))
        else:
            self._found.append((entry, Closing(entry.by == "device")))
            self._begin()

    def _ask(self, entry: WireEntry, text: str) -> None:
        self._unanswered()
        if not text.startswith("RE"):
            self._settle()
        if QUESTION.fullmatch(text):
            self._asked = entry, text
        elif found := MASK.fullmatch(text):
            self._relays = int(found[1])
            self._found.append((entry, Mask(self._relays)))

    def _unanswered(self) -> None:
        if self._asked is not None and not self._silent:
            self._silent = True
            self._found.append((self._asked[0], Silence(True)))
        self._asked = None

    def _answer(self, entry: WireEntry, question: str, value: int) -> None:
        if question.startswith("RE"):
            self._settling = None
            self._counters[int(question[2:])] = value
        elif question == "PI":
            if len(self._counters) == COUNTERS:
                counters = tuple(self._counters[number] for number in range(COUNTERS))
                self._settling = entry, Reading(value, counters)
        elif question == "PK":
            if self._relays is None:
                self._amend(relays=value)
            elif value != self._relays:
                self._found.append((entry, Relays(value)))
            self._relays = value

    def _settle(self) -> None:
        if self._settling is not None:
            entry, reading = self._settling
            self._settling = None
            self._counters = {}
            self._found.append((entry, reading))
            self._found += [(entry, noise) for noise in self._early]
            self._early = []
            self._amend(reading=reading)

    def _amend(self, reading: Reading | None = None, relays: int | None = None) -> None:
        """Corrects the opening by a level that the host has read only now for the first time."""
        if self._opening is not None:
            entry, opening = self._found[self._opening]
            assert isinstance(opening, Opening)
            known = opening.reading or reading
            self._found[self._opening] = entry, Opening(known, opening.relays if relays is None else relays)


class PlayedSlots(UsbCableSocket):
    """The device and its cable. `bell` rings whenever something may have changed."""

    def __init__(self, path: Path, bell: Callable[[], None]) -> None:
        super().__init__(path)
        self.silent = False
        self.relays = 0
        self.masks: list[int] = []  # as the host set them since the opening, or since the last one that was waited for
        self.openings = 0
        self.closings = 0
        self.swallowed = 0  # questions not answered since the silence began
        self.swallowed_at = 0.0  # when the first of them was
        self._ring = bell
        self._reading: Reading | None = None
        self._steps = 0  # of the host's reading: 0 all read, 1 nothing, 2 levels, 3 counters, 4 levels again
        self._answers: deque[bytes] = deque()

    def unplug(self) -> None:
        """Unplugs the device."""
        self.plugged = False
        self._release()

    def plug(self, opening: Opening) -> None:
        """Plugs the device in, in this state."""
        self.plugged, self.silent, self.swallowed = True, False, 0
        self._reading, self.relays = opening.reading, opening.relays

    def show(self, reading: Reading) -> None:
        """Puts the device in another state, which the host is to read."""
        if reading != self._reading:
            self._reading = reading
            self._steps = 1

    def is_read(self) -> bool:
        """Whether the host has read the present state and reported it: then it asks for something else."""
        return self._owner is not None and self._steps == 0

    def babble(self, report: bytes) -> None:
        """Sends something that is no answer."""
        self._answers.append(report)
        self._bell.set()

    def hush(self, silent: bool) -> None:
        """Stops answering, or answers again."""
        self.silent, self.swallowed = silent, 0

    def _release(self) -> None:
        self.closings += self._owner is not None
        super()._release()
        self._ring()

    def _opened(self) -> None:
        self.openings += 1
        self.masks.clear()
        self._answers.clear()
        self._steps = 1
        super()._opened()
        self._ring()

    def _obey(self, operation: Operation, content: bytes) -> bytes:
        if operation is Operation.KERNEL_DRIVER:
            return answer(OK, b"\0")
        if operation is Operation.WRITE:
            self._receive(command(content))
        return answer(OK)

    def _next(self, size: int) -> bytes | None:
        return answer(OK, self._answers.popleft()[:size]) if self._answers else None

    def _receive(self, text: str) -> None:
        self._step(text)
        if found := MASK.fullmatch(text):
            self.relays = int(found[1])
            self.masks.append(self.relays)
        elif QUESTION.fullmatch(text):
            if self.silent or (self._reading is None and text not in ("PK", "DB", "WD")):
                self.swallowed_at = self.swallowed_at if self.swallowed else time.monotonic()
                self.swallowed += 1
            else:
                self._answers.append((b"\x01" + self._answer_to(text).encode("ascii")).ljust(REPORT_BYTES, b"\0"))
                self._bell.set()
        self._ring()

    def _answer_to(self, question: str) -> str:
        if question == "PK":
            return f"{self.relays:03}"
        if question in ("DB", "WD") or self._reading is None:
            return "0"
        if question == "PI":
            return f"{self._reading.levels:03}"
        return f"{self._reading.counters[int(question[2:])]:05}"

    def _step(self, text: str) -> None:
        if self.silent or self._steps == 0:
            return
        asks = text == "PI"
        counts = text.startswith("RE")
        match self._steps:
            case 1 if asks:
                self._steps = 2
            case 2 if counts:
                self._steps = 3 if text == f"RE{COUNTERS - 1}" else 2
            case 2:
                self._steps = 0  # it asked for something else: these levels are what it knew already
            case 3 if asks:
                self._steps = 4
            case 4 if not counts:
                self._steps = 0


class Adu218Playback:
    """The board of a recording; a PlayedWire."""

    def __init__(self, playing: Playing, wire: WireRecording, folder: Path) -> None:
        self.moves: list[PlaybackMove] = []
        self._playing = playing
        self._played = PlayedSlots(folder / "usb.sock", playing.ring)
        found = changes(wire.entries)
        last_open = max((n for n, (_, change) in enumerate(found) if isinstance(change, Opening)), default=-1)
        openings = closings = 0
        lit: int | None = None
        for number, (entry, change) in enumerate(found):
            match change:
                case Opening():
                    if openings == 0:
                        self._played.plug(change)
                    openings, lit = openings + 1, None
                    move = partial(self._open, entry, change, openings)
                case Reading():
                    move = partial(self._read, entry, change)
                case Relays():
                    move = partial(self._relays, change)
                    lit = None
                case Mask():
                    if change.relays == lit:
                        continue
                    lit = change.relays
                    following = [later.relays for _, later in found[number + 1 :] if isinstance(later, Mask)]
                    move = partial(lamps_are_set, playing, entry, self._played.masks, change.relays, following)
                case Silence():
                    move = partial(self._silence, entry, change)
                case Noise():
                    move = partial(self._noise, change)
                case Closing(unplugged):
                    if not unplugged and number > last_open:
                        continue
                    closings += 1
                    move = partial(self._closed, entry, unplugged, closings)
            plays = isinstance(change, Reading | Relays | Silence | Noise)
            self.moves.append(PlaybackMove(entry, move, plays))

    async def _open(self, entry: WireEntry, opening: Opening, openings: int) -> None:
        if self._played.openings < openings:
            self._played.plug(opening)
        await self._playing.until(
            lambda: self._played.openings >= openings,
            self._playing.patience(entry.wire),
            lambda: f"{entry.place}: the daemon does not open the USB device",
        )
        self._playing.away.discard(entry.wire)

    async def _read(self, entry: WireEntry, reading: Reading) -> None:
        await self._playing.taken()
        self._played.show(reading)
        await self._playing.until(
            self._played.is_read,
            self._playing.patience(entry.wire),
            lambda: f"{entry.place}: the daemon does not read the inputs",
        )

    async def _relays(self, change: Relays) -> None:
        self._played.relays = change.relays

    async def _silence(self, entry: WireEntry, change: Silence) -> None:
        self._played.hush(change.silent)
        if change.silent:
            await self._playing.until(
                lambda: self._played.swallowed > 0,
                REACTION_SECONDS,
                lambda: f"{entry.place}: the daemon asks nothing",
            )

    async def _noise(self, change: Noise) -> None:
        if self._played.silent:
            await asyncio.sleep(self._played.swallowed_at + change.seconds - time.monotonic())
        self._played.babble(change.report)

    async def _closed(self, entry: WireEntry, unplugged: bool, closings: int) -> None:
        await self._playing.taken()
        if unplugged:
            self._played.unplug()
        elif self._played.closings < closings:
            self._played.hush(True)  # what the host received was not enough for it
        await self._playing.until(
            lambda: self._played.closings >= closings,
            REACTION_SECONDS,
            lambda: f"{entry.place}: the daemon did not close the USB device, as it did then",
        )
        self._playing.away.add(entry.wire)

    async def open(self) -> None:
        await self._played.open()

    async def close(self) -> None:
        await self._played.close()
