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
from tests.kit.rig import Rig
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


def _on_report(far: FarShoe, change: Callable[[str, bytes, Callable[[str, bytes], None]], None]) -> None:
    """`change` gets each report, and what sends it."""
    report = far.report
    far.report = lambda code, content: change(code, content, report)


def _on_command(far: FarShoe, takes: Callable[[str], bool]) -> None:
    """A command that is not taken reaches nothing."""
    receive = far.line.receive

    def received(octets: bytes) -> None:
        if takes(octets[3:7].decode("latin-1")):
            receive(octets)

    far.line.receive = received


def _on_restart(far: FarShoe, then: Callable[[], None]) -> None:
    restart = far.restart

    def restarted() -> None:
        then()
        restart()

    far.restart = restarted


def _as(kind: int, content: bytes) -> bytes:
    return bytes([kind << 4 | content[0] & 0x0F, content[1]])


def deaf_at_first(far: FarShoe) -> None:
    """It takes no command in its first five seconds."""
    _on_command(far, lambda command: now() > 5)


def _busy(far: FarShoe, wanted: str, when: Callable[[], bool]) -> None:
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


def busy_to_unlock(far: FarShoe) -> None:
    """It is busy twice before it unlocks."""
    _busy(far, UNLOCK, lambda: True)


def _lock_fails(far: FarShoe, when: Callable[[], bool]) -> None:
    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if code == "d" and content[0] >> 4 == LOCKED and when():
            report("D", content)
        else:
            report(code, content)

    _on_report(far, change)


def lock_is_loose(far: FarShoe) -> None:
    """Locked, it gives cards; not after a start."""
    started = [False]
    _on_restart(far, lambda: started.__setitem__(0, True))
    _lock_fails(far, lambda: not started[0])


def _later_report(far: FarShoe, wanted: str, seconds: float, when: Callable[[bytes], bool]) -> None:
    """With its copies, so many seconds later, under the number that it has then."""

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if code == wanted and when(content):
            later(seconds, lambda: report(code, content))
        else:
            report(code, content)

    _on_report(far, change)


def slow_to_report(far: FarShoe) -> None:
    """A card is reported after two and a half seconds, where a station has the port open."""
    _later_report(far, "D", 2.5, lambda content: far.line.host)


def stutters(far: FarShoe) -> None:
    """A card behind which none was drawn for a second is reported again."""
    closed, close = [0], far.line.close

    def close_() -> None:
        close()
        closed[0] += 1

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        report(code, content)
        at, times = far.reported_at, closed[0]

        def again() -> None:
            if far.line.host and (at, times) == (far.reported_at, closed[0]):
                far.say(code, content)

        if code == "D":
            later(1.0, again)

    far.line.close = close_
    _on_report(far, change)


def loses_fast_cards(far: FarShoe) -> None:
    """A card within 0.2 s after another is not reported."""
    last = [-1.0]

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if code != "D" or now() - last[0] > 0.2:
            report(code, content)
        if code == "D":
            last[0] = now()

    _on_report(far, change)


def counts_to_eight(far: FarShoe) -> None:
    """After the number 8 comes the number 1."""

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if far.number == 8:
            far.number = 9
        report(code, content)

    _on_report(far, change)


def slow_to_start(far: FarShoe) -> None:
    """A start is reported after eight seconds, but for the first one."""
    first = [True]

    def when(content: bytes) -> bool:
        was, first[0] = first[0], False
        return not was

    _later_report(far, "S", 8.0, when)


def loose_after_start(far: FarShoe) -> None:
    """After a start, locking acknowledges only."""
    started = [False]
    _on_restart(far, lambda: started.__setitem__(0, True))
    _lock_fails(far, lambda: started[0])


def starts_at_two(far: FarShoe) -> None:
    """After a start, the first number is 2, but for the first start."""
    first = [True]

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        report(code, content)
        if code == "S":
            far.number = 0 if first[0] else 1
            first[0] = False

    _on_report(far, change)


def unplugged_late(far: FarShoe) -> None:
    """Eight seconds go by until a pulled plug shows."""
    unplug = far.line.unplug
    far.line.unplug = lambda: later(8.0, unplug)


def _uncounted(far: FarShoe, when: Callable[[], bool]) -> None:
    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if not when():
            report(code, content)

    _on_report(far, change)


