"""Ranks hands against one another by the order of their game. No I/O here."""

from collections.abc import Sequence

import msgspec

from controller.rulebook.cards import parse_cards, refuse_repeated
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.three_card import rank_three

THREE_CARD_GAMES = ("fortune-3-card-poker-2025", "fortune-3-card-poker-2008")


class RankedHand(msgspec.Struct, frozen=True):
    """A hand as it was given, its class and its rank: 1 is the strongest, an equal rank is a tie."""

    hand: str
    name: str
    rank: int


def rank(game: str, hands: Sequence[str]) -> bytes:
    """The hands as a JSON list, strongest first; ties keep the order given. A card may recur in another hand.

    Raises Refusal for a game with nothing to rank and for a text that is no hand of the game.
    """
    if game not in THREE_CARD_GAMES:
        raise Refusal("game", f"{quoted(game)} has nothing to rank; games with hands: {', '.join(THREE_CARD_GAMES)}")
    if not hands:
        raise Refusal("hand", "no hand to rank")
    ranked = [_ranked(f"hand {place}", hand) for place, hand in enumerate(hands, 1)]
    return msgspec.json.encode(sorted(ranked, key=lambda hand: hand.rank))


def _ranked(who: str, text: str) -> RankedHand:
    cards = parse_cards(text, who)
    if len(cards) != 3:
        raise Refusal(who, f"must be 3 cards, not {len(cards)}")
    refuse_repeated([(who, cards)])
    hand = rank_three(cards)
    return RankedHand(text, hand.name, hand.rank)
