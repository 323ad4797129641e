"""Limits how many events from outside are decided and journaled; the rest is counted. No I/O here.

Every kind of input has a row here, and every alarm of the station one in `engine/state/alarms.py`. Messages beyond the
budget of a device are not decided: an alarm is raised, and when the device is quiet again the number of messages is
journaled once. An alarm that is raised too often is journaled again, with its number, when the hour is over.
"""

from collections.abc import Iterator, Mapping
from typing import get_args

import msgspec
from msgspec.structs import replace

from controller.engine.decisions.betting import ChipGone, ChipPassed, ChipSensed, LockInPressed
from controller.engine.decisions.cards import DeckChecked, ReportsMissed, ShuffleReported
from controller.engine.decisions.decision import DeviceInput
from controller.engine.decisions.devices import (
    DeviceFound,
    DeviceMissed,
    DeviceReport,
    DevicesConfigured,
    FloorBeyond,
    MessageNotTaken,
    ShufflerGreeted,
)
from controller.engine.decisions.jackpot import ParametersRead
from controller.engine.decisions.link import LinkConfigured, LinkReceived, LinkToCount
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import InsertionReported, SegmentsExpired, SignInReceived
from controller.engine.state.alarms import BABBLE, LASTING, ActiveAlarm
from controller.engine.state.events import DeviceLost, DeviceReported
from controller.engine.state.table import Table
from controller.rulebook.parts.faults import DeviceName

WIRE, BROKER, CONSOLE = "a device on its wire", "the broker, or who may publish there", "who reaches the console"
# Measured in 25 rounds of Fortune 3 Card Poker and of black-jack at full speed with a fault in each,
# as the most in a phase: 2 idle reports of a kind,
# 6 chips, 3 changes of a link, 25 cards. A shoe of eight decks has 416 cards.
MOST_IDLE = 30
MOST_CHANGES = 100
MOST_CARDS = 1000
MOST_EDGES = 20
REFILL_SECONDS = 60.0  # after which one more may come
MOST_AN_HOUR = 6
HOUR_SECONDS = 3600.0


class Budget(msgspec.Struct, frozen=True):
    """How many inputs of a kind from one device are decided in one phase of a round, or between rounds; one more is
    allowed each minute.

    `idle` is the limit of those that change only notices and alarms, `changes` of the others. Of a kind that is `kept`,
    the last input beyond the limit is decided when the device is quiet or another phase begins.
    """

    who: str
    idle: int = MOST_IDLE
    changes: int = MOST_CHANGES
    kept: bool = False


class Bound(msgspec.Struct, frozen=True):
    """The limit that applies to a kind elsewhere; `who` is empty if no one outside can cause it."""

    who: str
    by: str


_OWN_START = Bound("", "the configuration, once at each start")
_CARDS = Budget(WIRE, changes=MOST_CARDS)
_LINK = Budget(f"{WIRE}; {BROKER}", changes=MOST_EDGES, kept=True)

INPUTS: Mapping[type[DeviceInput], Budget | Bound] = {
    ChipSensed: Budget(WIRE),
    ChipPassed: Budget(WIRE),
    ChipGone: Budget(WIRE),
    LockInPressed: Budget(WIRE),
    CardsReported: _CARDS,
    ShuffleReported: Budget(WIRE),
    InsertionReported: _CARDS,
    DeviceFound: _LINK,
    DeviceMissed: _LINK,
    DeviceReport: Budget(WIRE),
    ShufflerGreeted: Budget(WIRE, kept=True),
    DeckChecked: Budget(WIRE),
    ReportsMissed: Budget(WIRE),
    DevicesConfigured: _OWN_START,
    ParametersRead: _OWN_START,
    LinkConfigured: _OWN_START,
    SegmentsExpired: Bound("", "the station's own closer, once for each segment"),
    LinkToCount: Bound("", "the station's own clock, once a second at most"),
    LinkReceived: Bound("", "the pit's signature; what is not signed is counted and raises `floor-forged`"),
    SignInReceived: Bound(CONSOLE, "the attempts of a minute; others are counted and journaled once a minute"),
    MessageNotTaken: Bound(BROKER, "one message at a time, until a supervisor sets it aside"),
    FloorBeyond: Bound(BROKER, "once, until two persons have settled it"),
}


class Spent(msgspec.Struct, frozen=True):
    """What a device has spent of a budget in a phase, and what exceeded it.

    `last` is the last input beyond the budget, if it is still to be decided; `at` is the time of the last input, in
    monotonic nanoseconds.
    """

    phase: tuple[int, str]
    decided: float = 0.0
    repeats: int = 0
    last: DeviceInput | None = None
    at: int = 0


Expenses = dict[tuple[str, str], Spent]
"""The expenses by device and kind."""


