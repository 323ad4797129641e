"""Fortune 8: its three boxes over every card, and new bets on the cards of its spaces, exactly. No I/O here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

from controller.certify.result import Certified, OutcomeOdds, exact
from controller.rulebook.cards import DECK, RANKS, SUITS, Card
from controller.rulebook.fortune_8.paytable import DECKS, SPACES, Box
from controller.rulebook.fortune_8.settle import settle_spaces
from controller.rulebook.fortune_8.wagers import Bet, check_bet

UNIT = 1


class CardBet(Struct, frozen=True, kw_only=True):
    """A new bet on the card of one space: the cards it wins on and the odds for each set of them, strongest first."""

    name: str
    pays: Sequence[tuple[frozenset[Card], int]]


class SpacesBet(Struct, frozen=True, kw_only=True):
    """A new bet on how many of the seven spaces show one of these cards: the odds by that number.

    A number that is not named loses. A card goes to each of the seven spaces (4.º 6).
    """

    name: str
    cards: frozenset[Card]
    pays: Mapping[int, int]
    decks: int


NewBet = CardBet | SpacesBet


def certify_boxes(boxes: Sequence[Box]) -> list[Certified]:
    """The boxes at these odds, each settled on every card of a shoe, for every number of decks that the game allows."""
    return [_box(box, boxes) for box in boxes]


def _box(box: Box, boxes: Sequence[Box]) -> Certified:
    bet = Bet(SPACES[0], box.name, None, UNIT)
    check_bet(bet, None)
    tables = []
    for decks in DECKS:
        found: Counter[tuple[str, int]] = Counter()
        for card in DECK * decks:
            line = settle_spaces([bet], {bet.seat: card}, boxes).seats[str(bet.seat)].lines[0]
            found[line.outcome, line.net] += 1
        cards = sum(found.values())
        tables.append(
            [
                OutcomeOdds(outcome=outcome, chance=Fraction(count, cards), net=Fraction(net, UNIT))
                for (outcome, net), count in sorted(found.items(), key=lambda row: -row[0][1])
            ]
        )
    if any(table != tables[0] for table in tables):
        raise AssertionError(f"{box.name}: the odds differ with the number of decks")
    note = (
        f"The same with {DECKS[0]} to {DECKS[-1]} decks: every rank has its share of the cards, and a space's card, "
        "whichever space and however many came before unseen, is any card of the shoe."
    )
    return exact(box.name, tables[0], [note])


def certify_new_bet(bet: NewBet) -> Certified:
    """A bet that the regulation does not have, for the calculation that its last article asks for (9.º 2)."""
    note = "A new bet: not in the regulation, so no table has it before it is authorised; the request is that of 9.º 2."
    return _on_a_card(bet, note) if isinstance(bet, CardBet) else _on_spaces(bet, note)


def _on_a_card(bet: CardBet, note: str) -> Certified:
    odds, left = [], set(DECK)
    for cards, to_one in bet.pays:
        # The first set that has the card pays.
        won = cards & left
        left -= won
        odds.append(OutcomeOdds(outcome=show_set(cards), chance=Fraction(len(won), len(DECK)), net=Fraction(to_one)))
    odds.append(OutcomeOdds(outcome="lose", chance=Fraction(len(left), len(DECK)), net=Fraction(-1)))
    return exact(bet.name, odds, [note, "The same with every number of decks."])


def _on_spaces(bet: SpacesBet, note: str) -> Certified:
    shoe, good, spaces = len(DECK) * bet.decks, len(bet.cards) * bet.decks, len(SPACES)
    chances = [
        Fraction(comb(good, shown) * comb(shoe - good, spaces - shown), comb(shoe, spaces))
        for shown in range(spaces + 1)
    ]
    odds = [
        OutcomeOdds(outcome=f"{shown} of {spaces} spaces", chance=chances[shown], net=Fraction(to_one))
        for shown, to_one in sorted(bet.pays.items(), reverse=True)
    ]
    lost = sum((chance for shown, chance in enumerate(chances) if shown not in bet.pays), Fraction(0))
    odds.append(OutcomeOdds(outcome="lose", chance=lost, net=Fraction(-1)))
    notes = [
        note,
        f"On {show_set(bet.cards)}, a fresh shoe of {bet.decks} decks, a card to each of the seven spaces (4.º 6).",
    ]
    return exact(bet.name, odds, notes)


def show_set(cards: frozenset[Card]) -> str:
    """The cards as text, whole ranks by the rank alone: "8", "As Ah"."""
    words = []
    for rank in reversed(RANKS):
        suits = [suit for suit in reversed(SUITS) if Card(rank + suit) in cards]
        words += [rank] if len(suits) == len(SUITS) else [rank + suit for suit in suits]
    return " ".join(words)
