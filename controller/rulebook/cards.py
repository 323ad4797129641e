"""The 52 cards and their text: rank `23456789TJQKA`, then suit `cdhs`, as in "As". No I/O here."""

from collections.abc import Iterable
from typing import NewType

from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)

_RANK_OF = {card: RANKS.index(card[0]) + 2 for card in DECK}


def rank_of(card: Card) -> int:
    """The rank of a card, 2 to 14; an ace is 14.

    >>> rank_of("As"), rank_of("Td"), rank_of("2c")
    (14, 10, 2)
    """
    return _RANK_OF[card]


def is_card(text: str) -> bool:
    """Whether a text is one of the 52.

    >>> is_card("Td"), is_card("10d"), is_card("td")
    (True, False, False)
    """
    return text in _RANK_OF


def parse_cards(text: str, who: str = "cards") -> tuple[Card, ...]:
    """The cards of a text such as "As Kd Tc": one space between two cards, exact case, at least one card.

    Raises Refusal, blaming `who`, for any other text. Repeated cards are not looked for here.

    >>> parse_cards("As Kd Tc")
    ('As', 'Kd', 'Tc')
    >>> parse_cards("As 1d", "seat 3")
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('seat 3', 'no_such_card', {'card': '"1d"'}, None)
    """
    cards = tuple(Card(word) for word in text.split(" "))
    for card in cards:
        if not is_card(card):
            raise Refusal(who, LawReason.NO_SUCH_CARD, card=quoted(str(card)))
    return cards


def show_cards(cards: Iterable[Card]) -> str:
    """The text that parse_cards reads."""
    return " ".join(cards)


def refuse_repeated(hands: Iterable[tuple[str, Iterable[Card]]], article: str | None = None) -> None:
    """Raises Refusal, blaming the later of two places, when a card is twice in the (place, cards) given.

    >>> refuse_repeated([("seat 1", ["As"]), ("seat 2", ["As"])])
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('seat 2', 'card_elsewhere', {'card': 'As', 'place': 'seat 1'}, None)
    """
    seen: dict[Card, str] = {}
    for place, cards in hands:
        for card in cards:
            if card in seen:
                if seen[card] == place:
                    raise Refusal(place, LawReason.CARD_TWICE, article, card=card)
                raise Refusal(place, LawReason.CARD_ELSEWHERE, article, card=card, place=seen[card])
            seen[card] = place
