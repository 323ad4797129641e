"""An ADU218 in made-up time, the person in front of it, and the defects that are planted in it."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import TypeVar
from unittest.mock import patch

from drivers.adu218 import slots, wire
from drivers.faults import PortLost
from drivers.kit.assertion import Instruction
from drivers.waiting import Patience
from drivers.wiring import Wiring
from simulators.devices.adu218 import Adu218
from simulators.pace import pace_from_text
from tests.kit.rig import Rig, after, defect, delayed
from tests.kit.wires import later, now
from tests.made_up_time import MadeUpTime

T = TypeVar("T")
SEATS = (1, 2, 3, 4, 5, 6)
FIRST, LAST, BUTTON = 0, 5, 7
WIRING = Wiring(seats={seat - 1: seat for seat in SEATS}, button_input=BUTTON, lock_lamp_relay=7)


class FarBoard:
    """The board at the end of its cable, which is its power. A defect replaces one of the functions."""

    def __init__(self) -> None:
        self.board = Adu218(pace_from_text("max"))
        self.open: Callable[[], None] = self._open
        self.close: Callable[[], None] = self._close
        self.unplug: Callable[[], None] = self._unplug
        self.plug: Callable[[], None] = self._plug
        self.sense: Callable[[int, bool], None] = self.board.sense
        self.obey: Callable[[str], str | None] = self._obey
        self.lamps: Callable[[], list[bool]] = lambda: list(self.board.relays)  # that a person sees lit
        self.delay = 0.0
        self.plugged = True
        self.host = False  # whether a station has it open
        self.answers: deque[tuple[float, bytes]] = deque()

    def sent(self, answer: str) -> None:
        """An answer goes to the host."""
        self.answers.append((now() + self.delay, b"\x01" + answer.encode().ljust(7, b"\0")))

    def _open(self) -> None:
        self.host = True

    def _close(self) -> None:
        self.host = False

    def _unplug(self) -> None:
        self.plugged = self.host = False
        self.board.lose_power()
        self.answers.clear()

    def _plug(self) -> None:
        self.plugged = True

    def _obey(self, command: str) -> str | None:
        self.board.write(b"\x01" + command.encode().ljust(7, b"\0"))
        return self.board.answers.popleft()[1:].split(b"\0")[0].decode() if self.board.answers else None


class NearPort:
    """What the driver opens, in place of a `UsbPort`; its waiting is the loop's time."""

    def __init__(self, far: FarBoard) -> None:
        self._far = far
        self._closed = False
        if not far.plugged:
            raise PortLost("slots", "no USB device 0a07:00da is plugged in", "unplugged")
        far.open()

    def write(self, octets: bytes, seconds: float) -> bool:
        self._plugged()
        answer = self._far.obey(octets[1:].split(b"\0")[0].decode())
        if answer is not None:
            self._far.sent(answer)
        return True

    def read(self, octets: int, seconds: float) -> bytes | None:
        self._plugged()
        due = self._far.answers[0][0] if self._far.answers else float("inf")
        loop = asyncio.get_running_loop()
        assert isinstance(loop, MadeUpTime)
        loop._skip(min(max(due - now(), 0.0), max(seconds, 0.001)))  # a transfer has milliseconds
        return self._far.answers.popleft()[1] if due <= now() else None

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._far.close()

    def _plugged(self) -> None:
        if not (self._far.plugged and self._far.host):
            raise PortLost("slots", "unplugged", "unplugged")


class Inline:
    """In place of a `UsbThread`: made-up time has no threads."""

    def __init__(self, device: str) -> None: ...

    async def run(self, call: Callable[[], T]) -> T:
        return call()

    def finish(self, call: Callable[[], None]) -> None:
        call()


