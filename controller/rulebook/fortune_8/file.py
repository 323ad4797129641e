"""A completed round of Fortune 8 from a round file: read, checked and settled. No I/O here."""

from collections.abc import Iterator

from controller.rulebook.cards import Card
from controller.rulebook.events import Deal
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
)
from controller.rulebook.fortune_8.reasons import Fortune8Reason
from controller.rulebook.fortune_8.settle import settle_spaces
from controller.rulebook.fortune_8.wagers import Bet, check_bet, spaces_with_bets
from controller.rulebook.reading import check_name, read_card, read_limits, read_money, read_object
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.settlement import Settlement

__all__ = ["GAME", "settle_file"]

KEYS = ("game", "decks", "deal", "boxes", "cards", "limits")
REQUIRED = ("game", "deal", "boxes", "cards")
BET_KEYS = ("player", "amount")
MOST_DECKS = DECKS[-1]


def settle_file(round_read: object) -> Settlement:
    """Settles the round that the JSON value of a round file describes; raises Refusal for an impossible one."""
    asked = read_object(round_read, "round", KEYS, REQUIRED)
    decks = _read_decks(asked.get("decks", MOST_DECKS))
    deal = _read_deal(asked["deal"])
    limits = read_limits(asked["limits"]) if "limits" in asked else None
    bets = [bet for space, value in _by_space(asked["boxes"], "boxes") for bet in _read_space(space, value)]
    for bet in bets:
        check_bet(bet, limits)
    with_bets = spaces_with_bets(bets)
    cards: dict[int, Card] = {
        space: read_card(value, f"space {space}", THE_DEAL) for space, value in _by_space(asked["cards"], "cards")
    }
    refuse_cards(cards, deal, with_bets, decks)
    return settle_spaces(bets, cards)


def _read_decks(value: object) -> int:
    if type(value) is not int or value not in DECKS:
        raise Refusal("decks", LawReason.OUT_OF_RANGE, MATERIAL, least=DECKS[0], most=MOST_DECKS, value=quoted(value))
    return value


def _read_deal(value: object) -> Deal:
    for deal in DEALS:
        if value == deal:
            return deal
    raise Refusal("deal", LawReason.ONE_OF, THE_DEAL, choices=" or ".join(DEALS), value=quoted(value))


def _by_space(value: object, who: str) -> Iterator[tuple[int, object]]:
    if not isinstance(value, dict):
        raise Refusal(who, LawReason.NO_OBJECT, value=quoted(value))
    numbers = {str(space): space for space in SPACES}
    for key in value:
        if key not in numbers:
            raise Refusal(who, Fortune8Reason.NO_SPACE_KEY, SPACE, space=quoted(key))
    yield from ((numbers[key], value[key]) for key in value)


def _read_space(space: int, value: object) -> Iterator[Bet]:
    read = read_object(value, f"space {space}", BOX_NAMES)
    yield from (bet for box in BOX_NAMES if box in read for bet in _read_box(space, box, read[box]))


def _read_box(space: int, box: BoxName, value: object) -> Iterator[Bet]:
    """The bets in one box. A number is the amount of one bet (0 for none); a list has several bets (4.º 3)."""
    who = f"space {space}"
    if not isinstance(value, list):
        amount = read_money(value, who, box, least=0)
        if amount:
            yield Bet(space, box, None, amount)
        return
    if not value:
        raise Refusal(who, Fortune8Reason.EMPTY_BOX, box=box)
    for entry in value:
        read = read_object(entry, f"{who}, {box}", BET_KEYS, BET_KEYS)
        player = check_name(read["player"], who, box)
        yield Bet(space, box, player, read_money(read["amount"], who, f"{box}: amount by {quoted(player)}"))
