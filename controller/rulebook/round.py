"""A live round of any game: what is known of it, and how each event changes it. No I/O here."""

from collections.abc import Mapping
from typing import ClassVar, Self, TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from controller.rulebook.cards import Card
from controller.rulebook.corrected import SeatCorrected, WagerCorrected, corrected_by
from controller.rulebook.events import (
    BettingClosed,
    CardBurned,
    CardCameEarly,
    CardsCounted,
    CardsDealt,
    CardsExposed,
    CardsInserted,
    CardsNulled,
    CardSource,
    CardsPending,
    CardsSetAside,
    CardsShown,
    CardsShuffled,
    ClaimsClosed,
    CountAsked,
    CountDoubted,
    CutPassed,
    Deal,
    DealAnnounced,
    DecisionMade,
    DeckCut,
    DeckFaulted,
    DeckRestored,
    ErrorCorrected,
    IncrementEntered,
    InputCorrected,
    PlayEvent,
    RoundConfirmed,
    RoundSettled,
    RoundVoided,
    SettlementWithdrawn,
    SharedEvent,
    ShuffleLost,
    Terms,
    UnreportedMatched,
    WagerPlaced,
    WarningCardPlaced,
)
from controller.rulebook.refusal import Reason, Value
from controller.rulebook.settlement import AnySettlement, Settlement
from controller.rulebook.steps import seat_place


class Dealt(msgspec.Struct, frozen=True):
    """Cards that left the source together, by draw number. `null` is the seat without a bet that got them (17.º 5)."""

    draws: tuple[int, ...]
    order: int | None
    null: int | None = None


class Gap(msgspec.Struct, frozen=True):
    """A gap: there may be unreported cards after the first `after` deals, at most `lost` of them (None: unknown)."""

    after: int
    lost: int | None


class Aside(msgspec.Struct, frozen=True):
    """Cards of a place that are out of play, in view; they are replaced after the first `after` deals."""

    to: str
    draws: tuple[int, ...]
    after: int


class Voided(msgspec.Struct, frozen=True):
    """The reason why a round does not count, and the seats whose jackpot chip continues to the next one (17.º 3)."""

    article: str
    code: str
    values: dict[str, Value]
    carried: tuple[int, ...]

    @property
    def why(self) -> Reason:
        """The reason, with the values of its sentence."""
        return Reason(self.code, self.values)


Place = TypeVar("Place")
Entered = TypeVar("Entered")
ORDERS_PER_ROUND = 256  # a round gives fewer: its numbers begin at round × 256, or where the machine's last one was


class Play(msgspec.Struct, frozen=True):
    """The state of one kind of play in addition to the shared round, and how each event changes it."""

    deals_everywhere: ClassVar[bool] = False  # a place gets cards even without a bet
    in_no_box: ClassVar[tuple[str, ...]] = ()  # amounts that are corrected as wagers are, and are none

    @property
    def shown(self) -> Mapping[str, tuple[Card, ...]]:
        """The cards of the places that were turned whole."""
        return {}

    @property
    def settlement(self) -> AnySettlement | None:
        """The settlement of a game that has a settlement of its own shape."""
        return None

    def prepared(self, ready: bool) -> Self:
        """The round whose cards are `ready` from before, or are to be prepared again."""
        return self

    def advance(self, round: "Round", event: SharedEvent | PlayEvent) -> "Round":
        """The round after an event of which the shared part is folded already."""
        raise NotImplementedError


