"""Ranks hands against one another by the order of their game. No I/O here."""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from controller.rulebook.cards import parse_cards, refuse_repeated
from controller.rulebook.fortune_3_card_poker.versions import RULES, VALIDITY
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao.articles import GAME as TAIWAN_PAI_KAO
from controller.rulebook.taiwan_pai_kao.articles import VALIDITY as VALIDITY_PAI_KAO
from controller.rulebook.taiwan_pai_kao.pairs import pair_of
from controller.rulebook.taiwan_pai_kao.tiles import parse_tiles, refuse_beyond_copies
from controller.rulebook.three_card import ThreeCardName, rank_three
from controller.rulebook.versions import AsOf, Validity


class RankedHand(msgspec.Struct, frozen=True):
    """A hand as it was given, its class and its rank: 1 is the strongest, and equal ranks tie."""

    hand: str
    name: str
    rank: int


def rank(game: str, hands: Sequence[str], as_of: AsOf = None) -> bytes:
    """The hands as a JSON list, strongest first, by the regulation of that day; ties keep their order.

    A card or tile may recur in another hand. Raises Refusal for a game with nothing to rank, for a text that is no
    hand of the game, and where no version is in force.

    >>> rank("fortune-3-card-poker-2025", ["9h 9s 2d", "As Ks Qs"])
    b'[{"hand":"As Ks Qs","name":"straight_flush","rank":1},{"hand":"9h 9s 2d","name":"pair","rank":383}]'
    """
    if game not in RANKED_BY:
        raise Refusal("game", LawReason.NOTHING_TO_RANK, game=quoted(game), games=", ".join(RANKED_BY))
    if not hands:
        raise Refusal("hand", LawReason.NO_HAND)
    validity, ranked_by = RANKED_BY[game]
    by_version = ranked_by[validity.version_of(as_of).key]
    ranked = [by_version(f"hand {place}", hand) for place, hand in enumerate(hands, 1)]
    return msgspec.json.encode(sorted(ranked, key=lambda hand: hand.rank))


def _three_cards(order: tuple[ThreeCardName, ...], who: str, text: str) -> RankedHand:
    cards = parse_cards(text, who)
    if len(cards) != 3:
        raise Refusal(who, LawReason.NOT_THREE_CARDS, found=len(cards))
    refuse_repeated([(who, cards)])
    hand = rank_three(cards, order)
    return RankedHand(text, hand.name, hand.rank)


def _two_tiles(who: str, text: str) -> RankedHand:
    tiles = parse_tiles(text, who)
    if len(tiles) != 2:
        raise Refusal(who, LawReason.NOT_TWO_TILES, found=len(tiles))
    refuse_beyond_copies([(who, tiles)])
    pair = pair_of(*tiles)
    return RankedHand(text, pair.name, pair.rank)


RANKED_BY: dict[str, tuple[Validity, dict[str, Callable[[str, str], RankedHand]]]] = {
    **{
        game: (VALIDITY[game], {key: partial(_three_cards, rules.order) for key, rules in versions.items()})
        for game, versions in RULES.items()
    },
    TAIWAN_PAI_KAO: (VALIDITY_PAI_KAO, {version.key: _two_tiles for version in VALIDITY_PAI_KAO.versions}),
}
