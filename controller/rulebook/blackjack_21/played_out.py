"""A completed round of black-jack/21 played again from its shoe and the wishes of each seat. No I/O here."""

from collections import Counter
from collections.abc import Mapping, Sequence

from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.paytable import BANK, MATERIAL, PLAY, THE_DEAL
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.state import (
    BANK_PLACE,
    Decided,
    Followed,
    GaveUp,
    Insured,
    PlayerAnswer,
    RoundState,
    Seat,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import (
    CardDue,
    EvenMoneyAsked,
    FollowAsked,
    GiveUpAsked,
    HandAsked,
    InsuranceAsked,
    Over,
    TurnDue,
    in_play,
    waits_for,
    why_not_asked,
)
from controller.rulebook.cards import Card
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Reason, Refusal, quoted
from controller.rulebook.steps import seat_place

SURRENDER = "surrender"
SPLIT_FOLLOWED = "28"
DOUBLE_FOLLOWED = "30"
INSURANCE = "33"
EVEN_MONEY = "34"
NO_THIRD_CARD = "22"


class SeatWishes:
    """The wishes of one seat and its backers, in the order of the questions; each is taken out as it is used."""

    def __init__(
        self,
        seat_bets: SeatBet,
        decisions: Sequence[str],
        insurance: Sequence[int],
        even_money: bool,
        follows: Sequence[Sequence[bool]],
    ) -> None:
        """`insurance` and `even_money` as placed; `follows` has, for each backer, an answer for each split or
        double.
        """
        self.place = seat_place(seat_bets.seat)
        self.even_money = even_money
        self._seat_bet = seat_bets
        self._decisions = list(decisions)
        self._insurance = tuple(insurance)
        self._follows = [list(answers) for answers in follows]

    def gives_up(self) -> bool:
        """Whether the seat's first decision is to give up (36)."""
        if self._decisions[:1] != [SURRENDER]:
            return False
        del self._decisions[0]
        return True

    def decision(self, hand: int) -> str:
        """The seat's next decision (18)."""
        if not self._decisions:
            raise Refusal(self.place, BlackjackReason.NO_DECISION_FOR_HAND, PLAY, hand=hand)
        return self._decisions.pop(0)

    def insures(self) -> tuple[int, ...]:
        """The amounts that the seat and its backers insure (33)."""
        return self._insurance

    def follow(self, wait: FollowAsked) -> tuple[bool, ...]:
        """Whether each of the backers asked follows (28, 30)."""
        for backer in wait.backers:
            if not self._follows[backer]:
                rule = SPLIT_FOLLOWED if wait.decision == "split" else DOUBLE_FOLLOWED
                raise Refusal(
                    self.place,
                    BlackjackReason.FOLLOWS_MISSING,
                    rule,
                    player=self._name(backer),
                    decision=wait.decision,
                    hand=wait.hand,
                )
        return tuple(self._follows[backer].pop(0) for backer in wait.backers)

    def check_insurance(self, shows_ace: bool, black_jack: bool) -> None:
        """Raises Refusal for insurance without an ace (33), or even money without an ace or a black-jack (34)."""
        if any(self._insurance) and not shows_ace:
            raise Refusal(self.place, BlackjackReason.INSURANCE_WITHOUT_ACE, INSURANCE)
        if self.even_money and not shows_ace:
            raise Refusal(self.place, BlackjackReason.EVEN_MONEY_WITHOUT_ACE, EVEN_MONEY)
        if self.even_money and not black_jack:
            raise Refusal(self.place, BlackjackReason.EVEN_MONEY_WITHOUT_BLACK_JACK, EVEN_MONEY)
        if self.even_money and any(self._insurance):
            raise Refusal(self.place, BlackjackReason.EVEN_MONEY_AND_INSURANCE, EVEN_MONEY)

    def check_nothing_left(self, seat: Seat) -> None:
        """Raises Refusal for wishes that no question asked for."""
        if self._decisions and (why := why_not_asked(seat, seat.hands[-1])) is not None:
            raise Refusal(
                self.place,
                BlackjackReason.DECISION_LEFT_OVER,
                why.rule,
                decision=self._decisions[0],
                hand=len(seat.hands),
                why=Reason(why.code, why.values),
            )
        for backer, left in enumerate(self._follows):
            if left:
                code, player = BlackjackReason.FOLLOWS_LEFT_OVER, self._name(backer)
                raise Refusal(self.place, code, SPLIT_FOLLOWED, player=player, left=len(left))

    def refuse_left_over_without_bet(self) -> None:
        """Raises Refusal for any request of a seat without a bet."""
        if self._decisions:
            raise Refusal(self.place, BlackjackReason.DECISION_WITHOUT_BET, PLAY, decision=self._decisions[0])
        if any(self._insurance):
            raise Refusal(self.place, BlackjackReason.INSURANCE_WITHOUT_BET, INSURANCE)
        if self.even_money:
            raise Refusal(self.place, BlackjackReason.EVEN_MONEY_WITHOUT_BET, EVEN_MONEY)

    def _name(self, backer: int) -> str:
        return quoted(self._seat_bet.backers[backer].player)


class CardsInOrder:
    """The cards in the order drawn; no card comes oftener than there are decks (3)."""

    def __init__(self, cards: Sequence[Card], decks: int) -> None:
        self._cards = list(cards)
        self._decks = decks
        self._copies: Counter[Card] = Counter()

    def draw(self, state: RoundState, wait: CardDue) -> Card:
        """The next card, for the place that waits for it."""
        if not self._cards:
            rule = THE_DEAL if len(state.bank) < 2 else BANK if wait.place == BANK_PLACE else PLAY
            if wait.hand:
                raise Refusal("shoe", BlackjackReason.SHOE_ENDS_AT_HAND, rule, place=wait.place, hand=wait.hand)
            raise Refusal("shoe", BlackjackReason.SHOE_ENDS, rule, place=wait.place)
        card = self._cards.pop(0)
        self._copies[card] += 1
        if self._copies[card] > self._decks:
            raise Refusal(wait.place, LawReason.MORE_THAN_DECKS, MATERIAL, card=card, decks=self._decks)
        return card

    def check_empty(self, state: RoundState) -> None:
        """Raises Refusal for cards that no one draws: the bank stands (19), or takes no third card (22)."""
        if self._cards:
            draws = any(in_play(state, seat, hand) for seat in state.seats for hand in seat.hands)
            code = BlackjackReason.LEFT_OVER_BANK_STANDS if draws else BlackjackReason.LEFT_OVER_NO_THIRD
            rule = BANK if draws else NO_THIRD_CARD
            raise Refusal("shoe", code, rule, left=len(self._cards), card=self._cards[0])


def play_out(
    seat_bets: Sequence[SeatBet],
    wishes: Mapping[int, SeatWishes],
    cards: Sequence[Card],
    decks: int,
    rules: tuple[str, ...] = (),
) -> RoundState:
    """The round at its end. Raises Refusal if cards or answers are missing, left over or against the rules."""
    state, shoe = opened_round(seat_bets, rules), CardsInOrder(cards, decks)
    while not isinstance(wait := waits_for(state), Over):
        match wait:
            case CardDue():
                state = with_card(state, shoe.draw(state, wait))
                if len(state.bank) == 2 and not state.answered:
                    _check_insurances(state, wishes)
            case TurnDue():
                state = with_card(state, None)
            case _:
                state = with_answer(state, _wish(wishes[wait.seat], wait))
    for seat in state.seats:
        wishes[seat.placed.seat].check_nothing_left(seat)
    shoe.check_empty(state)
    return state


def _check_insurances(state: RoundState, wishes: Mapping[int, SeatWishes]) -> None:
    for seat in state.seats:
        wishes[seat.placed.seat].check_insurance(state.bank_shows_ace, seat.hands[0].black_jack)


def _wish(
    wishes: SeatWishes, wait: HandAsked | FollowAsked | InsuranceAsked | EvenMoneyAsked | GiveUpAsked
) -> PlayerAnswer:
    match wait:
        case HandAsked(hand=hand):
            return Decided(wishes.decision(hand))
        case FollowAsked():
            return Followed(wishes.follow(wait))
        case InsuranceAsked():
            return Insured(wishes.insures())
        case EvenMoneyAsked():
            return TookEvenMoney(wishes.even_money)
        case GiveUpAsked():
            return GaveUp(wishes.gives_up())