class PersonAtSlots:
    """Does what is asked for."""

    def __init__(self, far: FarBoard) -> None:
        self._far = far

    async def __call__(self, act: Instruction) -> str:
        far, lines = self._far, [seat - 1 for seat in act.seats]
        match act.name:
            case "place" | "place all" | "place together":
                self._put(lines, True)
            case "lift":
                self._put(lines, False)
            case "clear":
                self._put([line for line, level in enumerate(far.board.levels) if level], False)
            case "pass":
                self._put(lines, True)
                self._put(lines, False)
            case "pass ten":
                for _ in range(10):
                    for level in (True, False):
                        self._put(lines, level)
                        await asyncio.sleep(0.05)
            case "hold" | "release":
                self._put([BUTTON], act.name == "hold")
            case "place and press":
                self._put([*lines, BUTTON], True)
                await asyncio.sleep(0.1)
                self._put([BUTTON], False)
            case "lamps":
                lit = [str(line + 1) if line < len(SEATS) else "lock" for line, on in enumerate(far.lamps()) if on]
                return " ".join(lit) or "none"
            case "unplug":
                far.unplug()
            case "plug":
                far.plug()
            case _:
                raise AssertionError(f"no one at the slots can {act}")
        return ""

    def _put(self, lines: list[int], level: bool) -> None:
        for line in lines:
            self._far.sense(line, level)


@contextmanager
def rig(plant: Callable[[FarBoard], None]) -> Iterator[Rig]:
    """The board with a defect."""
    far = FarBoard()
    plant(far)
    loop_time = SimpleNamespace(monotonic=now)
    with (
        patch.object(slots, "UsbSocket", lambda *_, **__: SimpleNamespace(open=lambda: NearPort(far))),
        patch.object(slots, "UsbThread", Inline),
        patch.object(wire, "time", loop_time),
        patch.object(wire, "Patience", lambda seconds: Patience(seconds, now)),
    ):
        yield Rig(lambda mark: slots.Slots(button=BUTTON), PersonAtSlots(far), WIRING)


# ---- defects


def _changed(far: FarBoard, command: str, change: Callable[[int], int]) -> None:
    """What the board answers to a command is another number."""
    obey = far.obey

    def changed(asked: str) -> str | None:
        answer = obey(asked)
        return f"{change(int(answer)):0{len(answer)}}" if answer is not None and asked == command else answer

    far.obey = changed


def _occupied(far: FarBoard) -> list[int]:
    return [line for line, level in enumerate(far.board.levels) if level]


def _add(far: FarBoard, line: int, count: int = 1) -> None:
    far.board.counters[line] += count


def deaf_at_first(far: FarBoard) -> None:
    """It obeys nothing in its first four seconds."""
    obey = far.obey
    far.obey = lambda asked: obey(asked) if now() > 4 else None


def phantom_at_first(far: FarBoard) -> None:
    """The first reading after an opening shows a chip at the last seat."""
    first: list[float] = []

    def phantom(levels: int) -> int:
        first.append(now())
        return levels | 1 << LAST if now() == first[0] else levels

    after(far, "open", first.clear)
    _changed(far, "PI", phantom)


def last_two_swapped(far: FarBoard) -> None:
    """A chip alone at one of the last two seats shows at the other."""
    bit, other = 1 << LAST, 1 << LAST - 1
    _changed(far, "PI", lambda levels: {bit: other, other: bit}.get(levels, levels))


def gap_filled(far: FarBoard) -> None:
    """With chips at all seats but one, that one shows a chip too."""
    every = (1 << len(SEATS)) - 1
    _changed(far, "PI", lambda levels: levels | every if (levels & every).bit_count() == len(SEATS) - 1 else levels)


def _on_sense(far: FarBoard, then: Callable[[int, bool], object]) -> None:
    sense = far.sense

    def sensed(line: int, level: bool) -> None:
        sense(line, level)
        then(line, level)

    far.sense = sensed


def bounces_to_rest(far: FarBoard) -> None:
    """A chip that comes to rest counts once more."""

    def rests(line: int) -> None:
        if far.board.levels[line]:
            _add(far, line)

    _on_sense(far, lambda line, level: later(0.01, lambda: rests(line)) if level and line != BUTTON else None)


def misses_short_pulses(far: FarBoard) -> None:
    """A chip that is there for less than 20 ms does not count."""
    since = [0.0] * 8

    def sensed(line: int, level: bool) -> None:
        if level:
            since[line] = now()
        elif line != BUTTON and now() - since[line] < 0.02:
            _add(far, line, -1)

    _on_sense(far, sensed)


