"""What happens in a round, in the past tense. An event has happened: nobody refuses it. No I/O here.

Cards dealt face down stand here by draw number alone; their values lie in the vault until a rule shows them.
"""

from typing import Literal

import msgspec

from controller.rulebook.cards import Card
from controller.rulebook.fortune_3_card_poker.settle import Settlement

CardSource = Literal["shuffler", "shoe"]


class Terms(msgspec.Struct, frozen=True):
    """What holds for one round from its first moment to its last. Money in minor units.

    `additional` names the additional bets offered; `packet_sizes` what the shuffler can dispense at once;
    `chip` is the value of a jackpot chip, 0 where no jackpot is offered.
    """

    game: str
    seats: int
    source: CardSource
    minimum: int
    maximum: int
    additional: tuple[str, ...] = ()
    packet_sizes: tuple[int, ...] = (3,)
    chip: int = 0


class RoundBegun(msgspec.Struct, frozen=True, tag_field="type", tag="round_begun"):
    """A round has its number, which is never used again, void rounds included."""

    round: int
    terms: Terms
    orders_from: int  # the shuffler's orders of this round are numbered from the next one on


class CardsShuffled(msgspec.Struct, frozen=True, tag_field="type", tag="cards_shuffled"):
    """The deck is shuffled and ready; `count` cards, null when a person shuffled it and nobody counted."""

    count: int | None


class WagerPlaced(msgspec.Struct, frozen=True, tag_field="type", tag="wager_placed"):
    """What now lies on a betting space, in minor units; 0 means the wager was taken back."""

    seat: int
    wager: str
    amount: int
    player: str | None = None


class BettingClosed(msgspec.Struct, frozen=True, tag_field="type", tag="betting_closed"):
    """No bet counts from here on (10.º 3). `chips` count; `returned` have no basic bet beside them (4.º 3)."""

    chips: tuple[int, ...]
    returned: tuple[int, ...]


class CardsDealt(msgspec.Struct, frozen=True, tag_field="type", tag="cards_dealt"):
    """Cards left the shoe or shuffler, face down: draw numbers of the round and the place of each."""

    draws: tuple[int, ...]
    to: tuple[str, ...]
    order: int | None = None


class DecisionMade(msgspec.Struct, frozen=True, tag_field="type", tag="decision_made"):
    """A player goes on (``play``, with a bet equal to the ante) or gives the ante up (``fold``), 12.º 2."""

    seat: int
    hand: int
    decision: str


class CardsShown(msgspec.Struct, frozen=True, tag_field="type", tag="cards_shown"):
    """The cards of one place were turned; from here on their values exist."""

    to: str
    cards: tuple[Card, ...]


class RoundSettled(msgspec.Struct, frozen=True, tag_field="type", tag="round_settled"):
    """Every wager of the round has its outcome."""

    settlement: Settlement


class RoundVoided(msgspec.Struct, frozen=True, tag_field="type", tag="round_voided"):
    """The round does not count and the wagers are taken back. `article` is an article or a named policy."""

    article: str
    reason: str


class RoundConfirmed(msgspec.Struct, frozen=True, tag_field="type", tag="round_confirmed"):
    """The dealer has paid and collected; after this only a documented adjustment changes the round."""

    actor: str


class ClaimsClosed(msgspec.Struct, frozen=True, tag_field="type", tag="claims_closed"):
    """The cards of the round are cleared away: it can no longer be laid out again."""

    cards: int | None


RoundEvent = (
    RoundBegun
    | CardsShuffled
    | WagerPlaced
    | BettingClosed
    | CardsDealt
    | DecisionMade
    | CardsShown
    | RoundSettled
    | RoundVoided
    | RoundConfirmed
    | ClaimsClosed
)
