"""A table's day, event by event: rounds, durations and delays. No I/O here.

A day is one of UTC, as in the register, and times are those of the messages. A round belongs to the day in which it is
confirmed.
"""

from bisect import insort
from collections.abc import Iterable
from datetime import UTC, datetime
from fractions import Fraction
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.state.alarms import LASTING
from controller.engine.state.applied import Event
from controller.engine.state.current import SOURCES
from controller.engine.state.events import (
    ComplaintDecided,
    ComplaintOpened,
    DeviceForgotten,
    DeviceLost,
    DeviceReported,
    DeviceUp,
    NoBetMade,
    RoundAdjusted,
    ShufflerKnown,
    TableClosed,
    TableOpened,
)
from controller.engine.state.table import FLOOR, Table
from controller.floor.messages import Identity
from controller.floor.shapes import SCHEMA, LostTimes, PhaseDuration, PhaseDurations, PublishedStatistics
from controller.rulebook.events import (
    BettingClosed,
    CardsShuffled,
    ClaimsClosed,
    InputCorrected,
    RoundBegun,
    RoundConfirmed,
    RoundVoided,
    SourceChosen,
)
from controller.rulebook.games import RoundEvent, SettlingEvent, game_of, open_round
from controller.rulebook.round import Round, advance
from controller.statistics.wagered import Wagered, add_sums, decimals, of_round
from controller.system.times import as_utc

JAM, JAM_BEGINS, JAM_ENDS = next(cause for cause in LASTING if cause[0] == "jam")
DAY_MS, HOUR_MS = 86_400_000, 3_600_000
PHASES = PhaseDurations.__struct_fields__
CAUSES = tuple(name.removesuffix("_ms") for name in LostTimes.__struct_fields__)
OF_A_ROUND = get_args(RoundEvent)
TOGGLES = (
    TableOpened, TableClosed, DeviceUp, DeviceLost, DeviceReported, ComplaintOpened, ComplaintDecided, SourceChosen
)  # fmt: skip
"""The events from which it is found how a table was before them."""


class Condition(Struct, frozen=True):
    """The reason why a table waits at a moment, and whether it is open.

    `needed` are the devices without which no card is dealt: any source of cards until it is known which is in use.
    """

    open: bool = False
    needed: frozenset[str] = frozenset(SOURCES)
    lost: frozenset[str] = frozenset()
    jams: frozenset[str] = frozenset()
    disputes: frozenset[int] = frozenset()


def condition(table: Table) -> Condition:
    """The condition of a table."""
    lost = {name for name, link in table.devices.items() if isinstance(link, DeviceLost)}
    jams = {name.removesuffix(f"-{JAM}") for name in table.troubles if name.endswith(f"-{JAM}")}
    disputes = frozenset(complaint.complaint for complaint in table.complaints)
    needed = frozenset(SOURCES if table.source is None else (table.source,))
    if table.round is not None:
        needed = _needed(table.round)
    return Condition(table.open, needed, frozenset(lost), frozenset(jams), disputes)


def _needed(round: Round) -> frozenset[str]:
    source = round.terms.source
    return frozenset((source,) if game_of(round).source.needs_device(source) else ())


def before(now: Condition, events: Iterable[Event]) -> Condition:
    """The condition before these events, which are given newest first; `now` is after all of them."""
    for event in events:
        match event:
            case TableOpened() | TableClosed():
                now = replace(now, open=isinstance(event, TableClosed))
            case DeviceLost(device=device, again=False):
                now = replace(now, lost=now.lost - {device})
            case DeviceUp(device=device):
                now = replace(now, lost=now.lost | {device})
            case DeviceReported(device=device, what=what) if what == JAM_BEGINS:
                now = replace(now, jams=now.jams - {device})
            case DeviceReported(device=device, what=what) if what in JAM_ENDS:
                now = replace(now, jams=now.jams | {device})
            case ComplaintOpened(complaint=number):
                now = replace(now, disputes=now.disputes - {number})
            case ComplaintDecided(complaint=number):
                now = replace(now, disputes=now.disputes | {number})
            case SourceChosen():
                now = replace(now, needed=frozenset(SOURCES))
    return now


