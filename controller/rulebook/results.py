"""The result of a round as its players see it: names of hands, payments, earlier rounds. No I/O here.

No player's name is in it.
"""

from collections.abc import Iterable, Iterator

from msgspec import UNSET, Struct, UnsetType

from controller.rulebook.game import HandView
from controller.rulebook.pay_table import PayRow
from controller.rulebook.report import BankResult, Cards, RoundReport, RoundResult, SeatResult
from controller.rulebook.units import Minor


class ShownHand(Struct, frozen=True):
    """A hand's name, the key of its words, or its points."""

    name: str = ""
    points: int | None = None


class PaidSeat(Struct, frozen=True):
    """The payment of a seat by a row of the pay table: `amount` is the prize of a pot, else the win of the wager."""

    seat: int
    wager: str
    name: str
    odds: str | None
    amount: Minor
    article: str


class PastOutcome(Struct, frozen=True):
    """A confirmed round in one line: the bank's points, or the cards if no bank plays; seats that won and lost."""

    round: int
    void: bool
    points: int | None
    cards: dict[str, Cards]
    won: int
    lost: int


def past_outcome(report: RoundReport) -> PastOutcome:
    """The line of a round in the history; a void round has no hands."""
    void = report.outcome == "void"
    total = None if void or report.bank is None else report.bank.total
    return PastOutcome(
        round=report.round,
        void=void,
        points=None if total is UNSET else total,
        cards={} if void or report.bank is not None else {card.to: card.cards for card in report.shown_cards},
        won=sum(seat.net > 0 for seat in report.seats),
        lost=sum(seat.net < 0 for seat in report.seats),
    )


def names_of_hands(result: RoundResult, played: dict[int, tuple[HandView, ...]]) -> dict[str, tuple[ShownHand, ...]]:
    """The names of the hands by place; `played` are hands that are played card by card."""
    bank = {} if result.bank is None else {"bank": tuple(_of_bank(result.bank))}
    seats = {f"seat {seat.seat}": tuple(_of_seat(seat)) for seat in result.seats}
    points = {f"seat {seat}": tuple(ShownHand(points=hand.total) for hand in hands) for seat, hands in played.items()}
    return {place: hands for place, hands in (bank | seats | points).items() if hands}


def paid_seats(result: RoundResult, rows: Iterable[PayRow]) -> tuple[PaidSeat, ...]:
    """The payments of the rows of a pay table, the greatest amount first."""
    if result.outcome == "void":
        return ()
    paid = _paid(result, {(row.wager, row.article): row for row in rows})
    return tuple(sorted(paid, key=lambda seat: -seat.amount))


def _paid(result: RoundResult, rows: dict[tuple[str, str], PayRow]) -> Iterator[PaidSeat]:
    for seat in result.seats:
        for line in seat.lines:
            row = rows.get((line.wager, line.article)) if line.outcome == "win" else None
            if row is not None and line.wager != "jackpot":
                yield PaidSeat(seat.seat, row.wager, row.name, line.odds, line.net, row.article)
    for award in () if isinstance(result.jackpot, UnsetType) else result.jackpot.awards:
        yield PaidSeat(award.seat, "jackpot", f"hand.{award.tier}", None, award.amount, award.article)


def _of_bank(bank: BankResult) -> Iterator[ShownHand]:
    if bank.black_jack is True:
        yield ShownHand("hand_state.black_jack")
    elif bank.total is not UNSET and bank.total is not None:
        yield ShownHand(points=bank.total)
    elif bank.hand_name is not UNSET and bank.hand_name is not None:
        yield ShownHand(f"hand.{bank.hand_name}")


def _of_seat(seat: SeatResult) -> Iterator[ShownHand]:
    if seat.hand_name is not UNSET and seat.hand_name is not None:
        yield ShownHand(f"hand.{seat.hand_name}")
    for pair in (seat.front, seat.rear):
        if not isinstance(pair, UnsetType):
            yield ShownHand(f"pair.{pair.name}")
