"""What can be read of a table of black-jack beside what every game shows, in lines of words."""

from collections.abc import Callable, Iterable
from typing import Any

from controller.engine.state.jackpot import E4
from tests.engine.playing import Play


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
