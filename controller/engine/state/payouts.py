"""What a seat with a prize of the pot is paid with its round, and what of the pot is paid later. No I/O here."""

import msgspec

from controller.engine.state.table import Table
from controller.rulebook.settlement import Settlement
from controller.rulebook.units import Minor

JACKPOT = "jackpot"


class Payout(msgspec.Struct, frozen=True):
    """A seat's money in minor units: `now` with the round, negative where the seat has lost; `later` of the pot.

    `now` is what all who bet there won and lost but for the prizes, whose chips were collected before the deal.
    """

    now: Minor
    later: Minor


def payouts(table: Table) -> dict[int, Payout]:
    """The payout of each seat that has won of the pot in the round in play and is not paid yet, by seat."""
    round = table.round
    if round is None or table.meter is None or not isinstance(round.settled, Settlement):
        return {}
    later: dict[int, int] = {}
    for hit in table.meter.hits:
        if hit.round == round.id and hit.state != "paid":
            later[hit.seat] = later.get(hit.seat, 0) + hit.amount
    lines = {seat: round.settled.seats[str(seat)].lines for seat in later}
    return {
        seat: Payout(sum(line.net for line in lines[seat] if (line.wager, line.outcome) != (JACKPOT, "win")), amount)
        for seat, amount in sorted(later.items())
    }
