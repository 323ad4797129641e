"""The faults the camera filmed, as stretches of the film, and tables of what each may do to a round. No I/O here."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee_articles import BROKEN_DEAL, SUPERVISORS_VOID

# Irregularities that void a round by themselves, until it is confirmed. `exposed` is reckoned place by place.
VOIDING_IRREGULARITIES = {"order": BROKEN_DEAL, "number": BROKEN_DEAL, "supervisor_void": SUPERVISORS_VOID}

# Slips of the dealer's keys, and what the message's corrections must name.
SLIPS = {"slip_wager": "wager", "slip_seat": "seat", "slip_decision": "decision", "miskey": "cards"}

IRREGULARITIES = {
    *VOIDING_IRREGULARITIES,
    *SLIPS,
    *("exposed", "empty_seat", "late_chip", "in_and_out"),
}

# 17.º 2: the shuffler stops in the deal as soon as one of these begins.
SHUFFLER_STOPS = {"jam", "restart"}
# 17.º 2: or it gives no more cards while one of these lasts.
SHUFFLER_SILENT = {"jam", "mute", "unplug"}

# A packet that lacks a card (17.º 1 1)): the cards on the felt say which.
SHORT_PACKET = {"short"}

WIRE = {"split", "bytewise", "babble", "late", "mute", "unplug", "corrupt", "lost", "doubled", "restart"}
# Faults of the shoe by which a report may be lost or come out of its turn; each allows "policy: every card heard".
REPORTS_LOST = WIRE | {"overdraw"}

# Faults by which a card has to be keyed in because nobody read it, for certain and perhaps.
UNREAD = {"shuffler": {"misread"}, "shoe": {"unreadable"}}
PERHAPS_UNREAD = {"shuffler": {"misread", "damaged"} | WIRE, "shoe": {"unreadable", "cut_card", "overdraw"} | WIRE}

# Links without which no new chip counts, and the faults by which they are lost and found again: the slots answer
# questions, so that any answer missed may cost the link; the sign never answers.
CHIP_LINKS = {"slots": WIRE, "sign": {"mute", "unplug", "restart"}}
POWER = {"unplug", "restart"}
FROZEN_SENSOR = {"stuck"}
RESTLESS_SENSOR = {"bounce", "storm"}

# These last from `on` to `off`, however long the film; of all others an `on` without an `off` is a moment.
LASTING = {"split", "bytewise", "babble", "late", "mute", "unplug", "jam", "stuck", "storm"}
DECK_NOT_WHOLE = {"missing", "doubled"}


@dataclass
class Stretch:
    """One fault, from the line of the film where it begins to the one where it ends."""

    device: str
    kind: str
    seat: int | None
    start: float
    end: float

    def touches(self, first: float, last: float) -> bool:
        """Whether it stood at some time between two lines of the film."""
        return self.start <= last and self.end >= first

    def stands(self, at: float) -> bool:
        """Whether it stood at a line of the film."""
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

    def film(self, line: dict[str, Any]) -> None:
        """Take one `fault` line."""
        device, kind, seat, at = str(line["device"]), str(line["kind"]), seat_named(line), float(line["line"])
        if line.get("on", True):
            lasts = kind in (DECK_NOT_WHOLE if device == "deck" else LASTING)
            self.stretches.append(Stretch(device, kind, seat, at, math.inf if lasts else at))
            return
        for one in reversed(self.stretches):
            if (
                (one.device, one.kind) == (device, kind)
                and seat in (None, one.seat)
                and one.end in (math.inf, one.start)
            ):
                one.end = at
                return

    def of(self, device: str, kinds: Iterable[str], seat: int | None = None) -> list[Stretch]:
        """The stretches of these kinds; of a seat's sensor where a seat is named."""
        return [
            one
            for one in self.stretches
            if one.device == device and one.kind in kinds and (seat is None or one.seat == seat)
        ]

    def any(self, device: str, kinds: Iterable[str], first: float, last: float) -> bool:
        """Whether one of these stood at some time between two lines."""
        return any(one.touches(first, last) for one in self.of(device, kinds))
