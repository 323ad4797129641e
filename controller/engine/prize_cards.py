"""The cards that won a prize, which stay on the table, face up, until it is paid (black-jack 49). No I/O here."""

from controller.engine.jackpot import Hit
from controller.engine.reasons import TableReason
from controller.engine.table import Table
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place


def unpaid_hits(table: Table) -> tuple[Hit, ...]:
    """The hits of the present round whose cards lie there; an older one was paid before its cards went."""
    round = table.round
    if round is None or table.meter is None or not game_of(round).citations.unpaid:
        return ()
    return tuple(hit for hit in table.meter.hits if hit.round == round.id and hit.state != "paid")


def refuse_unpaid(table: Table) -> None:
    """Raises Refusal while a prize of this round is not paid: its cards are neither gathered nor held over."""
    hits = unpaid_hits(table)
    if hits and table.round is not None:
        raise Refusal(
            f"seat {hits[0].seat}", TableReason.HIT_UNPAID, game_of(table.round).citations.unpaid, hit=hits[0].hit
        )


def to_put_in(table: Table, round: Round) -> int:
    """How many cards go into the shuffler after this round: its own, and those held over (59, 61)."""
    return round.draws + sum(one.cards for one in table.held)


def taken_too_early(table: Table, inserted: int) -> bool:
    """Whether, with so many cards of the round put in, winning ones must be among them.

    A machine tells how many it was given and not which: as long as there are others, those are taken to be others.
    """
    round, hits = table.round, unpaid_hits(table)
    if round is None or not hits:
        return False
    game = game_of(round)
    stay = sum(len(game.draws_at(round, seat_place(seat))) for seat in {hit.seat for hit in hits})
    return inserted > to_put_in(table, round) - stay
