"""The act at a device for each kind of fault, and its record by the camera."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

from simulators.devices.card_machine import DAMAGED, JAM, JAM_PACKET, MISREAD, CardMachine
from simulators.devices.sensors import Sensors
from simulators.devices.shoe import CUT_CARD, OVERDRAWN, UNREADABLE, Reader
from simulators.devices.shuffler import SHORT, Shuffler
from simulators.devices.sign import SimulatedSign
from simulators.devices.spoiling import Spoiling
from simulators.devices.wire_faults import LOST, WireFaults
from simulators.faults.dealer_mistakes import DealerMistakes
from simulators.faults.injector import FaultAct
from simulators.faults.syntax import KINDS, WIRE_COUNTED, WIRE_LASTING, Fault
from simulators.felt.deck import Pieces

UNPLUG = "unplug"
T = TypeVar("T")
Acting = dict[tuple[str, str], FaultAct]


class Film(Protocol):
    """The camera sees a fault of a device begin or end; a momentary one only begins."""

    def __call__(self, device: str, kind: str, on: bool, value: object = None) -> None: ...


class Cable(Protocol):
    """The far end of a wire: a serial line or a USB port."""

    @property
    def faults(self) -> WireFaults: ...

    def unplug(self) -> None: ...

    def plug(self) -> None: ...


def wire_acts(
    device: str,
    cable: Cable,
    restart: Callable[[], None],
    film: Film,
    chance: random.Random,
    rounds_matter: bool = True,
) -> Acting:
    """The faults of any wire, and of the power of the device at its end.

    If a device sends or receives independently of rounds, its reports may be damaged in a later round.
    """
    faults = cable.faults
    faults.report = partial(film, device)
    faults.chance = chance
    acts: Acting = {}
    for kind in WIRE_LASTING:
        acts[device, kind] = FaultAct(ignoring(partial(faults.begin, kind)), ignoring(partial(faults.end, kind)))
    acts[device, UNPLUG] = FaultAct(ignoring(cable.unplug), ignoring(cable.plug))
    for kind in WIRE_COUNTED:
        call_off = ignoring(partial(faults.spare, kind)) if rounds_matter else None
        acts[device, kind] = FaultAct(counts(partial(faults.spoil, kind)), call_off=call_off)
    acts[device, "restart"] = FaultAct(ignoring(restart))
    return acts


def shuffler_acts(shuffler: CardMachine, film: Film, chance: random.Random) -> Acting:
    """The machine's own faults; only a machine that gives packets can give a short one."""
    shuffler.report = partial(film, "shuffler")
    shuffler.chance = chance

    def jam(fault: Fault) -> None:
        shuffler.spoil(JAM_PACKET if fault.conditions.card else JAM)

    def keep_running() -> bool:
        return shuffler.spare(JAM) | shuffler.spare(JAM_PACKET)

    def clear_jam(value: str) -> None:
        keep_running()
        shuffler.clear_jam()

    def close_lid(value: str) -> None:
        shuffler.hold_lid()
        shuffler.close_lid()

    acts = {
        ("shuffler", kind): once(shuffler, kind)
        for kind in (MISREAD, DAMAGED, *([SHORT] if isinstance(shuffler, Shuffler) else []))
    }
    acts["shuffler", "jam"] = FaultAct(jam, clear_jam, ignoring(keep_running))
    acts["shuffler", "lid_open"] = FaultAct(ignoring(shuffler.loosen_lid), close_lid, ignoring(shuffler.hold_lid))
    return acts


def shoe_acts(shoe: Reader[Any], film: Film) -> Acting:
    """The shoe's own faults; a report of it is lost with all its copies."""
    shoe.report = partial(film, "shoe")
    acts = {("shoe", kind): once(shoe, kind) for kind in (UNREADABLE, OVERDRAWN, CUT_CARD)}
    acts["shoe", LOST] = FaultAct(counts(partial(shoe.spoil, LOST)), call_off=ignoring(partial(shoe.spare, LOST)))
    return acts


def slots_acts(
    sensors: Sensors, slot_of_seat: Mapping[int, int], trip: Callable[[], None] | None, film: Film
) -> Acting:
    """Sensors out of order, named by their seats, and the board's watchdog if it has one."""

    def see(kind: str, on: bool, value: str) -> None:
        film("slots", kind, on, int(value))

    def act_on(move: Callable[[int], None], kind: str, fault: Fault) -> None:
        see(kind, True, fault.value)
        move(slot_of_seat[int(fault.value)])

    def bounce(fault: Fault) -> None:
        see("bounce", True, fault.value)
        sensors.bounce(slot_of_seat[int(fault.value)], partial(see, "bounce", False, fault.value))

    def calm(kind: str, value: str) -> None:
        sensors.calm(slot_of_seat[int(value)])
        see(kind, False, value)

    acts = {
        ("slots", "stuck"): FaultAct(partial(act_on, sensors.stick, "stuck"), partial(calm, "stuck")),
        ("slots", "storm"): FaultAct(partial(act_on, sensors.storm, "storm"), partial(calm, "storm")),
        ("slots", "bounce"): FaultAct(bounce),
        ("slots", "passing"): FaultAct(partial(act_on, sensors.pass_by, "passing")),
    }
    if trip is not None:
        board = trip

        def trip_watchdog() -> None:
            film("slots", "watchdog", True)
            board()

        acts["slots", "watchdog"] = FaultAct(ignoring(trip_watchdog))
    return acts


def sign_acts(sign: SimulatedSign, film: Film) -> Acting:
    """The sign's own faults."""
    sign.report = partial(film, "sign")
    return {
        ("sign", "nak"): FaultAct(counts(sign.refuse)),
        ("sign", "memory_lost"): FaultAct(ignoring(sign.lose_memory)),
    }


def deck_acts(deck: Pieces[Any], mistakes: DealerMistakes, film: Film) -> Acting:
    """A card lost, or one doubled in place of another, until the dealer says the deck is repaired."""
    wrong: list[str] = []

    def lose() -> None:
        wrong.append("missing")
        film("deck", "missing", True, str(deck.lose_one(None)))

    def double() -> None:
        wrong.append("doubled")
        film("deck", "doubled", True, " ".join(map(str, deck.double_one())))

    def repaired() -> None:
        for kind in dict.fromkeys(wrong):
            film("deck", kind, False)
        wrong.clear()

    mistakes.repaired = repaired
    return {("deck", "missing"): FaultAct(ignoring(lose)), ("deck", "doubled"): FaultAct(ignoring(double))}


def mistake_acts(mistakes: DealerMistakes, people: tuple[str, ...] = ("dealer", "players")) -> Acting:
    """People's mistakes; a card is keyed in wrongly at the next time one has to be keyed in, perhaps rounds later."""

    def wish(fault: Fault) -> None:
        mistakes.wish(fault.kind, fault.value)

    return {
        (kind.device, kind.name): FaultAct(
            wish, call_off=None if kind.name == "miskey" else partial(mistakes.withdraw, kind.name)
        )
        for kind in KINDS.values()
        if kind.device in people
    }


def once(device: Spoiling, kind: str) -> FaultAct:
    """The fault strikes at the next occasion."""
    return FaultAct(ignoring(partial(device.spoil, kind)), call_off=ignoring(partial(device.spare, kind)))


def ignoring(move: Callable[[], T]) -> Callable[[object], T]:
    """A function that ignores its value and does this."""
    return lambda given: move()


def counts(move: Callable[[int], None]) -> Callable[[Fault], None]:
    """A beginning that takes how many."""
    return lambda fault: move(fault.count)
