"""A live round of Fortune 3 Card Poker, 2025: what it asks next and what each event makes of it. No I/O here."""

from collections.abc import Iterator
from typing import assert_never

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from controller.rulebook.cards import Card
from controller.rulebook.events import (
    BettingClosed,
    CardsDealt,
    CardsShown,
    CardsShuffled,
    ClaimsClosed,
    DecisionMade,
    RoundBegun,
    RoundConfirmed,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    Terms,
    WagerPlaced,
)
from controller.rulebook.fortune_3_card_poker.paytables import BASIC_WAGERS
from controller.rulebook.fortune_3_card_poker.settle import (
    DealerAnswer,
    JackpotAnswer,
    JackpotTerms,
    Line,
    SeatAnswer,
    SeatRound,
    Settlement,
    settle,
)
from controller.rulebook.fortune_3_card_poker.wagers import Limits, refuse_decision, refuse_wagers
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import Step, seat_place

GAME = "fortune-3-card-poker-2025"
HAND_CARDS = 3
COMMUNITY_CARDS = 2
ORDERS_PER_ROUND = 256  # a round gives fewer: its numbers begin at round × 256, or where the machine's last one was


class Dealt(msgspec.Struct, frozen=True):
    """Cards that left the source together: the draw number and the place of each."""

    draws: tuple[int, ...]
    to: tuple[str, ...]
    order: int | None


class Voided(msgspec.Struct, frozen=True):
    """Why a round does not count."""

    article: str
    reason: str


class Round(msgspec.Struct, frozen=True):
    """One round, as far as it has come. Money in minor units; cards by draw number until shown."""

    id: int
    terms: Terms
    orders_from: int
    shuffled: bool = False
    locked: bool = False
    wagers: dict[int, dict[str, int]] = {}
    players: dict[int, str] = {}
    chips: tuple[int, ...] = ()
    returned_chips: tuple[int, ...] = ()
    dealt: tuple[Dealt, ...] = ()
    decisions: dict[int, str] = {}
    shown: dict[str, tuple[Card, ...]] = {}
    settlement: Settlement | None = None
    void: Voided | None = None
    confirmed: bool = False

    @property
    def draws(self) -> int:
        """How many cards have left the source in this round."""
        return sum(len(dealt.draws) for dealt in self.dealt)

    @property
    def seats_in_play(self) -> tuple[int, ...]:
        """Seats with a wager, from the bank's left (11.º 1)."""
        return tuple(sorted(self.wagers))

    def draws_at(self, place: str) -> tuple[int, ...]:
        """The draw numbers of the cards that lie at a place, in the order they came."""
        return tuple(
            draw for dealt in self.dealt for draw, to in zip(dealt.draws, dealt.to, strict=True) if to == place
        )


def open_round(event: RoundBegun) -> Round:
    """A round at its first moment."""
    return Round(id=event.round, terms=event.terms, orders_from=event.orders_from)


def packets(round: Round) -> Iterator[tuple[str, ...]]:
    """The deal in order, each item the places of the cards that leave the source together (11.º 1 to 4)."""
    seats = [seat_place(seat) for seat in round.seats_in_play]
    if round.terms.source == "shoe":
        for _ in range(HAND_CARDS):
            yield from ((place,) for place in seats)
        yield from (("bank",) for _ in range(HAND_CARDS))
        if round.chips:
            yield from (("community",) for _ in range(COMMUNITY_CARDS))
        return
    yield from ((place,) * HAND_CARDS for place in [*seats, "bank"])
    if round.chips:
        community = ("community",) * COMMUNITY_CARDS
        # 11.º 4: a machine that gives only threes gives one card too many; the top one goes to the discard rack.
        yield community if COMMUNITY_CARDS in round.terms.packet_sizes else ("discard", *community)


def next_order(round: Round) -> int:
    """The number of the order that the shuffler carries out next; the shuffle is the round's first."""
    done = sum(dealt.order is not None for dealt in round.dealt) + round.shuffled
    return round.orders_from + done + 1


def stays(round: Round, seat: int) -> bool:
    """Whether a seat's hand is settled: played, or with a bet that giving up does not touch (12.º 3, 4)."""
    return round.decisions.get(seat) != "fold" or bool(set(stakes(round, seat)) - {"ante"})


def stakes(round: Round, seat: int) -> dict[str, int]:
    """A seat's wagers with its jackpot chip, in minor units, in the order settlements list them."""
    laid = dict(round.wagers.get(seat, {}))
    if seat in round.chips:
        laid["jackpot"] = round.terms.chip
    return {wager: laid[wager] for wager in ("ante", "pair_plus", "six_card_bonus", "jackpot") if wager in laid}


def places_to_show(round: Round) -> Iterator[str]:
    """The bank, each hand still to be settled from the bank's left, the community cards last (13.º 7, 15.º 1)."""
    yield "bank"
    yield from (seat_place(seat) for seat in round.seats_in_play if stays(round, seat))
    if round.chips:
        yield "community"


def next_step(round: Round) -> Step:
    """What this round waits for (8.º)."""
    if round.confirmed:
        return Step(id=f"{round.id}/claims", kind="claims")
    if round.settlement is not None:
        return Step(id=f"{round.id}/confirm", kind="confirm")
    from_shuffler = round.terms.source == "shuffler"
    order = next_order(round) if from_shuffler else None
    if not round.shuffled:
        return Step(id=f"{round.id}/shuffle", kind="shuffle", order=order)
    if not round.locked:
        return Step(id=f"{round.id}/wagers", kind="wagers")
    for number, packet in enumerate(packets(round), start=1):
        if number > len(round.dealt):
            return Step(id=f"{round.id}/deal/{number}", kind="deal", to=packet, order=order)
    waiting = tuple(
        seat for seat in round.seats_in_play if "ante" in round.wagers[seat] and seat not in round.decisions
    )
    if waiting:
        return Step(id=f"{round.id}/decisions", kind="decisions", waiting=waiting)
    for place in places_to_show(round):
        if place not in round.shown:
            return Step(id=f"{round.id}/reveal/{place}", kind="reveal", to=(place,))
    return Step(id=f"{round.id}/confirm", kind="confirm")


