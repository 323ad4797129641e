"""The answer to a round of Taiwan-Pai Kao: both pairs of every place, the wagers on it, the bank. No I/O here."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from controller.rulebook.filled import filled
from controller.rulebook.report import (
    BankResult,
    CasinoResult,
    LineResult,
    Outcome,
    PairResult,
    RoundResult,
    SeatResult,
)
from controller.rulebook.settlement import BANK, AnySettlement, Party
from controller.rulebook.steps import seat_place
from controller.rulebook.taiwan_pai_kao.limit import Result
from controller.rulebook.taiwan_pai_kao.pairs import Pair, PairName
from controller.rulebook.taiwan_pai_kao.table_ii import title_of
from controller.rulebook.taiwan_pai_kao.tiles import show_tiles
from controller.rulebook.units import Minor


class SettledPair(Struct, frozen=True):
    """A pair as text, the higher tile first, with its name and its rank from 1 to 118."""

    tiles: str
    name: PairName
    rank: int

    def result(self) -> PairResult:
        """The pair in the form of a report."""
        return PairResult(tuple(self.tiles.split()), self.name, self.rank, title_of(self.rank))


def answer_pair(pair: Pair) -> SettledPair:
    return SettledPair(show_tiles(pair.tiles), pair.name, pair.rank)


class WagerLine(Struct, frozen=True, kw_only=True):
    """The result of one wager, minor units: `net` is the change in the player's money.

    `commission` is the part of the house, whichever side won. A wager that the bank's limit cut keeps its outcome
    and full stake, and cites the limit. `wager` is "bank" for one that joined the bank; its net is a share of the
    bank's, whose commission the other lines bear.
    """

    wager: Literal["place", "bank"]
    player: str
    stake: Minor
    outcome: Outcome
    net: Minor
    commission: Minor
    article: str

    def result(self) -> LineResult:
        """The line as every game reports it."""
        return filled(LineResult, self, hand=UNSET, odds=None, combination=UNSET, chip_carried=UNSET)


class SettledPlace(Struct, frozen=True, kw_only=True):
    """One place; the banker's has pairs alone, and in a void round every place has only its wagers.

    `outcome` is the place's own side, `net` the sum of its lines.
    """

    front: SettledPair | UnsetType = UNSET
    rear: SettledPair | UnsetType = UNSET
    rearranged: bool | UnsetType = UNSET
    outcome: Result | UnsetType = UNSET
    net: Minor | UnsetType = UNSET
    lines: list[WagerLine] | UnsetType = UNSET

    def result(self, place: int, bankers_net: int) -> SeatResult:
        """The place in the form in which every game reports a seat; the net of the banker's place is the bank's."""
        return SeatResult(
            seat=place,
            net=bankers_net if self.net is UNSET else self.net,
            lines=tuple(line.result() for line in self.lines or ()),
            outcome=self.outcome,
            front=self.front.result() if self.front else UNSET,
            rear=self.rear.result() if self.rear else UNSET,
            rearranged=self.rearranged,
        )


class SettledCasino(Struct, frozen=True):
    """The casino's part in the bank, and its win or loss with it, minor units (5.º e)."""

    share: Minor
    net: Minor
    article: str


class SettledBanker(Struct, frozen=True, kw_only=True):
    """The banker's place and his own net after commission; `limited` where the limit cut a wager (5.º c).

    `casino` and `joiners` are only where someone is behind him (5.º e).
    """

    place: int
    net: Minor
    limited: bool
    casino: SettledCasino | UnsetType = UNSET
    joiners: list[WagerLine] | UnsetType = UNSET

    def result(self) -> BankResult:
        """The bank as every game reports it."""
        casino = self.casino
        return BankResult(
            seat=self.place,
            net=self.net,
            limited=self.limited,
            casino=CasinoResult(casino.share, casino.net, casino.article) if casino else None,
            joiners=tuple(line.result() for line in self.joiners or ()),
        )


class PaiKaoSettlement(AnySettlement, frozen=True, kw_only=True):
    """The whole answer, in the order of its keys; places ascending.

    `first_place` is the place named by the dice, which may be the banker's; `order` is the settling order, without the
    banker. A void round has neither, and no `banker` where no one had taken the bank.
    """

    first_place: int | UnsetType = UNSET
    order: tuple[int, ...] | UnsetType = UNSET
    seats: dict[str, SettledPlace]
    banker: SettledBanker | UnsetType = UNSET

    @property
    def bank(self) -> SettledBanker:
        """The banker's result. Raises TypeError for a round without a banker."""
        if isinstance(self.banker, UnsetType):
            raise TypeError("no one had the bank")
        return self.banker

    def result(self) -> RoundResult:
        bank = self.banker.result() if self.banker else None
        net = self.banker.net if self.banker else 0
        return RoundResult(
            game=self.game,
            outcome=self.outcome,
            bank=bank,
            seats=tuple(seat.result(int(place), net) for place, seat in self.seats.items()),
            first_place=self.first_place,
            settling_order=self.order,
        )

    def nets(self) -> Iterator[tuple[Party, int]]:
        """The nets by party; players who joined the bank are part of the bank."""
        for place, settled in self.seats.items():
            yield from (((seat_place(int(place)), line.player), line.net) for line in settled.lines or ())
        if self.banker:
            yield (BANK, ""), self.banker.net
            yield from (((BANK, line.player), line.net) for line in self.banker.joiners or ())
            if self.banker.casino:
                yield (BANK, "casino"), self.banker.casino.net

    def kept(self) -> Iterator[tuple[str, int, int]]:
        """The commission if a player is the bank (8.º), plus the result of the casino's share of the bank (5.º e))."""
        if self.outcome == "void":
            return
        for place in self.seats.values():
            yield from ((line.wager, line.stake, line.commission) for line in place.lines or ())
        if self.banker and self.banker.casino:
            yield "bank", self.banker.casino.share, self.banker.casino.net
