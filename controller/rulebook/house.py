"""The decisions and authorisations of a house, where the regulation leaves a choice. No I/O here."""

from typing import Literal

from msgspec import Struct

from controller.rulebook.cards import Card
from controller.rulebook.reading import Limits

BasicBets = Literal["either", "separate", "combined"]


class Authorisation(Struct, frozen=True):
    """An authorisation: of the whole `table`, of the `jackpot`, or of a bet by its name. `reference` is the
    authority's, `date` the day on it, ``2026-01-31``.
    """

    subject: str
    reference: str
    date: str


class Pays(Struct, frozen=True):
    """The cards on which a bet is won, and the odds to one; of several, the first that has the card pays."""

    cards: tuple[Card, ...]
    to_one: int


class AddedBet(Struct, frozen=True):
    """An additional bet, not in the regulation, on the card of one place."""

    name: str
    pays: tuple[Pays, ...]


class House(Struct, frozen=True, omit_defaults=True):
    """The decisions of the house and the `authorisations` (of table, jackpot and bets) for this table.

    `basic_bets` says whether the house offers them as each player likes, one of them, or both together. `limits` are
    those posted for single wagers; the table's limits apply to the others. `bets` are authorised bets in addition to
    the regulation's.
    """

    authorisations: tuple[Authorisation, ...] = ()
    basic_bets: BasicBets = "either"
    limits: dict[str, Limits] = {}
    bets: tuple[AddedBet, ...] = ()
