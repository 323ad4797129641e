"""Fortune 8: what each bet is worth against the card of its space (6.º to 9.º). No I/O here.

The regulation numbers no article: its groups of paragraphs are counted, 4.º bets and deal, 5.º errors.
"""

from collections.abc import Sequence

from .lines import Message, Stakes, Worth

BOXES = ("low", "eight", "high")  # 4.º 2
VALUES = {"low": "765432", "eight": "8", "high": "AKQJT9"}  # 7.º 1 to 3
ODDS = {"low": (1, "8.º 1"), "eight": (11, "8.º 2"), "high": (1, "8.º 1")}
LOST, ADDED = "6.º 1", "9.º 1"

Added = Sequence[Message]
"""Bets that were authorised beside those of the regulation: name, and sets of cards with what they pay to one."""


def by_box(valid: Stakes, added: Added) -> Stakes:
    """The bets in the order of the lines: by space, then low, eight, high, authorised ones, in a box as placed."""
    order = (*BOXES, *(str(bet["name"]) for bet in added))
    return {bet: valid[bet] for bet in sorted(valid, key=lambda bet: (bet[0], order.index(bet[1])))}


def settle(valid: Stakes, cards: dict[str, str], added: Added) -> list[tuple[int, Worth]]:
    """Every bet against the card of its space (6.º 1, 2), at the odds of its box (8.º) or as authorised (9.º 1)."""
    lines = []
    for (seat, box, player), stake in by_box(valid, added).items():
        times, article = _odds(box, cards[f"seat {seat}"], added)
        won = Worth(box, player, stake, "win", f"{times}:1", stake * times, article)
        lines.append((seat, won if times else Worth(box, player, stake, "lose", None, -stake, article)))
    return lines


def _odds(box: str, card: str, added: Added) -> tuple[int, str]:
    """How many times the stake this card wins in a box, 0 where it loses, and the article."""
    if box in ODDS:
        times, article = ODDS[box]
        return (times, article) if card[0] in VALUES[box] else (0, LOST)
    for bet in added:
        for pays in bet["pays"] if bet["name"] == box else ():
            if card in pays["cards"]:
                return int(pays["to_one"]), ADDED
    return 0, ADDED


def void(valid: Stakes, article: str, added: Added) -> list[tuple[int, Worth]]:
    """Every bet goes back."""
    return [
        (seat, Worth(box, player, stake, "void", None, 0, article))
        for (seat, box, player), stake in by_box(valid, added).items()
    ]
