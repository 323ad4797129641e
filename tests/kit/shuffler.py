"""A batch shuffler in made-up time, the person in front of it, and the defects that are planted in it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from drivers.kit.assertion import Instruction
from drivers.shuffler_link.shuffler import Shuffler as Driver
from simulators.devices import shuffler_frames as frames
from simulators.devices.card_machine import JAM, MISREAD, UNREAD
from simulators.devices.shuffler import HOPPER, SHORT, TRAY, Shuffler
from simulators.felt.cards import Card
from simulators.felt.deck import OrdersOf, Pieces, card_material
from simulators.pace import pace_from_text
from tests.kit.rig import Rig, after, defect, delayed
from tests.kit.wires import FarLine, every, later, now, wired

PACKET = 3
OUT = "out of the shuffler"
SOME_CARD = frames.card_byte(Card(2, "c"))


class FarShuffler:
    """The shuffler at the end of its line. A defect replaces one of the functions.

    `obey` gets the kind and the payload of each frame of the host, `post` each numbered message once, and `hello` the
    payload of each HELLO.
    """

    def __init__(self) -> None:
        self.deck = Pieces(HOPPER, card_material())
        self.line = FarLine(self._received)
        self.boot = 7
        self.orders = OrdersOf(3, card_material())
        self.machine = Shuffler(
            self.deck, self.orders, pace_from_text("device"), self.boot, self.line.send, lambda: None
        )
        self.link = self.machine.link
        self.restart: Callable[[], None] = self._restart
        self.obey: Callable[[int, bytes], None] = self._obey
        self.post: Callable[[int, bytes], None] = self._post(self.link.post)
        self.hello: Callable[[bytes], bytes] = lambda payload: payload
        self.packet, self.jammed = asyncio.Event(), asyncio.Event()
        self.machine.report = self._struck
        self.ordered_at: float | None = None
        say = self.link.say
        self.link.post = lambda kind, payload=b"": self.post(kind, payload)  # type: ignore[method-assign]
        self.link.say = lambda kind, payload: say(kind, self.hello(payload))  # type: ignore[method-assign]
        self._reader = frames.FrameReader()

    async def switch_on(self) -> None:
        """It has reported its start before a station opens it."""
        self.running = asyncio.create_task(self.machine.run())
        await asyncio.sleep(1.0)

    def _received(self, octets: bytes) -> None:
        for frame in self._reader.feed(octets):
            self.obey(frame.kind, frame.payload)

    def _obey(self, kind: int, payload: bytes) -> None:
        if kind in (frames.SHUFFLE, frames.DISPENSE):
            self.ordered_at = now()
        self.machine.receive(frames.encode(frames.Frame(kind, 0, payload)))

    def _post(self, post: Callable[[int, bytes], None]) -> Callable[[int, bytes], None]:
        def posted(kind: int, payload: bytes) -> None:
            post(kind, payload)
            if kind == frames.PACKET:
                self.packet.set()

        return posted

    def _struck(self, kind: str, on: bool) -> None:
        if kind == JAM and on:
            self.jammed.set()

    def _restart(self) -> None:
        self.boot += 1
        self.machine.restart(self.boot)


class PersonAtShuffler:
    """Does what is asked for."""

    def __init__(self, far: FarShuffler) -> None:
        self._far = far

    async def __call__(self, act: Instruction) -> str:
        far, machine = self._far, self._far.machine
        match act.name:
            case "load deck" | "load blank":
                await self._load()
                if act.name == "load blank":
                    machine.spoil(MISREAD)
            case "load short":
                lost = far.deck.lose_one()
                await self._load()
                return str(lost)
            case "load double":
                _, double = far.deck.double_one()
                await self._load()
                return str(double)
            case "whole deck":
                far.deck.repair()
                machine.spare(MISREAD)
            case "take packet" | "type packet":
                cards = far.deck.at(TRAY)
                far.deck.gather([TRAY], OUT)
                machine.packet_taken()
                return " ".join(map(str, cards)) if act.name == "type packet" else ""
            case "put back":
                await machine.insert([OUT])
            case "tray":
                return "yes" if far.deck.count(TRAY) else "no"
            case "open lid":
                machine.open_lid()
            case "close lid":
                machine.close_lid()
            case "lid ten times":
                for _ in range(10):
                    machine.open_lid()
                    machine.close_lid()
                    await asyncio.sleep(0.1)
            case "jam":
                far.jammed.clear()
                machine.spoil(JAM)
                await far.jammed.wait()
            case "clear jam":
                machine.clear_jam()
            case "switch off and on":
                await asyncio.sleep(1.0)
                far.restart()
            case "unplug":
                far.line.unplug()
            case "packet, unplug":
                far.packet.clear()
                await far.packet.wait()
                await asyncio.sleep(0.06)
                far.line.unplug()
            case "plug":
                far.line.plug()
            case _:
                raise AssertionError(f"no one at the shuffler can {act}")
        return ""

    async def _load(self) -> None:
        await self._far.machine.insert([TRAY, OUT])
        self._far.machine.packet_taken()


@contextmanager
def rig(plant: Callable[[FarShuffler], None]) -> Iterator[Rig]:
    """The shuffler with a defect."""
    far = FarShuffler()
    plant(far)
    with wired(far.line):
        yield Rig(
            lambda mark: Driver(port="port", mark=mark), PersonAtShuffler(far), switch_on=far.switch_on, packet=PACKET
        )


# ---- defects


def _on_post(far: FarShuffler, wanted: int, change: Callable[[bytes], bytes | None]) -> None:
    """A message of this kind is posted as `change` gives it, or not at all."""
    post = far.post

    def posted(kind: int, payload: bytes) -> None:
        changed = change(payload) if kind == wanted else payload
        if changed is not None:
            post(kind, changed)

    far.post = posted


def _later_post(far: FarShuffler, wanted: int, seconds: float) -> None:
    """It is numbered when it is sent, so many seconds later."""
    post = far.post

    def posted(kind: int, payload: bytes) -> None:
        if kind == wanted:
            later(seconds, lambda: post(kind, payload))
        else:
            post(kind, payload)

    far.post = posted


def _on_frame(far: FarShuffler, wanted: int, takes: Callable[[bytes], bool]) -> None:
    """A frame of the host of this kind that is not taken reaches nothing."""
    obey = far.obey

    def obeyed(kind: int, payload: bytes) -> None:
        if kind != wanted or takes(payload):
            obey(kind, payload)

    far.obey = obeyed


def _on_restart(far: FarShuffler) -> list[bool]:
    """Whether it was switched off and on."""
    restart, restarted = far.restart, [False]

    def again() -> None:
        restarted[0] = True
        restart()

    far.restart = again
    return restarted


def _number(payload: bytes) -> int:
    return int.from_bytes(payload[:4], "big")


def says_continuous(far: FarShuffler) -> None:
    """It reports that it gives single cards."""
    far.hello = lambda payload: payload[:4] + b"\2" + payload[5:]


def nameless(far: FarShuffler) -> None:
    """Its model and its firmware have no text."""
    far.hello = lambda payload: payload[:10] + b"\0\0"


def miscounts_at_start(far: FarShuffler) -> None:
    """Its status after a start has one card too few."""
    restarted = _on_restart(far)

    def change(payload: bytes) -> bytes:
        inside = int.from_bytes(payload[1:3], "big") - restarted[0]
        return payload[:1] + inside.to_bytes(2, "big") + payload[3:]

    _on_post(far, frames.STATUS, change)


def miscounts_a_shuffle(far: FarShuffler) -> None:
    """A shuffle reports one card too few."""
    _on_post(
        far,
        frames.SHUFFLE_DONE,
        lambda payload: payload[:4] + (int.from_bytes(payload[4:], "big") - 1).to_bytes(2, "big"),
    )


def never_mixes(far: FarShuffler) -> None:
    """Each shuffle leaves the same order."""
    order = far.orders.next()
    far.orders.next = lambda: list(order)  # type: ignore[method-assign]


def _again(far: FarShuffler, wanted: int) -> None:
    """An order of this kind that was carried out is carried out again when it is repeated."""

    def takes(payload: bytes) -> bool:
        machine = far.machine
        if _number(payload) == machine.last_order and machine._taken is None:
            machine.last_order -= 1
        return True

    _on_frame(far, wanted, takes)


def shuffles_anyway(far: FarShuffler) -> None:
    """It shuffles though a card is out of it."""

    def takes(payload: bytes) -> bool:
        if not far.machine._all_inside:
            far.machine._take(_number(payload), 0)
        return far.machine._all_inside

    _on_frame(far, frames.SHUFFLE, takes)


def spends_what_it_refuses(far: FarShuffler) -> None:
    """An order to shuffle counts as carried out though a card was out of it."""

    def takes(payload: bytes) -> bool:
        if not far.machine._all_inside:
            far.machine.last_order = _number(payload)
        return True

    _on_frame(far, frames.SHUFFLE, takes)


def gives_too_few(far: FarShuffler) -> None:
    """Each packet has a card too few."""

    def takes(payload: bytes) -> bool:
        far.machine.spare(SHORT)
        far.machine.spoil(SHORT)
        return True

    _on_frame(far, frames.DISPENSE, takes)


def overfills_the_tray(far: FarShuffler) -> None:
    """It does not wait until the tray is empty."""
    far.machine._tray_empty.clear = lambda: None  # type: ignore[method-assign]


def guesses(far: FarShuffler) -> None:
    """A card that it cannot read is reported as some card."""
    _on_post(far, frames.PACKET, lambda payload: payload[:5] + payload[5:].replace(bytes([UNREAD]), bytes([SOME_CARD])))


def miscounts_what_comes_in(far: FarShuffler) -> None:
    """One card more is reported than was put in."""
    _on_post(far, frames.CARDS_INSERTED, lambda payload: (int.from_bytes(payload, "big") + 1).to_bytes(2, "big"))


def names_another(far: FarShuffler) -> None:
    """A card that is missing is reported as another, where none is twice."""

    def change(payload: bytes) -> bytes:
        if payload[4] == 1 and payload[6] == 0:
            return payload[:5] + bytes([payload[5] ^ 0x10]) + payload[6:]
        return payload

    _on_post(far, frames.DECK_CHECK, change)


def dispenses_with_open_lid(far: FarShuffler) -> None:
    """An open lid is no matter."""

    def takes(payload: bytes) -> bool:
        was, far.machine.lid_open = far.machine.lid_open, False
        far.machine.receive(frames.encode(frames.Frame(frames.DISPENSE, 0, payload)))
        far.machine.lid_open = was
        return False

    _on_frame(far, frames.DISPENSE, takes)


def spends_with_open_lid(far: FarShuffler) -> None:
    """An order to dispense counts as carried out though the lid was open."""

    def takes(payload: bytes) -> bool:
        if far.machine.lid_open:
            far.machine.last_order = _number(payload)
        return True

    _on_frame(far, frames.DISPENSE, takes)


def same_boot(far: FarShuffler) -> None:
    """Each start has the same boot id."""
    far.restart = lambda: far.machine.restart(far.boot)


def starts_at_three(far: FarShuffler) -> None:
    """After a start, the first number is 3."""
    restarted, post = _on_restart(far), far.post

    def posted(kind: int, payload: bytes) -> None:
        if restarted[0]:
            restarted[0] = False
            far.link.next_sequence += 2
        post(kind, payload)

    far.post = posted


def idle_after_start(far: FarShuffler) -> None:
    """After a start it does not shuffle."""
    restarted = _on_restart(far)
    _on_frame(far, frames.SHUFFLE, lambda payload: not restarted[0])


def forgets_without_station(far: FarShuffler) -> None:
    """A packet that comes while no station has the port open is not reported."""
    _on_post(far, frames.PACKET, lambda payload: payload if far.line.host or not far.line.plugged else None)


def _last_packet(far: FarShuffler) -> list[tuple[bytes, float]]:
    last: list[tuple[bytes, float]] = []

    def change(payload: bytes) -> bytes:
        last[:] = [(payload, now())]
        return payload

    _on_post(far, frames.PACKET, change)
    return last


def repeats_to_a_start(far: FarShuffler) -> None:
    """A second after a station opens the port, the last packet is reported again; not after the cable was out."""
    unplugged, last = asyncio.Event(), _last_packet(far)
    post = far.link.__class__.post

    def again() -> None:
        if last and not unplugged.is_set():
            later(1.0, lambda: post(far.link, frames.PACKET, last[0][0]))

    after(far.line, "open", again)
    after(far.line, "unplug", unplugged.set)


def repeats_to_a_cable(far: FarShuffler) -> None:
    """Where the cable was pulled within a report, its packet is reported again once the cable is back."""
    within, last = [False], _last_packet(far)
    post = far.link.__class__.post

    def unplug() -> None:
        within[0] = bool(last) and now() - last[0][1] < 0.2

    def plug() -> None:
        if within[0]:
            later(1.5, lambda: post(far.link, frames.PACKET, last[0][0]))

    after(far.line, "plug", plug)
    after(far.line, "unplug", unplug)


def dreams(far: FarShuffler) -> None:
    """Six seconds after it was opened, it reports a packet, if it was ordered nothing."""
    done = [False]

    def look() -> None:
        if not done[0] and far.ordered_at is None and now() > 7:
            done[0] = True
            far.link.post(frames.PACKET, bytes([0, 0, 0, 1, 1, SOME_CARD]))

    every(far.line, 1.0, look)


def sleeps(far: FarShuffler) -> None:
    """Forty-five seconds after an order it dispenses no more."""
    asleep = [False]

    def takes(payload: bytes) -> bool:
        asleep[0] |= far.ordered_at is not None and now() - far.ordered_at > 45
        return not asleep[0]

    _on_frame(far, frames.DISPENSE, takes)


def dozes(far: FarShuffler) -> None:
    """From twenty to thirty seconds after it was switched on it is silent, unless it was ordered something."""
    _on_frame(far, frames.RESEND, lambda payload: far.ordered_at is not None or not 20 < now() < 30)


def misreads(far: FarShuffler) -> None:
    """The thirtieth card is read as another."""
    cards = [0]

    def change(payload: bytes) -> bytes:
        before, cards[0] = cards[0], cards[0] + payload[4]
        at = 5 + 29 - before
        if before < 30 <= cards[0]:
            return payload[:at] + bytes([payload[at] ^ 0x10]) + payload[at + 1 :]
        return payload

    _on_post(far, frames.PACKET, change)


DEFECTS: tuple[Callable[[FarShuffler], None], ...] = (
    defect(
        "deaf_at_first", "It answers nothing in its first five seconds.",
        lambda far: _on_frame(far, frames.RESEND, lambda payload: now() > 5),
    ),
    says_continuous, nameless, miscounts_at_start,
    defect(
        "begins_in_silence", "The beginning of a shuffle is not reported.",
        lambda far: _on_post(far, frames.SHUFFLE_STARTED, lambda payload: None),
    ),
    defect(
        "shuffles_long", "A shuffle is reported as done two and a half minutes late.",
        lambda far: _later_post(far, frames.SHUFFLE_DONE, 150.0),
    ),
    miscounts_a_shuffle, never_mixes,
    defect(
        "shuffles_again", "An order to shuffle that is repeated is carried out again.",
        lambda far: _again(far, frames.SHUFFLE),
    ),
    shuffles_anyway, spends_what_it_refuses,
    defect(
        "slow_to_dispense", "A packet is reported eight seconds late.",
        lambda far: _later_post(far, frames.PACKET, 8.0),
    ),
    gives_too_few,
    defect(
        "reads_from_below", "The cards of a packet are reported from the bottom.",
        lambda far: _on_post(far, frames.PACKET, lambda payload: payload[:5] + payload[:4:-1]),
    ),
    overfills_the_tray,
    defect(
        "dispenses_again", "An order to dispense that is repeated is carried out again.",
        lambda far: _again(far, frames.DISPENSE),
    ),
    guesses,
    defect(
        "slow_to_count", "Cards that are put in are reported after eight seconds.",
        lambda far: _later_post(far, frames.CARDS_INSERTED, 8.0),
    ),
    miscounts_what_comes_in,
    defect(
        "slow_to_check", "What is wrong with the deck is reported eight seconds after the shuffle.",
        lambda far: _later_post(far, frames.DECK_CHECK, 8.0),
    ),
    names_another,
    defect(
        "sees_no_double", "A card that is there twice is not named.",
        lambda far: _on_post(far, frames.DECK_CHECK, lambda payload: payload[: 5 + payload[4]] + b"\0"),
    ),
    defect(
        "slow_to_open", "A lid that is opened is reported after eight seconds.",
        lambda far: _later_post(far, frames.LID_OPENED, 8.0),
    ),
    defect(
        "slow_to_close", "A lid that is closed is reported after eight seconds.",
        lambda far: _later_post(far, frames.LID_CLOSED, 8.0),
    ),
    dispenses_with_open_lid, spends_with_open_lid,
    defect("slow_to_jam", "A jam is reported after eight seconds.", lambda far: _later_post(far, frames.JAM, 8.0)),
    defect(
        "slow_to_clear", "That a jam is cleared is reported after eight seconds.",
        lambda far: _later_post(far, frames.CLEARED, 8.0),
    ),
    defect(
        "idle_after_a_jam", "After a jam it does not shuffle.",
        lambda far: _on_frame(far, frames.SHUFFLE, lambda payload: not far.jammed.is_set()),
    ),
    defect("slow_to_start", "Eight seconds go by until it is on again.", lambda far: delayed(far, "restart", 8.0)),
    same_boot, starts_at_three, idle_after_start,
    defect(
        "unplugged_late", "Eight seconds go by until a pulled plug shows.",
        lambda far: delayed(far.line, "unplug", 8.0),
    ),
    defect(
        "forgets_without_cable", "A packet that comes while the cable is out is not reported.",
        lambda far: _on_post(far, frames.PACKET, lambda payload: payload if far.line.plugged else None),
    ),
    forgets_without_station, repeats_to_a_start, repeats_to_a_cable,
    defect(
        "babbles", "Every four seconds it sends what is no report.",
        lambda far: every(far.line, 4.0, lambda: far.line.send(b"\xff\x00")),
    ),
    dreams, sleeps, dozes,
    defect(
        "ignores_acknowledgements", "What was acknowledged still waits.",
        lambda far: _on_frame(far, frames.ACK, lambda payload: False),
    ),
    misreads,
)  # fmt: skip
