"""The faults the camera filmed, as stretches of the film, and tables of what each may do to a round. No I/O here."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# Irregularities by which a deal is broken, until the round is confirmed.
BROKEN = {"order", "number"}

# Slips of the dealer's keys, and what the message's corrections must name.
SLIPS = {
    "slip_wager": "wager",
    "slip_seat": "seat",
    "slip_decision": "decision",
    "miskey": "cards",
    "slip_dice": "dice",
}

IRREGULARITIES = {
    *BROKEN,
    *SLIPS,
    *("supervisor_void", "exposed", "empty_seat", "late_chip", "in_and_out", "early_card", "error_corrected"),
    *("unasked_card", "bank_card_too_many"),
}

# 17.º 2: the shuffler stops in the deal as soon as one of these begins.
SHUFFLER_STOPS = {"jam", "restart"}
# 17.º 2: or it gives no more cards while one of these lasts.
SHUFFLER_SILENT = {"jam", "mute", "unplug"}

# A packet that lacks a card (17.º 1 1)): the cards on the felt say which.
SHORT_PACKET = {"short"}

WIRE = {"split", "bytewise", "babble", "late", "mute", "unplug", "corrupt", "lost", "doubled", "restart"}
# Faults of the shoe by which a report may be lost or come out of its turn; each allows "policy: every card reported".
REPORTS_LOST = WIRE | {"overdraw"}

# Faults by which a card has to be keyed in because no one read it, for certain and perhaps.
UNREAD = {"shuffler": {"misread"}, "shoe": {"unreadable"}}
PERHAPS_UNREAD = {"shuffler": {"misread", "damaged"} | WIRE, "shoe": {"unreadable", "cut_card", "overdraw"} | WIRE}

# Links without which no new chip counts, and the faults by which they are lost and found again: the slots answer
# questions, so that any answer missed may cost the link; the sign never answers.
CHIP_LINKS = {"slots": WIRE, "sign": {"mute", "unplug", "restart"}}
POWER = {"unplug", "restart"}
# After these the slots cannot know a chip from the one that was there before: a board without counters after any.
FORGETS = {"numato": WIRE}  # any other board counts chips itself, until it has no power
FROZEN_SENSOR = {"stuck"}
RESTLESS_SENSOR = {"bounce", "storm"}
# A change and back: with a chip before the next reading the sensor moved more than once, and is not believed.
PASSING_SENSOR = {"passing"}

LINK_BACK_SECONDS = 1.5  # the first try comes half a second after a loss, and a board takes its time to answer

# These last from `on` to `off`, however long the film; of all others an `on` without an `off` is a moment.
LASTING = {"split", "bytewise", "babble", "late", "mute", "unplug", "jam", "stuck", "storm"}
DECK_NOT_WHOLE = {"missing", "doubled"}
DEVICES = ("shuffler", "shoe", "slots", "sign")
DUE_LINES = 10  # at most, which were filmed at the end of a standstill before it was itself


@dataclass
class Stretch:
    """One fault, from the line of the film where it begins to the one where it ends."""

    device: str
    kind: str
    seat: int | None
    start: float
    end: float
    began: float = 0.0  # seconds of the film, where it has them
    over: float = 0.0

    @property
    def link_back(self) -> float:
        """By when a link that was away so long is up again, seconds of the film: pauses between tries double."""
        return self.over + (self.over - self.began) + LINK_BACK_SECONDS

    def touches(self, first: float, last: float) -> bool:
        """Whether it was at some time between two lines of the film."""
        return self.start <= last and self.end >= first

    def active_at(self, at: float) -> bool:
        """Whether it was at a line of the film."""
        return self.start < at < self.end


def seat_named(line: dict[str, Any]) -> int | None:
    """The seat a line of the camera names, as a number or as a place."""
    for key in ("seat", "value"):
        text = str(line.get(key, "")).removeprefix("seat ")
        if text.isdecimal():
            return int(text)
    return None


class Faults:
    """Every fault of the film."""

    def __init__(self) -> None:
        self.stretches: list[Stretch] = []
        self.station_away = False  # now and then, and no line of the film says when
        self._still: list[Stretch] = []

    def film(self, line: dict[str, Any]) -> None:
        """Take one `fault` line."""
        device, kind, seat, at = str(line["device"]), str(line["kind"]), seat_named(line), float(line["line"])
        if line.get("on", True):
            lasts = kind in (DECK_NOT_WHOLE if device == "deck" else LASTING)
            seconds = float(line.get("t", 0.0))
            over = math.inf if lasts and "t" in line else seconds
            self.stretches.append(Stretch(device, kind, seat, at, math.inf if lasts else at, seconds, over))
            return
        for stretch in reversed(self.stretches):
            if (
                (stretch.device, stretch.kind) == (device, kind)
                and seat in (None, stretch.seat)
                and stretch.end in (math.inf, stretch.start)
            ):
                stretch.end = at
                stretch.over = float(line.get("t", 0.0))
                return

    def film_standstill(self, line: dict[str, Any]) -> None:
        """Take one `stalled` line: the simulators were given no processor, and their devices sent nothing."""
        at, over = float(line["line"]), float(line["t"])
        began = over - float(line["seconds"])
        still = [Stretch(device, "mute", None, at - DUE_LINES, at, began, over) for device in DEVICES]
        self._still += still
        self.stretches += still

    def pass_on(self, line: dict[str, Any]) -> None:
        """Take any line: a link that a standstill has cost is away until its driver has tried again."""
        self._still = [fault for fault in self._still if float(line.get("t", 0.0)) <= fault.link_back]
        for fault in self._still:
            fault.end = float(line["line"])

    def of(self, device: str, kinds: Iterable[str], seat: int | None = None) -> list[Stretch]:
        """The stretches of these kinds; of a seat's sensor where a seat is named."""
        return [
            stretch
            for stretch in self.stretches
            if stretch.device == device and stretch.kind in kinds and (seat is None or stretch.seat == seat)
        ]

    def any(self, device: str, kinds: Iterable[str], first: float, last: float) -> bool:
        """Whether one of these was at some time between two lines."""
        return any(fault.touches(first, last) for fault in self.of(device, kinds))

    def away(self, device: str, kinds: Iterable[str], first: float, last: float, seconds: float | None) -> bool:
        """The same of a link: it may stay away for a while after the fault is over; `seconds` is the time of `last`."""
        late = [
            fault
            for fault in self.of(device, kinds)
            if seconds is not None and fault.start <= last and fault.over and seconds <= fault.link_back
        ]
        return bool(late) or self.any(device, kinds, first, last)
