"""A round file in, its settlement out: the game the file names decides which law reads it. No I/O here."""

from collections.abc import Callable
from functools import partial

import msgspec

from controller.rulebook.blackjack_21 import file as blackjack_21
from controller.rulebook.blackjack_21.paytable import VALIDITY as VALIDITY_BLACKJACK
from controller.rulebook.fortune_3_card_poker import file as fortune_3_card_poker
from controller.rulebook.fortune_3_card_poker import versions as fortune_3_versions
from controller.rulebook.fortune_8 import file as fortune_8
from controller.rulebook.fortune_8.paytable import VALIDITY as VALIDITY_FORTUNE_8
from controller.rulebook.reading import read_json
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao import file as taiwan_pai_kao
from controller.rulebook.taiwan_pai_kao.articles import VALIDITY as VALIDITY_PAI_KAO
from controller.rulebook.versions import AsOf, Validity


class DatedFile(msgspec.Struct, frozen=True):
    """When the regulation of a game is in force, and the function of each version that settles its round files."""

    validity: Validity
    settled_by: dict[str, Callable[[object], msgspec.Struct]]


def _undated(validity: Validity, settled: Callable[[object], msgspec.Struct]) -> DatedFile:
    return DatedFile(validity, {version.key: settled for version in validity.versions})


SETTLED_BY: dict[str, DatedFile] = {
    **{
        game: DatedFile(
            fortune_3_versions.VALIDITY[game],
            {key: partial(fortune_3_card_poker.settle_file, rules=rules) for key, rules in versions.items()},
        )
        for game, versions in fortune_3_versions.RULES.items()
    },
    fortune_8.GAME: _undated(VALIDITY_FORTUNE_8, fortune_8.settle_file),
    blackjack_21.GAME: _undated(VALIDITY_BLACKJACK, blackjack_21.settle_file),
    taiwan_pai_kao.GAME: _undated(VALIDITY_PAI_KAO, taiwan_pai_kao.settle_file),
}


def settle_text(text: str | bytes, as_of: AsOf = None) -> bytes:
    """The JSON answer, without a newline, to the JSON text of one completed round, by the regulation in force on its
    date.

    Raises Refusal for an impossible round, or if no version is in force; its str() is the one line to show.

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
    version = SETTLED_BY[game].validity.version_of(as_of)
    return msgspec.json.encode(SETTLED_BY[game].settled_by[version.key](asked))
