"""The common part of all hands of one round of black-jack/21 share."""

from dataclasses import dataclass

from simulators.dealer.blackjack_21.idle import IdleTable
from simulators.dealer.round_desk import RoundDesk
from simulators.felt.blackjack_table import BlackjackTable
from simulators.felt.cards import Card
from simulators.felt.punters import Punters


@dataclass(kw_only=True)
class HandDesk(RoundDesk[Card]):
    """`increment` is the amount that one chip adds if the dealer marks the accumulated prize, in minor units."""

    felt: BlackjackTable
    punters: Punters
    idle: IdleTable
    increment: int