def after(condition: Condition, event: Event) -> Condition:
    """The condition after an event."""
    match event:
        case TableOpened() | TableClosed():
            return replace(condition, open=isinstance(event, TableOpened))
        case DeviceLost(device=device):
            return replace(condition, lost=condition.lost | {device})
        case DeviceUp(device=device):
            return replace(condition, lost=condition.lost - {device})
        case DeviceForgotten(device=device):
            return replace(condition, lost=condition.lost - {device}, jams=condition.jams - {device})
        case ShufflerKnown():
            return replace(condition, jams=condition.jams - {"shuffler"})
        case DeviceReported(device=device, what=what) if what == JAM_BEGINS:
            return replace(condition, jams=condition.jams | {device})
        case DeviceReported(device=device, what=what) if what in JAM_ENDS:
            return replace(condition, jams=condition.jams - {device})
        case ComplaintOpened(complaint=number):
            return replace(condition, disputes=condition.disputes | {number})
        case ComplaintDecided(complaint=number):
            return replace(condition, disputes=condition.disputes - {number})
        case SourceChosen(source=source):
            return replace(condition, needed=frozenset((source,)))
        case RoundBegun():
            return replace(condition, needed=_needed(open_round(event)))
        case _:
            return condition


class Tally:
    """The counts over a period."""

    def __init__(self) -> None:
        self.open = self.rounds = self.void = self.taken = 0
        self.corrections = self.adjustments = self.adjusted = 0
        self.wagered: dict[str, Wagered] = {}
        self.lasted: dict[str, list[int]] = {phase: [] for phase in PHASES}
        self.lost = dict.fromkeys(CAUSES, 0)

    def add(self, more: "Tally") -> None:
        """Adds another period."""
        for name in ("open", "rounds", "void", "taken", "corrections", "adjustments", "adjusted"):
            setattr(self, name, getattr(self, name) + getattr(more, name))
        add_sums(self.wagered, more.wagered)
        for phase, durations in more.lasted.items():
            self.lasted[phase] = sorted([*self.lasted[phase], *durations])
        for cause, lost in more.lost.items():
            self.lost[cause] += lost

    def statistics(self, identity: Identity, since: str, as_of: int, seats: int) -> PublishedStatistics:
        """The statistics in the published form, of a table with `seats` seats; `as_of` is the last message included."""
        wagered = dict(sorted(self.wagered.items()))
        rate = Fraction(self.rounds * HOUR_MS, self.open) if self.open else None
        return PublishedStatistics(
            schema=SCHEMA,
            as_of=as_of,
            since=since,
            currency=identity.currency,
            exponent=identity.exponent,
            open_ms=self.open,
            round_count=self.rounds,
            void_rounds=self.void,
            per_hour=None if rate is None else decimals(rate, 1),
            seat_count=seats,
            occupied=decimals(Fraction(self.taken, self.rounds), 2) if self.rounds else None,
            phases=PhaseDurations(**{phase: _lasted(self.lasted[phase]) for phase in PHASES}),
            handle=sum(sums.handle for sums in wagered.values()),
            win=sum(sums.win for sums in wagered.values()),
            wager_totals=tuple(sums.published(wager) for wager, sums in wagered.items()),
            lost_time=LostTimes(**{f"{cause}_ms": lost for cause, lost in self.lost.items()}),
            correction_count=self.corrections,
            adjustment_count=self.adjustments,
            adjusted_amount=self.adjusted,
        )


