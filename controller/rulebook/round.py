"""A live round of any game: what is known of it, and what each event makes of it. No I/O here."""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from controller.rulebook.answers import last_answered, reworded
from controller.rulebook.cards import Card
from controller.rulebook.events import (
    AnswerGiven,
    BankTurned,
    BettingClosed,
    CardBurned,
    CardCameEarly,
    CardsCounted,
    CardsDealt,
    CardsExposed,
    CardsHeld,
    CardsInserted,
    CardsNulled,
    CardsSetAside,
    CardsShown,
    CardsShuffled,
    CardTaken,
    CardUncalled,
    ClaimsClosed,
    CountAsked,
    CountDoubted,
    CutPassed,
    Deal,
    DealAnnounced,
    DecisionMade,
    DeckCut,
    DeckFaulted,
    DeckMended,
    ErrorPutRight,
    IncrementEntered,
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
    UncalledSettled,
    UnheardMatched,
    WagerPlaced,
    WarningCardPlaced,
)
from controller.rulebook.round_parts import Aside, Dealt, Gap, Move, Uncalled, Voided
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import seat_of, seat_place
from controller.rulebook.taiwan_pai_kao.answer import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.articles import GAME as TAIWAN_PAI_KAO
from controller.rulebook.taiwan_pai_kao.events import (
    BankPassed,
    BankTaken,
    DiceAnnulled,
    DiceThrown,
    HandsSet,
    PlacesSettled,
    TilesMoved,
)
from controller.rulebook.taiwan_pai_kao.state import (
    CAPITAL_WAGER,
    CASINO_WAGER,
    PlacesRound,
    advanced,
    with_bank_money,
)

ORDERS_PER_ROUND = 256  # a round gives fewer: its numbers begin at round × 256, or where the machine's last one was


class Round(msgspec.Struct, frozen=True, dict=True):
    """One round, as far as it has come. Money in minor units; cards by draw number until shown.

    `wagers` holds what lies in each box; where players share boxes `bets` says whose it is, by seat, wager and player
    ("" for one nobody named). `deal` is the one announced (Fortune 8). `unread` are draws whose value nobody heard;
    `claimed` counts the ones the dealer told of since the last report. Where hands are asked, `moves` is the play in
    its order and `faces` the cards shown, by draw. `cut_after` is the seat that cut last, `cut_passed` those that pass.
    `tiles` is what Taiwan-Pai Kao alone has. The instance's own dictionary is for `derived` answers, which no copy has.
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
    cut_after: int = 0
    cut_passed: tuple[int, ...] = ()
    warned: bool = False
    locked: bool = False
    wagers: dict[int, dict[str, int]] = {}
    bets: dict[int, dict[str, dict[str, int]]] = {}
    players: dict[int, str] = {}
    deal: Deal | None = None
    came_early: tuple[int, ...] = ()
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
    aside: tuple[Aside, ...] = ()
    put_right: tuple[ErrorPutRight, ...] = ()
    decisions: dict[int, str] = {}
    shown: dict[str, tuple[Card, ...]] = {}
    moves: tuple[Move, ...] = ()
    faces: dict[int, Card] = {}
    uncalled: tuple[Uncalled, ...] = ()
    burned: bool = False
    increment: int | None = None
    corrections: tuple[InputCorrected, ...] = ()
    settlement: Settlement | None = None
    tiles: PlacesRound | None = None
    void: Voided | None = None
    confirmed: bool = False
    inserted: int = 0

    @property
    def draws(self) -> int:
        """How many cards have left the source in this round."""
        return sum(len(dealt.draws) for dealt in self.dealt)

    @property
    def settled(self) -> Settlement | PaiKaoSettlement | None:
        """The settlement, in the shape of the game."""
        return self.settlement if self.tiles is None else self.tiles.settlement

    @property
    def deals_everywhere(self) -> bool:
        """Whether cards lie at a place whoever has bet there, as they do in every round of Taiwan-Pai Kao."""
        return self.deal == "every_space" or self.tiles is not None

    @property
    def seats_in_play(self) -> tuple[int, ...]:
        """Seats with a wager, from the bank's left (11.º 1)."""
        return tuple(sorted(self.wagers))