def uncounted_without_cable(far: FarShoe) -> None:
    """A card has no number while the cable is out."""
    _uncounted(far, lambda: not far.line.plugged)


def uncounted_without_station(far: FarShoe) -> None:
    """A card has no number while no station has the port open."""
    _uncounted(far, lambda: far.line.plugged and not far.line.host and now() > 1)


def locks_with_the_cable(far: FarShoe) -> None:
    """Once the cable is back, it is locked, whatever it acknowledges."""
    plug, locked = far.line.plug, [False]

    def plugged() -> None:
        plug()
        locked[0] = True

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        report(*(("d", _as(LOCKED, content)) if code == "D" and locked[0] else (code, content)))

    far.line.plug = plugged
    _on_report(far, change)


def _last_card(far: FarShoe) -> list[bytes]:
    last: list[bytes] = []

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if code == "D" and far.line.host:
            last[:] = [content]
        report(code, content)

    _on_report(far, change)
    return last


def repeats_to_a_start(far: FarShoe) -> None:
    """A second after a station opens the port, the last card is reported again; not after the cable was out."""
    opened, unplugged, unplug, last = far.line.open, [False], far.line.unplug, _last_card(far)

    def open_() -> None:
        opened()
        if last and not unplugged[0]:
            later(1.0, lambda: far.say("D", last[0]))

    def unplug_() -> None:
        unplug()
        unplugged[0] = True

    far.line.open, far.line.unplug = open_, unplug_


def repeats_to_a_cable(far: FarShoe) -> None:
    """Where the cable was pulled within a report, its card is reported again once the cable is back."""
    plug, unplug, within, last = far.line.plug, far.line.unplug, [False], _last_card(far)

    def unplug_() -> None:
        within[0] = now() - far.reported_at < 0.2
        unplug()

    def plug_() -> None:
        plug()
        if within[0] and last:
            later(1.5, lambda: far.say("D", last[0]))

    far.line.plug, far.line.unplug = plug_, unplug_


def _drops(far: FarShoe, wanted: str) -> None:
    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if code == wanted:
            far.number = far.number % 9 + 1
        else:
            report(code, content)

    _on_report(far, change)


def no_cut_card(far: FarShoe) -> None:
    """The cut card is not reported."""
    _drops(far, "C")


def guesses(far: FarShoe) -> None:
    """A card that it cannot read is reported as some card."""

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if code == "E" and content[0] & 0x3F == 1:
            report("D", frames.card_content(0, 1, Card(2, "c")))
        else:
            report(code, content)

    _on_report(far, change)


def slow_to_err(far: FarShoe) -> None:
    """Two cards at once are reported after seven seconds."""
    _later_report(far, "E", 7.0, lambda content: content[0] & 0x3F == 2)


def clears_in_silence(far: FarShoe) -> None:
    """That an error is cleared is not reported."""
    _drops(far, "e")


def never_clears(far: FarShoe) -> None:
    """An error is reported as cleared, and stays."""
    stays = [False]

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        stays[0] |= code == "e"
        report(*(("d", _as(IN_ERROR, content)) if code == "D" and stays[0] else (code, content)))

    _on_report(far, change)


def babbles(far: FarShoe) -> None:
    """Every four seconds it sends what is no report."""
    every(far.line, 4.0, lambda: far.line.send(b"\x00\xff"))


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

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        if code != "D" or now() - last[0] < 30:
            report(code, content)
        last[0] = now()

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

    def change(code: str, content: bytes, report: Callable[[str, bytes], None]) -> None:
        cards[0] += code == "D"
        other = bytes([content[0], content[1] ^ 0x10]) if code == "D" and cards[0] == 30 else content
        report(code, other)

    _on_report(far, change)


DEFECTS = (
    deaf_at_first, busy_to_lock, busy_to_unlock, lock_is_loose, slow_to_report, stutters, loses_fast_cards,
    counts_to_eight, slow_to_start, loose_after_start, starts_at_two, unplugged_late, uncounted_without_cable,
    uncounted_without_station, locks_with_the_cable, repeats_to_a_start, repeats_to_a_cable, no_cut_card, guesses,
    slow_to_err, clears_in_silence, never_clears, babbles, dreams, sleeps, overrun, dozes, misreads,
)  # fmt: skip
