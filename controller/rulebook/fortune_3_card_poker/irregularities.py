"""What went wrong in a round and was borne or broke it, each with its article or policy. No I/O here."""

from collections.abc import Iterator

import msgspec

from controller.rulebook.fortune_3_card_poker.dealing import unread_places
from controller.rulebook.fortune_3_card_poker.outcome import (
    BANK_EXPOSED,
    PLAYER_CARDS_EXPOSED_AT_MOST,
    PLAYERS_EXPOSED,
)
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.steps import seat_of, seat_place

UNREAD_CARDS = "policy: unread cards"


class Irregularity(msgspec.Struct, frozen=True, omit_defaults=True):
    """`to` is the place it happened at; `count` the cards that were seen there."""

    kind: str
    to: str
    article: str
    count: int | None = None


def irregularities(round: Round) -> Iterator[Irregularity]:
    """Cards seen while dealt (17.º 1 2), 3), 17.º 4 1)), null ones (17.º 4 2), 5), and those keyed in."""
    players = sum(count for place, count in round.exposed.items() if seat_of(place) is not None)
    of_players = "17.º 4 1)" if players <= PLAYER_CARDS_EXPOSED_AT_MOST else PLAYERS_EXPOSED
    articles = {"bank": BANK_EXPOSED, "community": "policy: community cards seen"}
    for place, count in round.exposed.items():
        yield Irregularity("exposed", place, articles.get(place, of_players), count)
    for dealt in round.dealt:
        if dealt.null is not None:
            yield Irregularity("empty_seat", seat_place(dealt.null), "17.º 4 2)")
    for place in unread_places(round):
        if place in round.shown:
            yield Irregularity("keyed_in", place, UNREAD_CARDS)