class Round(msgspec.Struct, frozen=True, dict=True):
    """One round, as far as it has come. Money in minor units; cards by draw number until shown.

    `wagers` has the amount in each box, seats in order; where players share boxes `bets` divides it by seat, wager and
    player ("" for a player without a name). `deal` is the one announced (Fortune 8). `unread` are draws whose value was
    not received; `claimed` counts those that the dealer reported since the last report. `play` is the state of its kind
    of play. The instance's dictionary caches `derived` answers, which copies do not take over.
    """

    id: int
    terms: Terms
    play: Play
    orders_from: int
    carried_chips: tuple[int, ...] = ()
    orders_used: int = 0
    shuffles: int = 0
    deck_faulty: bool = False
    shuffled: bool = False
    cut: bool = False
    locked: bool = False
    wagers: dict[int, dict[str, int]] = {}
    bets: dict[int, dict[str, dict[str, int]]] = {}
    players: dict[int, str] = {}
    deal: Deal | None = None
    chips: tuple[int, ...] = ()
    returned_chips: tuple[int, ...] = ()
    dealt: tuple[Dealt, ...] = ()
    unread: tuple[int, ...] = ()
    claimed: int = 0
    gaps: tuple[Gap, ...] = ()
    counts: int = 0
    recounting: bool = False
    counted: bool = False
    corrected_errors: tuple[ErrorCorrected, ...] = ()
    corrections: tuple[InputCorrected, ...] = ()
    settlement: Settlement | None = None
    void: Voided | None = None
    confirmed: bool = False
    inserted: int = 0

    @property
    def draws(self) -> int:
        """The number of cards that have left the source in this round."""
        return sum(len(dealt.draws) for dealt in self.dealt)

    @property
    def settled(self) -> AnySettlement | None:
        """The settlement, in the shape of the game."""
        return self.settlement or self.play.settlement

    @property
    def deals_everywhere(self) -> bool:
        """Whether places get cards even if no one has bet there."""
        return self.deal == "every_space" or self.play.deals_everywhere

    @property
    def seats_in_play(self) -> tuple[int, ...]:
        """Seats with a wager, from the bank's left (11.º 1)."""
        return tuple(self.wagers)


def advance(round: Round, event: SharedEvent | PlayEvent) -> Round:
    """The round after an event: its shared part, then the part of its kind of play."""
    after = _advance(round, event)
    return after.play.advance(after, event)


def _advance(round: Round, event: SharedEvent | PlayEvent) -> Round:
    match event:
        # What comes many times in a round is looked for first.
        case CardsShown() | DecisionMade():
            return round
        case WagerPlaced(seat=seat, wager=wager, amount=amount, player=player):
            if player is not None and not round.terms.shared:
                round = replace(round, players=round.players | {seat: player})
            return with_wager(round, seat, wager, amount, player)
        case CardsDealt() | CountAsked() | UnreportedMatched() | CountDoubted() | CardsCounted():
            return _deal(round, event)
        case DeckFaulted():
            return replace(_shuffle_again(round), deck_faulty=True)
        case DeckRestored():
            return replace(round, deck_faulty=False)
        case ShuffleLost():
            return _shuffle_again(round)
        case CardsShuffled():
            used = round.orders_used + (round.terms.source == "shuffler")
            return replace(round, shuffled=True, orders_used=used)
        case DeckCut():
            return replace(round, cut=True)
        case BettingClosed(chips=chips, returned=returned):
            return replace(round, locked=True, chips=chips, returned_chips=returned)
        case DealAnnounced(deal=deal):
            return replace(round, deal=deal)
        case CardsSetAside():
            return replace(round, counted=False)
        case ErrorCorrected():
            return replace(round, corrected_errors=(*round.corrected_errors, event))
        case CardsNulled(draws=draws, seat=seat):
            dealt = tuple(replace(cards, null=seat) if cards.draws == draws else cards for cards in round.dealt)
            return replace(round, dealt=dealt, counted=False)
        case CardBurned(draw=draw):
            return replace(round, dealt=(*round.dealt, Dealt(draws=(draw,), order=None)))
        case InputCorrected():
            return replace(_corrected(round, event), corrections=(*round.corrections, event))
        case SettlementWithdrawn():
            return replace(round, settlement=None)
        case RoundSettled(settlement=settlement):
            return replace(round, settlement=settlement)
        case RoundVoided(article=article, code=code, values=values, carried=carried):
            void = Voided(article, code, values, carried)
            return replace(round, void=void)
        case RoundConfirmed():
            return replace(round, confirmed=True)
        case CardsInserted(count=count):
            return replace(round, inserted=round.inserted + count)
        case PlayEvent() | CardCameEarly() | CardsExposed() | ClaimsClosed() | CardsPending():
            return round
        case CutPassed() | WarningCardPlaced() | IncrementEntered():
            return round
        case _:
            assert_never(event)


def with_source(round: Round, source: CardSource, ready: bool) -> Round:
    """The round with another source, whose cards are ready or are to be shuffled."""
    terms = replace(round.terms, source=source)
    again = _shuffle_again(round)
    return replace(again, terms=terms, shuffled=ready, cut=ready, play=again.play.prepared(ready))