class Day:
    """The day of a table, beginning with the table at a given moment."""

    def __init__(self, identity: Identity, time: str, condition: Condition, seats: int) -> None:
        self._identity = identity
        self._seats = seats
        self._condition = condition
        self._now = ms_of(time)
        self._round: Round | None = None
        self._marks: dict[str, int] = {}  # of the round in play: where each phase ends
        self._confirmed: int | None = None  # the round before, while the table has been open since
        self._begin(self._now)

    def _begin(self, now: int) -> None:
        self._since = now
        self._tally = Tally()

    def _ends(self) -> int | None:
        """The time at which the next period begins."""
        return (self._now // DAY_MS + 1) * DAY_MS

    def receive(self, time: str, event: Event) -> None:
        """Takes the next event, in the order of the journal."""
        self._proceed(ms_of(time))
        self._condition = after(self._condition, event)
        match event:
            case TableOpened() | TableClosed():
                self._confirmed = None
            case RoundAdjusted(amount=amount):
                self._tally.adjustments += 1
                self._tally.adjusted += amount
            case NoBetMade():
                self._round = None
            case RoundBegun():
                self._round = open_round(event)
                self._marks = {"begun": self._now}
                if self._confirmed is not None:
                    self._last("pause", self._confirmed, self._now)
                self._confirmed = None
            case ClaimsClosed():
                self._round = None
            case _ if self._round is not None and isinstance(event, OF_A_ROUND):
                self._round = advance(self._round, event)
                self._play(self._round, event)

    def statistics(self, time: str, as_of: int) -> PublishedStatistics:
        """The day until now; `as_of` is the last message it includes."""
        self._proceed(ms_of(time))
        return self._tally.statistics(self._identity, time_of(self._since), as_of, self._seats)

    def _proceed(self, now: int) -> None:
        """The time until now is passed, midnights with it; a clock that was put back stops until then."""
        while (end := self._ends()) is not None and now >= end:
            self._pass(end)
            self._begin(end)
        self._pass(max(now, self._now))

    def _pass(self, now: int) -> None:
        passed, self._now = now - self._now, now
        condition = self._condition
        if not condition.open:
            return
        self._tally.open += passed
        round = self._round
        holds = {
            "shuffle": round is not None and not round.shuffled and round.void is None,
            "jam": condition.jams & condition.needed,
            "dispute": condition.disputes,
            "device": condition.lost & condition.needed,
            "broker": FLOOR in condition.lost,
        }
        for cause, is_on_hold in holds.items():
            if is_on_hold:
                self._tally.lost[cause] += passed

    def _play(self, round: Round, event: Event) -> None:
        match event:
            case CardsShuffled() if not round.locked:
                self._marks["shuffled"] = self._now
            case BettingClosed():
                self._marks["closed"] = self._now
            case RoundVoided():
                self._marks.pop("settled", None)
            case InputCorrected():
                self._tally.corrections += 1
            case RoundConfirmed(actor=actor):
                self._confirm(round, actor)
            case _ if isinstance(event, SettlingEvent):
                self._marks["settled"] = self._now

    def _confirm(self, round: Round, actor: str) -> None:
        marks, confirmed = self._marks, self._now
        begun, shuffled, closed, settled = (marks.get(name) for name in ("begun", "shuffled", "closed", "settled"))
        self._last("shuffle", begun, shuffled)
        self._last("betting", shuffled or begun, closed)
        if round.void is None:
            self._last("play", closed, settled)
            self._last("payment", settled, confirmed)
        self._confirmed = confirmed
        whole = game_of(round).report(round)
        tally = self._tally
        tally.rounds += 1
        tally.void += round.void is not None
        tally.taken += len({bets.seat for bets in whole.wagers})
        add_sums(tally.wagered, of_round(whole))

    def _last(self, phase: str, began: int | None, ended: int | None) -> None:
        if began is not None and ended is not None and ended >= began:
            insort(self._tally.lasted[phase], ended - began)


def _lasted(durations: list[int]) -> PhaseDuration:
    """Durations in order; the median of an even number is the mean of the two in the middle, rounded down."""
    if not durations:
        return PhaseDuration(None, None)
    middle = len(durations) // 2
    median = (durations[(len(durations) - 1) // 2] + durations[middle]) // 2
    return PhaseDuration(median, durations[-1])


def ms_of(time: str) -> int:
    """The same in milliseconds since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def time_of(ms: int) -> str:
    """A moment as text, in UTC."""
    return as_utc(datetime.fromtimestamp(ms // 1000, UTC).replace(microsecond=ms % 1000 * 1000))
