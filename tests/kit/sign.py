"""A sign in made-up time, the person who reads it, and the defects that are planted in it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from drivers.alpha.serial_sign import SerialSign
from drivers.kit.assertion import Instruction
from simulators.devices.sign import NAK, SimulatedSign
from tests.kit.rig import Rig, after, defect, delayed
from tests.kit.wires import FarLine, now, wired

BEGINNING = 10  # octets of a packet before its command


class FarSign:
    """The sign at the end of its line. A defect replaces one of the functions."""

    def __init__(self) -> None:
        self.sign = SimulatedSign(lambda text: None)
        self.line = FarLine(self.sign.receive)
        self.restart: Callable[[], None] = self.sign.restart
        self.seen: Callable[[], str] = lambda: self.sign.readable  # by a person


class PersonAtSign:
    """Does what is asked for."""

    def __init__(self, far: FarSign) -> None:
        self._far = far

    async def __call__(self, act: Instruction) -> str:
        far = self._far
        match act.name:
            case "pages":
                return far.seen()
            case "end":
                return "yes" if far.seen().endswith("END") else "no"
            case "switch off and on":
                far.restart()
            case "unplug":
                far.line.unplug()
            case "plug":
                far.line.plug()
            case _:
                raise AssertionError(f"no one at the sign can {act}")
        return ""


@contextmanager
def rig(plant: Callable[[FarSign], None]) -> Iterator[Rig]:
    """The sign with a defect."""
    far = FarSign()
    plant(far)
    with wired(far.line):
        yield Rig(lambda mark: SerialSign(port="port"), PersonAtSign(far))


# ---- defects


def _seen(far: FarSign, change: Callable[[str], str]) -> None:
    seen = far.seen
    far.seen = lambda: change(seen())


def _on_packet(far: FarSign, takes: Callable[[bytes], bool]) -> None:
    """`takes` gets each command; one that is not taken reaches nothing."""
    receive = far.line.receive

    def received(octets: bytes) -> None:
        if takes(octets[BEGINNING:].partition(b"\x03")[0]):
            receive(octets)

    far.line.receive = received


def busy_at_first(far: FarSign) -> None:
    """Its port cannot be opened in the first four seconds."""
    refuses = far.line.refuses
    far.line.refuses = lambda: now() < 4 or refuses()


def keeps_the_length(far: FarSign) -> None:
    """An amount that is longer than the one before loses its first digit."""
    length, longer = [99], [False]

    def takes(command: bytes) -> bool:
        if command[:2] == b"E$":
            length[0] = 99
        if command[:1] == b"G":
            longer[0], length[0] = len(command) > length[0], len(command)
        return True

    _on_packet(far, takes)
    _seen(far, lambda text: text.replace("POT 1", "POT ") if longer[0] else text)


def overrun(far: FarSign) -> None:
    """More than nine packets in two seconds are not taken."""
    times: list[float] = []

    def takes(command: bytes) -> bool:
        times.append(now())
        return sum(now() - at < 2 for at in times) <= 9

    _on_packet(far, takes)


def leaves_a_tail(far: FarSign) -> None:
    """A page that becomes shorter leaves the end of the longer one."""
    lengths: dict[bytes, int] = {}
    tail = [False]

    def takes(command: bytes) -> bool:
        if command[:2] == b"E$":
            lengths.clear()
        if command[:1] == b"A":
            tail[0] = len(command) < lengths.get(command[1:2], 0)
            lengths[command[1:2]] = len(command)
        return True

    _on_packet(far, takes)
    _seen(far, lambda text: f"{text} POT" if tail[0] else text)


def _on_memory(far: FarSign, then: Callable[[int, int], None]) -> None:
    """`then` gets the number of files before and after each configuration of the memory."""
    files = [0]

    def takes(command: bytes) -> bool:
        if command[:2] == b"E$":
            now_there = (len(command) - 2) // 11
            then(files[0], now_there)
            files[0] = now_there
        return True

    _on_packet(far, takes)


def keeps_an_old_page(far: FarSign) -> None:
    """A page that was taken away is still shown."""
    old = [False]
    _on_memory(far, lambda before, after: old.__setitem__(0, after < before))
    _seen(far, lambda text: f"{text} | SEAT 3 WINS" if old[0] else text)


def adds_no_page(far: FarSign) -> None:
    """A page that is added is not shown."""
    added = [False]
    _on_memory(far, lambda before, after: added.__setitem__(0, 0 < before < after))
    _seen(far, lambda text: text.split(" | ")[0] if added[0] else text)


def short_of_memory(far: FarSign) -> None:
    """An amount is cut after fourteen characters."""
    cut = [""]

    def takes(command: bytes) -> bool:
        if command[:1] == b"G":
            cut[0] = command[2 + 14 :].decode()
        return True

    _on_packet(far, takes)
    _seen(far, lambda text: text.replace(cut[0], "") if cut[0] else text)


def deaf_after_the_cable(far: FarSign) -> None:
    """It takes no packet once its cable was out."""
    deaf = asyncio.Event()
    after(far.line, "unplug", deaf.set)
    _on_packet(far, lambda command: not deaf.is_set())


def saves_its_screen(far: FarSign) -> None:
    """A minute after the last packet it is dark."""
    last = [0.0]

    def takes(command: bytes) -> bool:
        last[0] = now()
        return True

    _on_packet(far, takes)
    _seen(far, lambda text: text if now() - last[0] < 60 else "")


def talks(far: FarSign) -> None:
    """It answers packets."""

    def takes(command: bytes) -> bool:
        far.line.send(NAK)
        return True

    _on_packet(far, takes)


def deaf_to_a_start(far: FarSign) -> None:
    """It takes no packet of a station that opens the port a second time."""
    times: list[float] = []
    after(far.line, "open", lambda: times.append(now()))
    after(far.line, "plug", times.clear)
    _on_packet(far, lambda command: len(times) < 2)


DEFECTS: tuple[Callable[[FarSign], None], ...] = (
    busy_at_first,
    defect("seven_is_one", "A 7 looks like a 1.", lambda far: _seen(far, lambda text: text.replace("7", "1"))),
    defect("no_q", "A Q looks like an O.", lambda far: _seen(far, lambda text: text.replace("Q", "O"))),
    defect("no_small_q", "A q looks like a g.", lambda far: _seen(far, lambda text: text.replace("q", "g"))),
    defect(
        "comma_is_a_point", "A comma looks like a point.",
        lambda far: _seen(far, lambda text: text.replace(",", ".")),
    ),
    keeps_the_length, overrun,
    defect(
        "two_pages_at_most", "A third page is not shown.",
        lambda far: _seen(far, lambda text: " | ".join(text.split(" | ")[:2])),
    ),
    leaves_a_tail, keeps_an_old_page, adds_no_page, short_of_memory,
    defect("short_pages", "A page is cut after 250 characters.", lambda far: _seen(far, lambda text: text[:250])),
    defect(
        "amount_ends_the_page", "What is behind an amount is not shown.",
        lambda far: _seen(far, lambda text: text.removesuffix(" EUR")),
    ),
    defect(
        "unplugged_late", "Eight seconds go by until a pulled plug shows.",
        lambda far: delayed(far.line, "unplug", 8.0),
    ),
    deaf_after_the_cable,
    defect("forgets", "Without power it loses its memory.", lambda far: after(far, "restart", far.sign.lose_memory)),
    saves_its_screen, talks, deaf_to_a_start,
)  # fmt: skip
