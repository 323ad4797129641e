"""The settlement of a round in any game: the result of each wager, line by line, with its article. No I/O here."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from controller.rulebook.filled import filled
from controller.rulebook.five_card import FiveCardName
from controller.rulebook.jackpot_award import SettledJackpot
from controller.rulebook.report import BankResult, LineResult, Outcome, RoundResult, SeatResult
from controller.rulebook.steps import seat_place
from controller.rulebook.three_card import ThreeCardName
from controller.rulebook.units import Minor

Party = tuple[str, str]
"""A place, ``seat 3``, with a player's name or ""; ``bank`` is a player who holds it, or the casino beside him."""
BANK = "bank"


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one wager; `net` is the change in the player's money, minor units.

    `hand` is the number of the seat's hand, from 1, in a game where a seat may have several. `odds` is text such as
    "5:1" on a line won at a fixed ratio. `player` is set where several share a box and this one was named.
    `combination` is only on six_card_bonus and jackpot lines, null if lost; `carried` only on the jackpot line of a
    void round.
    """

    wager: str
    hand: int | UnsetType = UNSET
    player: str | None = None
    stake: Minor
    outcome: Outcome
    odds: str | None
    net: Minor
    combination: FiveCardName | UnsetType | None = UNSET
    article: str
    carried: bool | UnsetType = UNSET

    def result(self) -> LineResult:
        """The line as every game reports it."""
        return filled(LineResult, self, commission=0, chip_carried=self.carried)


class SettledSeat(Struct, frozen=True, kw_only=True):
    """One seat's lines in the order of the wagers; `net` is their sum, `hand` null for a hand never shown.

    A game without hands has no `hand`.
    """

    hand: ThreeCardName | UnsetType | None = UNSET
    net: Minor
    lines: list[Line]


class SettledDealer(Struct, frozen=True):
    """The bank's hand and whether it plays; both null in a void round.

    Black-jack/21 has the open cards instead, with total and black-jack; null if the second was never turned.
    """

    hand: ThreeCardName | UnsetType | None = UNSET
    qualifies: bool | UnsetType | None = UNSET
    cards: str | UnsetType = UNSET
    total: int | UnsetType | None = UNSET
    black_jack: bool | UnsetType | None = UNSET


class AnySettlement(Struct, frozen=True, kw_only=True):
    """The common beginning of the answer, in every game's shape."""

    game: str
    outcome: Literal["settled", "void"]

    def kept(self) -> Iterator[tuple[str, int, int]]:
        """Each wager with its stake and the part that the house kept; without wagers that were taken back."""
        raise NotImplementedError

    def result(self) -> RoundResult:
        """The settlement as every game reports it."""
        raise NotImplementedError

    def nets(self) -> Iterator[tuple[Party, int]]:
        """The payments, line by line: the party, and the change in its money, minor units."""
        raise NotImplementedError


class Settlement(AnySettlement, frozen=True, kw_only=True):
    """The whole answer, in the order of its keys; seats ascending; `jackpot` exactly when terms were given.

    A game without a bank's hand has no `dealer`.
    """

    dealer: SettledDealer | UnsetType = UNSET
    seats: dict[str, SettledSeat]
    jackpot: SettledJackpot | UnsetType = UNSET

    def kept(self) -> Iterator[tuple[str, int, int]]:
        for seat in self.seats.values():
            yield from ((line.wager, line.stake, -line.net) for line in seat.lines if line.outcome != "void")

    def result(self) -> RoundResult:
        dealer = self.dealer
        return RoundResult(
            game=self.game,
            outcome=self.outcome,
            bank=None
            if dealer is UNSET
            else BankResult(
                hand_name=dealer.hand, qualifies=dealer.qualifies, total=dealer.total, black_jack=dealer.black_jack
            ),
            seats=tuple(
                SeatResult(
                    seat=int(seat),
                    net=settled.net,
                    lines=tuple(line.result() for line in settled.lines),
                    hand_name=settled.hand,
                )
                for seat, settled in self.seats.items()
            ),
            jackpot=self.jackpot,
        )

    def nets(self) -> Iterator[tuple[Party, int]]:
        for seat, settled in self.seats.items():
            yield from (((seat_place(int(seat)), line.player or ""), line.net) for line in settled.lines)


def net_by_party(settlement: AnySettlement) -> dict[Party, int]:
    """The win of each party, negative for a loss, minor units.

    >>> won = Line(wager="ante", stake=1000, outcome="win", odds="1:1", net=1000, article="13.º 3")
    >>> seats = {"3": SettledSeat(net=1000, lines=[won])}
    >>> net_by_party(Settlement(game="fortune-3-card-poker-2025", outcome="settled", seats=seats))
    {('seat 3', ''): 1000}
    """
    nets: dict[Party, int] = {}
    for party, net in settlement.nets():
        nets[party] = nets.get(party, 0) + net
    return nets


def players_net(settlement: AnySettlement) -> int:
    """What all players against the bank win together, with the payments of the jackpot; minor units."""
    return sum(net for (place, _), net in settlement.nets() if place != BANK)