def open_round(event: RoundBegun) -> Round:
    """A round at its first moment. A dispenser's cards lie ready always, a shoe's where they do from before."""
    ready = event.ready or _from_dispenser(event.terms)
    return Round(
        id=event.round,
        terms=event.terms,
        orders_from=event.orders_from,
        carried_chips=event.carried,
        shuffled=ready,
        cut=ready,
        cut_after=event.cut_after,
        warned=ready,
        burned=ready,
        tiles=PlacesRound(before=event.bank) if event.terms.game == TAIWAN_PAI_KAO else None,
    )


def tiles_of(round: Round) -> PlacesRound:
    """The part of a round that Taiwan-Pai Kao alone has. Raises TypeError in a round of another game."""
    if round.tiles is None:
        raise TypeError(f"{round.terms.game} is not played with tiles")
    return round.tiles


def _from_dispenser(terms: Terms) -> bool:
    return terms.continuous and terms.source == "shuffler"


def advance(round: Round, event: RoundEvent | SourceChosen) -> Round:
    """The round after an event."""
    match event:
        case RoundBegun():
            return open_round(event)
        case SourceChosen(source=source):
            terms = replace(round.terms, source=source)
            ready = _from_dispenser(terms)
            return replace(_shuffle_again(round), terms=terms, shuffled=ready, cut=ready, warned=ready, burned=ready)
        case DeckFaulted():
            return replace(_shuffle_again(round), deck_faulty=True)
        case DeckMended():
            return replace(round, deck_faulty=False)
        case ShuffleLost():
            return _shuffle_again(round)
        case CardsShuffled():
            used = round.orders_used + (round.terms.source == "shuffler")
            return replace(round, shuffled=True, orders_used=used)
        case DeckCut(by=by):
            return replace(round, cut=True, cut_after=seat_of(by) or 0)
        case CutPassed(seat=seat):
            return replace(round, cut_passed=(*round.cut_passed, seat))
        case WarningCardPlaced():
            return replace(round, warned=True)
        case WagerPlaced(seat=seat, wager=wager, amount=amount, player=player):
            alone = player is not None and not round.terms.shared
            players = round.players | ({seat: player} if alone and player is not None else {})
            return replace(with_wager(round, seat, wager, amount, player), players=players)
        case BettingClosed(chips=chips, returned=returned):
            # What was put on the display for other chips holds no longer (black-jack 41 b)).
            increment = round.increment if chips == round.chips else None
            return replace(round, locked=True, chips=chips, returned_chips=returned, increment=increment)
        case DealAnnounced(deal=deal):
            return replace(round, deal=deal)
        case CardCameEarly():
            return replace(round, came_early=(*round.came_early, round.draws + 1))
        case CardsDealt() | CountAsked() | UnheardMatched() | CountDoubted() | CardsCounted():
            return _deal(round, event)
        case CardsExposed() | CardsSetAside() | ErrorPutRight() | CardsNulled():
            return _irregular(round, event)
        case DecisionMade(seat=seat, decision=decision):
            return replace(round, decisions={**round.decisions, seat: decision})
        case CardsShown(draws=draws, cards=cards) if draws:
            return replace(round, faces={**round.faces, **dict(zip(draws, cards, strict=True))})
        case CardsShown(to=place, cards=cards):
            return replace(round, shown={**round.shown, place: cards})
        case CardBurned() | CardUncalled() | UncalledSettled() | CardTaken() | AnswerGiven() | BankTurned():
            return _played(round, event)
        case IncrementEntered(amount=amount):
            return replace(round, increment=amount)
        case InputCorrected():
            return replace(corrected(round, event), corrections=(*round.corrections, event))
        case SettlementWithdrawn():
            tiles = None if round.tiles is None else replace(round.tiles, settlement=None)
            return replace(round, settlement=None, tiles=tiles)
        case BankTaken() | BankPassed() | TilesMoved() | DiceThrown() | DiceAnnulled() | HandsSet() | PlacesSettled():
            return replace(round, tiles=advanced(tiles_of(round), event))
        case RoundSettled(settlement=settlement):
            return replace(round, settlement=settlement)
        case RoundVoided(article=article, reason=reason, carried=carried):
            return replace(round, void=Voided(article=article, reason=reason, carried=carried))
        case RoundConfirmed():
            return replace(round, confirmed=True)
        case CardsInserted(count=count):
            return replace(round, inserted=round.inserted + count)
        case ClaimsClosed() | CardsHeld():
            return round
        case _:
            assert_never(event)


