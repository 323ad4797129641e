"""A live round of Fortune 3 Card Poker, 2025: what is known of it, and what each event makes of it. No I/O here."""

from collections.abc import Iterator
from typing import assert_never

import msgspec
from msgspec.structs import replace

from controller.rulebook.cards import Card, parse_cards
from controller.rulebook.events import (
    BettingClosed,
    CardsCounted,
    CardsDealt,
    CardsExposed,
    CardsInserted,
    CardsNulled,
    CardsShown,
    CardsShuffled,
    ClaimsClosed,
    CountAsked,
    CountDoubted,
    DecisionMade,
    DeckCut,
    DeckFaulted,
    DeckMended,
    InputCorrected,
    RoundBegun,
    RoundConfirmed,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    SettlementWithdrawn,
    ShuffleLost,
    SourceChosen,
    Terms,
    WagerPlaced,
)
from controller.rulebook.fortune_3_card_poker.settle import Settlement
from controller.rulebook.steps import seat_of, seat_place

GAME = "fortune-3-card-poker-2025"
ORDERS_PER_ROUND = 256  # a round gives fewer: its numbers begin at round × 256, or where the machine's last one was


class Dealt(msgspec.Struct, frozen=True):
    """Cards that left the source together, by draw number. `null` is the seat without a bet they went to (17.º 5)."""

    draws: tuple[int, ...]
    order: int | None
    null: int | None = None


class Gap(msgspec.Struct, frozen=True):
    """Unheard cards may lie after the first `after` deals, at most `lost` of them (None: unknown)."""

    after: int
    lost: int | None


class Voided(msgspec.Struct, frozen=True):
    """Why a round does not count, and the seats whose jackpot chip goes on to the next one (17.º 3)."""

    article: str
    reason: str
    carried: tuple[int, ...] = ()


class Round(msgspec.Struct, frozen=True):
    """One round, as far as it has come. Money in minor units; cards by draw number until shown.

    `unread` are draws whose value nobody heard; `claimed` counts the ones the dealer told of since the last report.
    """

    id: int
    terms: Terms
    orders_from: int
    carried_chips: tuple[int, ...] = ()
    orders_used: int = 0
    shuffles: int = 0
    deck_faulty: bool = False
    shuffled: bool = False
    cut: bool = False
    locked: bool = False
    wagers: dict[int, dict[str, int]] = {}
    players: dict[int, str] = {}
    chips: tuple[int, ...] = ()
    returned_chips: tuple[int, ...] = ()
    dealt: tuple[Dealt, ...] = ()
    unread: tuple[int, ...] = ()
    claimed: int = 0
    gaps: tuple[Gap, ...] = ()
    counts: int = 0
    recounting: bool = False
    counted: bool = False
    exposed: dict[str, int] = {}
    decisions: dict[int, str] = {}
    shown: dict[str, tuple[Card, ...]] = {}
    corrections: tuple[InputCorrected, ...] = ()
    settlement: Settlement | None = None
    void: Voided | None = None
    confirmed: bool = False
    inserted: int = 0

    @property
    def draws(self) -> int:
        """How many cards have left the source in this round."""
        return sum(len(dealt.draws) for dealt in self.dealt)

    @property
    def seats_in_play(self) -> tuple[int, ...]:
        """Seats with a wager, from the bank's left (11.º 1)."""
        return tuple(sorted(self.wagers))


def open_round(event: RoundBegun) -> Round:
    """A round at its first moment."""
    return Round(id=event.round, terms=event.terms, orders_from=event.orders_from, carried_chips=event.carried)


def stakes(round: Round, seat: int) -> dict[str, int]:
    """A seat's wagers with its jackpot chip, in minor units, in the order settlements list them."""
    laid = dict(round.wagers.get(seat, {}))
    if seat in round.chips:
        laid["jackpot"] = round.terms.chip
    return {wager: laid[wager] for wager in ("ante", "pair_plus", "six_card_bonus", "jackpot") if wager in laid}


def stays(round: Round, seat: int) -> bool:
    """Whether a seat's hand is settled: played, or with a bet that giving up does not touch (12.º 3, 4)."""
    return round.decisions.get(seat) != "fold" or bool(set(stakes(round, seat)) - {"ante"})


def places_to_show(round: Round) -> Iterator[str]:
    """The bank, each hand still to be settled from the bank's left, the community cards last (13.º 7, 15.º 1)."""
    yield "bank"
    yield from (seat_place(seat) for seat in round.seats_in_play if stays(round, seat))
    if round.chips:
        yield "community"


def advance(round: Round, event: RoundEvent | SourceChosen) -> Round:
    """The round after an event."""
    match event:
        case RoundBegun():
            return open_round(event)
        case SourceChosen(source=source):
            return replace(_shuffle_again(round), terms=replace(round.terms, source=source))
        case DeckFaulted():
            return replace(_shuffle_again(round), deck_faulty=True)
        case DeckMended():
            return replace(round, deck_faulty=False)
        case ShuffleLost():
            return _shuffle_again(round)
        case CardsShuffled():
            used = round.orders_used + (round.terms.source == "shuffler")
            return replace(round, shuffled=True, orders_used=used)
        case DeckCut():
            return replace(round, cut=True)
        case WagerPlaced(seat=seat, wager=wager, amount=amount, player=player):
            players = round.players if player is None else {**round.players, seat: player}
            return replace(with_wager(round, seat, wager, amount), players=players)
        case BettingClosed(chips=chips, returned=returned):
            return replace(round, locked=True, chips=chips, returned_chips=returned)
        case CardsDealt() | CountAsked() | CountDoubted() | CardsCounted() | CardsExposed() | CardsNulled():
            return _deal(round, event)
        case DecisionMade(seat=seat, decision=decision):
            return replace(round, decisions={**round.decisions, seat: decision})
        case CardsShown(to=place, cards=cards):
            return replace(round, shown={**round.shown, place: cards})
        case InputCorrected():
            return replace(corrected(round, event), corrections=(*round.corrections, event))
        case SettlementWithdrawn():
            return replace(round, settlement=None)
        case RoundSettled(settlement=settlement):
            return replace(round, settlement=settlement)
        case RoundVoided(article=article, reason=reason, carried=carried):
            return replace(round, void=Voided(article=article, reason=reason, carried=carried))
        case RoundConfirmed():
            return replace(round, confirmed=True)
        case CardsInserted(count=count):
            return replace(round, inserted=round.inserted + count)
        case ClaimsClosed():
            return round
        case _:
            assert_never(event)