def _shuffle_again(round: Round) -> Round:
    """Asks for another shuffle with a new order number, since an earlier order may still be carried out."""
    used = round.orders_used + (not round.shuffled)
    play = round.play.prepared(False)
    return replace(round, shuffled=False, cut=False, shuffles=round.shuffles + 1, orders_used=used, play=play)


def _deal(round: Round, event: CardsDealt | CountAsked | UnreportedMatched | CountDoubted | CardsCounted) -> Round:
    match event:
        case CardsDealt(draws=draws, order=order, unread=unread, unreported=unreported):
            return replace(
                round,
                dealt=(*round.dealt, Dealt(draws=draws, order=order)),
                orders_used=round.orders_used + (order is not None),
                unread=(*round.unread, *unread),
                claimed=round.claimed + 1 if unreported else 0,
            )
        case UnreportedMatched(count=count):
            return replace(round, claimed=max(0, round.claimed - count))
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


def _one_more(gaps: tuple[Gap, ...], gap: Gap) -> tuple[Gap, ...]:
    """The gaps with another one; two at the same place are one."""
    if not gaps or gaps[-1].after != gap.after:
        return (*gaps, gap)
    lost = None if gaps[-1].lost is None or gap.lost is None else gaps[-1].lost + gap.lost
    return (*gaps[:-1], Gap(after=gap.after, lost=lost))


def _filled(round: Round, unread: tuple[int, ...]) -> Round:
    """The deals with the unreported cards where they were drawn: all in the one gap, or in each gap the number it
    lost.
    """
    dealt, left = list(round.dealt), list(unread)
    for gap in reversed(round.gaps):
        count = len(left) if len(round.gaps) == 1 else min(len(left), gap.lost or 0)
        here, left = left[len(left) - count :], left[: len(left) - count]
        dealt[gap.after : gap.after] = [Dealt(draws=(draw,), order=None) for draw in here]
    return replace(round, dealt=tuple(dealt))


def with_wager(round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> Round:
    """The round with a changed amount on a betting space, or of a player there; 0 removes the bet."""
    if round.terms.shared:
        here = round.bets.get(seat, {}).get(wager, {})
        own = {name: stake for name, stake in here.items() if name != (player or "")}
        if amount:
            own = {**here, player or "": amount}
        boxes = {name: bets for name, bets in {**round.bets.get(seat, {}), wager: own}.items() if bets}
        bets = {at: own_bets for at, own_bets in {**round.bets, seat: boxes}.items() if own_bets}
        round = replace(round, bets=bets)
        amount = sum(own.values())
    own_bets = {name: stake for name, stake in round.wagers.get(seat, {}).items() if name != wager}
    if amount:
        own_bets[wager] = amount
    wagers = {other: bets for other, bets in round.wagers.items() if other != seat}
    if own_bets:
        wagers[seat] = own_bets
    return replace(round, wagers=dict(sorted(wagers.items())))


def _corrected(round: Round, event: InputCorrected) -> Round:
    """The round with a bet or the seat of bets replaced; its play replaces the other entries."""
    match corrected_by(event):
        case SeatCorrected(seat=seat, to=to):
            return _moved(round, seat, to)
        case WagerCorrected(seat=seat, wager=wager, after=amount, player=player) if wager not in round.play.in_no_box:
            return with_wager(round, seat, wager, amount, player)
        case _:
            return round


def _moved(round: Round, seat: int, to: int) -> Round:
    """The round with all entries of one seat moved to another seat, which had none."""
    places = moved_places(round, seat, to)
    return replace(
        round,
        wagers=dict(sorted(moved_keys(round.wagers, {seat: to}).items())),
        bets=moved_keys(round.bets, {seat: to}),
        players=moved_keys(round.players, {seat: to}),
        corrected_errors=tuple(replace(error, to=places.get(error.to, error.to)) for error in round.corrected_errors),
    )


def moved_keys(entered: dict[Place, Entered], to: Mapping[Place, Place]) -> dict[Place, Entered]:
    """Entries by seat or place, some of them moved to another."""
    return {to.get(at, at): what for at, what in entered.items()}


def moved_places(round: Round, seat: int, to: int) -> dict[str, str]:
    """The cards of a seat whose bets were moved. They are where its turn was; if every space gets a card, they stay for
    anyone who has bet there.
    """
    return {} if round.deals_everywhere else {seat_place(seat): seat_place(to)}


def next_order(round: Round) -> int:
    """The number of the order that the shuffler carries out next."""
    return round.orders_from + round.orders_used + 1
