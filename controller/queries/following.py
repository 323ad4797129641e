"""Assigns events to rounds, in order: which events belong to each, and how a round is summarised. No I/O here."""

from typing import get_args

import msgspec
from msgspec import UNSET

from controller.engine.state.applied import OF_ROUND, Event
from controller.engine.state.events import NoBetMade, RoundAdjusted
from controller.engine.state.jackpot import HitLocked, HitWithdrawn
from controller.rulebook.events import BettingClosed, InputCorrected, RoundBegun, RoundConfirmed, RoundVoided
from controller.rulebook.games import RoundEvent, game_of, open_round
from controller.rulebook.report import LineResult
from controller.rulebook.round import Round, advance

PERSONS = ("actor", "second", "name")
OF_ROUND_ALONE = get_args(RoundEvent)


class WonPrize(msgspec.Struct, frozen=True):
    """A prize of the pot. Minor units."""

    hit: int
    seat: int
    player: str | None
    tier: str
    amount: int


class AuditedRound(msgspec.Struct):
    """A round in a line. Times are UTC, money in minor units.

    `staked` is the sum of bets and `hold` what the house kept of it, null for a round that is not confirmed. `article`
    is the one that voided it, `articles` are all that are cited in it. `nets` are what each seat won, including players
    who bet along; `wagers` and `stakes` are from the lines. `persons` acted in it, `players` were named at its bets.
    `events` are the numbers of its first and last event in the journal.
    """

    round: int
    game: str
    began: str
    confirmed: str | None = None
    seats: tuple[int, ...] = ()
    players: tuple[str, ...] = ()
    staked: int | None = None
    hold: int | None = None
    prizes: tuple[WonPrize, ...] = ()
    article: str | None = None
    without_play: bool = False
    corrections: int = 0
    adjusted: int = 0
    adjustments: tuple[int, ...] = ()
    articles: tuple[str, ...] = ()
    nets: dict[int, int] = {}
    wagers: tuple[str, ...] = ()
    stakes: tuple[int, ...] = ()
    persons: tuple[str, ...] = ()
    events: tuple[int, int] = (0, 0)


class FollowedEvents:
    """The events of a journal in their order: which round each belongs to, and that round as it is after it."""

    def __init__(self) -> None:
        self.round: Round | None = None
        self._hits: dict[int, int] = {}

    def of(self, event: Event) -> int | None:
        """Takes the next event; returns its round, None if it belongs to none."""
        match event:
            case RoundBegun():
                self.round = open_round(event)
            case HitLocked():
                self._hits[event.hit] = event.round
            case _ if self.round is not None and isinstance(event, OF_ROUND_ALONE):
                self.round = advance(self.round, event)
        named = _names(event)
        if named is None and (hit := getattr(event, "hit", None)) is not None:
            named = self._hits.get(hit)
        if named is None and self.round is not None and isinstance(event, (*OF_ROUND, NoBetMade)):
            named = self.round.id
        return named


def _names(event: Event) -> int | None:
    named: int | None = getattr(event, "round", None)
    return named


def concerns_a_round(event: Event) -> bool:
    """Whether an event names its round or its hit."""
    return _names(event) is not None or getattr(event, "hit", None) is not None


class Rounds:
    """The rounds of events that come in order, by number."""

    def __init__(self) -> None:
        self.found: dict[int, AuditedRound] = {}
        self.present: Round | None = None
        self._followed = FollowedEvents()

    def receive(self, number: int, time: str, event: Event) -> int | None:
        """Takes the next event; returns its round, None if that round was not read."""
        of = self._followed.of(event)
        self.present = self._followed.round
        if isinstance(event, RoundBegun):
            self.found[event.round] = AuditedRound(event.round, event.terms.game, time, events=(number, number))
        audited = self.found.get(of or 0)
        if audited is None:
            return None
        _add(audited, event, self.present, number, time)
        return audited.round


def _add(audited: AuditedRound, event: Event, present: Round | None, number: int, time: str) -> None:
    audited.events = audited.events[0], number
    audited.persons = tuple(dict.fromkeys((*audited.persons, *persons_of(event))))
    match event:
        case BettingClosed() if present is not None:
            audited.seats = present.seats_in_play
        case RoundConfirmed() if present is not None:
            audited.confirmed = time
            _settled(audited, present)
        case RoundVoided(article=article):
            audited.article = article
        case NoBetMade():
            audited.without_play = True
        case InputCorrected():
            audited.corrections += 1
        case RoundAdjusted(amount=amount):
            audited.adjusted += amount
            audited.adjustments = (*audited.adjustments, amount)
        case HitLocked(hit, _, seat, tier, amount, player=player):
            audited.prizes = (*audited.prizes, WonPrize(hit, seat, player or None, tier, amount))
        case HitWithdrawn(hit=hit):
            audited.prizes = tuple(prize for prize in audited.prizes if prize.hit != hit)


def _settled(audited: AuditedRound, round: Round) -> None:
    kept = [] if round.settled is None else list(round.settled.kept())
    audited.staked, audited.hold = sum(stake for _, stake, _ in kept), sum(hold for _, _, hold in kept)
    audited.seats = tuple(sorted(round.wagers))
    named = (*round.players.values(), *(name for bets in round.bets.values() for bet in bets.values() for name in bet))
    audited.players = tuple(dict.fromkeys(name for name in named if name))
    lines: list[LineResult] = []
    if round.settled is not None:
        result = round.settled.result()
        for seat in result.seats:
            lines += seat.lines
            audited.nets[seat.seat] = sum(line.net for line in seat.lines)
        if result.bank is not None and result.bank.seat is not UNSET and result.bank.net is not UNSET:
            audited.nets[result.bank.seat] = result.bank.net
            lines += result.bank.joiners or ()
    audited.wagers = tuple(dict.fromkeys(line.wager for line in lines))
    audited.stakes = tuple(line.stake for line in lines if line.stake)
    cited = (
        audited.article,
        *(line.article for line in lines),
        *(odd.article for odd in game_of(round).irregularities(round)),
    )
    audited.articles = tuple(dict.fromkeys(article for article in cited if article))


def persons_of(event: Event) -> tuple[str, ...]:
    """The persons who did, co-signed or confirmed it."""
    named = [*(getattr(event, field, None) for field in PERSONS), *(getattr(event, "confirmed_by", None) or ())]
    return tuple(str(name) for name in named if name)