def _shuffle_again(round: Round) -> Round:
    """Another shuffle, under an order number that was never given: an earlier one may still be carried out."""
    used = round.orders_used + (not round.shuffled)
    undone = replace(round, shuffled=False, cut=False, cut_passed=(), warned=False, burned=False)
    return replace(undone, shuffles=round.shuffles + 1, orders_used=used)


def _deal(round: Round, event: CardsDealt | CountAsked | UnheardMatched | CountDoubted | CardsCounted) -> Round:
    match event:
        case UnheardMatched(count=count):
            return replace(round, claimed=max(0, round.claimed - count))
        case CardsDealt(draws=draws, order=order, unread=unread, unheard=unheard):
            return replace(
                round,
                dealt=(*round.dealt, Dealt(draws=draws, order=order)),
                moves=(*round.moves, *map(Move, draws)) if round.terms.asks else (),
                orders_used=round.orders_used + (order is not None),
                unread=(*round.unread, *unread),
                claimed=round.claimed + 1 if unheard else 0,
            )
        case CountAsked(lost=lost):
            return replace(round, gaps=_one_more(round.gaps, Gap(after=len(round.dealt), lost=lost)), claimed=0)
        case CardsCounted(unread=unread):
            return replace(
                _filled(round, unread),
                unread=(*round.unread, *unread),
                counted=not round.gaps,
                gaps=(),
                counts=round.counts + 1,
                recounting=False,
            )
        case CountDoubted():
            return replace(round, counts=round.counts + 1, recounting=True)
        case _:
            assert_never(event)


def _played(
    round: Round, event: CardBurned | CardUncalled | UncalledSettled | CardTaken | AnswerGiven | BankTurned
) -> Round:
    match event:
        case CardBurned(draw=draw):
            return replace(round, dealt=(*round.dealt, Dealt(draws=(draw,), order=None)), burned=True)
        case CardUncalled(draw=draw, what=what, to=to):
            dealt = (*round.dealt, Dealt(draws=(draw,), order=None))
            return replace(round, dealt=dealt, uncalled=(*round.uncalled, Uncalled(draw=draw, what=what, to=to)))
        case UncalledSettled(draw=draw, seen=seen):
            found = tuple(replace(one, seen=seen) if one.draw == draw else one for one in round.uncalled)
            return replace(round, uncalled=found)
        case CardTaken(draw=draw, unread=unread):
            found = tuple(replace(one, taken=True) if one.draw == draw else one for one in round.uncalled)
            unknown = (*round.unread, draw) if unread else round.unread
            return replace(round, uncalled=found, moves=(*round.moves, Move(draw=draw)), unread=unknown)
        case AnswerGiven():
            return replace(round, moves=(*round.moves, Move(answer=event)))
        case BankTurned():
            return replace(round, moves=(*round.moves, Move()))
        case _:
            assert_never(event)


def _irregular(round: Round, event: CardsExposed | CardsSetAside | ErrorPutRight | CardsNulled) -> Round:
    match event:
        case CardsExposed(to=place, count=count):
            return replace(round, exposed={**round.exposed, place: round.exposed.get(place, 0) + count})
        case CardsSetAside(to=place, draws=draws):
            left_out = Aside(to=place, draws=draws, after=len(round.dealt))
            return replace(round, aside=(*round.aside, left_out), counted=False)
        case ErrorPutRight():
            return replace(round, put_right=(*round.put_right, event))
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


def _filled(round: Round, unread: tuple[int, ...]) -> Round:
    """The deals with the unheard cards where they were drawn: all in the one gap, or as many in each as it lost."""
    dealt, left = list(round.dealt), list(unread)
    for gap in reversed(round.gaps):
        count = len(left) if len(round.gaps) == 1 else min(len(left), gap.lost or 0)
        here, left = left[len(left) - count :], left[: len(left) - count]
        dealt[gap.after : gap.after] = [Dealt(draws=(draw,), order=None) for draw in here]
    return replace(round, dealt=tuple(dealt))