def _shuffle_again(round: Round) -> Round:
    """Another shuffle, under an order number that was never given: an earlier one may still be carried out."""
    used = round.orders_used + (not round.shuffled)
    return replace(round, shuffled=False, cut=False, shuffles=round.shuffles + 1, orders_used=used)


def _deal(
    round: Round, event: CardsDealt | CountAsked | CountDoubted | CardsCounted | CardsExposed | CardsNulled
) -> Round:
    match event:
        case CardsDealt(draws=draws, order=order, unread=unread, unheard=unheard):
            return replace(
                round,
                dealt=(*round.dealt, Dealt(draws=draws, order=order)),
                orders_used=round.orders_used + (order is not None),
                unread=(*round.unread, *unread),
                claimed=round.claimed + 1 if unheard else 0,
            )
        case CountAsked(lost=lost):
            return replace(round, gaps=_one_more(round.gaps, Gap(after=len(round.dealt), lost=lost)), claimed=0)
        case CardsCounted(unread=unread):
            return replace(
                round,
                dealt=_filled(round, unread),
                unread=(*round.unread, *unread),
                counted=not round.gaps,
                gaps=(),
                counts=round.counts + 1,
                recounting=False,
            )
        case CountDoubted():
            return replace(round, counts=round.counts + 1, recounting=True)
        case CardsExposed(to=place, count=count):
            return replace(round, exposed={**round.exposed, place: round.exposed.get(place, 0) + count})
        case CardsNulled(draws=draws, seat=seat):
            dealt = tuple(replace(one, null=seat) if one.draws == draws else one for one in round.dealt)
            return replace(round, dealt=dealt, counted=False)
        case _:
            assert_never(event)


def _one_more(gaps: tuple[Gap, ...], gap: Gap) -> tuple[Gap, ...]:
    """The gaps with another one; two at the same place are one."""
    if not gaps or gaps[-1].after != gap.after:
        return (*gaps, gap)
    lost = None if gaps[-1].lost is None or gap.lost is None else gaps[-1].lost + gap.lost
    return (*gaps[:-1], Gap(after=gap.after, lost=lost))


def _filled(round: Round, unread: tuple[int, ...]) -> tuple[Dealt, ...]:
    """The deals with the unheard cards where they were drawn: all in the one gap, or as many in each as it lost."""
    dealt, left = list(round.dealt), list(unread)
    for gap in reversed(round.gaps):
        count = len(left) if len(round.gaps) == 1 else min(len(left), gap.lost or 0)
        here, left = left[len(left) - count :], left[: len(left) - count]
        dealt[gap.after : gap.after] = [Dealt(draws=(draw,), order=None) for draw in here]
    return tuple(dealt)


def with_wager(round: Round, seat: int, wager: str, amount: int) -> Round:
    """The round with what now lies on one betting space; 0 takes the wager away."""
    laid = {name: stake for name, stake in round.wagers.get(seat, {}).items() if name != wager}
    if amount:
        laid[wager] = amount
    wagers = {other: bets for other, bets in round.wagers.items() if other != seat}
    if laid:
        wagers[seat] = laid
    return replace(round, wagers=dict(sorted(wagers.items())))


def corrected(round: Round, event: InputCorrected) -> Round:
    """The round with one input replaced; everything derived from it follows by itself."""
    seat = seat_of(event.at)
    match event.what:
        case "wager" if seat is not None and event.wager is not None:
            without = {at: decision for at, decision in round.decisions.items() if at != seat}
            no_ante = event.wager == "ante" and not event.after
            decisions = without if no_ante else round.decisions
            return replace(with_wager(round, seat, event.wager, int(event.after)), decisions=decisions)
        case "decision" if seat is not None:
            return replace(round, decisions={**round.decisions, seat: str(event.after)})
        case "cards":
            return replace(round, shown={**round.shown, event.at: parse_cards(str(event.after))})
        case "seat" if seat is not None and (to := seat_of(str(event.after))) is not None:
            return _moved(round, seat, to)
        case _:
            raise TypeError(f"no correction of {event.what} at {event.at}")


def _moved(round: Round, seat: int, to: int) -> Round:
    """All that was entered for one seat belongs to another one, which had nothing."""
    places = {seat_place(seat): seat_place(to)}
    return replace(
        round,
        wagers=dict(sorted((to if at == seat else at, laid) for at, laid in round.wagers.items())),
        players={to if at == seat else at: player for at, player in round.players.items()},
        decisions={to if at == seat else at: decision for at, decision in round.decisions.items()},
        shown={places.get(place, place): cards for place, cards in round.shown.items()},
        exposed={places.get(place, place): count for place, count in round.exposed.items()},
    )
