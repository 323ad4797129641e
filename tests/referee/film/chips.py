"""Which new jackpot chips count when betting closes, judged from the slots' faults seat by seat. No I/O here."""

from dataclasses import dataclass, field

from .camera import Felt, Line
from .faults import CHIP_LINKS, FORGETS, FROZEN_SENSOR, PASSING_SENSOR, POWER, RESTLESS_SENSOR, Faults, seat_named


@dataclass
class Chips:
    """New chips beside a basic bet, by what the station must have made of them.

    `sure` count. `maybe` count or not: the sensor's fault began or ended so close to the lock-in, or to the opening of
    the betting, that the station alone knows. `or_none`: why perhaps none at all counts; "" if that is not so.
    """

    sure: set[int] = field(default_factory=set)
    maybe: set[int] = field(default_factory=set)
    or_none: str = ""
    most: int = 0

    def judge(self, published: set[int]) -> set[int]:
        """The seats whose chip counts: those reported, where that is possible; else those the camera saw."""
        if self.sure <= published <= self.sure | self.maybe and len(published) <= self.most:
            return published
        if not published and self.or_none:
            return published
        return self.sure if len(self.sure) <= self.most else set()

    @property
    def doubtful(self) -> bool:
        """Whether the message decides."""
        return bool(self.maybe or (self.or_none and self.sure and len(self.sure) <= self.most))


def chips_placed(lines: list[Line], before: float) -> dict[int, int]:
    """The seats with a chip in the slot, and the line where it was placed; one that was taken out again is none."""
    stakes: dict[int, list[int]] = {}
    taken: dict[int, int] = {}
    for line in lines:
        if line["line"] >= before:
            break
        seat = seat_named(line)
        if seat is not None and line["event"] == "chip":
            stakes.setdefault(seat, []).append(int(line["line"]))
        if seat is not None and line["event"] == "irregularity" and line.get("kind") == "in_and_out":
            taken[seat] = taken.get(seat, 0) + 1
    return {seat: at[-1] for seat, at in stakes.items() if len(at) > taken.get(seat, 0)}


def forgot(faults: Faults, previous: float, on: Felt, make: str) -> bool:
    """Whether between two lock-ins something made the slots forget what was on their sensors.

    A board without counters has the station count, which counts nothing while it is away itself.
    """
    return (faults.station_away and make in FORGETS) or faults.away(
        "slots", FORGETS.get(make, POWER), previous, on.locked_at, on.seconds
    )


def new_chips(
    stakes: dict[int, int],
    on: Felt,
    carried: set[int],
    faults: Faults,
    previous: float,
    unreasonable: int,
    chips_before: frozenset[int] | set[int] = frozenset(),
    make: str = "adu218",
) -> Chips:
    """Judge the chips placed in time; `previous` is the line of the lock-in before this one.

    A carried chip's seat takes no other (17.º 3); a chip without a basic bet is invalid (4.º 3). `chips_before` are
    seats whose last chip was swept while no one watched: slots that have forgotten it since cannot know it from a new
    one.
    """
    result = Chips(most=unreasonable)
    exchanged = chips_before if forgot(faults, previous, on, make) else set()
    for seat in sorted((stakes.keys() & on.wagers.keys()) - carried):
        unseen = [fault for fault in faults.of("slots", FROZEN_SENSOR, seat) if fault.active_at(stakes[seat])]
        restless = faults.of("slots", RESTLESS_SENSOR, seat)
        if any(fault.active_at(on.locked_at) for fault in unseen):
            continue
        # What bounced already before may have come to rest before the station read the sensor in this betting.
        if any(
            fault.touches(on.begun_at, on.closed_at) and not (fault.kind == "bounce" and fault.start < on.begun_at)
            for fault in restless
        ):
            continue
        doubtful = restless + faults.of("slots", PASSING_SENSOR, seat)
        if seat in exchanged or unseen or any(fault.touches(previous, on.locked_at) for fault in doubtful):
            result.maybe.add(seat)
        else:
            result.sure.add(seat)
    if len(stakes) > unreasonable:
        result.or_none = "more chips than are reasonable"
    for device, kinds in CHIP_LINKS.items():
        if faults.away(device, kinds, previous, on.locked_at, on.seconds):
            result.or_none = f"the {device} were lost" if device == "slots" else f"the {device} was lost"
    return result