def with_wager(round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> Round:
    """The round with what now lies on one betting space, or what a player has there; 0 takes it away."""
    if round.terms.shared:
        here = round.bets.get(seat, {}).get(wager, {})
        own = {name: stake for name, stake in here.items() if name != (player or "")}
        if amount:
            own = {**here, player or "": amount}
        boxes = {name: bets for name, bets in {**round.bets.get(seat, {}), wager: own}.items() if bets}
        bets = {at: laid for at, laid in {**round.bets, seat: boxes}.items() if laid}
        round = replace(round, bets=bets)
        amount = sum(own.values())
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
        case "wager" if event.wager in (CAPITAL_WAGER, CASINO_WAGER) and round.tiles is not None:
            return replace(round, tiles=with_bank_money(round.tiles, event.wager, int(event.after)))
        case "dice" if round.tiles is not None:
            dice = tuple(int(die) for die in str(event.after).split())
            return replace(round, tiles=replace(round.tiles, dice=dice))
        case "wager" if seat is not None and event.wager is not None:
            without = {at: decision for at, decision in round.decisions.items() if at != seat}
            no_ante = event.wager == "ante" and not event.after
            decisions = without if no_ante else round.decisions
            laid = with_wager(round, seat, event.wager, int(event.after), event.player)
            return replace(laid, decisions=decisions)
        case "decision" if seat is not None and round.terms.asks:
            return _answered_otherwise(round, seat, str(event.after), event.asked_again)
        case "decision" if seat is not None:
            return replace(round, decisions={**round.decisions, seat: str(event.after)})
        case "cards" if event.draws:
            faces = dict(zip(event.draws, map(Card, str(event.after).split()), strict=True))
            return replace(round, faces={**round.faces, **faces})
        case "cards":
            return replace(round, shown={**round.shown, event.at: tuple(map(Card, str(event.after).split()))})
        case "seat" if seat is not None and (to := seat_of(str(event.after))) is not None:
            return _moved(round, seat, to)
        case _:
            raise TypeError(f"no correction of {event.what} at {event.at}")


def _answered_otherwise(round: Round, seat: int, words: str, asked_again: int) -> Round:
    """The seat's last answer to that question replaced, and so many answers after it taken back."""
    moves = list(round.moves[: len(round.moves) - asked_again])
    at = last_answered([move.answer for move in moves], seat, words)
    given = moves[at].answer
    if given is not None:
        moves[at] = Move(answer=reworded(given, words))
    return replace(round, moves=tuple(moves))


def _moved(round: Round, seat: int, to: int) -> Round:
    """All that was entered for one seat belongs to another one, which had nothing.

    Its cards went where its turn was; where every space gets one, they lie there whoever has bet.
    """
    places = {} if round.deals_everywhere else {seat_place(seat): seat_place(to)}
    return replace(
        round,
        wagers=dict(sorted((to if at == seat else at, laid) for at, laid in round.wagers.items())),
        bets={to if at == seat else at: laid for at, laid in round.bets.items()},
        players={to if at == seat else at: player for at, player in round.players.items()},
        decisions={to if at == seat else at: decision for at, decision in round.decisions.items()},
        moves=tuple(_answered_for(to, move, seat) for move in round.moves),
        uncalled=tuple(replace(one, to=places.get(one.to, one.to)) for one in round.uncalled),
        shown={places.get(place, place): cards for place, cards in round.shown.items()},
        exposed={places.get(place, place): count for place, count in round.exposed.items()},
        put_right=tuple(replace(one, to=places.get(one.to, one.to)) for one in round.put_right),
    )


def _answered_for(to: int, move: Move, seat: int) -> Move:
    """A move, `to` answering where `seat` did."""
    if move.answer is None or move.answer.seat != seat:
        return move
    return replace(move, answer=replace(move.answer, seat=to))


def next_order(round: Round) -> int:
    """The number of the order that the shuffler carries out next."""
    return round.orders_from + round.orders_used + 1
