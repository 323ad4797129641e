"""Prizes of the pot that are not paid yet, and the cards that stay on the table for them. No I/O here.

Sources: black-jack 49; 2025 8.º 6).
"""

import msgspec

from controller.engine.reasons import TableReason
from controller.engine.state.jackpot import Hit
from controller.engine.state.table import Table
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round
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


def open_hits(table: Table) -> tuple[Hit, ...]:
    """The hits of the present round that keep its cards on the table: not paid, and the cards not recorded as seen."""
    round = table.round
    if round is None or table.meter is None or not game_of(round).citations.unpaid:
        return ()
    return tuple(
        hit for hit in table.meter.hits if hit.round == round.id and hit.state != "paid" and not hit.witnessed_by
    )


def refuse_open_hits(table: Table) -> None:
    """Raises Refusal while hits keep the cards of this round: they are neither gathered nor held over."""
    hits = open_hits(table)
    if hits and table.round is not None:
        citations = game_of(table.round).citations
        code = TableReason.HIT_UNPAID_OR_SEEN if citations.witnessed else TableReason.HIT_UNPAID
        raise Refusal(f"seat {hits[0].seat}", code, citations.unpaid, hit=hits[0].hit)


def to_put_in(table: Table, round: Round) -> int:
    """How many cards go into the shuffler after this round: its own, and those held over (59, 61)."""
    return round.draws + sum(one.cards for one in table.held)


def taken_too_early(table: Table, inserted: int) -> bool:
    """Whether, with so many cards of the round put in, winning ones must be among them.

    A machine reports how many it was given and not which: as long as there are others, those are taken to be others.
    """
    round, hits = table.round, open_hits(table)
    if round is None or not hits:
        return False
    game = game_of(round)
    places = {place for hit in hits for place in game.prize_places(hit.seat)}
    stay = sum(len(game.draws_at(round, place)) for place in places)
    return inserted > to_put_in(table, round) - stay


def cards_are_in(table: Table) -> bool:
    round = table.round
    return round is not None and 0 < to_put_in(table, round) <= round.inserted
