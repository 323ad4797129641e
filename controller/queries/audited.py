"""The rounds of a whole journal, one after the other, for whoever looks into them. All calls block."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec

from controller.engine.events import Event, NobodyBet, RoundAdjusted
from controller.engine.jackpot_events import HitLocked, HitWithdrawn
from controller.floor.shapes import OF_ROUND
from controller.journal.auditing import Report, rows
from controller.journal.records import JournalCorrupt, Stamp
from controller.rulebook.events import BettingClosed, InputCorrected, RoundBegun, RoundConfirmed, RoundVoided
from controller.rulebook.games import RoundEvent, open_round
from controller.rulebook.round import Round, advance

PERSONS = ("actor", "second", "name")
OF_ROUND_ALONE = get_args(RoundEvent)

_decode_event = msgspec.json.Decoder(Event).decode


class Prize(msgspec.Struct, frozen=True):
    """A prize of the pot. Minor units."""

    hit: int
    seat: int
    player: str | None
    tier: str
    amount: int


class AuditedRound(msgspec.Struct):
    """A round in a line. Times are UTC, money in minor units.

    `staked` and `held` are what was laid and what the house kept of it, null for a round that is not confirmed.
    `article` is by what it is void. `persons` have done anything in it, `players` were named at its bets. `events` are
    the first and the last in the journal.
    """

    round: int
    game: str
    began: str
    confirmed: str | None = None
    seats: tuple[int, ...] = ()
    players: tuple[str, ...] = ()
    staked: int | None = None
    held: int | None = None
    prizes: tuple[Prize, ...] = ()
    article: str | None = None
    without_play: bool = False
    corrections: int = 0
    adjusted: int = 0
    persons: tuple[str, ...] = ()
    events: tuple[int, int] = (0, 0)


class Wanted(msgspec.Struct, frozen=True):
    """Which rounds: begun from a time on and before another (UTC), with bets at a seat, with a prize, with a person."""

    since: str = ""
    until: str = ""
    seat: int | None = None
    prize: bool = False
    person: str | None = None

    def begins(self, time: str) -> bool:
        """Whether what was then is wanted."""
        return time >= self.since and (not self.until or time < self.until)

    def takes(self, one: AuditedRound) -> bool:
        """Whether it is one of these."""
        return (
            self.begins(one.began)
            and (self.seat is None or self.seat in one.seats)
            and (not self.prize or bool(one.prizes))
            and (self.person is None or self.person in (*one.persons, *one.players))
        )


class Followed:
    """The events of a journal in their order: which round each belongs to, and that round as it stands after it."""

    def __init__(self) -> None:
        self.round: Round | None = None
        self._hits: dict[int, int] = {}

    def of(self, event: Event) -> int | None:
        """The round that the next event belongs to; None where it belongs to none."""
        match event:
            case RoundBegun():
                self.round = open_round(event)
            case HitLocked():
                self._hits[event.hit] = event.round
            case _ if self.round is not None and isinstance(event, OF_ROUND_ALONE):
                self.round = advance(self.round, event)
        named: int | None = getattr(event, "of_round", None) or getattr(event, "round", None)
        if named is None and (hit := getattr(event, "hit", None)) is not None:
            named = self._hits.get(hit)
        if named is None and self.round is not None and isinstance(event, (*OF_ROUND, NobodyBet)):
            named = self.round.id
        return named


def read(path: Path, mode: str, report: Report) -> Iterator[tuple[int, Stamp, Event]]:
    """Number, stamp and event of all that a journal keeps. Raises JournalUnavailable, JournalCorrupt, WrongJournal."""
    for number, time, boot, monotonic_ns, synchronised, body, *_ in rows(path, mode, report):
        stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=bool(synchronised))
        try:
            yield number, stamp, _decode_event(body)
        except msgspec.DecodeError as error:
            raise JournalCorrupt(f"{path}: event {number} cannot be read: {error}") from None


def rounds(path: Path, mode: str, wanted: Wanted, report: Report) -> list[AuditedRound]:
    """The rounds of a journal that are wanted, oldest first. Raises as `read`."""
    found: dict[int, AuditedRound] = {}
    followed = Followed()
    for number, stamp, event in read(path, mode, report):
        of = followed.of(event)
        if isinstance(event, RoundBegun):
            found[event.round] = AuditedRound(event.round, event.terms.game, stamp.time, events=(number, number))
        one = found.get(of or 0)
        if one is not None:
            _add(one, event, followed.round, number, stamp)
    return [one for one in found.values() if wanted.takes(one)]


def _add(one: AuditedRound, event: Event, present: Round | None, number: int, stamp: Stamp) -> None:
    one.events = one.events[0], number
    one.persons = tuple(dict.fromkeys((*one.persons, *persons_of(event))))
    match event:
        case BettingClosed() if present is not None:
            one.seats = present.seats_in_play
        case RoundConfirmed() if present is not None:
            one.confirmed = stamp.time
            _settled(one, present)
        case RoundVoided(article=article):
            one.article = article
        case NobodyBet():
            one.without_play = True
        case InputCorrected():
            one.corrections += 1
        case RoundAdjusted(amount=amount):
            one.adjusted += amount
        case HitLocked(hit, _, seat, tier, amount, player=player):
            one.prizes = (*one.prizes, Prize(hit, seat, player or None, tier, amount))
        case HitWithdrawn(hit=hit):
            one.prizes = tuple(prize for prize in one.prizes if prize.hit != hit)


def _settled(one: AuditedRound, round: Round) -> None:
    kept = [] if round.settled is None else list(round.settled.kept())
    one.staked, one.held = sum(stake for _, stake, _ in kept), sum(held for _, _, held in kept)
    one.seats = tuple(sorted(round.wagers))
    named = (*round.players.values(), *(name for bets in round.bets.values() for bet in bets.values() for name in bet))
    one.players = tuple(dict.fromkeys(name for name in named if name))


def persons_of(event: Event) -> tuple[str, ...]:
    """Who did it, signed it too, or confirmed it."""
    named = [*(getattr(event, field, None) for field in PERSONS), *(getattr(event, "confirmed_by", None) or ())]
    return tuple(str(name) for name in named if name)
