"""The fault language: `DEVICE:KIND[=VALUE][@KEY=VALUE,…]`, and the table of all faults. No I/O here."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

PHASES = (
    "between", "shuffle", "wagers", "announce", "bank", "form", "dice", "deal", "decisions", "reveal", "settle",
    "claims",
)  # fmt: skip
KEYS = ("round", "card", "phase", "for")
OFF = "off"  # the value that ends a fault
SEATS = range(1, 9)
PLACE = re.compile(r"(?:seat[ _-]?)?([1-8])")


class Takes(Enum):
    """The values that may follow `=`."""

    NOTHING = "no value"
    COUNT = "how many of the next reports or packets, such as 2"
    SEAT = "a seat, 1 to 8"
    ANY_SEAT = "a seat, 1 to 8, or nothing"
    ANY_PLACE = "bank, community, seat 3, or nothing"
    SEEN = "seen, unseen, or nothing"
    SPREAD = "spread, kept, or nothing"


NAMING_A_SEAT = (Takes.SEAT, Takes.ANY_SEAT, Takes.ANY_PLACE)


class Ends(Enum):
    """How a fault ends."""

    AT_ONCE = "by itself"
    IN_TIME = "after a while"
    WHEN_ENDED = "when it is ended, or after `for` seconds"
    BY_HAND = "when the dealer repairs it, or when it is ended"
    WHEN_REPAIRED = "when the dealer repairs it"


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One thing that can go wrong with `device`."""

    device: str
    name: str
    takes: Takes = Takes.NOTHING
    ends: Ends = Ends.AT_ONCE

    def __str__(self) -> str:
        return f"{self.device}:{self.name}"

    @property
    def may_last(self) -> bool:
        """Whether the fault accepts `for`."""
        return self.ends in (Ends.IN_TIME, Ends.WHEN_ENDED)

    @property
    def may_be_ended(self) -> bool:
        """Whether the fault accepts `=off`."""
        return self.ends not in (Ends.AT_ONCE, Ends.WHEN_REPAIRED)


WIRES = ("shuffler", "shoe", "slots", "sign")
WIRE_LASTING = ("split", "bytewise", "babble", "late", "mute", "unplug")
WIRE_COUNTED = ("corrupt", "lost", "doubled")


def _kinds() -> Iterator[FaultKind]:
    for device in WIRES:
        yield from (FaultKind(device, name, ends=Ends.IN_TIME) for name in WIRE_LASTING)
        yield from (FaultKind(device, name, Takes.COUNT) for name in WIRE_COUNTED)
        yield FaultKind(device, "restart")
    yield from (FaultKind("shuffler", name, ends=Ends.BY_HAND) for name in ("jam", "lid_open"))
    yield from (FaultKind("shuffler", name) for name in ("misread", "damaged", "short"))
    yield from (FaultKind("shoe", name) for name in ("unreadable", "overdraw", "cut_card"))
    yield from (FaultKind("deck", name, ends=Ends.WHEN_REPAIRED) for name in ("missing", "doubled"))
    yield FaultKind("slots", "stuck", Takes.SEAT, Ends.WHEN_ENDED)
    yield FaultKind("slots", "storm", Takes.SEAT, Ends.IN_TIME)
    yield from (FaultKind("slots", name, Takes.SEAT) for name in ("bounce", "passing"))
    yield FaultKind("slots", "watchdog")
    yield FaultKind("sign", "nak", Takes.COUNT)
    yield FaultKind("sign", "memory_lost")
    yield FaultKind("dealer", "expose", Takes.ANY_PLACE)
    slips = ("order", "number", "empty_seat", "slip_wager", "slip_seat", "slip_decision", "slip_dice", "miskey")
    yield from (FaultKind("dealer", name) for name in (*slips, "early_card", "error_corrected", "bank_card_too_many"))
    yield FaultKind("dealer", "unasked_card", Takes.SEEN)
    yield FaultKind("dealer", "complaint", Takes.ANY_SEAT)
    yield FaultKind("dealer", "no_bets", Takes.SPREAD)
    yield from (FaultKind("players", name, Takes.ANY_SEAT) for name in ("late_chip", "in_and_out"))


KINDS = {(kind.device, kind.name): kind for kind in _kinds()}
DEVICES = tuple(dict.fromkeys(device for device, _ in KINDS))


