"""A round file in, its settlement out: the game the file names decides which law reads it. No I/O here."""

from collections.abc import Callable
from functools import partial

import msgspec

from controller.rulebook.blackjack_21 import file as blackjack_21
from controller.rulebook.fortune_3_card_poker import file as fortune_3_card_poker
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025
from controller.rulebook.fortune_8 import file as fortune_8
from controller.rulebook.reading import read_json
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao import file as taiwan_pai_kao

SETTLED_BY: dict[str, Callable[[object], msgspec.Struct]] = {
    **{rules.game: partial(fortune_3_card_poker.settle_file, rules=rules) for rules in (RULES_2025, RULES_2008)},
    fortune_8.GAME: fortune_8.settle_file,
    blackjack_21.GAME: blackjack_21.settle_file,
    taiwan_pai_kao.GAME: taiwan_pai_kao.settle_file,
}


def settle_text(text: str | bytes) -> bytes:
    """The JSON answer, without a newline, to the JSON text of one completed round.

    Raises Refusal, whose str() is the one line to show, for a round that cannot be.

    >>> text = '{"game": "fortune-8", "deal": "spaces_with_bets", "boxes": {"2": {"eight": 50}}, "cards": {"2": "8d"}}'
    >>> msgspec.json.decode(settle_text(text))["seats"]["2"]["net"]
    550
    """
    asked = read_json(text, "file")
    if not isinstance(asked, dict):
        raise Refusal("file", LawReason.NO_JSON_OBJECT, value=quoted(asked))
    if "game" not in asked:
        raise Refusal("game", LawReason.GAME_MISSING, games=", ".join(SETTLED_BY))
    game = asked["game"]
    if not isinstance(game, str) or game not in SETTLED_BY:
        raise Refusal("game", LawReason.NO_SUCH_GAME, game=quoted(game), games=", ".join(SETTLED_BY))
    return msgspec.json.encode(SETTLED_BY[game](asked))
