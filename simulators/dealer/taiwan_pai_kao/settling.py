"""Paying and collecting at Taiwan-Pai Kao: place by place from the bank's money, then the shares of the bank."""

from typing import Any

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.settling import Settling, seat_settled
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
from simulators.felt.tile_table import BANKER, CASINO


class BankSettling(Settling):
    """The settlement of one round, in the order of the dice (2.º b)."""

    def __init__(self, desk: TileDesk) -> None:
        super().__init__(desk)
        self._felt = desk.felt

    async def _settle_lines(self, view: Projection, settlement: dict[str, Any]) -> None:
        if settlement["outcome"] != "settled":
            return
        if self._memory.by_person:
            self._place_as_entered(view["round"])
        self._felt.begin_settling()
        for named in settlement["settling_order"]:
            place = self._memory.seat(int(named))
            for line in seat_settled(settlement, named)["lines"]:
                await self._at.pace.person(hands.PAY_SECONDS)
                net, commission = int(line["net"]), int(line["commission"])
                won = net + commission if line["outcome"] == "win" else net
                self._felt.settle(place, line["player"] or self._felt.seats[place].player, won, commission)
        bank = settlement["bank"]
        shares = [(BANKER, int(bank["net"]))]
        if bank["casino"]:
            shares.append((CASINO, int(bank["casino"]["net"])))
        shares += [(line["player"], int(line["net"])) for line in bank["joiners"]]
        self._felt.share_out(shares)

    def _place_as_entered(self, round: Projection) -> None:
        """Places the tiles as a person has entered them, even if that is wrong: the shares are computed from the
        entry.
        """
        bets: dict[tuple[int, str], int] = {}
        for bet in round.get("bets") or ():
            place = self._memory.seat(bet["seat"])
            bets[place, bet["player"] or self._felt.seats[place].player] = bet["amount"]
        self._felt.place_as_entered(bets, round["banker"]["capital"], round["banker"]["casino"])