@dataclass(frozen=True, slots=True)
class Conditions:
    """When a fault strikes, and for how long; None for a condition that was not given."""

    round: int | None = None
    card: int | None = None
    phase: str | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        conditions = {"round": self.round, "card": self.card, "phase": self.phase, "for": self.seconds}
        words = [f"{key}={value:g}" if key == "for" else f"{key}={value}" for key, value in conditions.items() if value]
        return "@" + ",".join(words) if words else ""


AT_ONCE = Conditions()


@dataclass(frozen=True, slots=True)
class Fault:
    """A requested fault; `value` is empty if none was given."""

    device: str
    kind: str
    value: str = ""
    conditions: Conditions = AT_ONCE

    def __str__(self) -> str:
        return f"{self.device}:{self.kind}{'=' if self.value else ''}{self.value}{self.conditions}"

    @property
    def count(self) -> int:
        """The value of a counted kind: one unless another number was named."""
        return int(self.value or 1)

    @property
    def seat(self) -> int | None:
        """The seat its value names, if it does."""
        place = PLACE.fullmatch(self.value) if KINDS[self.device, self.kind].takes in NAMING_A_SEAT else None
        return int(place[1]) if place else None


def read_fault(text: str) -> Fault:
    """Read one fault. Raises ValueError that says what was expected."""
    head, at, tail = text.strip().partition("@")
    device, colon, effect = (word.strip() for word in head.partition(":"))
    name, equals, value = (word.strip() for word in effect.partition("="))
    kind = KINDS.get((device, name))
    if kind is None:
        near = get_close_matches(f"{device}:{name}", map(str, KINDS.values()), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        if device not in DEVICES or not colon:
            raise ValueError(f"{text!r}: DEVICE:KIND expected, DEVICE one of {' '.join(DEVICES)}{hint}")
        known = " ".join(name for of, name in KINDS if of == device)
        raise ValueError(f"{text!r}: {name!r} is no kind of {device}; expected one of {known}{hint}")
    if equals and not value:
        raise ValueError(f"{text!r}: nothing comes after =; {kind} takes {kind.takes.value}")
    if value == OFF:
        if at or not kind.may_be_ended:
            raise ValueError(f"{text!r}: {'=off takes no conditions' if at else f'{kind} ends {kind.ends.value}'}")
        return Fault(device, name, OFF)
    if at and not tail.strip():
        raise ValueError(f"{text!r}: a condition expected after @, one of {' '.join(KEYS)}")
    try:
        return Fault(device, name, _value(kind, value), _conditions(kind, tail) if at else AT_ONCE)
    except ValueError as mistake:
        raise ValueError(f"{text!r}: {mistake}") from None


def _value(kind: FaultKind, value: str) -> str:
    place = PLACE.fullmatch(value)
    match kind.takes:
        case Takes.NOTHING if not value:
            return ""
        case Takes.COUNT if not value or (value.isdecimal() and int(value) > 0):
            return value
        case Takes.SEAT if value.isdecimal() and int(value) in SEATS:
            return value
        case Takes.ANY_SEAT if not value or (value.isdecimal() and int(value) in SEATS):
            return value
        case Takes.ANY_PLACE if place or value in ("", "bank", "community"):
            return f"seat {place[1]}" if place else value
        case Takes.SEEN if value in ("", "seen", "unseen"):
            return value
        case Takes.SPREAD if value in ("", "spread", "kept"):
            return value
    raise ValueError(f"{kind} takes {kind.takes.value}" + (f", not {value!r}" if value else ""))


def _conditions(kind: FaultKind, text: str) -> Conditions:
    conditions: dict[str, str] = {}
    for piece in text.split(","):
        key, _, value = (word.strip() for word in piece.partition("="))
        if key not in KEYS:
            raise ValueError(f"{key!r} is no condition; expected one of {' '.join(KEYS)}")
        if key in conditions:
            raise ValueError(f"{key} is given twice")
        conditions[key] = value
    if (phase := conditions.get("phase")) is not None and phase not in PHASES:
        raise ValueError(f"{phase!r} is no phase; expected one of {' '.join(PHASES)}")
    if "for" in conditions and not kind.may_last:
        raise ValueError(f"{kind} does not last: it ends {kind.ends.value}")
    return Conditions(_whole(conditions, "round"), _whole(conditions, "card"), phase, _seconds(conditions.get("for")))


def _whole(conditions: dict[str, str], key: str) -> int | None:
    if key not in conditions:
        return None
    if not conditions[key].isdecimal() or int(conditions[key]) < 1:
        raise ValueError(f"{key}={conditions[key]}: a whole number from 1 on expected")
    return int(conditions[key])


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ValueError(f"for={text}: a positive number of seconds expected")
    return seconds
