"""What a house has decided for its table, or was granted, where the regulation leaves it open. No I/O here."""

from msgspec import Struct


class Authorisation(Struct, frozen=True):
    """What the authority has authorised: the whole `table`, the `jackpot`, or a bet by its name.

    `reference` is the authority's, `date` the day it bears, ``2026-01-31``.
    """

    of: str
    reference: str
    date: str


class House(Struct, frozen=True, omit_defaults=True):
    """What holds at this table beside the regulation: `authorisations` of table, jackpot and bets."""

    authorisations: tuple[Authorisation, ...] = ()
