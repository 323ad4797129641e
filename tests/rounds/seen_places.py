"""What can be read of a table of Taiwan-Pai Kao beside what every game shows, in lines of words."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from tests.engine.playing import Play
from tests.rounds.seen import line_in_words


def banker(play: Play) -> list[str]:
    """Who has the bank: ``place 3 capital 1000000 casino 0 rounds 3``."""
    bank = play.public()["round"]["banker"]
    return [" ".join(f"{name} {value}" for name, value in bank.items())] if bank else []


def behind(play: Play) -> list[str]:
    """What the bank wins or loses, and those who are behind it: ``bank seat 1 of 5000 wins 1900``."""
    bank: Any = play.report.bank
    if bank is None:
        return []
    limited = " and is limited" if bank.limited else ""
    casino = [f"casino {bank.casino.share} net {bank.casino.net} by {bank.casino.article}"] if bank.casino else []
    joiners = [line_in_words(bank.seat, line) for line in bank.joiners]
    return [f"bank seat {bank.seat} of {bank.capital} net {bank.net}{limited}", *casino, *joiners]


OF_PLACES: dict[str, Callable[[Play], Iterable[Any]]] = {
    "banker": banker,
    "behind": behind,
    "least": lambda play: [play.step.least],
    "turns": lambda play: (f"seat {wager.seat} {wager.amount} of {wager.player}" for wager in play.report.wagers),
    "order": lambda play: msgspec.to_builtins(play.report.settling_order),
}
"""What a table of Taiwan-Pai Kao shows."""