def drifts(far: FarBoard) -> None:
    """A chip at rest counts again every second, until the board is closed."""
    closed = asyncio.Event()

    def again(line: int) -> None:
        if far.board.levels[line] and not closed.is_set():
            _add(far, line)
            later(1.0, lambda: again(line))

    after(far, "close", closed.set)
    _on_sense(far, lambda line, level: later(1.0, lambda: again(line)) if level and line != BUTTON else None)


def repeats_a_long_press(far: FarBoard) -> None:
    """A button that is kept pressed counts every second."""

    def again() -> None:
        if far.board.levels[BUTTON]:
            _add(far, BUTTON)
            later(1.0, again)

    _on_sense(far, lambda line, level: later(1.0, again) if level and line == BUTTON else None)


def press_overtakes(far: FarBoard) -> None:
    """A chip placed just before a press shows and counts 0.3 s after it."""
    placed, hidden = dict.fromkeys(range(8), -1.0), dict.fromkeys(range(8), -1.0)

    def sensed(line: int, level: bool) -> None:
        if line != BUTTON and level:
            placed[line] = now()
        elif line == BUTTON and level:
            hidden.update({seat: now() + 0.3 for seat, at in placed.items() if at >= 0 and now() - at < 0.1})

    _on_sense(far, sensed)
    _changed(far, "PI", lambda levels: levels & ~sum(1 << line for line, until in hidden.items() if now() < until))
    for line in range(BUTTON):
        _changed(far, f"RE{line}", partial(lambda line, count: count - (now() < hidden[line]), line))


def _lamps(far: FarBoard, change: Callable[[list[bool]], list[bool]]) -> None:
    lamps = far.lamps
    far.lamps = lambda: change(lamps())


def two_lamps_swapped(far: FarBoard) -> None:
    """The lamps of the seats 2 and 3 are exchanged while one of them is lit alone."""

    def swapped(lit: list[bool]) -> list[bool]:
        return [lit[0], lit[2], lit[1], *lit[3:]] if sum(lit) == 1 else lit

    _lamps(far, swapped)


def four_lamps_at_most(far: FarBoard) -> None:
    """The supply is enough for four lamps."""
    _lamps(far, lambda lit: [on and sum(lit[:at]) < 4 for at, on in enumerate(lit)])


def last_lamp_stays(far: FarBoard) -> None:
    """The last lamp does not go out, and the board says that it has."""
    obey, dark = far.obey, [False]

    def obeyed(asked: str) -> str | None:
        if asked.startswith("MK"):
            dark[0] = asked == "MK000"
            return None if dark[0] else obey(asked)
        return "000" if asked == "PK" and dark[0] else obey(asked)

    far.obey = obeyed


def lamps_tire(far: FarBoard) -> None:
    """Lamps go out after a minute, and the board says that they are lit."""
    obey, since = far.obey, [0.0]

    def obeyed(asked: str) -> str | None:
        if asked.startswith("MK"):
            since[0] = now()
        return obey(asked)

    far.obey = obeyed
    _lamps(far, lambda lit: lit if now() - since[0] < 60 else [False] * 8)


def lamps_die_with_power(far: FarBoard) -> None:
    """After a loss of power the relays move no lamp."""
    dead = asyncio.Event()
    after(far, "unplug", dead.set)
    _lamps(far, lambda lit: [False] * 8 if dead.is_set() else lit)


def blind_after_power(far: FarBoard) -> None:
    """What is on a sensor when power returns does not show."""
    hidden = set[int]()
    after(far, "plug", lambda: hidden.update(_occupied(far)))
    _on_sense(far, lambda line, level: hidden.discard(line))
    _changed(far, "PI", lambda levels: levels & ~sum(1 << line for line in hidden))


def tired_after_a_chip(far: FarBoard) -> None:
    """A sensor counts nothing for 0.3 s after a chip."""
    last = dict.fromkeys(range(8), -1.0)

    def sensed(line: int, level: bool) -> None:
        if level and last[line] >= 0 and now() - last[line] < 0.3:
            _add(far, line, -1)
        elif level:
            last[line] = now()

    _on_sense(far, sensed)