def check_wager(round: Round, seat: int, wager: str, amount: int) -> None:
    """Refuse a wager no seat may lay: unknown, not offered, or outside the limits (3.º, 10.º 1). 0 takes it back."""
    terms = round.terms
    if not 1 <= seat <= terms.seats:
        raise Refusal(seat_place(seat), f"this table has seats 1 to {terms.seats}", "5.º 2")
    offered = (*BASIC_WAGERS, *(name for name in terms.additional if name != "jackpot"))
    if wager not in offered:
        raise Refusal(seat_place(seat), f"{wager!r} is not offered here; offered: {', '.join(offered)}", "3.º")
    if amount and not terms.minimum <= amount <= terms.maximum:
        raise Refusal(
            seat_place(seat), f"{wager} of {amount} is outside the limits {terms.minimum} to {terms.maximum}", "10.º 1)"
        )


def close_betting(round: Round, chips_present: tuple[int, ...]) -> BettingClosed:
    """Close the betting (10.º 3): which jackpot chips count, and which go back for want of a basic bet (4.º 3)."""
    if not any(set(laid) & set(BASIC_WAGERS) for laid in round.wagers.values()):
        raise Refusal("table", "nobody has laid an ante or a Pair Plus bet", "4.º 3")
    limits = Limits(min=round.terms.minimum, max=round.terms.maximum)
    for seat in round.seats_in_play:
        refuse_wagers(seat, round.wagers[seat], limits)
    chips = tuple(seat for seat in chips_present if seat in round.wagers)
    return BettingClosed(chips=chips, returned=tuple(seat for seat in chips_present if seat not in chips))


def check_decision(round: Round, seat: int, decision: str) -> None:
    """Refuse a decision nobody asked that seat for (12.º 2)."""
    if seat in round.decisions:
        raise Refusal(seat_place(seat), f"has decided already: {round.decisions[seat]}", "12.º 2")
    refuse_decision(seat, round.wagers.get(seat, {}), decision)


def settle_round(round: Round, jackpot: JackpotTerms | None) -> Settlement:
    """Settle the round on the cards that were shown; a hand the rules did not show has none."""
    seats = {
        seat: SeatRound(
            wagers=stakes(round, seat),
            decision=round.decisions.get(seat),
            cards=round.shown.get(seat_place(seat)),
        )
        for seat in round.seats_in_play
    }
    return settle(seats, round.shown["bank"], round.shown.get("community"), jackpot)


def void_round(round: Round, article: str, pot: int | None) -> Settlement:
    """Every wager taken back (17.º 1): nothing won and nothing lost, each line under what voids the round.

    `pot` is the meter in minor units once the chips have taken their contributions back, None without a jackpot.
    """
    seats = {
        str(seat): SeatAnswer(
            hand=None,
            net=0,
            lines=[
                Line(
                    wager=wager,
                    stake=stake,
                    outcome="void",
                    odds=None,
                    net=0,
                    combination=None if wager in ("six_card_bonus", "jackpot") else UNSET,
                    article=article,
                    carried=False if wager == "jackpot" else UNSET,
                )
                for wager, stake in stakes(round, seat).items()
            ],
        )
        for seat in round.seats_in_play
    }
    return Settlement(
        game=GAME,
        outcome="void",
        dealer=DealerAnswer(hand=None, qualifies=None),
        seats=seats,
        jackpot=UNSET if pot is None else JackpotAnswer(pot_before=pot, pot_after=pot, awards=[]),
    )


def advance(round: Round, event: RoundEvent) -> Round:
    """The round after an event."""
    match event:
        case RoundBegun():
            return open_round(event)
        case CardsShuffled():
            return replace(round, shuffled=True)
        case WagerPlaced():
            return _with_wager(round, event)
        case BettingClosed(chips=chips, returned=returned):
            return replace(round, locked=True, chips=chips, returned_chips=returned)
        case CardsDealt(draws=draws, to=to, order=order):
            return replace(round, dealt=(*round.dealt, Dealt(draws=draws, to=to, order=order)))
        case DecisionMade(seat=seat, decision=decision):
            return replace(round, decisions={**round.decisions, seat: decision})
        case CardsShown(to=place, cards=cards):
            return replace(round, shown={**round.shown, place: cards})
        case RoundSettled(settlement=settlement):
            return replace(round, settlement=settlement)
        case RoundVoided(article=article, reason=reason):
            return replace(round, void=Voided(article=article, reason=reason))
        case RoundConfirmed():
            return replace(round, confirmed=True)
        case ClaimsClosed():
            return round
        case _:
            assert_never(event)


def _with_wager(round: Round, event: WagerPlaced) -> Round:
    laid = {wager: amount for wager, amount in round.wagers.get(event.seat, {}).items() if wager != event.wager}
    if event.amount:
        laid[event.wager] = event.amount
    wagers = {seat: bets for seat, bets in round.wagers.items() if seat != event.seat}
    if laid:
        wagers[event.seat] = laid
    players = round.players if event.player is None else {**round.players, event.seat: event.player}
    return replace(round, wagers=dict(sorted(wagers.items())), players=players)
