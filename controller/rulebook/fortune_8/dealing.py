"""The spaces that get a card, and the possible cards. No I/O here."""

from collections import Counter
from collections.abc import Collection, Mapping

from controller.rulebook.cards import Card
from controller.rulebook.events import Deal
from controller.rulebook.fortune_8.paytable import MATERIAL, SPACES, THE_DEAL
from controller.rulebook.fortune_8.reasons import Fortune8Reason
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal


def spaces_dealt(deal: Deal, with_bets: Collection[int]) -> tuple[int, ...]:
    """The spaces that get one card each, in the order dealt: all seven, or only those with bets (4.º 6).

    >>> spaces_dealt("spaces_with_bets", {6, 2})
    (2, 6)
    >>> spaces_dealt("every_space", {6, 2})
    (1, 2, 3, 4, 5, 6, 7)
    """
    return tuple(space for space in SPACES if deal == "every_space" or space in with_bets)


def refuse_cards(cards: Mapping[int, Card], deal: Deal, with_bets: Collection[int], decks: int) -> None:
    """Raises Refusal unless these are the cards of the announced deal (4.º 6), from this number of decks (1.º 1))."""
    dealt = spaces_dealt(deal, with_bets)
    for space in SPACES:
        if space in dealt and space not in cards:
            if space in with_bets:
                raise Refusal(f"space {space}", LawReason.CARD_MISSING, THE_DEAL)
            raise Refusal(f"space {space}", Fortune8Reason.CARD_MISSING_IN_DEAL, THE_DEAL, deal=deal)
        if space in cards and space not in dealt:
            raise Refusal(f"space {space}", Fortune8Reason.CARD_WITHOUT_BET, THE_DEAL, deal=deal)
    copies: Counter[Card] = Counter()
    for space in dealt:
        copies[cards[space]] += 1
        if copies[cards[space]] > decks:
            if decks == 1:
                raise Refusal(f"space {space}", LawReason.MORE_THAN_A_DECK, MATERIAL, card=cards[space])
            raise Refusal(f"space {space}", LawReason.MORE_THAN_DECKS, MATERIAL, card=cards[space], decks=decks)
