"""A shoe in made-up time, the person in front of it, and the defects that are planted in it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from drivers.angel_eye.shoe import AngelEye
from drivers.kit.assertion import Instruction
from simulators.devices import shoe_frames as frames
from simulators.devices.shoe import CUT_CARD, OVERDRAWN, UNREADABLE, Shoe
from simulators.felt.cards import Card
from simulators.felt.deck import SHOE, Pieces, card_material
from simulators.pace import pace_from_text
from tests.kit.rig import Rig, after, defect, delayed
from tests.kit.wires import FarLine, every, later, now, wired

PEOPLE = "table"
LOCK, UNLOCK = "LK02", "LK01"
BUSY = bytes([frames.NAK, 0x21])
LOCKED, IN_ERROR = 0, 1


class FarShoe:
    """The shoe at the end of its line, which numbers its own reports. A defect replaces one of the functions.

    `report` gets the code and the content of each report once, and its copies follow it.
    """

    def __init__(self) -> None:
        self.pace = pace_from_text("device")
        self.shoe = Shoe(Pieces(SHOE, card_material(2)), self.pace, self._sent, lambda: None)
        self.line = FarLine(self.shoe.receive)
        self.restart: Callable[[], None] = self.shoe.restart
        self.report: Callable[[str, bytes], None] = self.say
        self.number = 0
        self.reported_at = -1.0
        self._simulated = self._frame = b""

    async def switch_on(self) -> None:
        """It has reported its start before a station opens it."""
        self.running = asyncio.create_task(self.shoe.run())
        await asyncio.sleep(1.0)

    def begin_again(self) -> None:
        """Switched off and on; the report of its start is equal to that of an earlier one, and no copy."""
        self._simulated = b""
        self.restart()

    def say(self, code: str, content: bytes = b"") -> None:
        """The next report, and from now on its copies."""
        self.number = 0 if code == "S" else self.number % 9 + 1
        self.repeat(code, content)

    def repeat(self, code: str, content: bytes) -> None:
        """A report with the number that it has."""
        self._frame = frames.report(str(self.number or frames.START_SEQUENCE), code, content)
        self.reported_at = now()
        self.line.send(self._frame)

    def drop(self) -> None:
        """The present report is not sent, nor are its copies."""
        self._frame = b""

    def _sent(self, octets: bytes) -> None:
        if octets[0] != frames.ENQ:
            self.line.send(octets)
        elif octets == self._simulated:
            if self._frame:
                self.line.send(self._frame)
        else:
            self._simulated = octets
            self.drop()
            self.report(chr(octets[2]), bytes(octet & 0x7F for octet in octets[3:-3]))


class PersonAtShoe:
    """Does what is asked for."""

    def __init__(self, far: FarShoe) -> None:
        self._far = far

    async def __call__(self, act: Instruction) -> str:
        far = self._far
        match act.name:
            case "draw" | "try to draw":
                return await self._draw()
            case "draw five":
                far.pace.machines = 0.0
                cards = [await self._draw() for _ in range(5)]
                far.pace.machines = 1.0
                return " ".join(cards)
            case "draw, unplug":
                card = await self._draw()
                await asyncio.sleep(0.06)
                far.line.unplug()
                return card
            case "draw unread" | "draw two" | "draw cut card":
                far.shoe.spoil({"draw unread": UNREADABLE, "draw two": OVERDRAWN}.get(act.name, CUT_CARD))
                await self._draw()
            case "clear error":
                far.shoe.error = None
            case "switch off and on":
                await asyncio.sleep(1.0)
                far.begin_again()
            case "unplug":
                far.line.unplug()
            case "plug":
                far.line.plug()
            case "load":
                assert act.seats == (52,)
            case _:
                raise AssertionError(f"no one at the shoe can {act}")
        return ""

    async def _draw(self) -> str:
        return str(await self._far.shoe.draw(PEOPLE))


@contextmanager
def rig(plant: Callable[[FarShoe], None]) -> Iterator[Rig]:
    """The shoe with a defect."""
    far = FarShoe()
    plant(far)
    with wired(far.line):
        yield Rig(lambda mark: AngelEye(port="port", mark=mark), PersonAtShoe(far), switch_on=far.switch_on)


# ---- defects


def _on_report(far: FarShoe, change: Callable[[str, bytes], tuple[str, bytes] | None]) -> None:
    """A report is sent as `change` gives it, or not at all."""
    report = far.report

    def reported(code: str, content: bytes) -> None:
        changed = change(code, content)
        if changed is not None:
            report(*changed)

    far.report = reported


def _behind_report(far: FarShoe, then: Callable[[str, bytes], None]) -> None:
    """`then` gets each report that was sent."""
    report = far.report

    def reported(code: str, content: bytes) -> None:
        report(code, content)
        then(code, content)

    far.report = reported


def _on_command(far: FarShoe, takes: Callable[[str], bool]) -> None:
    """A command that is not taken reaches nothing."""
    receive = far.line.receive

    def received(octets: bytes) -> None:
        if takes(octets[3:7].decode("latin-1")):
            receive(octets)

    far.line.receive = received


def _as(kind: int, content: bytes) -> bytes:
    return bytes([kind << 4 | content[0] & 0x0F, content[1]])


def _busy(far: FarShoe, wanted: str, when: Callable[[], bool] = lambda: True) -> None:
    left = [2]

    def takes(command: str) -> bool:
        if command != wanted or not left[0] or not when():
            return True
        left[0] -= 1
        far.line.send(BUSY)
        return False

    _on_command(far, takes)


def busy_to_lock(far: FarShoe) -> None:
    """Once it was unlocked, it is busy twice before it locks."""
    unlocked = [False]

    def takes(command: str) -> bool:
        unlocked[0] |= command == UNLOCK
        return True

    _busy(far, LOCK, lambda: unlocked[0])
    _on_command(far, takes)


def _lock_fails(far: FarShoe, after_start: bool) -> None:
    started = asyncio.Event()

    def change(code: str, content: bytes) -> tuple[str, bytes]:
        fails = code == "d" and content[0] >> 4 == LOCKED and started.is_set() == after_start
        return "D" if fails else code, content

    after(far, "restart", started.set)
    _on_report(far, change)


def _later_report(far: FarShoe, wanted: str, seconds: float, when: Callable[[bytes], bool]) -> None:
    """With its copies, so many seconds later, under the number that it has then."""
    report = far.report

    def reported(code: str, content: bytes) -> None:
        if code == wanted and when(content):
            later(seconds, lambda: report(code, content))
        else:
            report(code, content)

    far.report = reported


def stutters(far: FarShoe) -> None:
    """A card behind which none was drawn for a second is reported again."""
    closed = [0]

    def close() -> None:
        closed[0] += 1

    def then(code: str, content: bytes) -> None:
        at, times = far.reported_at, closed[0]

        def again() -> None:
            if far.line.host and (at, times) == (far.reported_at, closed[0]):
                far.say(code, content)

        if code == "D":
            later(1.0, again)

    after(far.line, "close", close)
    _behind_report(far, then)


def loses_fast_cards(far: FarShoe) -> None:
    """A card within 0.2 s after another is not reported."""
    last = [-1.0]

    def change(code: str, content: bytes) -> tuple[str, bytes] | None:
        lost = code == "D" and now() - last[0] <= 0.2
        if code == "D":
            last[0] = now()
        return None if lost else (code, content)

    _on_report(far, change)


def counts_to_eight(far: FarShoe) -> None:
    """After the number 8 comes the number 1."""

    def change(code: str, content: bytes) -> tuple[str, bytes]:
        if far.number == 8:
            far.number = 9
        return code, content

    _on_report(far, change)


def slow_to_start(far: FarShoe) -> None:
    """A start is reported after eight seconds, but for the first one."""
    first = [True]

    def when(content: bytes) -> bool:
        was, first[0] = first[0], False
        return not was

    _later_report(far, "S", 8.0, when)


def starts_at_two(far: FarShoe) -> None:
    """After a start, the first number is 2, but for the first start."""
    first = [True]

    def then(code: str, content: bytes) -> None:
        if code == "S":
            far.number = 0 if first[0] else 1
            first[0] = False

    _behind_report(far, then)


def _uncounted(far: FarShoe, when: Callable[[], bool]) -> None:
    _on_report(far, lambda code, content: None if when() else (code, content))


def locks_with_the_cable(far: FarShoe) -> None:
    """Once the cable is back, it is locked, whatever it acknowledges."""
    locked = asyncio.Event()

    def change(code: str, content: bytes) -> tuple[str, bytes]:
        return ("d", _as(LOCKED, content)) if code == "D" and locked.is_set() else (code, content)

    after(far.line, "plug", locked.set)
    _on_report(far, change)


def _last_card(far: FarShoe) -> list[bytes]:
    last: list[bytes] = []

    def change(code: str, content: bytes) -> tuple[str, bytes]:
        if code == "D" and far.line.host:
            last[:] = [content]
        return code, content

    _on_report(far, change)
    return last


def repeats_to_a_start(far: FarShoe) -> None:
    """A second after a station opens the port, the last card is reported again; not after the cable was out."""
    unplugged, last = asyncio.Event(), _last_card(far)

    def again() -> None:
        if last and not unplugged.is_set():
            later(1.0, lambda: far.say("D", last[0]))

    after(far.line, "open", again)
    after(far.line, "unplug", unplugged.set)


def repeats_to_a_cable(far: FarShoe) -> None:
    """Where the cable was pulled within a report, its card is reported again once the cable is back."""
    within, last = [False], _last_card(far)

    def unplug() -> None:
        within[0] = now() - far.reported_at < 0.2

    def plug() -> None:
        if within[0] and last:
            later(1.5, lambda: far.say("D", last[0]))

    after(far.line, "plug", plug)
    after(far.line, "unplug", unplug)


def _drops(far: FarShoe, wanted: str) -> None:
    def change(code: str, content: bytes) -> tuple[str, bytes] | None:
        if code != wanted:
            return code, content
        far.number = far.number % 9 + 1
        return None

    _on_report(far, change)


def guesses(far: FarShoe) -> None:
    """A card that it cannot read is reported as some card."""

    def change(code: str, content: bytes) -> tuple[str, bytes]:
        unread = code == "E" and content[0] & 0x3F == 1
        return ("D", frames.card_content(0, 1, Card(2, "c"))) if unread else (code, content)

    _on_report(far, change)


def never_clears(far: FarShoe) -> None:
    """An error is reported as cleared, and stays."""
    stays = [False]

    def change(code: str, content: bytes) -> tuple[str, bytes]:
        stays[0] |= code == "e"
        return ("d", _as(IN_ERROR, content)) if code == "D" and stays[0] else (code, content)

    _on_report(far, change)


def dreams(far: FarShoe) -> None:
    """After six seconds without a report, it reports a card."""

    def look() -> None:
        if now() - far.reported_at > 6:
            far.say("D", frames.card_content(0, 1, Card(2, "c")))

    every(far.line, 1.0, look)


def sleeps(far: FarShoe) -> None:
    """After half a minute without a command, the next card is not reported."""
    last = [0.0]

    def takes(command: str) -> bool:
        last[0] = now()
        return True

    def change(code: str, content: bytes) -> tuple[str, bytes] | None:
        slept, last[0] = now() - last[0] >= 30, now()
        return None if code == "D" and slept else (code, content)

    _on_command(far, takes)
    _on_report(far, change)


def overrun(far: FarShoe) -> None:
    """More than three commands in a second are acknowledged only."""
    times: list[float] = []

    def takes(command: str) -> bool:
        times.append(now())
        if sum(now() - at < 1 for at in times) <= 3:
            return True
        far.line.send(bytes([frames.ACK]))
        return False

    _on_command(far, takes)


def dozes(far: FarShoe) -> None:
    """At the third command that comes after a pause, it is silent for one and a half seconds."""
    last, pauses, until = [0.0], [0], [0.0]

    def takes(command: str) -> bool:
        pauses[0] += now() - last[0] > 2.5
        last[0] = now()
        if pauses[0] == 3:
            pauses[0], until[0] = 4, now() + 1.5
        return now() >= until[0]

    _on_command(far, takes)


def misreads(far: FarShoe) -> None:
    """The thirtieth card is read as another."""
    cards = [0]

    def change(code: str, content: bytes) -> tuple[str, bytes]:
        cards[0] += code == "D"
        return code, bytes([content[0], content[1] ^ 0x10]) if code == "D" and cards[0] == 30 else content

    _on_report(far, change)


DEFECTS: tuple[Callable[[FarShoe], None], ...] = (
    defect(
        "deaf_at_first", "It takes no command in its first five seconds.",
        lambda far: _on_command(far, lambda command: now() > 5),
    ),
    busy_to_lock,
    defect("busy_to_unlock", "It is busy twice before it unlocks.", lambda far: _busy(far, UNLOCK)),
    defect("lock_is_loose", "Locked, it gives cards; not after a start.", lambda far: _lock_fails(far, False)),
    defect(
        "slow_to_report", "A card is reported after two and a half seconds, where a station has the port open.",
        lambda far: _later_report(far, "D", 2.5, lambda content: far.line.host),
    ),
    stutters, loses_fast_cards, counts_to_eight, slow_to_start,
    defect("loose_after_start", "After a start, locking acknowledges only.", lambda far: _lock_fails(far, True)),
    starts_at_two,
    defect(
        "unplugged_late", "Eight seconds go by until a pulled plug shows.",
        lambda far: delayed(far.line, "unplug", 8.0),
    ),
    defect(
        "uncounted_without_cable", "A card has no number while the cable is out.",
        lambda far: _uncounted(far, lambda: not far.line.plugged),
    ),
    defect(
        "uncounted_without_station", "A card has no number while no station has the port open.",
        lambda far: _uncounted(far, lambda: far.line.plugged and not far.line.host and now() > 1),
    ),
    locks_with_the_cable, repeats_to_a_start, repeats_to_a_cable,
    defect("no_cut_card", "The cut card is not reported.", lambda far: _drops(far, "C")),
    guesses,
    defect(
        "slow_to_err", "Two cards at once are reported after seven seconds.",
        lambda far: _later_report(far, "E", 7.0, lambda content: content[0] & 0x3F == 2),
    ),
    defect("clears_in_silence", "That an error is cleared is not reported.", lambda far: _drops(far, "e")),
    never_clears,
    defect(
        "babbles", "Every four seconds it sends what is no report.",
        lambda far: every(far.line, 4.0, lambda: far.line.send(b"\x00\xff")),
    ),
    dreams, sleeps, overrun, dozes, misreads,
)  # fmt: skip
