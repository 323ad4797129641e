"""What a test names of a round's report, such as one seat, its lines or its bets."""

from typing import Any

from controller.rulebook.jackpot_award import SettledJackpot
from controller.rulebook.report import Irregularity, LineResult, PlacedBet, RoundReport, SeatResult, TilesReport


def seat_of(report: RoundReport, number: int) -> SeatResult:
    [found] = [seat for seat in report.seats if seat.seat == number]
    return found


def seats(report: RoundReport) -> list[int]:
    return [seat.seat for seat in report.seats]


def lines(report: RoundReport) -> list[LineResult]:
    """The lines of every seat."""
    return [line for seat in report.seats for line in seat.lines]


def reported_bets(report: RoundReport) -> list[tuple[int, str, str | None, int]]:
    """Seat, wager, player and amount of every bet."""
    return [(wager.seat, wager.wager, wager.player, wager.amount) for wager in report.wagers]


def bets_at(report: RoundReport, seat: int) -> list[PlacedBet]:
    return [wager for wager in report.wagers if wager.seat == seat]


def open_cards(report: RoundReport) -> dict[str, str]:
    """By place, and by hand where a seat may have several: `bank`, `seat 3`, `seat 3/1`."""
    return {f"{card.to}/{card.hand}" if card.hand else card.to: " ".join(card.cards) for card in report.shown_cards}


def bank_of(report: RoundReport) -> Any:
    """The bank; untyped, because a game has some of its fields only."""
    assert report.bank is not None
    return report.bank


def prize_of(report: RoundReport) -> SettledJackpot:
    assert report.jackpot
    return report.jackpot


def tiles_of(report: RoundReport) -> TilesReport:
    assert report.tiles
    return report.tiles


def irregularities(report: RoundReport) -> list[tuple[str | int, ...]]:
    """Kind, place and article, and what was wrong and how many cards were seen where that is reported."""
    return [_irregularity(irregularity) for irregularity in report.irregularities]


def _irregularity(irregularity: Irregularity) -> tuple[str | int, ...]:
    more = (irregularity.what, irregularity.count)
    return (irregularity.kind, irregularity.to, irregularity.article, *(value for value in more if value is not None))
