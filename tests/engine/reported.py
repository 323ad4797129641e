"""What a test names of a round's report, such as one seat, its lines or its bets."""

from typing import Any

from controller.rulebook.jackpot_award import SettledJackpot
from controller.rulebook.report import Irregularity, LineResult, PlacedBet, RoundReport, SeatResult, TilesReport


def seat_of(report: RoundReport, number: int) -> SeatResult:
    [found] = [one for one in report.seats if one.seat == number]
    return found


def seats(report: RoundReport) -> list[int]:
    return [one.seat for one in report.seats]


def lines(report: RoundReport) -> list[LineResult]:
    """The lines of every seat."""
    return [line for one in report.seats for line in one.lines]


def reported_bets(report: RoundReport) -> list[tuple[int, str, str | None, int]]:
    """Seat, wager, player and amount of every bet."""
    return [(one.seat, one.wager, one.player, one.amount) for one in report.wagers]


def bets_at(report: RoundReport, seat: int) -> list[PlacedBet]:
    return [one for one in report.wagers if one.seat == seat]


def open_cards(report: RoundReport) -> dict[str, str]:
    """By place, and by hand where a seat may have several: `bank`, `seat 3`, `seat 3/1`."""
    return {f"{one.to}/{one.hand}" if one.hand else one.to: " ".join(one.cards) for one in report.shown_cards}


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
    return [_irregularity(one) for one in report.irregularities]


def _irregularity(one: Irregularity) -> tuple[str | int, ...]:
    more = (one.what, one.count)
    return (one.kind, one.to, one.article, *(value for value in more if value is not None))