def is_idle(input: DeviceInput, before: Table, after: Table) -> bool:
    """Whether an input has changed only notices and alarms, and the trouble of the device that reports it."""
    troubles = after.troubles if isinstance(input, DeviceReport | DeckChecked) else before.troubles
    rest = replace(before, version=after.version, notices=after.notices, alarms=after.alarms, troubles=troubles)
    return rest == after


def is_beyond(
    expenses: Expenses,
    device: DeviceName,
    input: DeviceInput,
    before: Table,
    after: Table,
    phase: tuple[int, str],
    now: int,
) -> bool:
    """Counts an input that changes the table from `before` to `after`; returns whether it exceeds its budget and must
    not be decided.

    The loss of a link that is up is always decided: a link that comes and goes too often stays lost.
    """
    budget = INPUTS[type(input)]
    if isinstance(budget, Bound):
        return False
    nothing = before.version == after.version
    idle = not nothing and is_idle(input, before, after)
    key = device, _kind(input, idle)
    spent = expenses.get(key, Spent(phase))
    if nothing:
        if spent.last is not None:
            expenses[key] = replace(spent, last=input, at=now)
        return False
    if spent.phase != phase and not spent.repeats:
        spent = Spent(phase)
    decided = max(0.0, spent.decided - (now - spent.at) / 1e9 / REFILL_SECONDS)
    if not spent.repeats and decided + 1 <= (budget.idle if idle else budget.changes):
        expenses[key] = replace(spent, decided=decided + 1, at=now)
        return False
    kept = budget.kept or (isinstance(input, DeviceReport) and _trouble(input) is not None)
    expenses[key] = replace(spent, repeats=spent.repeats + 1, last=input if kept else None, at=now)
    return not (isinstance(input, DeviceMissed) and not isinstance(before.devices.get(device), DeviceLost))


def brought_up(
    expenses: Expenses, table: Table, phase: tuple[int, str], now: int, quiet: float
) -> Iterator[DeviceReported | DeviceInput]:
    """The inputs of devices that exceeded a budget which are now to be journaled or decided.

    Where a new phase has begun that is the last of a kind that is kept; where a device has been quiet for so many
    seconds, the count too.
    """
    for device in get_args(DeviceName):
        if f"{device}-{BABBLE}" not in table.troubles:
            continue
        own = {key: spent for key, spent in expenses.items() if key[0] == device and spent.repeats}
        is_quiet = all(now - spent.at >= quiet * 1e9 for spent in own.values())
        for key, spent in own.items():
            if spent.last is not None and (is_quiet or spent.phase != phase):
                last = spent.last
                yield (
                    DeviceReported(device, last.what, last.details, last.values)
                    if isinstance(last, DeviceReport)
                    else last
                )
            expenses[key] = replace(spent, phase=phase, last=None)
            if is_quiet:
                del expenses[key]
        if is_quiet:
            yield DeviceReported(device, "quiet", values={"count": sum(spent.repeats for spent in own.values())})


def _kind(input: DeviceInput, idle: bool) -> str:
    match input:
        case DeviceReport():
            kind = _trouble(input) or input.what
        case DeviceFound() | DeviceMissed():
            kind = "link"
        case _:
            kind = type(input).__name__
    return kind if idle else f"{kind}, a change"


def _trouble(input: DeviceReport) -> str | None:
    """The trouble that begins or ends with this report, if there is one."""
    return next((trouble for trouble, begins, ends in LASTING if input.what in (begins, *ends)), None)


class _Hour(msgspec.Struct, frozen=True):
    began: int
    raised: int = 0
    repeats: int = 0
    last: ActiveAlarm | None = None


class BudgetAlarms:
    """The budgets of the station's own alarms; `due` are those to be journaled. Times are monotonic nanoseconds."""

    def __init__(self) -> None:
        self.due: list[ActiveAlarm] = []
        self._hours: dict[str, _Hour] = {}

    @property
    def are_counted(self) -> bool:
        """Whether repeats of any alarm are to be journaled when its hour is over."""
        return any(hour.repeats for hour in self._hours.values())

    def add(self, alarm: ActiveAlarm, now: int) -> bool:
        """Journal an alarm, or only count it if its budget for the hour is spent; returns whether it is journaled."""
        hour = self._hours.get(alarm.name, _Hour(now))
        if now - hour.began >= HOUR_SECONDS * 1e9 and not hour.repeats:
            hour = _Hour(now)
        within = hour.raised < MOST_AN_HOUR
        if within:
            self.due.append(alarm)
            hour = replace(hour, raised=hour.raised + 1)
        else:
            hour = replace(hour, repeats=hour.repeats + 1, last=alarm)
        self._hours[alarm.name] = hour
        return within

    def bring_up(self, now: int) -> None:
        """Lets the counts be journaled of devices whose hour is over."""
        for alarm, hour in list(self._hours.items()):
            if hour.last is not None and now - hour.began >= HOUR_SECONDS * 1e9:
                self.due.append(replace(hour.last, values={**hour.last.values, "repeats": hour.repeats}))
                self._hours[alarm] = _Hour(now, raised=1)
