"""A round file in, its settlement out: the game the file names decides which law reads it. No I/O here."""

from collections.abc import Callable

import msgspec

from controller.rulebook.fortune_3_card_poker import file as fortune_3_card_poker
from controller.rulebook.reading import read_json
from controller.rulebook.refusal import Refusal, quoted

SETTLED_BY: dict[str, Callable[[object], msgspec.Struct]] = {
    "fortune-3-card-poker-2025": fortune_3_card_poker.settle_file,
}


def settle_text(text: str | bytes) -> bytes:
    """The JSON answer, without a newline, to the JSON text of one completed round.

    Raises Refusal, whose str() is the one line to show, for a round that cannot be.
    """
    asked = read_json(text, "file")
    if not isinstance(asked, dict):
        raise Refusal("file", f"must be a JSON object, not {quoted(asked)}")
    if "game" not in asked:
        raise Refusal("game", f"missing; known: {', '.join(SETTLED_BY)}")
    game = asked["game"]
    if not isinstance(game, str) or game not in SETTLED_BY:
        raise Refusal("game", f"{quoted(game)} is not a game; known: {', '.join(SETTLED_BY)}")
    return msgspec.json.encode(SETTLED_BY[game](asked))
