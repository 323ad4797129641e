"""A completed round of Fortune 8 from a round file: read, checked and settled. No I/O here."""

from collections.abc import Iterator

from controller.rulebook.cards import Card
from controller.rulebook.fortune_8.dealing import refuse_cards
from controller.rulebook.fortune_8.paytable import (
    BOX_NAMES,
    DEALS,
    DECKS,
    GAME,
    MATERIAL,
    SPACE,
    SPACES,
    THE_DEAL,
    BoxName,
    Deal,
)
from controller.rulebook.fortune_8.settle import Settlement, settle
from controller.rulebook.fortune_8.wagers import refuse_bet, spaces_with_bets
from controller.rulebook.reading import read_card, read_limits, read_money, read_object
from controller.rulebook.refusal import Refusal, quoted

__all__ = ["GAME", "settle_file"]

KEYS = ("game", "decks", "deal", "boxes", "cards", "limits")
REQUIRED = ("game", "deal", "boxes", "cards")
MOST_DECKS = DECKS[-1]


def settle_file(round_read: object) -> Settlement:
    """Settles the round that the JSON value of a round file describes; raises Refusal for one that cannot be."""
    asked = read_object(round_read, "round", KEYS, REQUIRED)
    decks = _read_decks(asked.get("decks", MOST_DECKS))
    deal = _read_deal(asked["deal"])
    limits = read_limits(asked["limits"]) if "limits" in asked else None
    boxes = {space: _read_bets(space, value, limits) for space, value in _by_space(asked["boxes"], "boxes")}
    with_bets = spaces_with_bets(boxes)
    cards: dict[int, Card] = {
        space: read_card(value, f"space {space}", THE_DEAL) for space, value in _by_space(asked["cards"], "cards")
    }
    refuse_cards(cards, deal, with_bets, decks)
    return settle(boxes, cards)


def _read_decks(value: object) -> int:
    if type(value) is not int or value not in DECKS:
        raise Refusal("decks", f"must be {DECKS[0]} to {MOST_DECKS}, not {quoted(value)}", MATERIAL)
    return value


def _read_deal(value: object) -> Deal:
    for deal in DEALS:
        if value == deal:
            return deal
    raise Refusal("deal", f"must be {' or '.join(DEALS)}, not {quoted(value)}", THE_DEAL)


def _by_space(value: object, who: str) -> Iterator[tuple[int, object]]:
    if not isinstance(value, dict):
        raise Refusal(who, f"must be an object, not {quoted(value)}")
    numbers = {str(space): space for space in SPACES}
    for key in value:
        if key not in numbers:
            raise Refusal(who, f'{quoted(key)} is not a space; spaces are "1" to "7"', SPACE)
    yield from ((numbers[key], value[key]) for key in value)


def _read_bets(space: int, value: object, limits: tuple[int, int] | None) -> dict[BoxName, int]:
    who = f"space {space}"
    read = read_object(value, who, BOX_NAMES)
    bets = {box: read_money(read[box], who, box, least=0) for box in BOX_NAMES if box in read}
    for box, amount in bets.items():
        refuse_bet(space, box, amount, limits)
    return bets