def one_at_a_time(far: FarBoard) -> None:
    """Of chips placed at the same moment one counts."""
    last = [-1, -1.0]

    def sensed(line: int, level: bool) -> None:
        if level and line != BUTTON and last[1] == now() and last[0] != line:
            _add(far, line, -1)
        elif level:
            last[:] = line, now()

    _on_sense(far, sensed)


def babbles(far: FarBoard) -> None:
    """Every four seconds it sends something that is no answer."""
    obey, last = far.obey, [0.0]

    def obeyed(asked: str) -> str | None:
        if now() - last[0] > 4:
            last[0] = now()
            far.sent("zz")
        return obey(asked)

    far.obey = obeyed


def slow(far: FarBoard) -> None:
    """An answer takes 100 ms."""
    far.delay = 0.1


def sleeps(far: FarBoard) -> None:
    """After half a minute without a command it needs five seconds to wake up."""
    obey, last, awake = far.obey, [0.0], [0.0]

    def obeyed(asked: str) -> str | None:
        if now() - last[0] > 30:
            awake[0] = now() + 5
        last[0] = now()
        return obey(asked) if now() >= awake[0] else None

    far.obey = obeyed


def blind_while_closed(far: FarBoard) -> None:
    """What is placed while no station has it open does not show."""
    hidden = set[int]()

    def sensed(line: int, level: bool) -> None:
        if level and far.plugged and not far.host:
            hidden.add(line)
        else:
            hidden.discard(line)

    _on_sense(far, sensed)
    _changed(far, "PI", lambda levels: levels & ~sum(1 << line for line in hidden))


def lamps_count_chips(far: FarBoard) -> None:
    """Five relays that move at once count a chip."""
    obey = far.obey

    def obeyed(asked: str) -> str | None:
        before = list(far.board.relays)
        answer = obey(asked)
        if sum(now != then for now, then in zip(far.board.relays, before, strict=True)) >= 5:
            _add(far, FIRST)
        return answer

    far.obey = obeyed


def opening_counts(far: FarBoard) -> None:
    """A second after an opening, a chip that was there counts."""

    def opened() -> None:
        for line in _occupied(far):
            later(1.0, partial(_add, far, line))

    after(far, "open", opened)


DEFECTS: tuple[Callable[[FarBoard], None], ...] = (
    deaf_at_first, phantom_at_first, last_two_swapped, gap_filled, bounces_to_rest,
    defect(
        "counts_lifting", "A chip that is lifted counts.",
        lambda far: _on_sense(far, lambda line, level: _add(far, line) if not level and line != BUTTON else None),
    ),
    misses_short_pulses, drifts,
    defect(
        "counts_presses_twice", "A press counts two.",
        lambda far: _on_sense(far, lambda line, level: _add(far, line) if level and line == BUTTON else None),
    ),
    defect(
        "press_counts_a_chip", "A press counts a chip at the first seat.",
        lambda far: _on_sense(far, lambda line, level: _add(far, FIRST) if level and line == BUTTON else None),
    ),
    repeats_a_long_press,
    defect(
        "release_counts", "Letting the button go counts.",
        lambda far: _on_sense(far, lambda line, level: _add(far, line) if not level and line == BUTTON else None),
    ),
    press_overtakes, two_lamps_swapped, four_lamps_at_most, last_lamp_stays, lamps_tire, lamps_die_with_power,
    defect("opening_darkens", "Each opening opens the relays.", lambda far: after(far, "open", far.board.trip)),
    defect(
        "unplugged_late", "It answers for eight seconds after the plug was pulled.",
        lambda far: delayed(far, "unplug", 8.0),
    ),
    blind_after_power,
    defect(
        "counts_power", "A second after power has returned a chip counts at the first seat.",
        lambda far: after(far, "plug", lambda: later(1.0, lambda: _add(far, FIRST))),
    ),
    tired_after_a_chip, one_at_a_time, babbles, slow, sleeps, blind_while_closed, lamps_count_chips,
    defect(
        "chip_lights_a_lamp", "A chip at the last seat lights the lamp of seat 2.",
        lambda far: _lamps(far, lambda lit: [lit[0], lit[1] or far.board.levels[LAST], *lit[2:]]),
    ),
    opening_counts,
)  # fmt: skip
