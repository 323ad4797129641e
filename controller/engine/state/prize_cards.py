"""Winning cards, which stay on the table while their prize is not paid (black-jack 49; 2025 8.º 6)). No I/O here."""

from controller.engine.reasons import TableReason
from controller.engine.state.jackpot import Hit
from controller.engine.state.table import Table
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round


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
