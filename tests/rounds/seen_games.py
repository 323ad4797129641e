"""What can be read of a table of one game beside what every game shows, in lines of words."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from controller.engine.state.jackpot import E4
from controller.rulebook.events import CardsDealt
from controller.rulebook.taiwan_pai_kao.state import tiles_of
from tests.engine import reported
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


def dice(play: Play) -> list[str]:
    """The dice and the place they name, and how often they fell badly: ``1 1 1 1 from seat 4``, ``null 2``."""
    there = play.public()["round"]
    thrown = [f"{' '.join(map(str, there['dice']))} from seat {there['first_place']}"] if there["dice"] else []
    return [*thrown, *([f"null {there['null_dice']}"] if there["null_dice"] else [])]


def pairs(play: Play) -> Iterable[str]:
    """The pairs of each place that is open: ``seat 2 Seong Tin + Chi Chün rearranged``."""
    for place, there in play.public()["round"]["pairs"].items():
        yield f"{place} {there['front']['title']} + {there['rear']['title']}{' rearranged' * there['rearranged']}"


def served(play: Play) -> Iterable[str]:
    """The places in the order in which each got its first tile."""
    return dict.fromkeys(place for event in play.happened(CardsDealt) for place in event.places)


def agreed(play: Play) -> Iterable[int]:
    """The places that agreed to a longer turn of the bank."""
    bank = tiles_of(play.round).bank
    return bank.agreed if bank else ()


OF_PLACES: dict[str, Callable[[Play], Iterable[Any]]] = {
    "banker": banker,
    "behind": behind,
    "least": lambda play: [play.step.least],
    "turns": lambda play: (f"seat {wager.seat} {wager.amount} of {wager.player}" for wager in play.report.wagers),
    "order": lambda play: msgspec.to_builtins(play.report.settling_order),
    "agreed": agreed,
    "elsewhere": lambda play: play.step.elsewhere,
    "form": lambda play: filter(None, [reported.tiles_of(play.report).form]),
    "holders": lambda play: (
        f"seat {seat} {player}" for seat, player in play.public()["round"]["holders"].items() if player
    ),
    "moved": lambda play: play.public()["round"]["moved"],
    "dice": dice,
    "pairs": pairs,
    "served": served,
}
"""What a table of Taiwan-Pai Kao shows."""


# ---- What can be read of a table of black-jack beside what every game shows, in lines of words


def lying(play: Play) -> list[str]:
    """The hands of each seat, and the bank's open cards: ``seat 1 hand 1 Tc 6c waiting``."""
    shown = play.public()["round"]
    hands = [f"seat {seat} hand {number} {hand['cards']} {hand['state']}" for seat, number, hand in _hands(play)]
    return [*hands, *([f"bank {shown['bank']['cards']}"] if shown["bank"] else [])]


def stakes(play: Play) -> list[str]:
    """What is placed on each hand, and its points: ``seat 1 hand 1 400 doubled with 18``."""
    return [
        f"seat {seat} hand {number} {hand['bet']}{' doubled' if hand['doubled'] else ''} with {hand['total']}"
        for seat, number, hand in _hands(play)
    ]


def _hands(play: Play) -> list[tuple[str, int, dict[str, Any]]]:
    shown = play.public()["round"]["hands"]
    return [(seat, number, hand) for seat, there in shown.items() for number, hand in enumerate(there, start=1)]


def decided(play: Play) -> list[str]:
    """What is won and lost before the round is over: ``seat 1 hand 1 300 by 21``."""
    return [
        " ".join(str(line[key]) for key in ("wager", "hand", "player", "net") if line.get(key) is not None).join(
            (f"seat {seat} ", f" by {line['article']}")
        )
        for seat, there in play.public()["round"]["lines"].items()
        for line in there
    ]


def pot(play: Play) -> list[str]:
    """The pot and the chips that count, and each hit: ``seat 1 two_aces 1250 payable``."""
    hits = [
        " ".join(filter(None, (f"seat {hit.seat}", hit.player, hit.tier, str(hit.amount), hit.state)))
        for hit in play.meter.hits
    ]
    return [f"pot {play.meter.pot}", f"chips {play.meter.chips_counted}", *hits]


OF_HANDS: dict[str, Callable[[Play], Iterable[Any]]] = {
    "lying": lying,
    "stakes": stakes,
    "decided": decided,
    "decides": lambda play: ["yes" if play.public()["round"]["result_open"] else "no"],
    "answered": lambda play: (
        f"seat {decision.seat}{f' hand {decision.hand}' if decision.hand else ''} {decision.decision}"
        for decision in play.report.decisions
    ),
    "pot": pot,
    "counting": lambda play: [
        *(f"seat {seat} counts" for seat in play.round.chips),
        *(f"seat {seat} goes back" for seat in play.round.returned_chips),
    ],
    "paid_out": lambda play: [f"{play.meter.paid_e4 // E4} paid", f"{play.meter.pending_e4 // E4} not yet paid"],
    "asked_again": lambda play: [correction.asked_again for correction in play.round.corrections],
    "pending": lambda play: [play.public()["round"]["pending_cards"]],
    "backers": lambda play: play.step.backers,
}
"""What a table of black-jack shows."""
