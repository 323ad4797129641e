"""Black-jack/21's insurance and even money, exactly by the cards seen. No I/O here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from controller.certify.result import Certified, OutcomeOdds, Plain, exact
from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.paytable import DECKS
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.settle import settle
from controller.rulebook.blackjack_21.state import Decided, GaveUp, Insured, PlayerAnswer, TookEvenMoney
from controller.rulebook.blackjack_21.waits import (
    CardDue,
    EvenMoneyAsked,
    FollowAsked,
    GiveUpAsked,
    HandAsked,
    InsuranceAsked,
    Over,
    TurnDue,
    waits_for,
)
from controller.rulebook.cards import DECK, RANKS, Card
from controller.rulebook.settlement import Line

BET = 20  # whole when halved, and 3:2 of it
DRAWN = Card("7c")  # what a bank that must draw gets: neither bet asks for it
OPEN = Card("Ac")  # insurance is offered against an ace alone (33)
# What a seat may hold, by the ten-valued cards and the aces in it: they alone change the odds of the bank's black-jack.
HANDS = ("Kd Kh", "Kd Ah", "Kd 5h", "Ad Ah", "Ad 5h", "9d 5h")


def certify_insurance(decks: int) -> list[Certified]:
    """Insurance where only the bank's ace is seen, and even money for a black-jack, from a shoe of `decks` decks.

    Both are played and settled over every second card of the bank. `further` of insurance has its edge by the two cards
    of the seat too.
    """
    nets = _net_of_insurance()
    seen: dict[str, Plain] = {text: str(-_mean(_over(decks, (OPEN, *_cards(text)), nets))) for text in HANDS}
    note = f"{decks} decks, nothing seen but the bank's ace; per unit of insurance (33)."
    odds = _over(decks, (OPEN,), nets)
    insurance = exact(f"insurance_{decks}_decks", odds, [note], {"decks": decks, "edge_by_the_seat's_cards": seen})
    return [insurance, _even_money(decks)]


def _net_of_insurance() -> dict[str, Fraction]:
    """The net of insurance, in units of its stake, by the rank of the bank's second card."""
    return {
        rank: Fraction(
            next(line.net for line in _played("9d Kh", Card(rank + "d"), BET // 2) if line.wager == "insurance"),
            BET // 2,
        )
        for rank in RANKS
    }


def _even_money(decks: int) -> Certified:
    """The expected loss, per bet, of taking even money instead of playing the same black-jack on (34)."""
    seat = "As Kh"
    taken, played_on = (
        {rank: Fraction(sum(line.net for line in _played(seat, Card(rank + "d"), 0, yes)), BET) for rank in RANKS}
        for yes in (True, False)
    )
    odds = _over(decks, (OPEN, *_cards(seat)), {rank: taken[rank] - played_on[rank] for rank in RANKS})
    note = (
        f"{decks} decks, a black-jack against the bank's ace: even money (34) compared with the hand played on, as the "
        "bank turns out; the edge is what it costs, per bet."
    )
    return exact(f"even_money_{decks}_decks", odds, [note], {"decks": decks})


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split(" "))


def _over(decks: int, gone: Sequence[Card], nets: Mapping[str, Fraction]) -> list[OutcomeOdds]:
    """The nets over every second card of the bank that is left in the shoe."""
    left = list(DECK) * decks
    for card in gone:
        left.remove(card)
    counts: Counter[Fraction] = Counter(nets[card[0]] for card in left)
    names = {True: "bank's black-jack", False: "no black-jack"}
    return [
        OutcomeOdds(outcome=names[net > 0], chance=Fraction(counts[net], len(left)), net=net)
        for net in sorted(counts, reverse=True)
    ]


def _mean(odds: Sequence[OutcomeOdds]) -> Fraction:
    return sum((outcome.chance * (outcome.net or 0) for outcome in odds), Fraction(0))


def _played(seat: str, second: Card, insured: int, even_money: bool = False) -> list[Line]:
    """The lines of one seat that stands against an ace with this second card, by the table's fold and settlement."""
    first, other = _cards(seat)
    cards = [first, OPEN, other, second]
    state = opened_round([SeatBet(seat=1, bet=BET)])
    while not isinstance(wait := waits_for(state), Over):
        match wait:
            case CardDue():
                state = with_card(state, cards.pop(0) if cards else DRAWN)
            case TurnDue():
                state = with_card(state, None)
            case _:
                state = with_answer(state, _answer(wait, insured, even_money))
    return settle(state, None).seats["1"].lines


def _answer(
    wait: HandAsked | FollowAsked | InsuranceAsked | EvenMoneyAsked | GiveUpAsked, insured: int, even_money: bool
) -> PlayerAnswer:
    match wait:
        case InsuranceAsked():
            return Insured((insured,))
        case EvenMoneyAsked():
            return TookEvenMoney(even_money)
        case GiveUpAsked():
            return GaveUp(False)
        case HandAsked():
            return Decided("stand")
        case FollowAsked():
            raise AssertionError("a backer is asked, and no one backs")


def certify_every_insurance() -> list[Certified]:
    """Insurance and even money for both numbers of decks that the game allows."""
    return [wager for decks in DECKS for wager in certify_insurance(decks)]
